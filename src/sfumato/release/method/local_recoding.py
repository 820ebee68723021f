"""Local recoding: groups of similar rows, each recoded as far as it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document import method
from sfumato.release.method.recoding import Recoding, limits

if TYPE_CHECKING:
    from sfumato.mechanism.recode.decision import RecodeMethod
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools


def _mechanism(plan: Plan, options: method.LocalRecoding, tools: Tools) -> RecodeMethod:
    from sfumato.mechanism.recode.local_recoding import Effort, LocalRecoding
    from sfumato.mechanism.recode.partition.axes import Publish

    publish, effort = Publish(options.publish), Effort(options.effort)
    return LocalRecoding(plan.promises, publish, limits(options), tools.clock, tools.progress, effort)


METHOD = Recoding(
    name="local-recoding",
    title="Local recoding",
    done=(
        "Rows with similar quasi-identifiers were grouped; each group publishes the narrowest ranges and "
        "sets (or hierarchy nodes) that cover its members."
    ),
    why=(
        "Each group is recoded only as far as it needs, so that far less information is lost than with one "
        "coding for all rows; ranges of different groups may overlap."
    ),
    options=method.LocalRecoding,
    mechanism=_mechanism,
)
