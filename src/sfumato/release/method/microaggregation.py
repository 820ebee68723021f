"""Microaggregation: groups of near rows, and their centers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.release.method.recoding import Recoding

if TYPE_CHECKING:
    from sfumato.mechanism.recode.decision import RecodeMethod
    from sfumato.release.document import Section
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools


def _mechanism(plan: Plan, section: Section, tools: Tools) -> RecodeMethod:
    """Groups of near rows, and their centers."""
    from sfumato.mechanism.recode.microaggregation.centers import Center, Spelling
    from sfumato.mechanism.recode.microaggregation.method import ROWS_AT_ONCE, Microaggregation

    centers, digits = section.table("centers"), section.table("digits")
    names = [column.name for column in plan.schema.quasi_identifiers]
    chosen = {name: centers.choice(name, Center, Center.MEAN) for name in names}
    places = {name: digits.optional(name, int) for name in names}
    centers.finish()
    digits.finish()
    spelling = Spelling(
        {name: center for name, center in chosen.items() if center is not Center.MEAN},
        {name: n for name, n in places.items() if n is not None},
    )
    rows_at_once = section.default("rows_at_once", int, ROWS_AT_ONCE)
    return Microaggregation(plan.promises, spelling, rows_at_once, tools.progress)


METHOD = Recoding(
    name="microaggregation",
    title="Microaggregation",
    done=(
        "Rows that are near to each other were put into groups of at least k; each row publishes the mean "
        "(or median) of the numbers of its group and the lowest hierarchy node that holds its categories."
    ),
    why=(
        "Numbers stay numbers, so that whoever analyzes the release computes with it as with the original; "
        "means of columns stay nearly exact, only variation inside the groups is lost."
    ),
    mechanism=_mechanism,
)
