"""No recoding: only single columns are changed, where the plan says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document import method
from sfumato.release.method.recoding import Recoding

if TYPE_CHECKING:
    from sfumato.mechanism.recode.decision import RecodeMethod
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools


def _mechanism(plan: Plan, options: method.Unchanged, tools: Tools) -> RecodeMethod:
    from sfumato.mechanism.recode.full_domain.fixed import Unchanged

    del options, tools
    return Unchanged(plan.promises)


METHOD = Recoding(
    name="none",
    title="Nothing recoded",
    done=("No quasi-identifier was recoded; only the columns listed as perturbed were changed."),
    why=("Protection rests on what was done to single columns, and on who may see the table."),
    options=method.Unchanged,
    mechanism=_mechanism,
    recodes=False,
)
