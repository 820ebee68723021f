"""Objects say the same alone and beside others, and what a typed column of the same values says."""

# ruff: noqa: DTZ001 - times of day of no zone are cells too

import datetime as dt
import math
import uuid
from decimal import Decimal
from itertools import combinations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.object_cells import cell_text, object_column
from sfumato.summary.bounded import BoundedAsk, Keyed, Term
from sfumato.table.source import FrameSource
from sfumato.table.unit import Neighbors, Unit

ENGINE = DuckDBEngine(threads=1)
ASK = BoundedAsk(Unit.row(Neighbors.ADD_REMOVE), (Term(),), (Keyed("x", None),))
PARIS = dt.timezone(dt.timedelta(hours=2))
SAYS = [
    ("a", "a"), ("", ""), (5, "5"), (5.0, "5"), (2.5, "2.5"), (1e-5, "1e-05"), (1e300, "1e+300"), (math.inf, "inf"),
    (2**70, str(2**70)), (10**500, "inf"), (True, "true"), (np.int8(3), "3"), (np.float32(0.1), "0.10000000149011612"),
    (Decimal("5.00"), "5"), (Decimal("2.50"), "2.5"), (Decimal("0.25"), "0.25"), (Decimal("-0.5"), "-0.5"),
    (Decimal("1e40"), "1" + "0" * 40), (Decimal("0.00"), "0"), (dt.date(2020, 1, 31), "2020-01-31"),
    (dt.datetime(2020, 1, 31), "2020-01-31 00:00:00"), (dt.datetime(2020, 1, 31, 8, 0, 0, 500000), "2020-01-31 08:00:00.5"),
    (pd.Timestamp("2020-01-31 09:00"), "2020-01-31 09:00:00"), (dt.datetime(1, 1, 1, tzinfo=PARIS), None),
    (pd.Timestamp(7), "1970-01-01 00:00:00.000000007"), (dt.datetime(9999, 12, 31, 23, 59, 59), "9999-12-31 23:59:59"),
    (dt.datetime(2020, 1, 31, 1, tzinfo=PARIS), "2020-01-30 23:00:00+00"), (dt.time(8, 30), "08:30:00"),
    (uuid.UUID(int=7), str(uuid.UUID(int=7))), (b"x", None), ((1, 2), None), (dt.timedelta(days=1), None),
    ("\ud800", None), (math.nan, None), (np.array([1, 2]), None), (np.array([1]), None), (np.array(1), "1"), (Decimal("NaN"), None),
]  # fmt: skip
"""Objects and what they say; None: nothing."""


def said(cells):
    """What the embedded engine groups them by."""
    table = ENGINE.scan(FrameSource(pd.DataFrame({"x": pd.Series(list(cells), dtype=object)})))
    return {key for (key,) in ENGINE.summarize(table, ASK).keys}


@pytest.mark.parametrize(("cell", "text"), SAYS)
def test_an_object_says_the_same_alone_beside_its_like_and_beside_others(cell, text):
    texts = {text} - {None}
    assert said([cell]) == said([cell, None]) == texts
    assert said([cell, "other", object()]) == texts | {"other"}


def test_any_two_objects_say_what_they_say_alone():
    """Asked of the engine where Arrow reads both at once, else of their texts."""
    for (one, first), (other, second) in combinations(SAYS, 2):
        column = object_column([one, other], [False, False])
        if column.type == pa.string():
            assert column.to_pylist() == [first, second]
        else:
            assert said([one, other]) == {first, second} - {None}


class Whole(int):
    """A number that cannot be asked how large it is."""

    def __abs__(self):
        raise RuntimeError


class Zone(dt.tzinfo):
    """A zone that does not know where it is."""

    def utcoffset(self, _):
        raise RuntimeError


@pytest.mark.parametrize("cell", [Whole(1), dt.datetime(2020, 1, 1, tzinfo=Zone())], ids=["number", "zone"])
def test_an_object_that_raises_what_it_likes_says_nothing(cell):
    assert cell_text(cell) is None
    assert object_column([cell, "a"], [False] * 2).to_pylist() == [None, "a"]
