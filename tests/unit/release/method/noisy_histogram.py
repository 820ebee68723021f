"""A method that the package does not have: counts of declared values with noise, as a small table."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sfumato.account.event import PureDP
from sfumato.document.result.release import Done, ReleaseResult
from sfumato.errors import InternalError, PlanError
from sfumato.guarantee.base import Guarantee, Move
from sfumato.guarantee.central_dp import PureCentralDP
from sfumato.noise.discrete_laplace import discrete_laplace
from sfumato.release.method.method import Method
from sfumato.release.private import check_columns
from sfumato.release.record import envelope, promise_of, source_table, worth_of, written_files
from sfumato.release.reread import read_again
from sfumato.summary.ask import MarginalOf, Tuples
from sfumato.summary.figure import Figure
from sfumato.table.attribute import bind
from sfumato.table.source import Dialect
from sfumato.table.unit import Neighbors, Unit


@dataclass(frozen=True, slots=True)
class NoisyCounts:
    """ε-differential privacy of the counts."""

    model: ClassVar[str] = "differential-privacy"
    variant: ClassVar[dict[str, str]] = {"kind": "noisy-histogram"}
    needs: ClassVar[frozenset[object]] = frozenset()
    monotone_in: ClassVar[Move] = Move.MERGE
    columns: ClassVar[tuple[str, ...]] = ()
    epsilon: float

    def holds_together(self, classes):
        return True

    def measure(self, classes):
        return 0.0

    def guarantee(self) -> Guarantee:
        return PureCentralDP(Fraction(self.epsilon), Unit.row(Neighbors.ADD_REMOVE)).guarantee()


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """[method]: the values that are counted."""

    tag: ClassVar[tuple[str, str]] = ("name", "noisy-histogram")
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    worth: tuple[Figure, ...]
    risk_after: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyHistogram(Method):
    def check(self, plan):
        if len(plan.schema.quasi_identifiers) != 1 or not isinstance(plan.promises[0], NoisyCounts):
            raise PlanError("A noisy histogram counts one column, under its own promise.", "name one.")
        check_columns(plan)

    def event(self, plan):
        return PureDP(Fraction(plan.promises[0].epsilon))

    def build(self, plan, tools):
        return self.options_of(plan).values

    def stages(self):
        return self

    def summarize(self, run):
        (column,) = run.plan.schema.quasi_identifiers
        found = run.engine.summarize(run.table, MarginalOf(column.name))
        counts = dict(zip(found.values, found.counts, strict=True))
        return np.array([counts.get(value, 0) for value in run.built], np.int64)

    def decide(self, run, counted):
        scale = 1 / Fraction(run.plan.promises[0].epsilon)
        return counted + discrete_laplace(len(counted), scale, bits=run.tools.bits)

    def tables(self, run, counted, decided):
        return (run.engine.make({"value": list(run.built), "count": decided.tolist()}),)

    def verify(self, run, counted, decided, receipts):
        table = read_again(
            run.engine, run.plan, replace(run.header, dialect=Dialect()), receipts[0], bits=run.tools.bits
        )
        ask = [run.engine.summarize(table, MarginalOf(name)) for name in ("value", "count")]
        if set(ask[0].values) != set(run.built) or set(map(int, ask[1].values)) != set(decided.tolist()):
            raise InternalError("The written counts are not those decided.")
        return decided

    def measure(self, outcome):
        error = float(np.abs(outcome.published - outcome.counted).mean())
        return Measured((Figure("count_error", "Error of a count", error, "Mean absolute error.", "this test"),))

    def record(self, outcome, measured):
        (column,) = outcome.plan.schema.quasi_identifiers
        attribute = bind(column, sorted(outcome.run.built))
        classes = outcome.run.engine.summarize(outcome.run.table, Tuples((attribute,)))
        return ReleaseResult(
            **envelope(outcome.plan),
            source=source_table(outcome.header, outcome.plan.source),
            columns=(),
            done=Done(method=self.name, summary=self.done, why=self.why),
            paid=outcome.paid,
            promise=tuple(promise_of(promise, classes) for promise in outcome.plan.promises),
            worth=tuple(worth_of(figure) for figure in measured.worth),
            notes=outcome.header.notes,
            files=written_files(outcome.receipts),
        )


METHOD = NoisyHistogram(
    name="noisy-histogram",
    title="Counts with noise",
    done="Declared values were counted, and noise was added.",
    why="One sees how often each value occurs.",
    options=Options,
    private=True,
)
