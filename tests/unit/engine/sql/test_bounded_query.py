"""What one person can change, what comes out whatever the rows hold; the definition itself is the contract suite's."""

import hashlib
import pickle
import sqlite3

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.errors import ParameterError
from sfumato.summary.bounded import BoundedAsk, Keyed, Places, Term
from sfumato.table.domain import Categories, Range
from sfumato.table.source import FileSource, FrameSource, SqlSource
from sfumato.table.unit import Neighbors, Unit
from sfumato.testing.bounded_contract import moves_no_further_than_claimed

ENGINE = DuckDBEngine(threads=1)
ROW = Unit.row(Neighbors.ADD_REMOVE)
COUNT = Term()
LETTERS = Categories(("x", "y", "z"))


def person(rows=1, keys=1):
    return Unit(Neighbors.ADD_REMOVE, "who", rows, keys)


def scanned(**columns):
    return ENGINE.scan(FrameSource(pa.table(columns)))


def totals(table, *terms, unit=ROW, by=(), **rest):
    return ENGINE.summarize(table, BoundedAsk(unit, terms or (COUNT,), by, **rest)).totals.tolist()


def test_declared_groups_come_in_declared_order_the_last_column_running_fastest():
    table = scanned(g=["y", "x", "y", "w", None], h=["2", "1", "2", "1", "1"])
    by = (Keyed("g", LETTERS), Keyed("h", Categories(("1", "2"))))
    assert totals(table, by=by) == [[1, 0, 0, 2, 0, 0]]


def test_a_rare_category_changes_no_shape():
    """Case F22: the groups are the declared ones, whether anybody is in them or not."""
    by = (Keyed("g", Categories(("common", "rare"))),)
    assert totals(scanned(g=["common", "rare"]), by=by) == [[1, 1]]
    assert totals(scanned(g=["common", "common"]), by=by) == [[2, 0]]


@pytest.mark.parametrize("unit", [ROW, person(3, 2)], ids=["row", "person"])
def test_an_empty_table_has_zeros(unit):
    empty = scanned(who=pa.array([], pa.string()), g=pa.array([], pa.string()), v=pa.array([], pa.float64()))
    ranges = (("v", Range(0, 10, 1)),)
    terms = (COUNT, Term((("v", 3),)))
    assert totals(empty, *terms, unit=unit, by=(Keyed("g", LETTERS),), ranges=ranges) == [[0, 0, 0], [0, 0, 0]]
    assert totals(empty, *terms, unit=unit, ranges=ranges) == [[0], [0]]
    assert ENGINE.summarize(empty, Places(BoundedAsk(unit, (), ranges=ranges), "v")).places.tolist() == []
    found = ENGINE.summarize(empty, BoundedAsk(unit, terms, (Keyed("g", None),), ranges=ranges))
    assert (found.keys, found.totals.shape, found.persons.tolist()) == ((), (2, 0), [])


def test_no_grouping_column_is_one_group():
    """Case F7: an empty list of keys has a defined answer."""
    assert totals(scanned(g=["x", "y", None])) == [[3]]
    assert totals(scanned(g=["x", "y", None]), by=(), unit=ROW) == [[3]]
    assert ENGINE.summarize(scanned(g=["x"]), BoundedAsk(ROW, ())).totals.shape == (0, 1)


def test_a_count_counts_persons_whatever_else_is_asked():
    """Case F10: the unit does not depend on the columns of the question."""
    table = scanned(who=["a"] * 50 + ["b"], g=["x"] * 51)
    assert totals(table, unit=person()) == [[2]]
    assert totals(table, unit=person(), by=(Keyed("g", LETTERS),)) == [[2, 0, 0]]


def test_one_person_in_every_group_counts_in_few():
    """Case F16: of 40 groups a person with rows in all of them reaches `keys`, each with `rows`."""
    groups = [f"g{i}" for i in range(40)]
    rows = [("loud", g) for g in groups for _ in range(10)] + [("calm", g) for g in groups[:1]]
    table = scanned(who=[w for w, _ in rows], g=[g for _, g in rows])
    found = np.array(totals(table, unit=person(3, 2), by=(Keyed("g", Categories(tuple(groups))),))[0])
    alone = np.array(
        totals(scanned(who=["calm"], g=["g0"]), unit=person(3, 2), by=(Keyed("g", Categories(tuple(groups))),))[0]
    )
    assert sorted(found - alone, reverse=True)[:3] == [3, 3, 0]


def test_the_groups_of_persons_are_chosen_evenly():
    """200 persons with rows in all of 4 groups count in one: each group gets a fair share (binomial, beyond 1e-6)."""
    who, g = zip(*[(f"p{i}", g) for i in range(200) for g in "abcd"], strict=True)
    found = totals(scanned(who=who, g=g), unit=person(), by=(Keyed("g", Categories(tuple("abcd"))),))[0]
    assert sum(found) == 200
    assert min(found) > 20


def test_rows_without_a_person_are_left_out():
    table = scanned(who=["a", None, "", "  ", "b"], g=["x"] * 5)
    assert totals(table, unit=person(5, 1)) == [[2]]
    numbers = scanned(who=pa.array([1.0, float("nan"), None, 2.0]), g=["x"] * 4)
    assert totals(numbers, unit=person(5, 1)) == [[2]]


def test_the_first_rows_of_a_person_count_after_the_conditions():
    table = scanned(who=["a", "a", "a", "b"], g=["w", "x", "x", "x"], v=[9, 1, 2, 4])
    ranges = (("v", Range(0, 10, 1)),)
    by = (Keyed("g", LETTERS),)
    assert totals(table, Term((("v", 0),)), unit=person(), by=by, ranges=ranges) == [[5, 0, 0]]
    assert ENGINE.summarize(table, Places(BoundedAsk(person(2, 1), (), ranges=ranges), "v")).places.tolist() == [
        9,
        1,
        4,
    ]


def test_distinct_persons_count_once_in_a_group():
    table = scanned(who=["a", "a", "a", "b"], g=["x", "x", "y", "x"])
    assert totals(table, unit=person(9, 9), by=(Keyed("g", LETTERS),), distinct=True) == [[2, 1, 0]]
    assert totals(table, unit=person(9, 9), by=(Keyed("g", LETTERS),)) == [[3, 1, 0]]


def test_totals_saturate_and_do_not_wrap():
    """Case F14: an int32 column near 2^31 adds up beyond it, and beyond 2^62 a total stays there."""
    near = pa.array([2**31 - 1] * 100, pa.int32())
    assert totals(scanned(v=near), Term((("v", 0),)), ranges=(("v", Range(0, 2**31 - 1, 1)),)) == [[100 * (2**31 - 1)]]
    huge = scanned(v=pa.array([2**63 - 1] * 2000, pa.int64()))
    ranges = (("v", Range(0, 2**52, 1)),)
    up, down = Term((("v", 0),)), Term((("v", 2**53),))
    square, mixed = Term((("v", 0), ("v", 0))), Term((("v", 2**53), ("v", 0)))
    assert totals(huge, up, down, square, mixed, ranges=ranges) == [[2**62], [-(2**62)], [2**62], [-(2**62)]]


def test_keys_are_read_from_the_table_where_none_are_declared():
    table = scanned(who=["a", "a", "b", "b", None], g=["x", "x", "x", None, "secret"])
    found = ENGINE.summarize(table, BoundedAsk(person(5, 5), (COUNT,), (Keyed("g", None),)))
    assert found.keys == (("x",),)
    assert found.totals.tolist() == [[3]]
    assert found.persons.tolist() == [2]


def test_whole_numbers_are_the_same_keys_when_a_missing_cell_makes_them_floats():
    """Pandas turns 5 into 5.0 as soon as one cell is missing: another person's row must not change mine."""
    without, with_ = pd.DataFrame({"g": [5, 5, 7]}), pd.DataFrame({"g": [5, 5, 7, None]})
    assert (without.g.dtype, with_.g.dtype) == (np.int64, np.float64)
    for frame in (without, with_):
        table = ENGINE.scan(FrameSource(frame))
        assert totals(table, by=(Keyed("g", Categories(("7", "5"))),)) == [[1, 2]]
        assert ENGINE.summarize(table, BoundedAsk(ROW, (COUNT,), (Keyed("g", None),))).keys == (("5",), ("7",))


def _sources(folder):
    """The same six rows from every kind of source."""
    rows = [
        ("a", "x", "1.50"),
        ("a", "x", "2"),
        ("a", "y", "9"),
        ("b", "01000", "nan"),
        ("b", "x", "-4"),
        ("c", "x", "7"),
    ]
    columns = dict(zip(("who", "g", "v"), map(list, zip(*rows, strict=True)), strict=True))
    frame = pa.table(columns)
    (folder / "t.csv").write_text("who,g,v\n" + "".join(",".join(row) + "\n" for row in rows))
    pq.write_table(frame, folder / "t.parquet")
    base = sqlite3.connect(folder / "t.db")
    base.execute("CREATE TABLE t (who TEXT, g TEXT, v TEXT)")
    base.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
    base.commit()
    base.close()
    memory = duckdb.connect()
    memory.register("frame", frame)
    return {
        "csv": FileSource(folder / "t.csv"),
        "parquet": FileSource(folder / "t.parquet"),
        "sqlite": SqlSource(f"sqlite:///{folder / 't.db'}", "t"),
        "pandas": FrameSource(frame.to_pandas()),
        "polars": FrameSource(pl.from_arrow(frame)),
        "duckdb": FrameSource(memory.sql("SELECT * FROM frame")),
    }


@pytest.mark.parametrize("kind", ["csv", "parquet", "sqlite", "pandas", "polars", "duckdb"])
def test_every_source_adds_up_alike(kind, tmp_path):
    table = ENGINE.scan(_sources(tmp_path)[kind])
    by = (Keyed("g", Categories(("x", "01000", "y"))),)
    ranges = (("v", Range(0, 8, "0.5")),)
    terms = (COUNT, Term((("v", 0),)))
    assert totals(table, *terms, by=by, ranges=ranges) == [[4, 1, 1], [3 + 4 + 0 + 14, 0, 16]]
    assert totals(table, *terms, unit=person(1, 3), by=by, ranges=ranges) == [[3, 1, 1], [3 + 0 + 14, 0, 16]]
    assert sorted(ENGINE.summarize(table, Places(BoundedAsk(ROW, (), ranges=ranges), "v")).places) == [0, 3, 4, 14, 16]


def test_the_table_is_as_it_was_afterwards():
    table = scanned(g=["x", "y"])
    names = "SELECT table_name FROM duckdb_tables() UNION ALL SELECT view_name FROM duckdb_views() WHERE NOT internal"
    before = table.connection.sql(names).fetchall()
    for _ in range(2):
        assert totals(table, by=(Keyed("g", LETTERS),)) == [[1, 1, 0]]
    assert table.connection.sql(names).fetchall() == before


def test_nothing_private_is_shown_or_pickled():
    table = scanned(g=["CANARY", "x"], v=["CANARY", "3"])
    ask = BoundedAsk(ROW, (COUNT,), (Keyed("g", None),), ranges=(("v", Range(0, 5, 1)),))
    found, read = (
        ENGINE.summarize(table, ask),
        ENGINE.summarize(table, Places(BoundedAsk(ROW, (), ranges=ask.ranges), "v")),
    )
    assert "CANARY" not in repr(found) + repr(read)
    for private in (found, read):
        with pytest.raises(TypeError, match="not pickled"):
            pickle.dumps(private)
    with pytest.raises(ParameterError) as failure:
        ENGINE.summarize(table, Places(ask, "v"))
    assert "CANARY" not in str(failure.value)


def _random_rows(seed):
    """Twelve rows of four persons in three groups."""
    chance = np.random.default_rng(seed)
    pairs = zip(chance.choice(list("abcd"), 12), chance.choice(list("xyz"), 12), strict=True)
    return [{"who": who, "g": g} for who, g in pairs]


def _counts(kept):
    return [{g: [sum(1 for row in kept if row["g"] == g)] for g in "xyz"}]


def _unbounded(rows, asks):
    return _counts(rows)


def _by_table_position(rows, asks):
    """A rule that looks right: of each person the row with the least digest of its position in the table."""
    digest = [hashlib.sha256(str(i).encode()).digest() for i in range(len(rows))]
    best = {row["who"]: min(digest[i] for i, r in enumerate(rows) if r["who"] == row["who"]) for row in rows}
    return _counts([row for i, row in enumerate(rows) if digest[i] == best[row["who"]]])


def _first_row(rows, asks):
    """The right rule, for one row in one group."""
    return _counts(list({row["who"]: row for row in reversed(rows)}.values()))


@pytest.mark.parametrize(("rule", "is_right"), [(_first_row, True), (_unbounded, False), (_by_table_position, False)])
def test_the_brute_force_check_catches_wrong_rules(rule, is_right):
    ask = BoundedAsk(person(), (COUNT,), (Keyed("g", LETTERS),))
    wrong = 0
    for seed in range(20):
        try:
            moves_no_further_than_claimed(rule, _random_rows(seed), [ask])
        except AssertionError:
            wrong += 1
    assert (wrong == 0) is is_right
