"""Errors of an answer, tried on synthetic rows of the declared schema, before the private table is opened.

Rows are drawn evenly over the declared domains, so the errors are those of the mechanism at that size, not a forecast
of the private table. Nothing is charged: no private value is used.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import PureDP
from sfumato.document.result.answers import SimulatedQuestion
from sfumato.engine.duckdb.columns import table_of
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.errors import ParameterError, QueryError
from sfumato.noise.bits import KeyedBits
from sfumato.release.answer.checked import check_query
from sfumato.release.answer.prepared import PreparedPlaces, prepared_query
from sfumato.table.domain import Categories, Range

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.account.event import Price
    from sfumato.release.answer.query import Query
    from sfumato.table.domain import Domain
    from sfumato.table.unit import Unit
    from sfumato.types import FloatArray

_SILENT = PureDP(Fraction(2**256))
"""At this price the noise is zero: 2^62 rows of squares below 2^106 move a total by less than 2^170."""
_OPEN = tuple(f"key {i}" for i in range(100))
"""Keys of a column whose own nobody knows."""


def simulate(  # noqa: PLR0913
    query: Query,
    columns: Mapping[str, Domain],
    unit: Unit,
    price: Price,
    *,
    rows: int,
    runs: int,
    confidence: float,
    rng: np.random.Generator,
    progress: Callable[[int, int | None, str], None] | None = None,
) -> SimulatedQuestion:
    """Repeat an answer on synthetic rows, and compare with the exact one.

    Args:
        query: the question; it must not join.
        columns: declared domains.
        unit: persons and their limits; each synthetic person has one row.
        price: what would be offered.
        rows: size of the synthetic table, 1 … 10⁷.
        runs: repetitions, 1 … 10⁵.
        confidence: of the intervals.
        rng: simulated chance, of rows and noise.
        progress: called now and then.

    Raises:
        QueryError: the question cannot be bounded, joins, or selects keys (there is no exact answer to compare with).

    Example:
        >>> from sfumato.release.answer.counts import COUNT
        >>> from sfumato.release.answer.query import Query
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> found = simulate(
        ...     Query(COUNT), {"age": Range(0, 120, step=1)}, Unit.row(Neighbors.ADD_REMOVE), PureDP(Fraction(1)),
        ...     rows=100, runs=200, confidence=0.95, rng=np.random.default_rng(1),
        ... )
        >>> found.typical[0] <= 1, found.bad[0] <= 4, found.covered[0] >= 0.9
        (True, True, True)
    """
    if not (0 < rows <= 10**7 and 0 < runs <= 10**5):
        raise ParameterError(
            "A simulation has 1 to 10^7 rows and 1 to 10^5 runs; got {rows} and {runs}.",
            "choose so.",
            rows=rows,
            runs=runs,
        )
    check_query(query, columns, unit)
    if query.join is not None or any(keyed.domain is None for keyed in query.by):
        raise QueryError("A simulation has no public table and no keys to select.", "simulate a question without them.")
    ready = prepared_query(query, columns, unit, price, join=None)
    engine: DuckDBEngine = DuckDBEngine()
    table = table_of(_synthetic(columns, unit, rows, rng))
    bits = KeyedBits(rng.bytes(32), is_secure=False)
    if isinstance(ready, PreparedPlaces):
        exact = ready.exact(engine, table)
    else:
        silent = prepared_query(query, columns, unit, _SILENT, join=None)
        exact = silent.run(engine, table, confidence=confidence, bits=bits)
    true = np.array(exact.values)
    found = []
    for i in range(runs):
        found.append(ready.run(engine, table, confidence=confidence, bits=bits))
        if progress is not None:
            progress(i + 1, runs, "answers simulated")
    error = np.abs(np.array([one.values for one in found]) - true)
    low, high = (np.array([getattr(one, end) for one in found]) for end in ("low", "high"))
    inside = np.where(np.isnan(low), np.nan, (low <= true) & (true <= high))
    per_cell = (-1, len(ready.cells))
    quantile = np.nanquantile(error.reshape(per_cell), [0.5, 0.95], axis=0)
    return SimulatedQuestion(
        question=query.sentence,
        cells=ready.cells,
        rows=rows,
        runs=runs,
        typical=_known(quantile[0]),
        bad=_known(quantile[1]),
        covered=_known(inside.reshape(per_cell).mean(axis=0)),
    )


def _known(values: FloatArray) -> tuple[float | None, ...]:
    """Numbers as a document has them: None for what is none."""
    return tuple(None if math.isnan(value) else value for value in values.tolist())


def _synthetic(
    columns: Mapping[str, Domain], unit: Unit, rows: int, rng: np.random.Generator
) -> dict[str, list[object]]:
    """Even draws over every declared domain, and one person for each row."""
    out: dict[str, list[object]] = {name: _column(domain, rows, rng) for name, domain in columns.items()}
    if unit.person is not None:
        out[unit.person] = list(range(rows))
    return out


def _column(domain: Domain, rows: int, rng: np.random.Generator) -> list[object]:
    if isinstance(domain, Range):
        places = rng.integers(0, domain.size, rows)
        return list((float(domain.low) + float(domain.step) * places).tolist())
    values = domain.values if isinstance(domain, Categories) else _OPEN
    return [values[i] for i in rng.integers(0, len(values), rows).tolist()]
