"""Which mechanism answers a question, and what must the engine add up for it? Decided before anything is read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from sfumato.account.event import ApproxDP
from sfumato.errors import QueryError
from sfumato.mechanism.central.count import Count
from sfumato.mechanism.central.covariance import Covariance, PairCovariance
from sfumato.mechanism.central.mean_of_replaced import mean_for
from sfumato.mechanism.central.partition_selection import ThresholdSelection
from sfumato.mechanism.central.sums import Sum
from sfumato.mechanism.central.variance import Variance, deviation_of
from sfumato.release.answer.outcome import Outcome
from sfumato.release.answer.quantiles import PreparedQuantiles, method_of
from sfumato.release.answer.query import Aggregate
from sfumato.summary.bounded import BoundedAsk
from sfumato.table.domain import Categories, Range

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.account.event import Event
    from sfumato.engine.base import Engine
    from sfumato.mechanism.central.estimate import Estimate, NumericMechanism
    from sfumato.mechanism.central.price import Price
    from sfumato.noise.bits import Bits
    from sfumato.release.answer.query import Query
    from sfumato.summary.bounded import Join, Keyed
    from sfumato.table.domain import Domain
    from sfumato.table.unit import Unit
    from sfumato.types import FloatArray


_FINE = 2**53
"""Above it doubles are whole numbers."""


class PreparedQuery(Protocol):
    """An answer that is ready to be paid: its price and shape are known, nothing was read."""

    @property
    def ask(self) -> BoundedAsk:
        """What the engine is asked."""
        ...

    @property
    def event(self) -> Event:
        """What is charged."""
        ...

    @property
    def mechanism(self) -> str:
        """In the field's words."""
        ...

    @property
    def argument(self) -> str:
        """Why the noise suffices."""
        ...

    @property
    def cells(self) -> tuple[str, ...]:
        """What the numbers of a group are."""
        ...

    def run(self, engine: Engine[Any], table: object, *, confidence: float, bits: Bits) -> Outcome:
        """Read, add noise, and forget the exact totals."""
        ...


@dataclass(frozen=True, slots=True)
class PreparedNumbers:
    """Numbers by declared groups."""

    numbers: NumericMechanism
    ask: BoundedAsk
    cells: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...]
    is_deviation: bool = False

    @property
    def event(self) -> Event:
        """What is charged."""
        return self.numbers.event

    @property
    def mechanism(self) -> str:
        """In the field's words."""
        return self.numbers.name

    @property
    def argument(self) -> str:
        """Why the noise suffices."""
        return self.numbers.argument

    def run(self, engine: Engine[Any], table: object, *, confidence: float, bits: Bits) -> Outcome:
        """Read, add noise, and forget the exact totals."""
        totals = engine.summarize(table, self.ask)
        found = self.numbers.decide(totals.totals, confidence=confidence, bits=bits)
        return _outcome(deviation_of(found) if self.is_deviation else found, self.keys)


@dataclass(frozen=True, slots=True)
class PreparedSelection:
    """Counts of persons of groups whose keys are read from the table and pass a noisy threshold."""

    selection: ThresholdSelection
    ask: BoundedAsk
    cells: tuple[str, ...] = ("persons",)

    @property
    def event(self) -> Event:
        """What is charged."""
        return self.selection.event

    @property
    def mechanism(self) -> str:
        """In the field's words."""
        return self.selection.name

    @property
    def argument(self) -> str:
        """Why the noise and the threshold suffice."""
        return self.selection.argument

    def run(self, engine: Engine[Any], table: object, *, confidence: float, bits: Bits) -> Outcome:
        """Read, add noise, and forget the exact totals and the keys that are not selected."""
        totals = engine.summarize(table, self.ask)
        persons, keys = totals.persons, totals.keys
        if persons is None or keys is None:
            raise QueryError("Keys can be selected only where they are read from the table.", "declare the keys.")
        kept = self.selection.decide(persons, confidence=confidence, bits=bits)
        named = tuple(tuple(str(part) for part in keys[i]) for i in kept.places.tolist())
        note = (
            f"Groups with fewer than {self.selection.threshold} noisy persons are not named; their number is not known."
        )
        found = Outcome((), (), (), ()) if kept.persons is None else _outcome(kept.persons, named)
        order = sorted(range(len(named)), key=named.__getitem__)
        return replace(
            found,
            keys=tuple(found.keys[i] for i in order),
            values=tuple(found.values[i] for i in order),
            low=tuple(found.low[i] for i in order),
            high=tuple(found.high[i] for i in order),
            notes=(note,),
        )


def prepared_query(
    query: Query, columns: Mapping[str, Domain], unit: Unit, price: Price, *, join: Join | None
) -> PreparedQuery:
    """The mechanism and the ask of a checked question.

    Args:
        query: the question.
        columns: declared domains.
        unit: persons and their limits.
        price: what is offered.
        join: the public table that the question joins.

    Raises:
        ParameterError: a price that this mechanism cannot take. Remedy: in the message.
        QueryError: keys that must be selected without a delta.
    """
    ask = _ask(query, columns, unit, join)
    if query.aggregate is Aggregate.QUANTILES:
        domain = columns[query.columns[0]]
        method = method_of(query, _range(domain), unit, price)
        return PreparedQuantiles(method, ask, query.columns[0], _range(domain), query.quantiles)
    if any(keyed.domain is None for keyed in query.by):
        if not isinstance(price, ApproxDP):
            raise QueryError(
                "Keys of {column!r} are read from the table, and naming one costs a delta.",
                "offer `epsilon` and `delta`, or declare the keys as Categories.",
                column=query.by[0].column,
            )
        return PreparedSelection(ThresholdSelection(unit, price), replace(ask, distinct=True))
    keys = tuple(product(*(_labels(keyed) for keyed in query.by)))
    numbers = _mechanism(query, columns, unit, price, len(keys))
    ask = replace(ask, terms=numbers.terms, distinct=query.aggregate is Aggregate.PERSONS)
    return PreparedNumbers(numbers, ask, _cells(query), keys, is_deviation=query.aggregate is Aggregate.DEVIATION)


def _mechanism(query: Query, columns: Mapping[str, Domain], unit: Unit, price: Price, groups: int) -> NumericMechanism:
    """The numeric mechanism of an aggregate."""
    if query.aggregate in {Aggregate.COUNT, Aggregate.PERSONS}:
        return Count(unit, price, groups, distinct=query.aggregate is Aggregate.PERSONS)
    names, domains = query.columns, tuple(_range(columns[name]) for name in query.columns)
    if query.aggregate is Aggregate.COVARIANCE:
        return Covariance(names, domains, unit, price, groups)
    if query.aggregate is Aggregate.PAIR:
        return PairCovariance((names[0], names[1]), (domains[0], domains[1]), unit, price, groups)
    column, domain = names[0], domains[0]
    if query.aggregate is Aggregate.SUM:
        return Sum(column, domain, unit, price, groups)
    if query.aggregate is Aggregate.MEAN:
        return mean_for(column, domain, unit, price, groups)
    return Variance(column, domain, unit, price, groups)


def _ask(query: Query, columns: Mapping[str, Domain], unit: Unit, join: Join | None) -> BoundedAsk:
    """The public part of what the engine is told."""
    used = [*query.columns, *(condition.column for condition in query.where)]
    declared = {name: columns[name] for name in dict.fromkeys(used)}
    return BoundedAsk(
        unit=unit,
        terms=(),
        by=query.by,
        where=query.where,
        ranges=tuple((name, domain) for name, domain in declared.items() if isinstance(domain, Range)),
        complete=query.columns,
        join=join,
        categories=tuple((name, domain) for name, domain in declared.items() if isinstance(domain, Categories)),
    )


def _range(domain: Domain) -> Range:
    """A domain that was checked to be a range."""
    if not isinstance(domain, Range):
        raise QueryError("This aggregate needs declared bounds.", "declare the column as a Range.")
    return domain


def _labels(keyed: Keyed) -> tuple[str, ...]:
    """The declared groups of one grouping column, as texts."""
    if isinstance(keyed.domain, Categories):
        return keyed.domain.values
    domain, edges = keyed.domain, keyed.edges
    if not isinstance(domain, Range) or edges is None:
        raise QueryError("{column!r} has no declared groups.", "declare categories or edges.", column=keyed.column)
    last = edges[-1]
    return tuple(
        f"[{_exactly(domain.value(low))}, {_exactly(domain.value(high - (high == last)))}{']' if high == last else ')'}"
        for low, high in pairwise(edges)
    )


def _exactly(value: Fraction) -> str:
    """A bound without rounding, so that no two bins have one name."""
    if value.denominator > 1 and abs(value) < _FINE:
        shown = repr(float(value))
        return shown if Fraction(shown) == value else str(value)
    return str(value)


def _cells(query: Query) -> tuple[str, ...]:
    """Names of the numbers of a group."""
    kind, names = query.aggregate.value, query.columns
    if query.aggregate is Aggregate.COVARIANCE:
        return tuple(f"covariance of {a} and {b}" for i, a in enumerate(names) for b in names[i:])
    if query.aggregate is Aggregate.PAIR:
        return (f"covariance of {names[0]} and {names[1]}",)
    return (kind if not names else f"{kind} of {names[0]}",)


def _outcome(found: Estimate, keys: tuple[tuple[str, ...], ...]) -> Outcome:
    """An estimate as rows; of a symmetric matrix the upper half."""

    def rows(array: FloatArray) -> tuple[tuple[float, ...], ...]:
        flat = (
            array[:, *np.triu_indices(array.shape[1])]
            if array.ndim == 3
            else array.reshape(len(array), prod(array.shape[1:]))
        )
        return tuple(tuple(row) for row in flat.tolist())

    return Outcome(keys, rows(found.values), rows(found.low), rows(found.high), found.confidence)
