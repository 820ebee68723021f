"""What a phone is told of a survey: the document, how each answer is randomized, exactly, and what that spends."""

from __future__ import annotations

import math
from datetime import date
from typing import TYPE_CHECKING

from sfumato.document.codec import write
from sfumato.document.header import FORMAT, SURVEY
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
        "survey": _plain({FORMAT: SURVEY.format, **write(survey.document)}),
        "questions": [_question(survey, i, one) for i, one in enumerate(survey.asked)],
    }


def _question(survey: Survey, place: int, one: Asked) -> dict[str, Item]:
    """One question."""
    spent = one.spent
    return {
        "name": one.said.name,
        "mechanism": one.reports.name,
        "bits": one.reports.bits_per_report,
        "times": list(survey.shape.due[place]),
        "parameters": one.reports.parameters(),
        "spent": {
            "report": spent.report,
            "steady": spent.steady,
            "lifetime": spent.lifetime,
            "any_history": spent.any_history if math.isfinite(spent.any_history) else None,
        },
    }


def _plain(value: Item) -> Item:
    """Days as texts, so that JSON can hold them."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, date) else value
