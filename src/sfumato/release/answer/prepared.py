"""Answers that are ready to be paid: the mechanism of a question and what the engine must add up for it, before a read."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import nan, prod
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from sfumato.account.event import ApproxDP
from sfumato.account.ledger.account import Scope
from sfumato.errors import InternalError, QueryError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.estimate import Estimate
from sfumato.mechanism.central.partition_selection import ThresholdSelection
from sfumato.release.answer.answer import Outcome
from sfumato.release.answer.query import Setting
from sfumato.summary.bounded import BoundedAsk, Comparison, Places
from sfumato.table.domain import Categories, Range

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sfumato.account.event import Price
    from sfumato.engine.base import Engine
    from sfumato.mechanism.central.estimate import Mechanism, NumericMechanism, PlaceMechanism
    from sfumato.noise.bits import Bits
    from sfumato.release.answer.query import Query
    from sfumato.release.answer.scopes import Keys
    from sfumato.summary.bounded import Join, Keyed
    from sfumato.table.domain import Domain
    from sfumato.table.unit import Unit
    from sfumato.types import FloatArray, IntArray


_FINE = 2**53
"""Above it doubles are whole numbers."""


class PreparedQuery(Protocol):
    """An answer that is ready to be paid: its price and shape are known, nothing was read."""

    @property
    def mechanism(self) -> Mechanism:
        """What answers, what it costs, and why it suffices."""
        ...

    @property
    def ask(self) -> BoundedAsk:
        """What the engine is asked."""
        ...

    @property
    def cells(self) -> tuple[str, ...]:
        """What the numbers of a group are."""
        ...

    def run(self, engine: Engine[Any], table: object, *, confidence: float, bits: Bits) -> Outcome:
        """Read, add noise, and forget what was read."""
        ...


@dataclass(frozen=True, slots=True)
class PreparedNumbers:
    """Numbers by declared groups."""

    query: Query
    mechanism: NumericMechanism
    ask: BoundedAsk
    keys: tuple[tuple[str, ...], ...]

    @property
    def cells(self) -> tuple[str, ...]:
        """What the numbers of a group are."""
        return self.query.aggregate.cells(self.query)

    def run(self, engine: Engine[Any], table: object, *, confidence: float, bits: Bits) -> Outcome:
        """Read, add noise, and forget the exact totals."""
        totals = engine.summarize(table, self.ask)
        found, aggregate = self.mechanism.decide(totals.totals, confidence=confidence, bits=bits), self.query.aggregate
        return _outcome(found if aggregate.finish is None else aggregate.finish(found), self.keys, aggregate.notes)


@dataclass(frozen=True, slots=True)
class PreparedPlaces:
    """Places of one range column in one group, as numbers. No interval is proven."""

    query: Query
    mechanism: PlaceMechanism
    ask: BoundedAsk
    domain: Range

    @property
    def cells(self) -> tuple[str, ...]:
        """What the numbers are."""
        return self.query.aggregate.cells(self.query)

    def run(self, engine: Engine[Any], table: object, *, confidence: float, bits: Bits) -> Outcome:
        """Read, choose places, and forget the exact ones; `confidence` is not used."""
        del confidence
        return self._numbers(self.mechanism.decide(self._places(engine, table), bits=bits))

    def exact(self, engine: Engine[Any], table: object) -> Outcome:
        """The right places, unprotected: for synthetic rows only."""
        exact = self.query.aggregate.exact
        if exact is None:
            raise InternalError("An aggregate of places must say which are exact.")
        return self._numbers(exact(self.query, self._places(engine, table)))

    def _places(self, engine: Engine[Any], table: object) -> IntArray:
        return engine.summarize(table, Places(self.ask, self.query.columns[0])).places

    def _numbers(self, places: IntArray) -> Outcome:
        """Grid places as numbers of the column."""
        unknown = ((nan,) * len(places),)
        values = tuple(float(self.domain.value(place)) for place in places.tolist())
        return Outcome(((),), (values,), unknown, unknown, notes=self.query.aggregate.notes)


@dataclass(frozen=True, slots=True)
class PreparedSelection:
    """Counts of persons of groups whose keys are read from the table and pass a noisy threshold."""

    mechanism: ThresholdSelection
    ask: BoundedAsk
    cells: tuple[str, ...] = ("persons",)

    def run(self, engine: Engine[Any], table: object, *, confidence: float, bits: Bits) -> Outcome:
        """Read, add noise, and forget the exact totals and the keys that are not selected."""
        totals = engine.summarize(table, self.ask)
        persons, keys = totals.persons, totals.keys
        if persons is None or keys is None:
            raise QueryError("Keys can be selected only where they are read from the table.", "declare the keys.")
        kept = self.mechanism.decide(persons, confidence=confidence, bits=bits)
        named = tuple(tuple(str(part) for part in keys[i]) for i in kept.places.tolist())
        least = self.mechanism.threshold
        notes = (f"Groups with fewer than {least} noisy persons are not named; their number is not known.",)
        if kept.persons is None:
            return Outcome((), (), (), (), notes=notes)
        order = sorted(range(len(named)), key=named.__getitem__)
        found, keys = kept.persons, tuple(named[i] for i in order)
        rows = Estimate(found.values[order], found.low[order], found.high[order], found.confidence)
        return _outcome(rows, keys, notes)


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
    ask, aggregate = _ask(query, columns, unit, join), query.aggregate
    if any(keyed.domain is None for keyed in query.by):
        if not isinstance(price, ApproxDP):
            raise QueryError(
                "Keys of {column!r} are read from the table, and naming one costs a delta.",
                "offer `epsilon` and `delta`, or declare the keys as Categories.",
                column=query.by[0].column,
            )
        return PreparedSelection(ThresholdSelection(unit, price), replace(ask, distinct=True))
    setting = setting_of(query, columns, unit)
    if aggregate.places is not None:
        return PreparedPlaces(query, aggregate.places(setting, price), ask, setting.domains[0])
    if aggregate.totals is None:
        raise InternalError("An aggregate must read totals or places.")
    numbers = aggregate.totals(setting, price)
    ask = replace(ask, terms=numbers.terms, distinct=aggregate.counts_persons)
    return PreparedNumbers(query, numbers, ask, tuple(product(*(_labels(keyed) for keyed in query.by))))


def setting_of(query: Query, columns: Mapping[str, Domain], unit: Unit) -> Setting:
    """What a mechanism is made of.

    Raises:
        QueryError: a column without the bounds that the aggregate needs.
    """
    domains = tuple(_range(columns[name]) for name in query.columns) if query.aggregate.needs_bounds else ()
    return Setting(query, domains, unit)


def scope_of(query: Query, keys: Keys, immutable: Collection[str]) -> Scope | None:
    """The rows that a condition on declared categories selects; None: all, as far as anybody can say.

    Args:
        query: the question.
        keys: of the private table.
        immutable: columns that are preferred where several conditions stand: their discount reaches furthest.
    """
    for condition in sorted(query.where, key=lambda one: one.column not in immutable):
        known = keys.get(condition.column, {})
        is_list = condition.comparison in {Comparison.EQUAL, Comparison.IN}
        if is_list and condition.values and all(value in known for value in condition.values):
            return Scope(condition.column, tuple({known[value] for value in condition.values}))
    return None


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


def _outcome(found: Estimate, keys: tuple[tuple[str, ...], ...], notes: tuple[str, ...]) -> Outcome:
    """An estimate as rows; of a symmetric matrix the upper half."""

    def rows(array: FloatArray) -> tuple[tuple[float, ...], ...]:
        flat = (
            array[:, *np.triu_indices(array.shape[1])]
            if array.ndim == 3
            else array.reshape(len(array), prod(array.shape[1:]))
        )
        return tuple(tuple(row) for row in flat.tolist())

    return Outcome(keys, rows(found.values), rows(found.low), rows(found.high), found.confidence, notes)
