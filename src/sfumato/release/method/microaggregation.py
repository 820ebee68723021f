"""Microaggregation: groups of near rows, and their centers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document import method
from sfumato.release.method.recoding import Recoding, check_names

if TYPE_CHECKING:
    from sfumato.mechanism.recode.decision import RecodeMethod
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools


def _mechanism(plan: Plan, options: method.Microaggregation, tools: Tools) -> RecodeMethod:
    """Groups of near rows, and their centers."""
    from sfumato.mechanism.recode.microaggregation.centers import Center, Spelling
    from sfumato.mechanism.recode.microaggregation.method import ROWS_AT_ONCE, Microaggregation

    check_names("centers", options.centers, plan)
    check_names("digits", options.digits, plan)
    chosen = {name: Center(word) for name, word in options.centers.items()}
    spelling = Spelling({name: one for name, one in chosen.items() if one is not Center.MEAN}, options.digits)
    return Microaggregation(plan.promises, spelling, options.rows_at_once or ROWS_AT_ONCE, tools.progress)


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
    options=method.Microaggregation,
    mechanism=_mechanism,
)
