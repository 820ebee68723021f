"""What a phone is told of a survey: the document, how each answer is randomized, exactly, and what that spends."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from sfumato.document.codec import write
from sfumato.document.header import FORMAT, SURVEY
from sfumato.release.collect.survey.estimates import told_spent
from sfumato.release.collect.survey.survey import FORM

if TYPE_CHECKING:
    from sfumato.release.collect.survey.survey import Asked, Survey
    from sfumato.table.values import Item


def public(survey: Survey) -> dict[str, Item]:
    """The answer of the server to whoever asks what a collection is.

    Keys: `kind`, `format`, `digest`, `epsilon`, `days` (the times of the wire form, as days), `groups`, `asks`, `survey` (the
    document), `questions` (of each: name, mechanism, `bits` on the wire, `times` as places in `days`, `parameters`, `spent`).
    """
    return {
        "kind": "survey",
        FORMAT: FORM,
        "digest": survey.digest(),
        "epsilon": survey.spent,
        "days": list(survey.days),
        "groups": list(survey.groups),
        "asks": survey.asks,
        "survey": {FORMAT: SURVEY.format, **write(survey.document), "ends": survey.document.ends.isoformat()},
        "questions": [_question(survey, i, one) for i, one in enumerate(survey.asked)],
    }


def _question(survey: Survey, place: int, one: Asked) -> dict[str, Item]:
    """One question."""
    return {
        "name": one.said.name,
        "mechanism": one.reports.name,
        "bits": one.reports.bits_per_report,
        "times": list(survey.shape.due[place]),
        "parameters": one.reports.parameters(),
        "spent": asdict(told_spent(one.spent)),
    }
