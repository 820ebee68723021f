"""Sums that no data can make overflow."""

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.engine.arrow_arrays import ints
from sfumato.engine.duckdb.dialect import DuckDialect
from sfumato.engine.sql.bounded_terms import SATURATION, digits, merged, partial, saturated
from sfumato.summary.bounded import Term
from sfumato.table.domain import Range

BENCH = DuckDialect(None)
BASE = duckdb.connect(config={"threads": 1})
MOST = 2**63 - 1


def parts_of(term, size):
    return [digits(BENCH, term, 0, {"x": "x"}, {"x": Range(0, size - 1, 1)})]


def put_together(found, parts):
    return saturated(lambda name: ints(found, name), parts, found.num_rows).tolist()


def added_up(term, size, xs):
    parts = parts_of(term, size)
    BASE.register("v", pa.table({"x": pa.array(xs, pa.int64()), "half": np.arange(len(xs)) % 2}))
    query = f"SELECT half{partial(parts, None)} FROM v GROUP BY half"
    found = BASE.sql(f"SELECT 0 AS g{merged(parts)} FROM ({query})").to_arrow_table()
    return put_together(found, parts)


@settings(max_examples=150, derandomize=True)
@given(data=st.data(), bits=st.integers(1, 52), n=st.integers(0, 20))
def test_digits_add_up_to_the_clamped_exact_total(data, bits, n):
    size = 2**bits + 1
    xs = data.draw(st.lists(st.integers(0, size - 1), min_size=n, max_size=n))
    centers = data.draw(st.lists(st.integers(-(2**53), 2**53) | st.integers(0, size), min_size=1, max_size=2))
    exact = sum(np.prod([x - center for center in centers], dtype=object) for x in xs)
    term = Term(tuple(("x", center) for center in centers))
    assert added_up(term, size, xs) == [[max(-SATURATION, min(SATURATION, exact))]]


@settings(max_examples=60, derandomize=True)
@given(data=st.data(), bits=st.integers(1, 52))
def test_no_digit_of_a_row_is_larger_than_its_sum_can_hold(data, bits):
    """2^43 rows of such a digit fit into 63 bits."""
    size = 2**bits + 1
    x = data.draw(st.sampled_from([0, 1, size // 2, size - 1]))
    centers = data.draw(st.lists(st.sampled_from([-(2**53), 0, size // 2, 2**53]), min_size=1, max_size=2))
    parts = parts_of(Term(tuple(("x", center) for center in centers)), size)[0]
    row = BASE.sql(f"SELECT {', '.join(one.sql for one in parts)} FROM (SELECT {x}::BIGINT AS x)").fetchall()[0]
    assert max(map(abs, row)) <= 2**20


def test_sums_of_any_size_are_put_together_and_clamped():
    parts = parts_of(Term((("x", 0), ("x", 2**53))), 2**52 + 1)
    for sums in ([MOST] * 9, [-MOST] * 9, [7] + [0] * 8, [-7] + [0] * 8):
        found = pa.table({one.name: [s] for one, s in zip(parts[0], sums, strict=True)})
        exact = sum(s * 2**one.shift for one, s in zip(parts[0], sums, strict=True))
        assert put_together(found, parts) == [[max(-SATURATION, min(SATURATION, exact))]]


@pytest.mark.parametrize(("size", "n"), [(2**20, 1), (2**20 + 2, 2), (2**41, 3)])
def test_small_ranges_are_added_up_in_one_sum(size, n):
    assert len(parts_of(Term((("x", 0),)), size)[0]) == n
    assert len(parts_of(Term((("x", 0), ("x", 0))), 2**10 + 1)[0]) == 1
    assert [one.sql for one in parts_of(Term(), size)[0]] == [None]


def test_a_plain_sum_would_overflow_where_digits_do_not():
    """Each product is -2^104; their number does not matter."""
    xs = [2**52] * 20
    assert added_up(Term((("x", 0), ("x", 2**53))), 2**52 + 1, xs) == [[-SATURATION]]
    with pytest.raises(duckdb.OutOfRangeException):
        BASE.sql("SELECT sum(x * (x - 9007199254740992)) FROM (SELECT (2**52)::BIGINT AS x FROM range(20))").fetchall()


def test_a_sum_of_no_rows_is_zero():
    assert added_up(Term((("x", 0),)), 100, []) == added_up(Term(), 100, []) == [[0]]
