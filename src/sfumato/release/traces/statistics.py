"""The stages of a run that releases statistics of traces: read, counted with noise, written, read again.

Nothing that is exact of the traces leaves this module: no number of rows, persons or fixes, and no figure of the original.
"""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from sfumato.account.event import to_data
from sfumato.document.result.release import Done, Person, Promise, ReleaseResult, Worth
from sfumato.document.result.trace_statistics import (
    ForecastResult,
    NoiseTold,
    ReadingTold,
    StatisticsFound,
    StatisticTold,
)
from sfumato.errors import InternalError, PlanError, SchemaError
from sfumato.frozen import dataclass
from sfumato.release.mobility.answering import answers, forecast, readings_of
from sfumato.release.promised import promised
from sfumato.release.record import column_entries, envelope, source_table, told, written_files
from sfumato.release.reread import read_again
from sfumato.release.traces.plan import names_of
from sfumato.release.traces.reading import read_table
from sfumato.summary.fixes import FixesOf
from sfumato.table.source import Dialect
from sfumato.table.traces import Traces

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sfumato.document.traces import TracesDocument
    from sfumato.engine.base import Engine, Receipt
    from sfumato.guarantee.base import Guarantee
    from sfumato.release.answer.answer import Answer
    from sfumato.release.mobility.how import Forecast
    from sfumato.release.pipeline import Outcome, Run
    from sfumato.release.traces.statistics_plan import Asked
    from sfumato.table.plane import Region
    from sfumato.types import FloatArray

_GREATEST = 20
"""Groups of each table that the result tells; the table has them all."""
_DIGITS = 7
"""Of degrees: about a centimetre."""
_CELLS = ("cell", "origin", "destination")
"""Keys that are cells of the region."""


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """What was read. Private.

    Args:
        traces: of persons; none where no row has a person, a time and a place.
        weights: of persons, by name; None: nobody has one.
    """

    traces: Traces
    weights: dict[str, float] | None


@dataclass(frozen=True, slots=True)
class Measured:
    """How wrong the numbers are."""

    worth: tuple[Worth, ...]
    risk_after: tuple[()] = ()


StatisticsOutcome: TypeAlias = "Outcome[Asked, Counted, tuple[Answer, ...], None]"
"""A run that released statistics."""


def promise_of(asked: Asked) -> Guarantee:
    """What all statistics together promise.

    Raises:
        PlanError: prices with a δ or a ρ, and no δ at which they can be told together.
    """
    return promised(asked.event, asked.unit.of_ledger, asked.said.answers.delta)


def summarize(run: Run[Asked]) -> Counted:
    """The table as traces, with weights. That nothing can be read is no error: it would tell."""
    said = run.built.said
    try:
        traces = read_table(run.engine, run.table, said.traces, run.built.region).traces
    except SchemaError:  # no row is left; the columns were checked before
        none = np.zeros(0, np.int64)
        traces = Traces(said.traces.zone, (), none, none, np.zeros(0), np.zeros(0))
    return Counted(traces, None if said.weights is None else weights_of(run.engine, run.table, said))


def weights_of(engine: Engine[Any], table: Any, said: TracesDocument) -> dict[str, float] | None:
    """The greatest weight among the rows of each person; None: no weights are declared.

    Args:
        engine: where the table is.
        table: as the engine holds it.
        said: the plan.
    """
    if said.weights is None:
        return None
    person, time, _, _ = names_of(said.traces)
    found = engine.summarize(table, FixesOf(person, time, said.weights.column, said.weights.column))
    known = (found.person >= 0) & ~np.isnan(found.latitude)
    greatest = np.full(len(found.persons), -np.inf)
    np.maximum.at(greatest, found.person[known], found.latitude[known])
    return {name: w for name, w in zip(found.persons, greatest.tolist(), strict=True) if w > -np.inf}


def decide(run: Run[Asked], counted: Counted) -> tuple[Answer, ...]:
    """The answers of all statistics."""
    asked = run.built
    return answers(
        counted.traces, asked.statistics, asked.unit, weights=counted.weights,
        confidence=asked.said.answers.confidence, bits=run.tools.bits,
    )  # fmt: skip


def tables(run: Run[Asked], counted: Counted, decided: tuple[Answer, ...]) -> tuple[Any, ...]:
    """One table for each answer: its keys, centers of its cells, its numbers with their intervals."""
    del counted
    return tuple(run.engine.make(columns_of(one, run.built.region)) for one in decided)


def columns_of(answer: Answer, region: Region) -> dict[str, Any]:
    """The columns of one answer: numbers are whole where noise is; a number that is none is missing.

    Args:
        answer: noisy numbers.
        region: whose cells they are of.
    """
    out: dict[str, Any] = {}
    given = answer.table()
    for name in answer.by:
        out[name] = given[name]
        if name in _CELLS:
            cells = np.array([key.split(":") for key in given[name]], np.int64).reshape(-1, 2)  # type: ignore[attr-defined]
            centers = (np.round(x, _DIGITS) for x in region.centers_of(cells))
            out[f"{name} latitude"], out[f"{name} longitude"] = centers
    for name, values in given.items():
        if name not in answer.by:
            numbers = np.array(values, np.float64)
            is_whole = bool(np.all(np.isfinite(numbers) & (numbers == np.rint(numbers))))
            out[name] = numbers.astype(np.int64) if is_whole else known_only(numbers.tolist())
    return out


def known_only(numbers: Sequence[float]) -> list[float | None]:
    """Numbers, None where one is none.

    Example:
        >>> known_only([1.0, float("nan")])
        [1.0, None]
    """
    return [None if math.isnan(x) else x for x in numbers]


def verify(run: Run[Asked], counted: Counted, decided: tuple[Answer, ...], receipts: Sequence[Receipt]) -> None:
    """Read again what was written.

    Raises:
        InternalError: it is not what was decided.
    """
    del counted
    plain_plan, header = replace(run.plan, source=None), replace(run.header, dialect=Dialect())
    for answer, receipt in zip(decided, receipts, strict=True):
        again = read_again(run.engine, plain_plan, header, receipt, bits=run.tools.bits)
        names = list(answer.table())
        found = run.engine.summarize(again, FixesOf(names[0], names[0], names[len(answer.by)], names[-1]))
        expected = answer.table()
        pairs = np.array([expected[names[len(answer.by)]], expected[names[-1]]], np.float64)
        if receipt.n_rows != len(answer.keys) or not _same(pairs, np.stack([found.latitude, found.longitude])):
            raise InternalError("The written statistics differ from those decided; they must not be used.")


def _same(one: FloatArray, other: FloatArray) -> bool:
    """Whether two tables hold the same rows in any order."""
    if one.shape != other.shape:
        return False
    first, second = (np.nan_to_num(x, nan=-1e300) for x in (one, other))
    return np.array_equal(first[:, np.lexsort(first)], second[:, np.lexsort(second)])


def measure(outcome: StatisticsOutcome) -> Measured:
    """The errors that were known before anything was paid."""
    asked = outcome.run.built
    lines = forecast(asked.statistics, asked.unit, confidence=asked.said.answers.confidence)
    return Measured(tuple(_worth(i, line) for i, line in enumerate(lines) if line.mean_error is not None))


def _worth(place: int, line: Forecast) -> Worth:
    """The mean error of one number, as a figure."""
    return Worth(
        f"mean_error_{place}",
        f"Mean error of {line.number}, {line.statistic}",
        line.mean_error,
        "The mean absolute error of one number by noise alone, known before anything is read; what a limit cuts off is not in it.",
        "computed from the law of the noise",
        "lower",
        before=0.0,
    )


def record(outcome: StatisticsOutcome, measured: Measured) -> ReleaseResult:
    """The documented result of a run, which tells nothing of the traces that was not paid for."""
    plan, method, asked = outcome.plan, outcome.run.method, outcome.run.built
    source = replace(source_table(outcome.header, plan.source), rows=None, sha256=None)
    checked = "the written numbers were read again and are those that were drawn"
    return ReleaseResult(
        **envelope(plan),
        source=source,
        unit=Person(person=asked.said.traces.person, persons=None),
        columns=column_entries(plan, ()),
        done=Done(method=method.name, summary=method.done, why=method.why),
        paid=outcome.paid,
        promise=(Promise(**told(promise_of(asked)), holds=True, checked=checked),),
        statistics=_found(outcome),
        worth=measured.worth,
        notes=(_NOTE,),
        files=written_files(outcome.receipts),
    )


_NOTE = "Numbers of rows, persons and fixes, what was wrong with rows, and how much limits cut off are private, and told nowhere."


def foretold(said: TracesDocument, expected: int | None) -> ForecastResult:
    """How wrong the statistics of a plan would be, and what they would cost.

    Args:
        said: a plan with [[statistics]].
        expected: about how many trips count in all, for means and quantiles; None: nobody knows.

    Raises:
        PlanError: a plan without statistics, or with one that cannot be made private.
    """
    from sfumato.release.traces.statistics_plan import asked_of

    if not said.statistics:
        raise PlanError("Errors are foretold of statistics; this plan has no [[statistics]].", "add one.")
    asked = asked_of(said)
    return ForecastResult(
        unit=asked.unit.sentence, confidence=said.answers.confidence, cost=to_data(asked.event),
        noises=noises_of(asked, expected), accountants=accountants_of(asked),
    )  # fmt: skip


def noises_of(asked: Asked, expected: int | None) -> tuple[NoiseTold, ...]:
    """How wrong numbers are, before anything is read.

    Args:
        asked: the statistics.
        expected: about how many trips count in all.
    """
    lines = forecast(asked.statistics, asked.unit, confidence=asked.said.answers.confidence, expected=expected)
    return tuple(NoiseTold(**asdict(line)) for line in lines)


def accountants_of(asked: Asked) -> tuple[ReadingTold, ...]:
    """The epsilon of all together as each accountant counts it; () where the plan names no delta."""
    delta = asked.said.answers.delta
    readings = () if delta is None else readings_of(asked.statistics, asked.unit, delta)
    return tuple(ReadingTold(accountant=one.accountant, epsilon=_up(one.epsilon), note=one.note) for one in readings)


def _found(outcome: StatisticsOutcome) -> StatisticsFound:
    """What was released, with its errors."""
    asked = outcome.run.built
    said = asked.said
    noises = noises_of(asked, None)
    return StatisticsFound(
        zone=said.traces.zone,
        latitude=said.region.latitude,
        longitude=said.region.longitude,
        metres=float(asked.region.side),
        rows=asked.region.rows,
        columns=asked.region.columns,
        unit=asked.unit.sentence,
        noises=noises,
        tables=tuple(_told(title, one) for title, one in zip(asked.tables, outcome.decided, strict=True)),
        accountants=accountants_of(asked),
    )


def _up(epsilon: Fraction | None) -> float | None:
    """A number as a float that is no smaller."""
    return None if epsilon is None else math.nextafter(float(epsilon), math.inf)


def _told(title: str, one: Answer) -> StatisticTold:
    """One table by its greatest numbers; those without an order stand as they were given."""
    numbers = np.array([row[0] for row in one.values], np.float64)
    is_counted = bool(one.by) and one.by != ("quantile",)
    order = np.argsort(-numbers, kind="stable")[:_GREATEST] if is_counted else np.arange(len(numbers))[:_GREATEST]

    def rows(given: Sequence[Sequence[float]]) -> tuple[tuple[float | None, ...], ...]:
        return tuple(tuple(known_only(given[i])) for i in order.tolist())

    return StatisticTold(
        title=title, by=one.by, cells=one.cells, shown=len(one.keys), mechanism=one.mechanism, price=one.price,
        cost=one.cost, sensitivity=one.sensitivity, confidence=one.confidence,
        keys=tuple(one.keys[i] for i in order.tolist()), values=rows(one.values), low=rows(one.low), high=rows(one.high),
        notes=one.notes,
    )  # fmt: skip
