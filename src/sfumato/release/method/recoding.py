"""The methods that recode rows, which differ in their mechanism alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.errors import PlanError, SfumatoError
from sfumato.release.document import Section
from sfumato.release.method.method import Method, Phase
from sfumato.release.method.registry import every_method
from sfumato.release.plan import MethodChoice
from sfumato.release.private import refuse_private
from sfumato.release.sampling import check_sample

if TYPE_CHECKING:
    from sfumato.engine.base import Receipt
    from sfumato.mechanism.recode.decision import Limits, RecodeMethod
    from sfumato.release.measure import Measured
    from sfumato.release.method.method import Extra, Figures
    from sfumato.release.pipeline import Run
    from sfumato.release.plan import Plan
    from sfumato.release.recoding.run import Built, Counted, Recoded, RecodedOutcome
    from sfumato.release.tools import Tools
    from sfumato.summary.loss import Loss
    from sfumato.summary.published import Published

Builder = Callable[["Plan", Section, "Tools"], "RecodeMethod"]

PHASES = {phase: phase.value for phase in Phase} | {Phase.COUNTING: "counting classes"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recoding(Method["Built", "Counted[Any]", "Recoded", "Published"]):
    """A method that recodes rows.

    Args:
        mechanism: reads the options of [method] and makes the mechanism.
        fixes_levels: whether the plan fixes the levels, so that no column may be generalized beforehand.
    """

    mechanism: Builder
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
        from sfumato.release.perturbing import wanted_of
        from sfumato.release.recoding.run import Built

        return Built(wanted_of(plan, tools), self.mechanism_of(plan, tools), self.fixes_levels)

    def mechanism_of(self, plan: Plan, tools: Tools) -> RecodeMethod:
        """The mechanism, with its options.

        Raises:
            PlanError: an option is unknown or of the wrong type.
        """
        section = Section("[method]", plan.method.options)
        mechanism = self.mechanism(plan, section, tools)
        unknown, known = sorted(section.rest()), section.known()
        if unknown:
            raise PlanError(
                'The method "{method}" does not know {unknown}{elsewhere}; it knows {known}.',
                "remove {unknown} from [method], or choose a method that knows them.",
                method=self.name,
                unknown=", ".join(unknown),
                elsewhere=_elsewhere(plan, unknown, tools),
                known=", ".join(known) or "no further key",
            )
        return mechanism

    def unread(self, plan: Plan, tools: Tools) -> frozenset[str]:
        """What the mechanism does not read."""
        section = Section("[method]", plan.method.options)
        self.mechanism(plan, section, tools)
        return frozenset(section.rest())

    def counts_of(self, plan: Plan) -> Plan:
        """Every method that recodes reads the same counts, but for given levels."""
        return replace(
            Method.counts_of(self, plan), method=MethodChoice("given levels" if self.fixes_levels else "recoding")
        )

    def summarize(self, run: Run[Built]) -> Counted[Any]:
        """The distinct tuples."""
        from sfumato.release.recoding.run import summarize

        return summarize(run)

    def decide(self, run: Run[Built], counted: Counted[Any]) -> Recoded:
        """How tuples are recoded, and every perturbed column."""
        from sfumato.release.recoding.run import decide

        return decide(run, counted)

    def tables(self, run: Run[Built], counted: Counted[Any], decided: Recoded) -> tuple[Any]:
        """The recoded table."""
        from sfumato.release.recoding.run import released

        return (released(run, counted, decided),)

    def verify(
        self, run: Run[Built], counted: Counted[Any], decided: Recoded, receipts: Sequence[Receipt]
    ) -> Published:
        """The written classes."""
        from sfumato.release.recoding.run import verify

        return verify(run, counted, decided, receipts)

    def measure(self, outcome: RecodedOutcome) -> Measured:
        """Everything that is measured of a recoded table."""
        from sfumato.release.measure import measure

        return measure(outcome)

    def record(self, outcome: RecodedOutcome, measured: Measured) -> dict[str, object]:
        """The result."""
        from sfumato.release.record import result_of

        return result_of(outcome, measured)

    def figures(self, outcome: RecodedOutcome, extra: Extra) -> Figures:
        """Figures that are read off classes, and those of perturbed columns."""
        from sfumato.release.recoding.figures import figures

        return figures(outcome, extra)


def suppression_limit(section: Section) -> Fraction:
    """The suppression limit as the exact decimal that was written; 0 where none is."""
    return Fraction(str(section.default("suppression_limit", float, 0.0)))


def limits(section: Section) -> Limits:
    """Time and node limits."""
    from sfumato.mechanism.recode.decision import Limits

    return Limits(section.optional("seconds", float), section.optional("nodes", int))


def loss(section: Section) -> Loss:
    """The loss that a search minimizes."""
    from sfumato.release.losses import loss_of

    return loss_of(section.default("loss", str, "loss"), section.default("loss_options", dict, {}))


def _elsewhere(plan: Plan, keys: Sequence[str], tools: Tools) -> str:
    """The methods that know some keys, in brackets."""
    knowing = []
    for method in every_method():
        section = Section("[method]", {})
        if isinstance(method, Recoding):
            with suppress(SfumatoError):  # a key that it needs is absent here
                method.mechanism(replace(plan, method=replace(plan.method, name=method.name)), section, tools)
            if set(keys) <= set(section.known()):
                knowing.append(method.name)
    return f" (of {', '.join(knowing)})" if knowing else ""
