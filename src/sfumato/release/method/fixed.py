"""Levels that the plan gives, such as those of an earlier release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document import method
from sfumato.release.method.recoding import Recoding, exactly

if TYPE_CHECKING:
    from sfumato.mechanism.recode.decision import RecodeMethod
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools


def _mechanism(plan: Plan, options: method.Fixed, tools: Tools) -> RecodeMethod:
    """Given levels."""
    from sfumato.mechanism.recode.full_domain.fixed import FixedLevels
    from sfumato.release.losses import loss_of

    del tools
    loss = loss_of(options.loss, options.loss_options)
    return FixedLevels(plan.promises, exactly(options.suppression_limit), loss, options.levels)


METHOD = Recoding(
    name="fixed",
    title="Fixed levels",
    done=("The levels given in the plan were applied; rows whose class broke a promise were suppressed."),
    why=("The same coding as an earlier release keeps the two comparable."),
    options=method.Fixed,
    mechanism=_mechanism,
    fixes_levels=True,
)
