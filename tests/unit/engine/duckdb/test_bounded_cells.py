"""What single cells count as: numbers, texts, and all that is neither."""

import math

import numpy as np
import pyarrow as pa
import pytest

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.errors import SchemaError
from sfumato.summary.bounded import BoundedAsk, Comparison, Condition, Keyed, Places, Term
from sfumato.table.domain import Categories, Range
from sfumato.table.source import FrameSource
from sfumato.table.unit import Neighbors, Unit

ENGINE = DuckDBEngine(threads=1)
ROW = Unit.row(Neighbors.ADD_REMOVE)


def places(cells, domain, **source):
    table = ENGINE.scan(FrameSource(pa.table({"v": cells}), **source))
    return ENGINE.summarize(table, Places(BoundedAsk(ROW, (), ranges=(("v", domain),)), "v")).places.tolist()


def counts(cells, values, **source):
    table = ENGINE.scan(FrameSource(pa.table({"g": cells}), **source))
    return ENGINE.summarize(table, BoundedAsk(ROW, (Term(),), (Keyed("g", Categories(values)),))).totals[0].tolist()


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("1.50", 3), ("1,50", 3), (" 2 ", 4), ("1e1", 10), ("1e400", 10), ("-1e400", 0), ("inf", 10), ("-Infinity", 0),
        ("-0", 0), ("-3", 0), ("1.25", 3), ("1.24", 2), ("1e-400", 0), ("9" * 400, 10),
    ],
)  # fmt: skip
def test_a_text_that_is_a_number_has_its_clamped_place(cell, expected):
    """Case F23: infinities and huge numbers are clamped, not dropped; half way goes upwards."""
    assert places([cell], Range(0, 5, "0.5")) == [expected]


@pytest.mark.parametrize("cell", ["", "nan", "-NaN", "twelve", "1.5.2", "0x10", "true", "2020-01-31", "1 000", None])
def test_what_is_no_number_counts_nowhere(cell):
    assert places(pa.array([cell], pa.string()), Range(0, 5, "0.5")) == []


@pytest.mark.parametrize(
    ("kind", "cells", "expected"),
    [
        (pa.float64(), [math.nan, math.inf, -math.inf, -0.0, 1e308, 2.5, None], [10, 0, 0, 10, 5]),
        (pa.float32(), [math.nan, 0.25, 5.0], [1, 10]),
        (pa.int8(), [-128, 127, 3, None], [0, 10, 6]),
        (pa.uint64(), [2**64 - 1, 1], [10, 2]),
        (pa.decimal128(20, 4), [1, None], [2]),
    ],
)
def test_cells_of_every_type_have_a_place_or_none(kind, cells, expected):
    assert places(pa.array(cells, kind), Range(0, 5, "0.5")) == expected


@pytest.mark.parametrize(
    ("kind", "cell"),
    [
        (pa.bool_(), True), (pa.date32(), 0), (pa.timestamp("us"), 0), (pa.time64("us"), 0), (pa.duration("s"), 0),
        (pa.binary(), b"1"), (pa.list_(pa.int64()), [1]), (pa.timestamp("ms", "UTC"), 0),
    ],
)  # fmt: skip
def test_a_range_of_what_is_no_number_is_refused(kind, cell):
    """It would be answered with noise alone."""
    with pytest.raises(SchemaError, match="'v' holds"):
        places(pa.array([cell], kind), Range(0, 5, "0.5"))


@pytest.mark.parametrize(
    ("kind", "text", "others"),
    [
        (pa.bool_(), "true", ("True", "1", "yes", "")),
        (pa.int8(), "7", ("07", "7.50", "x", " 7", "+7", "nan")),
        (pa.float64(), "2.5", ("2.50", "2,5", "1e5", "")),
        (pa.decimal128(5, 2), "2.5", ("x", "2,5")),
        (pa.date32(), "2020-01-31", ("31/01/2020", "2020-1-31", "2020", "2020-01-31 00:00:00")),
        (pa.timestamp("us"), "2020-01-31 08:00:00", ("2020-01-31", "2020-01-31T08:00:00", "2020-01-31 08:00:00.50")),
        (pa.timestamp("us", "UTC"), "2020-01-31 08:00:00+00", ("2020-01-31 08:00:00", "2020-01-31 09:00:00+01")),
        (pa.time64("us"), "08:00:00.5", ("8:00", "08:00", "25:00:00")),
    ],
)
def test_categories_that_no_cell_of_the_type_can_be_are_refused(kind, text, others):
    """Whether they are grouped by or compared with."""
    cells = (
        pa.array([8 * 3600 * 10**6 + 500_000]).view(kind) if kind == pa.time64("us") else pa.array([text]).cast(kind)
    )
    assert counts(cells, (text,)) == [1]
    for other in others:
        with pytest.raises(SchemaError, match="'g' holds"):
            counts(cells, (text, other))
        asked = BoundedAsk(ROW, (Term(),), where=(Condition("g", Comparison.NOT_IN, (other,)),))
        with pytest.raises(SchemaError, match="'g' holds"):
            ENGINE.check(ENGINE.scan(FrameSource(pa.table({"g": cells}))), asked)


def test_a_number_is_the_same_category_in_every_type_of_numbers():
    """pandas makes whole numbers floats where one is missing."""
    for cells in (pa.array([5]), pa.array([5.0, None]), pa.array([5], pa.decimal128(5, 2)), pa.array([5], pa.uint8())):
        assert counts(cells, ("5",)) == counts(cells, ("5.0",)) == [1]


def test_declared_codes_are_missing_in_texts_and_numbers():
    domain = Range(-1000, 1000, 1)
    assert places([-999, 3], domain, missing=("-999",)) == [1003]
    assert places([-999.0, 3.0], domain, missing=("-999",)) == [1003]
    assert places(["-999", "?", "3"], domain, missing=("-999", "?")) == [1003]
    assert counts(["?", "x", None], ("?", "x"), missing=("?",)) == [0, 1]


def test_texts_of_categories_are_compared_as_written():
    assert counts(["01000", "1000", "1000.0", " 1000"], ("1000", "01000")) == [1, 1]
    assert counts([True, False, None, True], ("true", "false")) == [2, 1]
    assert counts(["1.50", "1.5"], ("1.5", "1.50")) == [1, 1]


def test_whole_floats_have_the_text_of_the_whole_number():
    cells = pa.array([5.0, -0.0, 1.5, math.nan, math.inf, 1e17, 1e300])
    assert counts(cells, ("5", "0", "1.5", "100000000000000000")) == [1, 1, 1, 1]
    assert counts(cells, ("5.0", "0.0", "1e+17")) == [1, 1, 1]


def test_a_number_has_one_place_whatever_its_type():
    """0.15 lies between two doubles of the grid: it may go either way, but always the same way."""
    domain = Range(0, 1, "0.1")
    forms = [["0.15"], ["1.5e-1"], ["0,15"], pa.array([0.15]), pa.array([15], pa.int64()).cast(pa.decimal128(19, 0))]
    assert len({places(cells, domain)[0] for cells in forms[:4]}) == 1


def test_whole_numbers_are_rounded_exactly():
    assert places(list(range(-3, 12)), Range(0, 8, 4)) == [0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]
    assert places([2**51 - 1, 2**51, 2**52], Range(0, 2**52 - 1, 1)) == [2**51 - 1, 2**51, 2**52 - 1]


@pytest.mark.parametrize("person", [None, "who"])
def test_five_thousand_uneven_bins_are_found(person):
    edges = tuple(np.cumsum([0, *np.random.default_rng(1).integers(1, 9, 5000)]).tolist())
    cells = [edges[17], edges[18] - 1, edges[18], edges[-1] - 1, None]
    table = ENGINE.scan(FrameSource(pa.table({"v": cells, "s": ["a"] * 4 + ["b"], "who": list("pqrst")})))
    by = (Keyed("s", Categories(("b", "a"))), Keyed("v", Range(0, edges[-1] - 1, 1), edges))
    found = ENGINE.summarize(table, BoundedAsk(Unit(Neighbors.ADD_REMOVE, person, 1, 1), (Term(),), by)).totals[0]
    assert {int(i): int(found[i]) for i in np.flatnonzero(found)} == {5017: 2, 5018: 1, 9999: 1}
