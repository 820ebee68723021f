"""Places on a grid and bins, in the SQL that all engines share."""

import math
from fractions import Fraction

import duckdb
import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.engine.sql.bounded_grid import bin_of, place
from sfumato.table.domain import Range
from sfumato.testing.bounded_twin import place_of

BASE = duckdb.connect(config={"threads": 1})


@settings(max_examples=60, derandomize=True)
@given(
    numbers=st.lists(st.floats(allow_nan=False), min_size=1, max_size=30),
    low=st.integers(-(10**6), 10**6),
    step=st.sampled_from(["1", "0.5", "0.1", "1/3", "1000", "0.0625"]),
    size=st.integers(2, 2**40),
)
def test_a_place_is_the_nearest_or_a_rounding_error_from_it(numbers, low, step, size):
    """The double formula beside the exact one: at most one place off, and only next to the middle."""
    domain = Range(low, low + Fraction(step) * (size - 1), step)
    near = [float(domain.value(k)) + float(domain.step) / 2 for k in (0, size // 2, size - 2)]
    BASE.register("v", pa.table({"x": np.array([*numbers, *near])}))
    found = [row[0] for row in BASE.sql(f"SELECT {place('x', domain)} FROM v").fetchall()]
    for number, at in zip([*numbers, *near], found, strict=True):
        assert 0 <= at < size
        exact = place_of(number if math.isinf(number) else Fraction(number), domain)
        if at != exact:
            steps = (Fraction(number) - domain.low) / domain.step
            assert abs(steps - Fraction(at + exact, 2)) <= Fraction(abs(low) + size, 2**50) / domain.step + Fraction(
                size, 2**50
            )
            assert abs(at - exact) <= 1 + Fraction(size, 2**50) + Fraction(abs(low), 2**50) / domain.step


@settings(max_examples=60, derandomize=True)
@given(inner=st.sets(st.integers(1, 40), max_size=12), last=st.integers(41, 50))
def test_bins_are_those_of_the_edges(inner, last):
    edges = (0, *sorted(inner), last)
    sql = bin_of("x", edges, "{} // {}".format)
    found = [row[0] for row in BASE.sql(f"SELECT {sql} FROM range({last}) r(x) ORDER BY x").fetchall()]
    assert found == [sum(edge <= x for edge in edges) - 1 for x in range(last)]
    assert BASE.sql(f"SELECT {sql} FROM (SELECT NULL::BIGINT x)").fetchall() == [(None,)]
