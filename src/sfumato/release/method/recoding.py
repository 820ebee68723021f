"""The methods that recode rows, which differ in their mechanism alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.release.method.method import Method, Phase
from sfumato.release.plan import MethodChoice
from sfumato.release.private import refuse_private
from sfumato.release.sampling import check_sample

if TYPE_CHECKING:
    from sfumato.mechanism.recode.decision import Limits, RecodeMethod
    from sfumato.release.method.method import Extra, Figures, Stages
    from sfumato.release.perturbing import Wanted
    from sfumato.release.plan import Plan
    from sfumato.release.recoding.run import Built, Counted, Recoded, RecodedOutcome
    from sfumato.release.tools import Tools
    from sfumato.summary.published import Published

K = TypeVar("K")


class Limited(Protocol):
    """Options of a search that may be stopped."""

    @property
    def seconds(self) -> float | None:
        """Time limit."""

    @property
    def nodes(self) -> int | None:
        """Most nodes that are looked at."""


PHASES = {phase: phase.value for phase in Phase} | {Phase.COUNTING: "counting classes"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recoding(Method[K, "Built"], Generic[K]):
    """A method that recodes rows.

    Args:
        mechanism: made of a plan and its options.
        fixes_levels: whether the plan fixes the levels, so that no column may be generalized beforehand.
    """

    mechanism: Callable[[Plan, K, Tools], RecodeMethod]
    fixes_levels: bool = False
    phases: Mapping[Phase, str] = field(default_factory=lambda: PHASES)

    def check(self, plan: Plan) -> None:
        """Nothing is promised that recoding cannot keep."""
        from sfumato.release.anatomy.choice import refuse_bucket_size

        refuse_private(plan)
        check_sample(plan)
        refuse_bucket_size(plan)

    def build(self, plan: Plan, tools: Tools) -> Built:
        """The methods of perturbed columns, and the mechanism."""
        from sfumato.release.recoding.run import Built

        wanted: tuple[Wanted, ...] = ()
        if plan.perturb:
            from sfumato.release.perturbing import wanted_of

            wanted = wanted_of(plan, tools)
        return Built(wanted, self.mechanism(plan, self.options_of(plan), tools), self.fixes_levels)

    def counts_of(self, plan: Plan) -> Plan:
        """Every method that recodes reads the same counts, but for given levels."""
        return replace(
            Method.counts_of(self, plan), method=MethodChoice("given levels" if self.fixes_levels else "recoding")
        )

    def stages(self) -> Stages[Built, Counted[Any], Recoded, Published]:
        """Rows are counted, recoded, written and measured."""
        from sfumato.release.recoding import run

        return run

    def figures(self, outcome: RecodedOutcome, extra: Extra) -> Figures:
        """Figures that are read off classes, and those of perturbed columns."""
        from sfumato.release.recoding.figures import figures

        return figures(outcome, extra)


def limits(options: Limited) -> Limits:
    """Time and node limits."""
    from sfumato.mechanism.recode.decision import Limits

    return Limits(options.seconds, options.nodes)


def exactly(share: float) -> Fraction:
    """A share as the exact decimal that was written."""
    return Fraction(str(share))


def check_names(where: str, given: Iterable[str], plan: Plan) -> None:
    """Refuse options by column that are of no quasi-identifier.

    Raises:
        PlanError: another name. Remedy: correct it.
    """
    known = sorted(column.name for column in plan.schema.quasi_identifiers)
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise PlanError(
            "[method] {where} must hold known keys only; unknown: {unknown}; known here: {known}.",
            "correct or remove them.",
            where=where,
            unknown=unknown,
            known=known,
        ).below("method", where, unknown[0])
