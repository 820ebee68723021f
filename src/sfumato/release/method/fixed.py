"""Levels that the plan gives, such as those of an earlier release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.release.method.recoding import Recoding, loss, suppression_limit

if TYPE_CHECKING:
    from sfumato.mechanism.recode.decision import RecodeMethod
    from sfumato.release.document import Section
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools


def _mechanism(plan: Plan, section: Section, tools: Tools) -> RecodeMethod:
    """Given levels."""
    from sfumato.mechanism.recode.full_domain.fixed import FixedLevels

    del tools
    wanted = loss(section)
    return FixedLevels(plan.promises, suppression_limit(section), wanted, section.required("levels", dict))


METHOD = Recoding(
    name="fixed",
    title="Fixed levels",
    done=("The levels given in the plan were applied; rows whose class broke a promise were suppressed."),
    why=("The same coding as an earlier release keeps the two comparable."),
    mechanism=_mechanism,
    fixes_levels=True,
)
