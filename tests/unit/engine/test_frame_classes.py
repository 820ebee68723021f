from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.frame_classes import classes_of_frame
from sfumato.errors import SchemaError
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.l_diversity import DistinctLDiversity
from sfumato.guarantee.t_closeness import TCloseness
from sfumato.summary.ask import MarginalOf, Tuples
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Role
from sfumato.table.source import FrameSource

COLUMNS = {
    "zip": ["1", "2", "1", None, "2", "1"],
    "sex": ["f", "m", "f", "m", "m", "f"],
    "illness": ["flu", "flu", "gout", "flu", None, "flu"],
    "pay": [3, 5, 4, 3, 9, 3],
}
FRAMES = [
    pa.table(COLUMNS),
    pd.DataFrame(COLUMNS),
    pl.DataFrame(COLUMNS),
    pd.DataFrame(COLUMNS).astype(object),
    pd.DataFrame(COLUMNS).astype("category"),
]
kinds = pytest.mark.parametrize("frame", FRAMES, ids=["arrow", "pandas", "polars", "objects", "categories"])


@kinds
def test_every_kind_of_frame_has_the_same_classes(frame):
    classes = classes_of_frame(frame, ["zip", "sex"], ["illness"])
    (h,) = classes.histograms
    assert classes.persons.tolist() == [3, 2, 1]
    assert classes.codes.tolist() == [[0, 0], [1, 1], [2, 1]]
    assert (h.owner.tolist(), h.value.tolist(), h.count.tolist()) == ([0, 0, 1, 1, 2], [0, 1, 0, 2, 0], [2, 1, 1, 1, 1])
    assert h.total.tolist() == [4, 1, 1]


@kinds
def test_the_measures_are_those_of_the_definition(frame):
    classes = classes_of_frame(frame, ["zip"], ["illness", "pay"])
    assert KAnonymity(1).measure(classes) == 1
    assert DistinctLDiversity("illness", 1).measure(classes) == 1
    assert DistinctLDiversity("pay", 1).measure(classes) == 1


def test_objects_of_several_types_are_compared_as_text():
    frame = pd.DataFrame({"zip": pd.Series([34, "34", "x", None, float("nan")], dtype=object)})
    assert classes_of_frame(frame, ["zip"]).persons.tolist() == [2, 1, 2]


def test_sensitive_numbers_are_ordered_by_value():
    frame = pd.DataFrame({"zip": ["1", "1", "2", "2"], "pay": [9, 10, 100, 100]})
    assert TCloseness("pay", 1, "ordered").measure(classes_of_frame(frame, ["zip"], ["pay"])) == 0.375


def test_row_labels_are_not_positions():
    """Users.md C9: pycanon reads row labels as positions after rows were dropped."""
    frame = pd.DataFrame({"zip": list("11223")}, index=[10, 11, "a", "b", 4])
    assert classes_of_frame(frame.iloc[1:], ["zip"]).persons.tolist() == [1, 2, 1]


def test_not_a_number_is_the_missing_value():
    frame = pa.table({"age": [1.0, float("nan"), None, 1.0]})
    assert classes_of_frame(frame, ["age"]).persons.tolist() == [2, 2]


def test_no_quasi_identifier_leaves_one_class():
    classes = classes_of_frame(pd.DataFrame(COLUMNS), [], ["illness"])
    assert classes.persons.tolist() == [6]


def test_many_columns_of_many_values_are_told_apart():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({f"c{i}": rng.integers(0, 900, 1000) for i in range(12)})
    twice = pd.concat([frame, frame[::-1]])
    assert classes_of_frame(twice, list(frame.columns)).persons.tolist() == [2] * 1000


@pytest.mark.parametrize("frame", FRAMES[:3], ids=["arrow", "pandas", "polars"])
def test_an_absent_column_is_named(frame):
    with pytest.raises(SchemaError, match=r"wrong: \['town'\]"):
        classes_of_frame(frame, ["town"])


def test_the_database_counts_the_same_classes():
    frame = pd.DataFrame(COLUMNS)
    engine = DuckDBEngine(threads=1)
    table = engine.scan(FrameSource(frame))
    bound = {
        name: bind(Column(name, role), engine.summarize(table, MarginalOf(name)).values)
        for name, role in (
            ("zip", Role.QUASI_IDENTIFYING),
            ("sex", Role.QUASI_IDENTIFYING),
            ("illness", Role.SENSITIVE),
        )
    }
    theirs = engine.summarize(table, Tuples((bound["zip"], bound["sex"]), (bound["illness"],)))
    ours = classes_of_frame(frame, ["zip", "sex"], ["illness"])
    assert theirs.codes.tolist() == ours.codes.tolist()
    assert theirs.rows.tolist() == ours.rows.tolist()
    assert theirs.histograms[0].count.tolist() == ours.histograms[0].count.tolist()


@kinds
def test_sorted_and_hashed_keys_are_counted_alike(frame, monkeypatch):
    few = classes_of_frame(frame, ["zip", "sex"], ["illness", "pay"])
    monkeypatch.setattr("sfumato.engine.frame_classes._SORTED_ROWS", -1)
    many = classes_of_frame(frame, ["zip", "sex"], ["illness", "pay"])
    assert few.codes.tolist() == many.codes.tolist()
    assert few.rows.tolist() == many.rows.tolist()
    assert [h.count.tolist() for h in few.histograms] == [h.count.tolist() for h in many.histograms]


@pytest.mark.parametrize("seed", range(20))
def test_classes_are_those_counted_row_by_row(seed):
    """Few columns of few values, up to many columns of many, whose keys leave no room for the number of the row."""
    rng = np.random.default_rng(seed)
    n, columns, values = int(rng.integers(0, 80)), 1 + seed % 9, int(rng.integers(1, 400))
    names = [f"c{j}" for j in range(columns)]
    frame = pd.DataFrame({name: rng.integers(0, values, n).astype(str) for name in [*names, "s"]})
    classes = classes_of_frame(frame, names, ["s"])
    rows = list(zip(*(frame[name] for name in names), strict=True))
    assert sorted(classes.persons.tolist()) == sorted(Counter(rows).values())
    assert len(np.unique(classes.codes, axis=0)) == classes.n_classes
    (h,) = classes.histograms
    leaves = h.attribute.hierarchy.labels[0]
    found = [[] for _ in range(classes.n_classes)]
    for owner, value, count in zip(h.owner.tolist(), h.value.tolist(), h.count.tolist(), strict=True):
        found[owner].append((leaves[value], count))
    slow = {row: Counter() for row in rows}
    for row, s in zip(rows, frame["s"], strict=True):
        slow[row][s] += 1
    assert sorted(map(sorted, found)) == sorted(sorted(counts.items()) for counts in slow.values())
    assert np.bincount(h.owner, weights=h.count, minlength=len(found)).tolist() == classes.persons.tolist()


@kinds
def test_one_column_is_counted_with_the_classes_as_it_is_after_them(frame):
    for column in ("illness", "pay"):
        alone = classes_of_frame(frame, ["sex", "zip"], [column])
        twice = classes_of_frame(frame, ["sex", "zip"], [column, "zip"])
        assert (alone.codes.tolist(), alone.rows.tolist()) == (twice.codes.tolist(), twice.rows.tolist())
        for what in ("owner", "value", "count", "total"):
            mine, other = (getattr(c.histograms[0], what).tolist() for c in (alone, twice))
            assert mine == other
