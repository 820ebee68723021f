"""Sums that no data can make overflow."""

import duckdb
import pyarrow as pa
import pytest

from sfumato.engine.duckdb.bounded_terms import SATURATION, is_wide, merged, partial, saturated
from sfumato.summary.bounded import Term
from sfumato.table.domain import Range

RANGES = {"x": Range(0, 2**52, 1)}
ONE, WIDE = Term((("x", 0),)), Term((("x", 0), ("x", 2**53)))
BASE = duckdb.connect(config={"threads": 1})
MOST = 2**127 - 1


def end(term, high, low="NULL"):
    parts = f"{high}::HUGEINT AS t0" + (f", {low}::HUGEINT AS t0l" if is_wide(term, RANGES) else "")
    return BASE.sql(f"SELECT 0{saturated((term,), RANGES)} FROM (SELECT {parts})").fetchall()[0][1]


@pytest.mark.parametrize("high", [MOST, 2**110, 2**62 + 1, 2**62, 5, 0])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_total_is_clamped_whatever_the_sum(high, sign):
    assert end(ONE, sign * high) == sign * min(high, SATURATION)


@pytest.mark.parametrize("high", [MOST, 2**110, 2**81, 2**80, 2**40, 2**22, 2**22 - 1, 3, 0])
@pytest.mark.parametrize("low", [2**100, 2**62, 2**40 - 1, 7, 0, -7, -(2**62), -(2**100)])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_wide_total_is_the_clamped_exact_one(high, low, sign):
    exact = sign * high * 2**40 + low
    assert end(WIDE, sign * high, low) == max(-SATURATION, min(SATURATION, exact))


def test_a_sum_of_no_rows_is_zero():
    assert end(ONE, "NULL") == end(WIDE, "NULL") == 0


def test_products_that_fill_a_hugeint_are_added_up_where_the_plain_sum_fails():
    """Each product is -2^104; of 20 · 3 · 2^30 of them the plain sum needs 140 bits."""
    rows = "SELECT (2**52)::BIGINT AS x FROM range(20)"
    sums = f"SELECT 0 AS g{partial((WIDE,), {'x': 'x'}, RANGES, None)} FROM ({rows})"
    many = f"SELECT (t0 * {2**30})::HUGEINT AS t0, (t0l * {2**30})::HUGEINT AS t0l FROM ({sums}), range(3)"
    total = f"SELECT 0 AS g{merged((WIDE,), RANGES)} FROM ({many})"
    found = BASE.sql(f"SELECT 0{saturated((WIDE,), RANGES)} FROM ({total})").fetchall()
    assert found[0][1] == -SATURATION
    plain = "SELECT sum(CAST(x AS HUGEINT) * (CAST(x AS HUGEINT) - 9007199254740992)"
    with pytest.raises(duckdb.OutOfRangeException):
        BASE.sql(f"{plain} * {2**20}) FROM ({rows})").fetchall()


def test_opposite_products_cancel_exactly():
    xs = [2**52, 2**52 - 1, 3, 12345678901]
    term = Term((("x", 2**51), ("x", 2**51 - 7)))
    BASE.register("v", pa.table({"x": xs}))
    sums = BASE.sql(f"SELECT 0 AS g{partial((term,), {'x': 'x'}, RANGES, None)} FROM v").fetchall()[0]
    assert sums[1] * 2**40 + sums[2] == sum((x - 2**51) * (x - 2**51 + 7) for x in xs)


def test_width_is_decided_by_the_declaration():
    assert not is_wide(ONE, RANGES)
    assert not is_wide(Term((("x", 0), ("x", 0))), {"x": Range(0, 2**31 - 1, 1)})
    assert is_wide(Term((("x", 0), ("x", 0))), {"x": Range(0, 2**32, 1)})
    assert is_wide(Term((("x", -(2**53)), ("x", 0))), {"x": Range(0, 2**11, 1)})
