"""What every engine must do for central privacy: totals by definition, and no more than one person's share.

The second duty is checked by brute force: every person of a table is taken out in turn.

Random tables and asks are Hypothesis strategies over small, awkward domains; Hypothesis is a dependency of the tests only.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from hypothesis import strategies as st

from sfumato.summary.bounded import BoundedAsk, Comparison, Condition, Join, Keyed, Places, Term
from sfumato.table.domain import Categories, Range, UnlistedText
from sfumato.table.source import FrameSource
from sfumato.table.unit import OF_TABLES, Unit
from sfumato.testing.bounded_twin import number_of, place_of, slow_kept, slow_persons, slow_totals, text_of
from sfumato.testing.strategies import picked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sfumato.engine.base import Engine
    from sfumato.summary.bounded import BoundedTotals
    from sfumato.testing.bounded_twin import Cell, Row

MISSING = ("?",)
"""The code that means missing in every table here."""
RANGES = {
    "text": Range(0, 10, "0.5"),
    "real": Range(-2, 4, "0.25"),
    "whole": Range(0, 2**31 - 1, 1),
    "wide": Range(-(2**51), 2**51, 1),
}
CATEGORIES = {
    "zip": Categories(("1000", "01000", "nowhere", "b c")),
    "sex": Categories(("F", "M")),
    "area": Categories(("north", "?")),
}
JOIN = Join((("01000", "north"), ("1000", "?"), ("elsewhere", "north")), ("zip", "area"), on="zip")
CELLS: dict[str, tuple[pa.DataType, tuple[Cell, ...]]] = {
    "who": (pa.string(), ("a", "b", "c", "a", "b", "", " ", "?", None)),
    "zip": (pa.string(), ("01000", "1000", "1000", "b c", "undeclared", "", "?", None)),
    "sex": (pa.string(), ("F", "M", "F", "m", None)),
    "text": (pa.string(), ("1.50", "1,25", "4", "nan", "inf", "-Infinity", "1e400", "-3", "twelve", "", "?", None)),
    "real": (pa.float64(), (0.5, 3.0, -0.0, 0.125, -0.125, math.nan, math.inf, -math.inf, 1e300, None)),
    "whole": (pa.int32(), (2**31 - 1, 2**31 - 2, -(2**31), 7, None)),
    "wide": (pa.int64(), (2**63 - 1, -(2**63), 0, 2**51, -1, None)),
}
_CONDITIONS = (
    Condition("sex", Comparison.EQUAL, ("F",)),
    Condition("sex", Comparison.NOT_EQUAL, ("F",)),
    Condition("zip", Comparison.IN, ("01000", "b c")),
    Condition("zip", Comparison.NOT_IN, ("1000",)),
    Condition("text", Comparison.AT_LEAST, ("3/2",)),
    Condition("text", Comparison.NOT_EQUAL, ("4",)),
    Condition("real", Comparison.LESS, ("1e10",)),
    Condition("real", Comparison.MORE, ("-1",)),
    Condition("whole", Comparison.AT_MOST, ("7",)),
    Condition("whole", Comparison.IN, ("7", "2147483647")),
)
_KEYS = (
    Keyed("zip", CATEGORIES["zip"]),
    Keyed("sex", CATEGORIES["sex"]),
    Keyed("text", RANGES["text"], (0, 3, 4, 21)),
    Keyed("real", RANGES["real"], (0, 10, 20, 25)),
    Keyed("wide", RANGES["wide"], (0, *(2**k for k in range(40)), 2**51, 2**52 + 1)),
)
_OPEN = (Keyed("zip", None), Keyed("sex", UnlistedText()))


@st.composite
def tables(draw: st.DrawFn, max_rows: int = 12) -> list[Row]:
    """A random table; a few persons have most rows."""
    n = draw(st.integers(0, max_rows))
    columns = {name: draw(picked(cells, n)) for name, (_, cells) in CELLS.items()}
    return [{name: cells[i] for name, cells in columns.items()} for i in range(n)]


@st.composite
def bounded_asks(draw: st.DrawFn) -> BoundedAsk:
    """A random ask of such a table."""
    unit = draw(st.sampled_from([None, "who", "who"]))
    limits = (draw(st.integers(1, 3)), draw(st.integers(1, 3))) if unit else (1, 1)
    join = draw(st.sampled_from([None, None, JOIN, replace(JOIN, is_inner=True)]))
    keys = [*_KEYS, *([Keyed("area", CATEGORIES["area"])] if join else []), *draw(st.sampled_from([(), _OPEN]))]
    by = draw(st.lists(st.sampled_from(keys), max_size=2, unique_by=lambda keyed: keyed.column))
    return BoundedAsk(
        Unit(draw(st.sampled_from(OF_TABLES)), unit, *limits),
        tuple(draw(st.lists(_terms(), min_size=1, max_size=3))),
        tuple(by),
        tuple(draw(st.lists(st.sampled_from(_CONDITIONS), max_size=1))),
        tuple(RANGES.items()),
        tuple(draw(st.lists(st.sampled_from(["text", "real", "sex", "zip"]), max_size=1))),
        distinct=draw(st.booleans()),
        join=join,
        categories=tuple(CATEGORIES.items())[: draw(st.sampled_from([0, 2]))],
    )


@st.composite
def _terms(draw: st.DrawFn) -> Term:
    """A count, a sum or a product with random centers."""
    columns = draw(st.lists(st.sampled_from(sorted(RANGES)), max_size=2))
    return Term(tuple((name, draw(st.integers(0, RANGES[name].size))) for name in columns))


def as_source(table: Sequence[Row]) -> FrameSource:
    """The rows as an Arrow table with fixed types."""
    columns = {name: pa.array([row[name] for row in table], kind) for name, (kind, _) in CELLS.items()}
    return FrameSource(pa.table(columns), missing=MISSING)


Totals = dict[Any, list[int]]


def totals_of(engine: Engine[Any], rows: Sequence[Row], asks: Sequence[BoundedAsk]) -> list[Totals]:
    """For each ask the engine's totals by key, or by number of the group where groups are declared."""
    table, out = engine.scan(as_source(rows)), []
    for ask in asks:
        found = engine.summarize(table, ask)
        keys: Sequence[Any] = range(found.totals.shape[1]) if found.keys is None else found.keys
        out.append(dict(zip(keys, found.totals.T.tolist(), strict=True)))
    return out


def totals_by_definition(rows: Sequence[Row], asks: Sequence[BoundedAsk]) -> list[Totals]:
    """For each ask the totals by group that every engine finds (`adds_up_the_bounded_rows`)."""
    return [slow_totals(rows, ask, MISSING) for ask in asks]


def adds_up_the_bounded_rows(
    engine: Engine[Any], rows: Sequence[Row], asks: Sequence[BoundedAsk], each: Callable[[int], None] = lambda _: None
) -> None:
    """A `BoundedAsk` is answered by what the definition adds up: every declared group in order, or the keys that rows have.

    Args:
        engine: the one that answers.
        rows: the table.
        asks: what is asked of it, one after the other.
        each: what is done before each, by its place.
    """
    table = engine.scan(as_source(rows))
    for place, ask in enumerate(asks):
        each(place)
        _same(engine.summarize(table, ask), rows, ask)


def _same(found: BoundedTotals, rows: Sequence[Row], ask: BoundedAsk) -> None:
    """One ask against its definition."""
    slow = slow_totals(rows, ask, MISSING)
    if found.keys is None:
        assert found.totals.T.tolist() == list(slow.values())  # noqa: S101
        assert found.persons is None  # noqa: S101
        return
    named = {_named(group, ask): total for group, total in slow.items()}
    persons = {_named(group, ask): n for group, n in slow_persons(rows, ask, MISSING).items()}
    assert list(found.keys) == sorted(named)  # noqa: S101
    assert dict(zip(found.keys, found.totals.T.tolist(), strict=True)) == named  # noqa: S101
    assert found.persons is not None  # noqa: S101
    assert dict(zip(found.keys, found.persons.tolist(), strict=True)) == persons  # noqa: S101


def reads_the_bounded_places(engine: Engine[Any], rows: Sequence[Row], ask: BoundedAsk, column: str) -> None:
    """`Places` are the multiset of the definition; rows without a number there are left out before bounding."""
    there = [row for row in rows if number_of(row[column], MISSING) is not None]
    found = engine.summarize(engine.scan(as_source(rows)), Places(ask, column))
    domain = dict(ask.ranges)[column]
    slow = [place_of(number_of(kept.row[column], MISSING), domain) for kept in slow_kept(there, ask, MISSING)]
    assert Counter(found.places.tolist()) == Counter(slow)  # noqa: S101
    assert found.size == domain.size  # noqa: S101


def moves_no_further_than_claimed(
    totals: Callable[[Sequence[Row], Sequence[BoundedAsk]], list[Totals]],
    rows: Sequence[Row],
    asks: Sequence[BoundedAsk],
) -> None:
    """Without any one person at most `keys` groups change, and no term by more than `rows` times its largest value.

    Args:
        totals: what makes totals of rows, such as `totals_of` of an engine.
        rows: the table.
        asks: of one unit.
    """
    whole = totals(rows, asks)
    for others in without_one(rows, asks[0]):
        for ask, before, after in zip(asks, whole, totals(others, asks), strict=True):
            _is_near(before, after, ask)


def _is_near(before: Totals, after: Totals, ask: BoundedAsk) -> None:
    """The difference of two neighboring tables lies within the claim."""
    most = 1 if ask.distinct else ask.unit.rows
    bounds = [most * largest(term, ask) for term in ask.terms]
    nothing = [0] * len(ask.terms)
    moved = [
        [abs(a - b) for a, b in zip(before.get(key, nothing), after.get(key, nothing), strict=True)]
        for key in before | after
    ]
    assert sum(any(by) for by in moved) <= ask.unit.keys  # noqa: S101
    assert all(d <= bound for by in moved for d, bound in zip(by, bounds, strict=True))  # noqa: S101


def without_one(rows: Sequence[Row], ask: BoundedAsk) -> Iterator[list[Row]]:
    """The table without each person in turn."""
    who = [i if ask.unit.person is None else text_of(row[ask.unit.person], MISSING) for i, row in enumerate(rows)]
    for person in dict.fromkeys(who):
        yield [row for row, of in zip(rows, who, strict=True) if of != person]


def largest(term: Term, ask: BoundedAsk) -> int:
    """Largest absolute value that one row can have in a term."""
    ranges = dict(ask.ranges)
    return prod(max(abs(center), abs(ranges[column].size - 1 - center)) for column, center in term.factors)


def _named(group: tuple[int | str, ...], ask: BoundedAsk) -> tuple[str, ...]:
    """The group as the engine names it where keys are read: categories by text, bins by number."""
    named = []
    for part, keyed in zip(group, ask.by, strict=True):
        values = getattr(keyed.domain, "values", None)
        named.append(values[part] if values is not None and isinstance(part, int) else str(part))
    return tuple(named)
