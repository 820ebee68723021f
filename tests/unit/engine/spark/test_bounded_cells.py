"""A cell says the same to Spark as to the embedded engine: its text, its number, whether it is there."""

import math
import random

import numpy as np
import pyarrow as pa
import pytest

from sfumato.engine.duckdb.dialect import DuckDialect
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.spark.bounded_cells import SparkCell, checked
from sfumato.engine.spark.dialect import dialect_of
from sfumato.engine.spark.engine import SparkEngine
from sfumato.errors import SchemaError
from sfumato.summary.bounded import BoundedAsk, Term
from sfumato.table.source import FrameSource
from sfumato.table.unit import Neighbors, Unit

DUCK = DuckDBEngine(threads=1)
CODES = ("?", "5", "-0", "1.5", "inf", "7.0", "1e+17", " 3", "-1.250", "-999.0")
NUMERALS = [
    "1.50", "1,5", ".5", "5.", "+.5", "1e5", "1E+05", "1e400", "-1e400", "1e-400", "0." + "0" * 400 + "1", "9" * 400,
    "-0", "inf", "+INF", "-Infinity", "+-5", "+-inf", "1_000", "1_0.0_1e1_0", "\u00a05\u2003", "\t5\n", " 5 ", "5\r\n",
    "5d", "5f", "0x10", "0x1p3", "nan", "NaN", "1__0", "_1", "1_", "1._5", "twelve", "1 2", "- 5", "++5", "-+5", "1e",
    "5\u0085", "5\u2028", "\u0665", "\u2212" + "5", "5L", "1,2,3", "", ".", "+", "infinit", "\x1f5", "5\x00", "I" + "NF", "\u0131nf",
]  # fmt: skip
_PIECES = [*"0123456789", *"0123456789+-.,eE_ \t\nx'", "inf", "nan", "\u00a0", "1e4", "d", "\\"]


def cells(drawn, n):
    """Columns of every type that can be asked about."""
    texts = NUMERALS + ["".join(drawn.choices(_PIECES, k=drawn.randint(0, 7))) for _ in range(n - len(NUMERALS))]
    odd = [
        0.0,
        -0.0,
        math.nan,
        math.inf,
        -math.inf,
        5e-324,
        1e300,
        1e17,
        7.0,
        1.5,
        -1.25,
        -999.0,
        123456789.5,
        16777217.0,
    ]
    floats = [
        drawn.choice([*odd, drawn.uniform(-1, 1) * 10 ** drawn.randint(-20, 20), drawn.randint(-800, 800) / 8])
        for _ in texts
    ]
    whole = [drawn.randint(-(2**63), 2**63 - 1) if i % 2 else drawn.randint(-9, 9) for i in range(n)]
    times = [drawn.randint(-(2**50), 2**52) // 10 ** (i % 7) * 10 ** (i % 7) for i in range(n)]
    return pa.table({
        "text": texts, "double": floats, "float": pa.array(np.array([x if abs(x) < 1e38 else math.inf for x in floats], np.float32)), "whole": whole,
        "truth": [x > 0 for x in whole], "day": pa.array([x % 60000 - 20000 for x in whole], pa.int32()).cast(pa.date32()),
        "local": pa.array(times, pa.timestamp("us")), "instant": pa.array(times, pa.timestamp("us", "UTC")),
        "decimal": pa.array([f"{x % 10**9 / 1000:.3f}" for x in whole]).cast(pa.decimal128(20, 3)),
    })  # fmt: skip


BY_TEXT = BoundedAsk(Unit(Neighbors.ADD_REMOVE, "text", 1, 1), (Term(),))


def said(dialect):
    """Text, number and presence of every cell, in row order."""
    told = {name: dialect.cell(name) for name in dialect.names}
    parts = [f"{c.text} AS {n}_0, {c.number} AS {n}_1, {c.is_present} AS {n}_2" for n, c in told.items()]
    found = dialect.run(f"SELECT {', '.join(parts)} FROM {dialect.relation} t ORDER BY t.{dialect.identifier('__row')}")
    out = {name: found[name].to_pylist() for name in found.column_names}
    for name, cell in told.items():
        shown = iter(cell.shown([text for text in out[f"{name}_0"] if text is not None]))
        out[f"{name}_0"] = [text and next(shown) if text else text for text in out[f"{name}_0"]]
    return out


@pytest.mark.parametrize("codes", [(), CODES])
def test_cells_say_the_same_to_both_engines(sail, codes):
    source = FrameSource(cells(random.Random(3), 2000), missing=codes)  # noqa: S311
    here = said(DuckDialect(DUCK.scan(source)))
    with dialect_of(SparkEngine(sail).scan(source), BY_TEXT) as dialect:
        there = said(dialect)
    for name, expected in here.items():
        rows = zip(source.frame[name[:-2]].to_pylist(), expected, there[name], strict=True)
        assert [row for row in rows if row[1] != row[2]] == [], name


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_a_public_text_is_the_float_that_has_it(kind):
    cell = SparkCell("x", "double" if kind is np.float64 else "float")
    texts = ["5", "5.0", "0.1", "1e-05", "inf", "-0.0", "16777216.0"]
    assert cell.public(texts) == [float(kind(float(text))) for text in texts]
    assert all(map(math.isnan, cell.public(["5.00", "0.10", "x", "1_0", "1e5", "nan"])))
    assert math.isnan(cell.public(["1e+17"])[0]) is (kind is np.float32)


def test_types_that_are_not_compared_are_refused():
    for native in ("binary", "array<int>", "interval day"):
        with pytest.raises(SchemaError, match="cast it"):
            checked(SparkCell("x", native), "c", "UTC")
    with pytest.raises(SchemaError, match="UTC"):
        checked(SparkCell("x", "timestamp"), "c", "Europe/Paris")
    assert checked(SparkCell("x", "timestamp_ntz"), "c", "Europe/Paris").native == "timestamp_ntz"
