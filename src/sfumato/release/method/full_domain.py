"""Full-domain generalization: one level of each hierarchy for all rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document import method
from sfumato.release.method.recoding import Recoding, exactly, limits

if TYPE_CHECKING:
    from sfumato.mechanism.recode.decision import RecodeMethod
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools


def _mechanism(plan: Plan, options: method.FullDomain, tools: Tools) -> RecodeMethod:
    """Optimal or best-found levels, with record suppression."""
    from sfumato.mechanism.recode.full_domain.method import FullDomain
    from sfumato.release.losses import loss_of

    return FullDomain(
        criteria=plan.promises,
        suppression_limit=exactly(options.suppression_limit),
        loss=loss_of(options.loss, options.loss_options),
        limits=limits(options),
        progress=tools.progress,
        clock=tools.clock,
    )


METHOD = Recoding(
    name="full-domain",
    title="Full-domain generalization",
    done=(
        "Every value of a quasi-identifier was replaced by its ancestor at one level of its hierarchy, the "
        "same level for all rows; rows whose class broke a promise were suppressed."
    ),
    why=(
        "One coding for the whole table keeps every statistic simple to compute and to explain; among all "
        "combinations of levels the one with the least loss was taken."
    ),
    options=method.FullDomain,
    mechanism=_mechanism,
)
