"""Mondrian: the table cut at medians."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document import method
from sfumato.release.method.recoding import Recoding, limits

if TYPE_CHECKING:
    from sfumato.mechanism.recode.decision import RecodeMethod
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools


def _mechanism(plan: Plan, options: method.Mondrian, tools: Tools) -> RecodeMethod:
    from sfumato.mechanism.recode.mondrian.mondrian import Halving, Mondrian
    from sfumato.mechanism.recode.partition.axes import Publish

    halving, publish = Halving(options.split), Publish(options.publish)
    return Mondrian(plan.promises, halving, publish, limits(options), tools.clock, tools.progress)


METHOD = Recoding(
    name="mondrian",
    title="Mondrian partition",
    done=(
        "The table was cut again and again at the median of its widest quasi-identifier, as long as both "
        "parts kept every promise; each part publishes ranges and sets that cover its members."
    ),
    why=("Cuts adapt to where people are many, are fast on large tables, and need no suppression."),
    options=method.Mondrian,
    mechanism=_mechanism,
)
