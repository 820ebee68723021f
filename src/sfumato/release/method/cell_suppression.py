"""Cell suppression: single cells starred."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document import method
from sfumato.release.method.recoding import Recoding, limits

if TYPE_CHECKING:
    from sfumato.mechanism.recode.decision import RecodeMethod
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools


def _mechanism(plan: Plan, options: method.CellSuppression, tools: Tools) -> RecodeMethod:
    """Cell suppression; a suppressed cell is a value of its own, as it is verified."""
    from sfumato.mechanism.recode.cell_suppression import CellSuppression

    return CellSuppression(plan.promises, limits=limits(options), clock=tools.clock, progress=tools.progress)


METHOD = Recoding(
    name="cell-suppression",
    title="Cell suppression",
    done=("Single cells of the quasi-identifiers were replaced by `*` until every promise held."),
    why=("Most cells stay exactly as they were; only rare combinations lose some of theirs."),
    options=method.CellSuppression,
    mechanism=_mechanism,
)
