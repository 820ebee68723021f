"""What a publishing method declares, so that one pipeline carries out them all (see `release.pipeline`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from sfumato.document.codec import read
from sfumato.document.perturb import Pram
from sfumato.document.plan import Measures
from sfumato.frozen import dataclass
from sfumato.guarantee.base import CountsBeside
from sfumato.release.plan import MethodChoice, Output, PerturbChoice

if TYPE_CHECKING:
    from sfumato.account.event import Event
    from sfumato.document.result.release import ReleaseResult
    from sfumato.engine.base import Receipt
    from sfumato.release.pipeline import Outcome, Run
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools
    from sfumato.summary.figure import Figure
    from sfumato.table.unit import Unit

K = TypeVar("K")
B = TypeVar("B")
S = TypeVar("S")
D = TypeVar("D")
P = TypeVar("P")


class Phase(Enum):
    """What a run is doing, as whoever waits for it is told."""

    READING = "reading"
    COUNTING = "counting"
    DECIDING = "deciding"
    WRITING = "writing"
    VERIFYING = "verifying and measuring"


class Measured(Protocol):
    """What every measurement of a release holds."""

    @property
    def worth(self) -> Sequence[Figure]:
        """What the release is worth."""

    @property
    def risk_after(self) -> Sequence[Figure]:
        """What an intruder gains from it."""


@dataclass(frozen=True, slots=True)
class Extra:
    """Figures of a sweep that are made only when they are needed.

    Args:
        buckets: whether classes are read as buckets, to be compared with two tables.
        attacks: whether attacks are tried.
    """

    buckets: bool
    attacks: bool


ATTACK = "attack."
"""Figures whose name begins so are tried, not computed; they cost seconds and are made when asked for."""
_ANY = Pram(keep=1.0)
"""Stands for every way in which a column is perturbed, where that does not matter."""
Figures = tuple[Sequence["Figure"], Sequence["Figure"]]
"""Worth and risk of a release."""


class Stages(Protocol[B, S, D, P]):
    """What a method does once its plan was charged. B: what it made of the plan; S: what it counts; D: what it decides;
    P: what the written release says.
    """

    def summarize(self, run: Run[B], /) -> S:
        """Ask the engine for all that a decision needs."""

    def decide(self, run: Run[B], counted: S, /) -> D:
        """What will be published, from what was counted.

        Raises:
            NoSolution: no release keeps the promises.
        """

    def tables(self, run: Run[B], counted: S, decided: D, /) -> Sequence[Any]:
        """The tables to be written, as the engine holds them: the first, and those `beside`."""

    def verify(self, run: Run[B], counted: S, decided: D, receipts: Sequence[Receipt], /) -> P:
        """Read again what was written.

        Raises:
            InternalError: it is not what was decided.
            NoSolution: it breaks a promise.
        """

    def measure(self, outcome: Outcome[B, S, D, P], /) -> Measured:
        """What the release is worth, and what breaks it."""

    def record(self, outcome: Outcome[B, S, D, P], measured: Any, /) -> ReleaseResult:
        """The documented result (see docs/reference/result.md)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method(ABC, Generic[K, B]):
    """A method that publishes tables: all that is known of it before it is carried out. K: its options; B: what it makes
    of a plan.

    Args:
        name: in plans and results.
        title: in reports.
        done: what it does, in one sentence.
        why: why one would choose it.
        options: class of its [method] table (see `document.method`).
        recodes: whether it changes quasi-identifiers, so that a plan must promise something.
        private: whether it keeps differential privacy.
        in_buckets: whether rows and sensitive values are linked by a bucket alone.
        beside: tables that it publishes beside the first: what their files' names add → what messages call them.
        phases: what is told at the beginning of each phase; a phase that is not there is passed over.
    """

    name: str
    title: str
    done: str
    why: str
    options: type[K]
    recodes: bool = True
    private: bool = False
    in_buckets: bool = False
    beside: Mapping[str, str] = field(default_factory=dict)
    phases: Mapping[Phase, str] = field(default_factory=lambda: {phase: phase.value for phase in Phase})

    @abstractmethod
    def check(self, plan: Plan) -> None:
        """Refuse a plan that this method cannot carry out, before anything is read.

        Raises:
            PlanError: the first rule that is broken. Remedy: in the message.
        """

    @abstractmethod
    def build(self, plan: Plan, tools: Tools) -> B:
        """Everything that follows from the plan alone, all options of [method] read, before anything is charged.

        Raises:
            PlanError: an option is unknown or of the wrong type.
        """

    @abstractmethod
    def stages(self) -> Stages[B, Any, Any, Any]:
        """What carries it out: a module or an object, loaded when it is asked for."""

    def event(self, plan: Plan) -> Event | None:
        """What is charged, known before anything is read; None where it costs nothing."""
        del plan
        return None

    def check_columns(self, plan: Plan, names: Sequence[str]) -> None:
        """Refuse a table whose columns are not those of the plan.

        Args:
            plan: what is asked.
            names: columns of the table.

        Raises:
            SchemaError: a column is absent, or one was not declared.
        """
        plan.schema.check_covers(names)

    def beside_of(self, plan: Plan) -> Mapping[str, str]:
        """Tables of a plan beside the first: what their files' names add → what messages call them."""
        del plan
        return self.beside

    def unit(self, plan: Plan) -> Unit:
        """Whom the price is for, as the ledger writes it down."""
        from sfumato.table.unit import Neighbors, Unit

        del plan
        return Unit.row(Neighbors.ADD_REMOVE)

    def options_of(self, plan: Plan) -> K:
        """The options, from the plan's document or as they were given in Python.

        Raises:
            PlanError: one is unknown, absent or of the wrong type.
        """
        said = plan.method.said
        if isinstance(said, self.options):
            return said
        return read(self.options, plan.method.options, "[method]")

    def counts_of(self, plan: Plan) -> Plan:
        """What of a plan tells how its table is counted; equal for plans that can share the counts."""
        return replace(
            plan,
            document={},
            promises=tuple(one for one in plan.promises if isinstance(one, CountsBeside)),
            method=MethodChoice(self.name),
            measures=Measures(),
            output=Output(),
            perturb=tuple(PerturbChoice(choice.column, _ANY, {}) for choice in plan.perturb),
        )

    def figures(self, outcome: Outcome[B, Any, Any, Any], extra: Extra) -> Figures:
        """Worth and risk, as a sweep compares them."""
        del extra
        measured = outcome.run.stages.measure(outcome)
        return measured.worth, measured.risk_after
