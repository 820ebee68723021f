"""Keys that are counted by sorting are those that a GROUP BY counts."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.engine.duckdb import key_counts
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.summary.ask import Tuples
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role
from sfumato.table.source import FileSource


@pytest.mark.parametrize(("n", "size"), [(1, 1), (7, 2), (1000, 300), (1000, 2**61)])
def test_sorted_numbers_are_counted(n, size):
    keys = np.random.default_rng(n).integers(0, size, n)
    expected = np.unique_counts(keys)
    found, counts = key_counts.counted(keys)
    assert np.array_equal(found, expected.values)
    assert np.array_equal(counts, expected.counts)


@pytest.fixture
def path(tmp_path):
    rng = np.random.default_rng(5)
    cells = {"age": rng.integers(0, 900, 250), "place": rng.choice(["x", "y", "?", "10", "9", None], 250)}
    cells = {name: np.tile(values, 2) for name, values in cells.items()} | {"pay": rng.choice(["a", "b"], 500)}
    pq.write_table(pa.table({name: pa.array(values) for name, values in cells.items()}), tmp_path / "t.parquet")
    return tmp_path / "t.parquet"


ATTRIBUTES = (
    bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), [str(age) for age in range(900)]),
    bind(Column("place", Role.QUASI_IDENTIFYING, Kind.TEXT), ["9", "y", "x", None, "10"]),
)
PAY = bind(Column("pay", Role.SENSITIVE, Kind.TEXT), ["b", "a"])


@pytest.mark.parametrize("sensitive", [(), (PAY,)])
@pytest.mark.parametrize("is_release", [False, True])
def test_classes_are_those_of_a_group_by(path, monkeypatch, sensitive, is_release):
    table = DuckDBEngine(threads=1).scan(FileSource(path, missing=("?",), is_unordered=is_release))
    slow = DuckDBEngine().summarize(table, Tuples(ATTRIBUTES, sensitive))
    monkeypatch.setattr(key_counts, "LEAST", 1)
    monkeypatch.setattr(key_counts, "_LOOKED_AT", 100)
    used = []
    plain = key_counts.counted
    monkeypatch.setattr(key_counts, "counted", lambda keys: used.append(len(keys)) or plain(keys))
    fast = DuckDBEngine().summarize(table, Tuples(ATTRIBUTES, sensitive))
    assert used == [500]
    assert np.array_equal(fast.codes, slow.codes)
    assert np.array_equal(fast.rows, slow.rows)
    for mine, theirs in zip(fast.histograms, slow.histograms, strict=True):
        assert np.array_equal(mine.count, theirs.count)
        assert np.array_equal(mine.owner, theirs.owner)


def test_few_different_keys_are_grouped(path, monkeypatch):
    monkeypatch.setattr(key_counts, "LEAST", 1)
    monkeypatch.setattr(key_counts, "counted", lambda keys: pytest.fail("sorted"))
    table = DuckDBEngine(threads=1).scan(FileSource(path, missing=("?",)))
    assert DuckDBEngine().summarize(table, Tuples((PAY,))).rows.sum() == 500
