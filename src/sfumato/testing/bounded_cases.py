"""Random tables and asks for tests of bounded totals: Hypothesis strategies over small, awkward domains.

Needs Hypothesis, which is a dependency of the tests only.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa
from hypothesis import strategies as st

from sfumato.summary.bounded import BoundedAsk, Comparison, Condition, Join, Keyed, Term
from sfumato.table.domain import Categories, Range, UnlistedText
from sfumato.table.source import FrameSource
from sfumato.table.unit import OF_TABLES, Unit

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    columns = {
        name: draw(st.lists(st.sampled_from(cells), min_size=n, max_size=n)) for name, (_, cells) in CELLS.items()
    }
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
