"""What recipes make of single columns and awkward tables; whole rows are the contract suite's."""

from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.engine.arrow_arrays import dictionary_of
from sfumato.engine.duckdb import query
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.duckdb.query import label_type, store
from sfumato.engine.duckdb.table import compact, in_order
from sfumato.errors import InternalError, ParameterError, SchemaError
from sfumato.noise.bits import SystemBits
from sfumato.recipe.recipe import Recipe, RowOrder, Suppressed
from sfumato.recipe.steps import Assign, Drop, Recode, Replace, Round, Splits, Suppress, TopBottom
from sfumato.table.attribute import Attribute, bind
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Kind, Role
from sfumato.table.source import FileSink, FileSource, FrameSink, FrameSource

ENGINE = DuckDBEngine(threads=2)


def published(source, recipe):
    table = ENGINE.scan(source if not isinstance(source, pa.Table) else FrameSource(source))
    return ENGINE.write(ENGINE.apply(table, recipe, bits=SystemBits()), FrameSink("arrow")).frame


def quasi(name, values, kind=Kind.TEXT):
    return bind(Column(name, Role.QUASI_IDENTIFYING, kind), values)


def suppressing(attribute, code, level=0):
    return Suppress((attribute,), (level,), np.array([[code]]))


def test_all_other_columns_and_their_order_are_kept():
    """Case C12: two quasi-identifiers among five columns."""
    frame = pa.table({"id": [1, 2], "a": ["x", "y"], "m": [0.5, 1.5], "b": [3, 4], "s": ["flu", None]})
    a, b = quasi("a", ["x", "y"]), quasi("b", ["3", "4"], Kind.INTEGER)
    out = published(frame, Recipe((Recode(a, 1), Recode(b, 0))))
    assert out.column_names == ["id", "a", "m", "b", "s"]
    assert out.drop_columns("a").equals(frame.drop_columns("a"))
    assert out["a"].to_pylist() == ["*", "*"]


def test_a_suppressed_number_is_a_typed_null_apart_from_a_missing_one():
    """Case B8: suppressed, missing and zero are three things."""
    frame = pa.table({"age": pa.array([0, None, 34], pa.int32())})
    age = quasi("age", ["0", "34", None], Kind.INTEGER)
    out = published(frame, Recipe((), suppressing(age, 1), Suppressed.NULL))
    assert out.schema.field("age").type == pa.int32()
    assert out.to_pydict() == {"age": [0, None, None], "suppressed": [False, False, True]}


def test_the_mark_of_suppression_is_there_even_when_no_row_is_suppressed():
    assert published(pa.table({"a": ["x"]}), Recipe((), None, Suppressed.NULL)).to_pydict() == {
        "a": ["x"],
        "suppressed": [False],
    }


def test_a_table_with_a_column_called_suppressed_is_refused_where_it_would_clash():
    with pytest.raises(SchemaError, match="needs a column 'suppressed' of its own"):
        published(pa.table({"Suppressed": ["x"]}), Recipe((), None, Suppressed.NULL))


def test_a_missing_code_that_stays_missing_is_published_as_it_was_written(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"age,b\n 9,x\nNA,y\n,z\n10,w\n")
    source = FileSource(tmp_path / "a.csv", missing=("NA", ""))
    tree = Hierarchy.from_paths("age", [(" 9", "low", "*"), ("10", "high", "*")]).with_missing()
    age = Attribute(Column("age", Role.QUASI_IDENTIFYING), tree, None)
    table = ENGINE.scan(source)
    released = ENGINE.apply(table, Recipe((Recode(age, 1),)), bits=SystemBits())
    ENGINE.write(released, FileSink(tmp_path / "b.csv"))
    assert (tmp_path / "b.csv").read_bytes() == b"age,b\nlow,x\nNA,y\n,z\nhigh,w\n"


def test_a_recoded_column_is_text_and_a_level_that_changes_nothing_keeps_the_type():
    frame = pa.table({"a": pa.array([1, 2], pa.int16())})
    tree = Hierarchy.from_paths("a", [("1", "1", "*"), ("2", "2", "*")])
    a = Attribute(Column("a", Role.QUASI_IDENTIFYING, Kind.INTEGER), tree, None)
    assert [published(frame, Recipe((Recode(a, level),))).schema.field("a").type for level in (0, 1, 2)] == [
        pa.int16(),
        pa.int16(),
        pa.string(),
    ]


def test_categories_keep_their_labels():
    frame = pd.DataFrame({"sex": pd.Categorical(["M", "F"]), "w": [1, 2]})
    out = ENGINE.write(
        ENGINE.apply(ENGINE.scan(FrameSource(frame)), Recipe((Drop("w"),)), bits=SystemBits()), FrameSink()
    ).frame
    pd.testing.assert_frame_equal(out, frame[["sex"]])


MANY = 130_000
"""Rows: more than DuckDB has in a row group."""
TOWNS = np.array(["Bern", "Chur", "Genf", "=Zug"])


@pytest.fixture(scope="module")
def many_rows(tmp_path_factory):
    """Files with towns and ages, by their kind."""
    rng = np.random.default_rng(3)
    ages = rng.integers(0, 90, MANY)
    towns = TOWNS[rng.integers(0, 4, MANY)]
    table = ENGINE.scan(
        FrameSource(pa.table({"nth": range(MANY), "town": towns, "age": pa.array(ages, mask=ages == 7)}))
    )
    folder = tmp_path_factory.mktemp("many")
    for suffix in ("csv", "parquet"):
        ENGINE.write(table, FileSink(folder / f"rows.{suffix}"))
    return {suffix: folder / f"rows.{suffix}" for suffix in ("csv", "parquet")}


@pytest.mark.parametrize("mode", list(Suppressed))
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_labels_from_lists_are_those_from_joins_and_need_no_sort(tmp_path, monkeypatch, many_rows, mode, suffix):
    """Two row groups on two threads, missing cells, a column that stays, one whose labels are too many for a list."""
    source, n = many_rows[suffix], MANY
    town = bind(Column("town", Role.QUASI_IDENTIFYING), sorted(TOWNS))
    leaves = [str(age) for age in range(90) if age != 7]
    paths = [(leaf, "young" if int(leaf) < 40 else leaf, "*") for leaf in leaves]
    tree = Hierarchy.from_paths("age", paths).with_missing()
    age = Attribute(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), tree, None)
    gone = Suppress((town, age), (0, 1), np.array([[0, 3], [2, 0], [3, 8], [1, len(tree.labels[1]) - 1]]))
    recipe, written, sorts = Recipe((Recode(town, 0), Recode(age, 1)), gone, mode), [], []
    for most in (500, 0):
        monkeypatch.setattr("sfumato.engine.duckdb.dealing.MOST_LISTED", most)
        monkeypatch.setattr("sfumato.engine.duckdb.dealing.MOST_FLAGS", most)
        released = ENGINE.apply(ENGINE.scan(FileSource(source, missing=("",))), recipe, bits=SystemBits())
        sorts.append(in_order(compact(released)).endswith("ORDER BY __row"))
        ENGINE.write(released, FileSink(tmp_path / "release.csv"))
        written.append((tmp_path / "release.csv").read_bytes())
    assert sorts == [False, True]
    assert written[0] == written[1]
    places = [int(line.split(b",")[0]) for line in written[0].splitlines()[1:]]
    assert places == sorted(places)
    assert (len(places) == n) is (mode is not Suppressed.DROP)


@pytest.mark.parametrize("most", [500, 0])
@pytest.mark.parametrize(("kind", "cells"), [(Kind.INTEGER, [3, 5, None]), (Kind.TEXT, ["x", "y", None])])
def test_a_label_that_all_values_have_is_not_that_of_missing_cells_nor_of_cells_without_a_leaf(
    monkeypatch, most, kind, cells
):
    monkeypatch.setattr("sfumato.engine.duckdb.dealing.MOST_LISTED", most)
    paths = [(str(cell), "*") for cell in cells[:2]]
    for tree in (Hierarchy.from_paths("a", paths), Hierarchy.from_paths("a", paths).with_missing()):
        recipe = Recipe((Recode(Attribute(Column("a", Role.QUASI_IDENTIFYING, kind), tree, None), 1),))
        knows_missing = None in tree.labels[0]
        found = published(pa.table({"a": cells if knows_missing else cells[:2]}), recipe)["a"].to_pylist()
        assert found == ["*", "*", tree.labels[1][tree.ancestors[1][-1]]][: len(found)]
        for odd in [[*cells[:2], 9 if kind is Kind.INTEGER else "z"], *([] if knows_missing else [cells])]:
            with pytest.raises(SchemaError):
                published(pa.table({"a": odd}), recipe)


def test_rows_of_one_tuple_are_split_in_table_order():
    frame = pa.table({"a": ["x", "y", "x", "x", "y"], "n": range(5)})
    a = quasi("a", ["x", "y"])
    splits = Splits(np.array([0, 0]), np.array([2, 1]), np.array([0, 1]))
    step = Assign((a,), np.array([[0], [1]]), np.array([-1, 1]), (("first", "second"),), splits)
    assert published(frame, Recipe((), step))["a"].to_pylist() == ["first", "second", "first", "second", "second"]


def test_rows_that_no_split_foresees_are_refused():
    frame = pa.table({"a": ["x", "x", "x"]})
    splits = Splits(np.array([0, 0]), np.array([1, 1]), np.array([0, 1]))
    step = Assign((quasi("a", ["x"]),), np.array([[0]]), np.array([0]), (("1", "2"),), splits)
    with pytest.raises(SchemaError, match="some rows are new"):
        published(frame, Recipe((), step))


def test_a_tuple_that_the_recipe_does_not_know_is_refused():
    step = Assign((quasi("a", ["x", "y"]),), np.array([[0]]), np.array([0]), (("c",),))
    with pytest.raises(SchemaError, match="some rows are new"):
        published(pa.table({"a": ["x", "y"]}), Recipe((), step))


def test_dropped_rows_are_counted_out():
    a = quasi("a", ["x", "y"])
    table = ENGINE.scan(FrameSource(pa.table({"a": ["x", "y", "x"]})))
    released = ENGINE.apply(table, Recipe((), suppressing(a, 0), Suppressed.DROP), bits=SystemBits())
    assert ENGINE.header(released).n_rows == 1
    assert ENGINE.write(released, FrameSink("arrow")).frame.to_pydict() == {"a": ["y"]}


class Reversed:
    """Words that sort the rows backwards."""

    is_secure = False

    def words(self, n):
        return np.arange(n, 0, -1).astype(np.uint64)


def test_the_order_of_a_shuffled_release_comes_from_the_bits():
    table = ENGINE.scan(FrameSource(pa.table({"a": range(1000)})))
    released = ENGINE.apply(table, Recipe(row_order=RowOrder.SHUFFLED), bits=Reversed())
    assert ENGINE.write(released, FrameSink("arrow")).frame["a"].to_pylist() == list(range(999, -1, -1))


def test_a_kept_order_survives_joins_of_many_rows():
    n = 400_000
    frame = pa.table({"a": (np.arange(n) * 7919) % 1000, "n": np.arange(n)})
    a = quasi("a", [str(i) for i in range(1000)], Kind.INTEGER)
    step = Assign((a,), np.arange(1000)[:, None], np.arange(1000) % 10, (tuple("abcdefghij"),))
    out = published(frame, Recipe((), step))
    assert np.array_equal(out["n"].to_numpy(), np.arange(n))
    code = np.array([a.hierarchy.labels[0].index(str(i)) for i in range(1000)])
    assert out["a"].to_pylist() == np.array(list("abcdefghij"))[code[(np.arange(n) * 7919) % 1000] % 10].tolist()


def test_two_steps_for_one_column_are_refused():
    with pytest.raises(InternalError, match="two steps"):
        published(pa.table({"a": ["x"]}), Recipe((Drop("a"), Replace("a", "y"))))


def test_a_step_for_an_absent_column_is_refused():
    with pytest.raises(SchemaError, match="'b' must be in the table"):
        published(pa.table({"a": ["x"]}), Recipe((Drop("b"),)))


def test_values_beyond_the_bounds_get_labels_and_the_others_stay_as_written():
    frame = pa.table({"pay": ["5,50", "100", "1e3", "?", None, " 7"]})
    step = TopBottom("pay", 6, "< 6", 500, "> 500")
    out = published(FrameSource(frame, missing=("?",)), Recipe((step,)))
    assert out["pay"].to_pylist() == ["< 6", "100", "> 500", "?", None, " 7"]


def test_bounds_need_numbers():
    with pytest.raises(SchemaError, match="'pay' must be a number"):
        published(pa.table({"pay": ["5", "CANARY"]}), Recipe((TopBottom("pay", 6, "low", None, ""),)))


@pytest.mark.parametrize(
    ("cells", "base", "rounded"),
    [
        (["12", "12,5", "-12.5", "0.15"], 5, ["10", "15", "-15", "0"]),
        (["5,3", "5.3", "-0.2", "0.25"], 0.5, ["5,5", "5.5", "0.0", "0.5"]),
        (["0.15", "0.05", "1000000000000.05"], 0.1, ["0.2", "0.1", "1000000000000.1"]),
        (["1499", "1500", "1e3"], 1000, ["1000", "2000", "1000"]),
    ],
)
def test_texts_are_rounded_exactly_and_written_with_the_decimals_of_the_base(cells, base, rounded):
    assert published(pa.table({"a": cells}), Recipe((Round("a", base),)))["a"].to_pylist() == rounded


@pytest.mark.parametrize(
    ("cells", "base", "rounded"),
    [
        (pa.array([12, -13, None], pa.int64()), 5, pa.array([10, -15, None], pa.int64())),
        (pa.array([127], pa.int8()), 10, pa.array([130], pa.int64())),
        (pa.array([0.15, -2.5, 7.0]), 0.1, pa.array([0.2, -2.5, 7.0])),
        (pa.array([12, 13]), 2.5, pa.array([12.5, 12.5])),
    ],
)
def test_numbers_are_rounded_and_stay_numbers(cells, base, rounded):
    assert published(pa.table({"a": cells}), Recipe((Round("a", base),)))["a"].combine_chunks().equals(rounded)


def test_decimals_are_rounded_and_stay_decimals():
    cells = pa.array([Decimal("9.96"), Decimal("-0.05")], pa.decimal128(3, 2))
    out = published(pa.table({"a": cells}), Recipe((Round("a", 0.1),)))["a"].to_pylist()
    assert out == [Decimal("10.00"), Decimal("-0.10")]


@settings(max_examples=30, derandomize=True)
@given(
    st.lists(st.decimals(-1000, 1000, places=3), min_size=1, max_size=20),
    st.sampled_from([0.001, 0.25, 0.5, 1, 3, 2.5, 1000]),
)
def test_rounding_is_to_the_nearest_multiple_halves_away_from_zero(numbers, base):
    exact = Decimal(repr(base))
    halves = [(abs(x) / exact + Decimal("0.5")).to_integral_value("ROUND_FLOOR") * exact for x in numbers]
    expected = [h.copy_sign(x) if h else abs(h) for h, x in zip(halves, numbers, strict=True)]
    out = published(pa.table({"a": [str(x) for x in numbers]}), Recipe((Round("a", base),)))
    assert [Decimal(text) for text in out["a"].to_pylist()] == expected


@pytest.mark.parametrize("base", [0, -5, 1e-10, float("1e-12")])
def test_a_base_that_is_not_positive_or_too_fine_is_refused(base):
    with pytest.raises(ParameterError, match="rounding base of 'a'"):
        published(pa.table({"a": ["1"]}), Recipe((Round("a", base),)))


def test_a_decimal_comma_and_unusual_signs_survive_a_release(tmp_path):
    """Case K9: competing locale."""
    original = "âge;prix;part\n34;5,30;12 %\n35;-0,5;7,5 %\n".encode("windows-1252")
    (tmp_path / "a.csv").write_bytes(original)
    source = FileSource(tmp_path / "a.csv", dialect={"encoding": "windows-1252"})
    released = ENGINE.apply(ENGINE.scan(source), Recipe((Round("prix", 0.5),)), bits=SystemBits())
    ENGINE.write(released, FileSink(tmp_path / "b.csv"))
    expected = "âge;prix;part\n34;5,5;12 %\n35;-0,5;7,5 %\n"
    assert (tmp_path / "b.csv").read_bytes().decode("windows-1252") == expected


def test_a_table_can_be_released_twice_on_one_connection():
    table = ENGINE.scan(FrameSource(pa.table({"a": ["x", "y"]})))
    a = quasi("a", ["x", "y"])
    outs = [ENGINE.apply(table, Recipe((Recode(a, level),)), bits=SystemBits()) for level in (0, 1)]
    assert [ENGINE.write(out, FrameSink("arrow")).frame["a"].to_pylist() for out in outs] == [["x", "y"], ["*", "*"]]


def test_names_with_quotes_blanks_and_reserved_words_work():
    frame = pa.table({'a "b" ': ["x"], "select": ["y"], "__x0": ["z"], "é;'": [1]})
    recipe = Recipe((Recode(quasi('a "b" ', ["x"]), 1), Replace("select", "l'\"")))
    assert published(frame, recipe).to_pydict() == {'a "b" ': ["*"], "select": ["l'\""], "__x0": ["z"], "é;'": [1]}


def test_an_empty_table_is_released_with_its_columns():
    frame = pa.table({"a": pa.array([], pa.string()), "b": pa.array([], pa.int64())})
    recipe = Recipe((Recode(Attribute(Column("a", Role.QUASI_IDENTIFYING), Hierarchy.flat("a", ["x"]), None), 1),))
    assert published(frame, recipe).column_names == ["a", "b"]


@pytest.mark.parametrize("n", [300, 10_300])
def test_labels_of_a_stored_table_are_those_of_the_array(n):
    """Few are handed over as numbers, many as texts; a missing one is NULL."""
    connection = duckdb.connect()
    texts = [None if i % 7 == 0 else f"label {i % n}" for i in range(2 * n)]
    encoded = dictionary_of(texts)
    name = store(connection, {"t": encoded}, {"t": label_type(connection, encoded)})
    assert [
        row[0] for row in connection.execute(f"SELECT CAST(t AS VARCHAR) FROM {name} ORDER BY rowid").fetchall()
    ] == texts


@pytest.mark.parametrize(("spelled", "numbered"), [(9, 9), (0, 9), (0, 0)])
def test_labels_are_stored_alike_whether_spelled_listed_in_a_row_or_cast(monkeypatch, spelled, numbered):
    monkeypatch.setattr(query, "_SPELLED", spelled)
    monkeypatch.setattr(query, "_NUMBERED", numbered)
    connection = ENGINE.scan(FrameSource(pa.table({"a": ["x"]}))).connection
    texts = ["b", None, "a", "it's", "b"]
    encoded = dictionary_of(texts)
    kind = label_type(connection, encoded)
    name = store(connection, {"k": pa.array(range(5)), "a": encoded}, {"a": kind})
    assert connection.sql(f"SELECT k, a FROM {name} ORDER BY k").fetchall() == [*enumerate(texts)]
    ((stored,),) = connection.sql(f"SELECT DISTINCT typeof(a) FROM {name}").fetchall()
    assert stored.startswith("ENUM")
    assert not connection.sql("SELECT * FROM duckdb_tables() WHERE table_name LIKE 'labels_%'").fetchall()
