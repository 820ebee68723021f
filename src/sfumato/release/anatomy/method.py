"""The methods that publish two tables which share a bucket number; they differ in how rows are dealt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from sfumato.release.anatomy.choice import check_two_tables
from sfumato.release.method.method import Method, Phase
from sfumato.release.private import refuse_private
from sfumato.release.sampling import check_sample

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from sfumato.document.result.release import ReleaseResult
    from sfumato.engine.base import Receipt
    from sfumato.mechanism.bucket.decision import BucketDecision, BucketMethod
    from sfumato.release.anatomy.measure import MeasuredTwo, Two
    from sfumato.release.anatomy.run import Counted
    from sfumato.release.pipeline import Run
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
class TwoTables(Method[K, "BucketMethod", "Counted[Any]", "BucketDecision", "Pair"], Generic[K]):
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

    def summarize(self, run: Run[BucketMethod]) -> Counted[Any]:
        """The distinct tuples, with and without the sensitive column."""
        from sfumato.release.anatomy.run import summarize

        return summarize(run)

    def decide(self, run: Run[BucketMethod], counted: Counted[Any]) -> BucketDecision:
        """Which rows share a bucket."""
        from sfumato.release.anatomy.run import decide

        return decide(run, counted)

    def tables(self, run: Run[BucketMethod], counted: Counted[Any], decided: BucketDecision) -> tuple[Any, Any]:
        """The table of rows and the table of values."""
        from sfumato.release.anatomy.run import tables

        return tables(run, counted, decided)

    def verify(
        self, run: Run[BucketMethod], counted: Counted[Any], decided: BucketDecision, receipts: Sequence[Receipt]
    ) -> Pair:
        """Both written tables, row for row."""
        from sfumato.release.anatomy.run import verify

        return verify(run, counted, decided, receipts)

    def measure(self, outcome: Two) -> MeasuredTwo:
        """Everything that is measured of two tables."""
        from sfumato.release.anatomy.measure import measure_two

        return measure_two(outcome)

    def record(self, outcome: Two, measured: MeasuredTwo) -> ReleaseResult:
        """The result."""
        from sfumato.release.anatomy.record import result_of_two

        return result_of_two(outcome, measured)
