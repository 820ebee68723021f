"""Groups that are found here are those that a join finds, whatever the type of the cells; none is found of many cells."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.engine.duckdb.dialect import DuckDialect
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.spark.dialect import SparkDialect
from sfumato.engine.spark.engine import SparkEngine
from sfumato.engine.sql import bounded_cells
from sfumato.engine.sql.bounded_cells import counted_here
from sfumato.summary.bounded import BoundedAsk, Keyed, Term
from sfumato.table.domain import Categories, Range
from sfumato.table.source import FileSource, FrameSource
from sfumato.table.unit import Neighbors, Unit

ROW, COUNT = Unit.row(Neighbors.ADD_REMOVE), Term()
ENGINE = DuckDBEngine(threads=1)
DAY, MOMENT = dt.date(2020, 1, 31), dt.datetime(2020, 1, 31, 8, 0, 0, 500)  # noqa: DTZ001
TYPED = {
    "whole": (pa.int64(), [5, -3, 5, 99, None], ["-3", "5", "5.0", "7"], [1, 2, 0, 0]),
    "real": (pa.float64(), [5.0, 0.5, -0.0, 0.0, 1e20, float("nan"), 99.0], ["5", "0", "0.5", "1e+20"], [1, 2, 1, 1]),
    "single": (pa.float32(), [0.1, 0.25, None], ["0.25", "0.1"], [1, 1]),
    "decimal": (pa.decimal128(5, 2), [Decimal("2.50"), Decimal("2.55"), None], ["2.5", "2.55", "3"], [1, 1, 0]),
    "day": (pa.date32(), [DAY, DAY, None], ["2020-01-31", "2020-02-01"], [2, 0]),
    "moment": (pa.timestamp("us"), [MOMENT, None], ["2020-01-31 08:00:00", "2020-01-31 08:00:00.0005"], [0, 1]),
    "truth": (pa.bool_(), [True, False, True, None], ["false", "true"], [1, 2]),
    "text": (pa.string(), ["b", "B", "b ", "", "99", None, "b"], ["", "b", "é"], [1, 2, 0]),
}


@pytest.fixture(params=["duckdb", "sail"])
def engine(request):
    return ENGINE if request.param == "duckdb" else SparkEngine(request.getfixturevalue("sail"))


def counts(engine, kind, cells, keyed):
    table = engine.scan(FrameSource(pa.table({"g": pa.array(cells, kind)}), missing=("99",)))
    return engine.summarize(table, BoundedAsk(ROW, (COUNT,), (keyed,))).totals.tolist()


@pytest.mark.parametrize("most", [bounded_cells.MOST, 0], ids=["small", "large"])
@pytest.mark.parametrize("name", TYPED)
def test_a_cell_is_in_the_group_of_its_text_and_missing_codes_are_in_none(engine, monkeypatch, name, most):
    monkeypatch.setattr(bounded_cells, "MOST", most)
    kind, cells, declared, expected = TYPED[name]
    assert counts(engine, kind, cells, Keyed("g", Categories(tuple(declared)))) == [expected]


@pytest.mark.parametrize("most", [bounded_cells.MOST, 0], ids=["small", "large"])
def test_many_uneven_bins(engine, monkeypatch, most):
    monkeypatch.setattr(bounded_cells, "MOST", most)
    edges = (*range(0, 80, 2), 99, 101)
    keyed = Keyed("g", Range(0, 100, 1), edges)
    found = counts(engine, pa.int64(), [0, 1, 2, 79, 98, 99, 100, 250, None], keyed)[0]
    assert {i: n for i, n in enumerate(found) if n} == {0: 2, 1: 1, 39: 2, 40: 2}  # 99 is missing


def test_more_groups_than_are_found_one_by_one():
    n = 2 * bounded_cells._FEW + 1
    texts = [f"t{i}" for i in range(n)]
    found = np.array(counts(ENGINE, pa.string(), [*texts, *texts[:3], None], Keyed("g", Categories(("t1", "x", "t9")))))
    assert found.tolist() == [[2, 0, 1]]


def test_a_table_that_may_have_many_cells_is_joined(monkeypatch):
    monkeypatch.setattr(bounded_cells, "MOST", 1)
    few = Keyed("g", Categories(("a", "b")))
    ask = BoundedAsk(ROW, (COUNT,), (few,))
    dialects = [DuckDialect(ENGINE.scan(FrameSource(pa.table({"g": cells})))) for cells in (["a"], ["a", "b"])]
    assert [counted_here(dialect, ask) is ask for dialect in dialects] == [True, False]


def test_rows_are_not_asked_for_declared_keys_before_they_are_counted(monkeypatch, tmp_path):
    """What a join with few keys knows goes down to the file as a filter of every row, unless the groups stand apart."""
    monkeypatch.setattr(bounded_cells, "MOST", 0)
    pq.write_table(pa.table({"g": [f"t{i % 50:02}" for i in range(10_000)]}), tmp_path / "t.parquet")
    table, run = ENGINE.scan(FileSource(tmp_path / "t.parquet")), DuckDialect.run
    plans = []

    def told(self, query):
        plans.append(run(self, f"EXPLAIN ANALYZE {query}").column(1)[0].as_py())
        return run(self, query)

    monkeypatch.setattr(DuckDialect, "run", told)
    keyed = Keyed("g", Categories(tuple(f"t{i:02}" for i in range(49))))
    assert ENGINE.summarize(table, BoundedAsk(ROW, (COUNT,), (keyed,))).totals.tolist() == [[200] * 49]
    assert len(plans) == 1
    assert "CTE" in plans[0].upper()
    assert "Dynamic Filter" not in plans[0]


CELLS = ["1", "2", "3", None, None]
"""Cells as they stand: one is missing, and one says so."""


@pytest.mark.parametrize(("most", "came"), [(5, [CELLS]), (4, [CELLS, ["2"]])])
def test_a_large_table_is_grouped_without_a_list_first_on_a_cluster(sail, monkeypatch, most, came):
    """With more combinations than may come it is asked again, with declared cells only."""
    monkeypatch.setattr(bounded_cells, "MOST", most)
    found, plain = [], SparkDialect.run
    monkeypatch.setattr(SparkDialect, "run", lambda self, query: (found.append(plain(self, query)), found[-1])[1])
    asked = Keyed("g", Categories(("2", "7")))
    assert counts(SparkEngine(sail), pa.int64(), [1, 2, 2, 3, None, 99], asked) == [[2, 0]]
    assert [sorted(table["c0"].to_pylist(), key=str) for table in found] == came


def test_persons_are_always_joined_since_their_groups_are_chosen_by_number():
    table = ENGINE.scan(FrameSource(pa.table({"g": ["a"], "who": ["x"]})))
    ask = BoundedAsk(Unit(Neighbors.ADD_REMOVE, "who", 1, 1), (COUNT,), (Keyed("g", Categories(("a", "b"))),))
    assert counted_here(DuckDialect(table), ask) is None
