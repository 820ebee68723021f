"""The methods that publish two tables which share a bucket number; they differ in how rows are dealt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Generic, TypeVar

from sfumato.frozen import dataclass
from sfumato.release.anatomy.choice import check_two_tables
from sfumato.release.method.method import Method, Phase
from sfumato.release.private import refuse_private
from sfumato.release.sampling import check_sample

if TYPE_CHECKING:
    from typing import Any

    from sfumato.mechanism.bucket.decision import BucketDecision, BucketMethod
    from sfumato.release.anatomy.run import Counted
    from sfumato.release.method.method import Stages
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools
    from sfumato.summary.pair import Pair

K = TypeVar("K")

PHASES = {
    Phase.READING: "reading",
    Phase.COUNTING: "counting",
    Phase.DECIDING: "dealing rows into buckets",
    Phase.WRITING: "writing two tables",
    Phase.VERIFYING: "verifying and measuring",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoTables(Method[K, "BucketMethod"], Generic[K]):
    """A method that publishes two tables.

    Args:
        mechanism: made of a plan and its options.
        needs_size: whether the plan must promise a bucket size.
    """

    mechanism: Callable[[Plan, K], BucketMethod]
    needs_size: bool = False
    in_buckets: bool = True
    beside: Mapping[str, str] = field(default_factory=lambda: {"sensitive": "the second table"})
    phases: Mapping[Phase, str] = field(default_factory=lambda: PHASES)

    def check(self, plan: Plan) -> None:
        """One sensitive column, promises of it, and nothing else that two tables cannot do."""
        refuse_private(plan)
        check_sample(plan)
        check_two_tables(plan, needs_size=self.needs_size)
        self.options_of(plan)

    def build(self, plan: Plan, tools: Tools) -> BucketMethod:
        """The mechanism, with its options."""
        del tools
        return self.mechanism(plan, self.options_of(plan))

    def stages(self) -> Stages[BucketMethod, Counted[Any], BucketDecision, Pair]:
        """Rows are dealt into buckets, and two tables written and measured."""
        from sfumato.release.anatomy import run

        return run
