"""From a source through the whole engine and back again."""

import gzip
from datetime import date

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.engine.duckdb.leaves import Digit, pack
from sfumato.errors import SchemaError, SfumatoError
from sfumato.noise.bits import SystemBits
from sfumato.recipe.recipe import Recipe
from sfumato.recipe.steps import Assign, Drop, Recode, Suppress
from sfumato.summary.ask import MarginalOf, Marginals, Tuples
from sfumato.summary.classes import roll_up
from sfumato.summary.published import SuppressedMark, suppressed_classes
from sfumato.table.attribute import Attribute, bind
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Kind, Role
from sfumato.table.source import FileSink, FileSource, FrameSink, FrameSource

ENGINE = DuckDBEngine(threads=2)


def bound(table):
    """Every column as a flat quasi-identifier."""
    return tuple(
        bind(Column(name, Role.QUASI_IDENTIFYING), ENGINE.summarize(table, MarginalOf(name)).values)
        for name in table.header.names
    )


def starred(table):
    """Rows in classes that hold nothing but stars."""
    attributes = bound(table)
    classes = ENGINE.summarize(table, Tuples(attributes))
    labels = [attribute.hierarchy.labels[0] for attribute in attributes]
    return int(classes.rows[suppressed_classes(labels, classes.codes, SuppressedMark.STAR)].sum())


def test_suppressed_rows_are_told_apart_after_a_round_trip(tmp_path):
    """Case C7: six rows and one of stars; the stars are no class of their own."""
    frame = pa.table({"a": list("xxxyyyz"), "b": list("1112223"), "c": list("ppppppq")})
    table = ENGINE.scan(FrameSource(frame))
    attributes = bound(table)
    finest = ENGINE.summarize(table, Tuples(attributes))
    step = Suppress(attributes, (0, 0, 0), finest.codes[finest.rows < 2])
    released = ENGINE.apply(table, Recipe((), step), bits=SystemBits())
    ENGINE.write(released, FileSink(tmp_path / "r.csv"))
    again = ENGINE.scan(FileSource(tmp_path / "r.csv"))
    assert again.header.n_rows == 7
    assert starred(again) == 1


def test_no_row_of_a_fresh_table_is_taken_for_a_suppressed_one():
    """Case C6: seven rows without any recoding; a star in one column alone is a value."""
    assert starred(ENGINE.scan(FrameSource(pa.table({"a": list("xyzxyz*"), "b": list("1234567")})))) == 0


def test_what_is_exported_is_what_was_imported():
    """Case A13: no index column, labels kept, nothing shifted."""
    frame = pd.DataFrame({"sex": pd.Categorical.from_codes([0, 1, 0], ["M", "F"]), "w": [1.5, 2.5, np.nan]})
    back = ENGINE.write(ENGINE.scan(FrameSource(frame)), FrameSink()).frame
    pd.testing.assert_frame_equal(back, frame)


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".csv.zst", ".parquet", ".arrow", ".xlsx"])
def test_a_release_can_be_read_again_from_every_kind_of_file(tmp_path, suffix):
    frame = pa.table({"zip": ["01000", "é;,\t", "x"], "n": ["1", "2", "3"]})
    ENGINE.write(ENGINE.scan(FrameSource(frame)), FileSink(tmp_path / f"r{suffix}"))
    back = ENGINE.write(ENGINE.scan(FileSource(tmp_path / f"r{suffix}")), FrameSink("arrow")).frame
    assert back.to_pydict() == frame.to_pydict()


def test_a_release_of_a_release_is_a_release():
    tree = Hierarchy.from_paths("a", [("1", "odd", "*"), ("2", "even", "*"), ("3", "odd", "*")])
    table = ENGINE.scan(FrameSource(pa.table({"a": [3, 1, 2], "b": [1, 2, 3]})))
    first = ENGINE.apply(
        table, Recipe((Recode(Attribute(Column("a", Role.QUASI_IDENTIFYING), tree, None), 1),)), bits=SystemBits()
    )
    assert dict(zip(*_counts(first, "a"), strict=True)) == {"odd": 2, "even": 1}
    second = ENGINE.apply(first, Recipe((Drop("b"),)), bits=SystemBits())
    assert ENGINE.write(second, FrameSink("arrow")).frame.to_pydict() == {"a": ["odd", "odd", "even"]}


def _counts(table, column):
    found = ENGINE.summarize(table, MarginalOf(column))
    return found.values, found.counts.tolist()


def test_adult_is_counted_and_released_at_the_levels_of_a_known_node(shared, tmp_path):
    """30,162 rows; the classes of the released file are those that the roll-up promised."""
    folder = shared / "data" / "adult_arx"
    (tmp_path / "adult.csv").write_bytes(gzip.decompress((folder / "adult.csv.gz").read_bytes()))
    table = ENGINE.scan(FileSource(tmp_path / "adult.csv"))
    attributes = [_from_arx(folder, name) for name in table.header.names[:8]]
    finest = ENGINE.summarize(table, Tuples(tuple(attributes)))
    assert finest.n_rows == 30_162
    levels = tuple(a.hierarchy.height - (j % 2) for j, a in enumerate(attributes))
    coarse, _ = roll_up(finest, attributes, levels)
    small = coarse.rows < 50
    step = Suppress(tuple(attributes), levels, coarse.codes[small])
    recipe = Recipe(tuple(map(Recode, attributes, levels)), step)
    ENGINE.write(ENGINE.apply(table, recipe, bits=SystemBits()), FileSink(tmp_path / "out.csv"))
    again = ENGINE.scan(FileSource(tmp_path / "out.csv"))
    released = ENGINE.summarize(again, Tuples(bound(again)[:8]))
    expected = sorted(coarse.rows[~small].tolist() + [coarse.rows[small].sum()] * bool(small.any()))
    assert sorted(released.rows.tolist()) == expected
    assert _counts(again, "salary-class") == _counts(table, "salary-class")


def _from_arx(folder, name):
    """The attribute of a hierarchy file: one path per line."""
    lines = (folder / "hierarchies" / f"adult_hierarchy_{name}.csv").read_text().splitlines()
    paths = [line.split(";") for line in lines]
    return Attribute(Column(name, Role.QUASI_IDENTIFYING), Hierarchy.from_paths(name, paths), None)


@pytest.mark.slow
def test_every_dirty_csv_that_can_be_read_is_written_back_with_the_same_cells(shared, tmp_path):
    seen = 0
    for path in sorted((shared / "data" / "dirty_csv").glob("*.csv*")):
        try:
            table = ENGINE.scan(FileSource(path))
        except SfumatoError:
            continue
        ENGINE.write(table, FileSink(tmp_path / "out.csv"))
        again = ENGINE.scan(FileSource(tmp_path / "out.csv", dialect=_fixed(table.header.dialect)))
        before, after = (ENGINE.write(t, FrameSink("arrow")).frame for t in (table, again))
        assert after.equals(before), path.name
        seen += 1
    assert seen >= 5


def _fixed(dialect):
    return {
        "delimiter": dialect.delimiter,
        "quote": dialect.quote,
        "newline": dialect.newline,
        "header": dialect.header,
        "skip": 0,
    }


SMALL = DuckDBEngine(threads=1)


def bound_column(table, name, kind=Kind.TEXT):
    return bind(Column(name, Role.QUASI_IDENTIFYING, kind), SMALL.summarize(table, MarginalOf(name)).values)


def summary(frame, names, **ask):
    table = SMALL.scan(FrameSource(frame))
    sensitive = tuple(bound_column(table, name) for name in ask.pop("sensitive", ()))
    return SMALL.summarize(table, Tuples(tuple(bound_column(table, name) for name in names), sensitive, **ask))


def test_five_rows_of_one_person_are_one_person():
    """Case C10: k by rows is 5, k by persons is 1."""
    found = summary(pa.table({"q": ["a"] * 5, "who": [1] * 5}), ["q"], person="who")
    assert found.rows.tolist() == [5]
    assert found.persons.tolist() == [1]


def test_a_person_in_two_tuples_counts_in_each_and_once_when_they_merge():
    found = summary(pa.table({"q": ["a", "b", "b"], "who": [1, 1, 2]}), ["q"], person="who")
    assert found.persons.tolist() == [1, 2]
    assert found.spread.merge(np.array([0, 0])).counts(1).tolist() == [1]


def test_a_row_without_its_person_is_refused():
    with pytest.raises(SchemaError, match="must name its person in 'who'"):
        summary(pa.table({"q": ["a", "b"], "who": [1, None]}), ["q"], person="who")


def test_fresh_data_has_no_suppressed_rows():
    """Case C6: every row of a fresh table is counted."""
    found = summary(pa.table({"a": list("xyzxyzx"), "b": list(range(7))}), ["a", "b"])
    assert found.n_rows == 7


def test_tuples_known_only_from_the_population_stay_with_no_rows():
    frame = pa.table({"q": ["a", "a", "b"], "here": [True, False, False]})
    found = summary(frame, ["q"], subset="here")
    assert found.rows.tolist() == [1, 0]
    assert found.population.tolist() == [2, 1]


@pytest.mark.parametrize("marks", [["1", "0"], ["true", "False"], [1, 0], [True, False]])
def test_a_subset_mark_may_be_written_in_four_ways(marks):
    assert summary(pa.table({"q": ["a", "a"], "here": marks}), ["q"], subset="here").rows.tolist() == [1]


@pytest.mark.parametrize("marks", [["yes", "no"], [1, None], ["1", "2"]])
def test_any_other_subset_mark_is_refused(marks):
    with pytest.raises(SchemaError, match="subset column 'here'"):
        summary(pa.table({"q": ["a", "a"], "here": marks}), ["q"], subset="here")


@pytest.mark.parametrize("wishes", [["3", "5"], [3, 5], [3.0, 5.0], [None, 5]])
def test_a_tuple_has_the_largest_wish_of_its_persons(wishes):
    found = summary(pa.table({"q": ["a", "a"], "k": wishes}), ["q"], personal_k="k")
    assert found.personal_k.tolist() == [5]


@pytest.mark.parametrize("wishes", [["many", "5"], [-1, 5], [2.5, 5.0]])
def test_a_wish_that_is_no_whole_number_is_refused(wishes):
    with pytest.raises(SchemaError, match="personal-k column 'k'"):
        summary(pa.table({"q": ["a", "a"], "k": wishes}), ["q"], personal_k="k")


def test_a_value_without_a_leaf_is_refused_without_being_shown():
    table = SMALL.scan(FrameSource(pa.table({"q": ["a", "CANARY"]})))
    known = bind(Column("q", Role.QUASI_IDENTIFYING), ["a"])
    with pytest.raises(SchemaError, match="must be in its hierarchy") as failure:
        SMALL.summarize(table, Tuples((known,)))
    assert "CANARY" not in str(failure.value)
    assert failure.value.__cause__ is None


@pytest.mark.parametrize("values", [[1, 99], [1, 2]])
def test_a_whole_number_without_a_leaf_is_refused(values):
    table = SMALL.scan(FrameSource(pa.table({"q": values})))
    known = bind(Column("q", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["1", "3"])
    with pytest.raises(SchemaError, match=r"leaf|hierarchy"):
        SMALL.summarize(table, Tuples((known,)))


def test_missing_cells_without_a_missing_leaf_are_refused():
    table = SMALL.scan(FrameSource(pa.table({"q": ["a", None]})))
    with pytest.raises(SchemaError, match="must be in its hierarchy"):
        SMALL.summarize(table, Tuples((bind(Column("q", Role.QUASI_IDENTIFYING), ["a"]),)))


def test_declared_codes_and_nulls_are_one_missing_value():
    table = SMALL.scan(FrameSource(pa.table({"n": pa.array([9, None, 3, 9])}), missing_in={"n": ("9",)}))
    found = SMALL.summarize(table, MarginalOf("n"))
    assert found.values == ("3", None)
    assert found.counts.tolist() == [1, 3]
    classes = SMALL.summarize(table, Tuples((bound_column(table, "n", Kind.INTEGER),)))
    assert classes.rows.tolist() == [1, 3]


def test_no_quasi_identifier_makes_one_class_of_all_rows():
    found = summary(pa.table({"s": ["x", "y", "x"]}), [], sensitive=["s"])
    assert found.codes.shape == (1, 0)
    assert found.rows.tolist() == [3]
    assert found.histograms[0].count.tolist() == [2, 1]


def test_an_empty_table_has_no_classes():
    found = summary(pa.table({"q": pa.array([], pa.string()), "s": pa.array([], pa.string())}), ["q"], sensitive=["s"])
    assert found.n_classes == 0
    assert found.codes.shape == (0, 1)
    assert found.histograms[0].count.tolist() == []


def test_keys_wider_than_one_word_are_counted():
    """Seventy columns of two values need 70 bits."""
    rng = np.random.default_rng(1)
    bits = rng.integers(0, 2, (40, 70))
    bits[20:] = bits[:20]
    frame = pa.table({f"c{j}": bits[:, j].astype(str) for j in range(70)} | {"s": bits[:, 0]})
    found = summary(frame, [f"c{j}" for j in range(70)], sensitive=["s"])
    assert np.array_equal(found.codes, np.unique(bits[:20], axis=0))
    assert found.rows.tolist() == [2] * 20
    assert found.histograms[0].count.tolist() == [2] * 20


@pytest.mark.parametrize("rises", [True, False])
def test_many_keys_are_sorted_before_they_are_read_and_in_pieces(rises, monkeypatch):
    """Where leaves do not rise with the values of a column, its keys are left as they come."""
    frame = pa.table(
        {"a": [i * 7 % 11 for i in range(60)], "b": [str(i * 3 % 7) for i in range(60)], "c": ["x", "y"] * 30}
    )
    table = ENGINE.scan(FrameSource(frame))
    attributes, sensitive = bound(table)[:2], bound(table)[2:]
    if not rises:
        trees = (Hierarchy.flat(a.name, list(reversed(a.hierarchy.labels[0]))) for a in attributes)
        attributes = tuple(Attribute(a.column, tree, None) for a, tree in zip(attributes, trees, strict=True))
    told = []
    for many, at_once in ((1 << 17, 1 << 15), (0, 7)):
        monkeypatch.setattr("sfumato.engine.duckdb.leaves._MANY", many)
        monkeypatch.setattr("sfumato.engine.duckdb.leaves._AT_ONCE", at_once)
        for beside in ((), sensitive):
            found = ENGINE.summarize(table, Tuples(attributes, beside))
            counts = [(h.owner.tolist(), h.value.tolist(), h.count.tolist()) for h in found.histograms]
            told.append((found.codes.tolist(), found.rows.tolist(), counts))
    assert told[:2] == told[2:]
    assert told[0][0] == sorted(told[0][0])
    assert sum(told[0][1]) == 60
    whole = Recipe(
        classes=Assign(attributes, np.array(told[0][0]), np.zeros(len(told[0][0]), np.int64), (("*",), ("*",)))
    )
    released = ENGINE.write(ENGINE.apply(table, whole, bits=SystemBits()), FrameSink("arrow")).frame
    assert set(released["a"].to_pylist()) == {"*"}


def test_an_absent_column_is_named():
    table = SMALL.scan(FrameSource(pa.table({"q": ["a"]})))
    with pytest.raises(SchemaError, match="'age '"):
        SMALL.summarize(table, MarginalOf("age "))


@pytest.mark.parametrize(
    "cells",
    [
        pa.array([1.5, 2.0, 1.5, None]),
        pa.array([date(2020, 1, 1), date(1500, 1, 1), None, date(2020, 1, 1)]),
        pa.array([True, False, None, True]),
        pa.array([2**62, 5, -(2**62), 5]),
        pa.array(["x", "y", "x", None]).dictionary_encode(),
        pa.array([1, 2, 1, 4], pa.uint8()),
        pa.array([0, 1, 0, None], pa.timestamp("us")),
    ],
    ids=lambda cells: str(cells.type),
)
def test_every_native_type_is_counted_by_its_canonical_text(cells):
    table = SMALL.scan(FrameSource(pa.table({"q": cells})))
    found = SMALL.summarize(table, MarginalOf("q"))
    classes = SMALL.summarize(table, Tuples((bound_column(table, "q"),)))
    attribute = bound_column(table, "q")
    by_text = {attribute.hierarchy.labels[0][c]: n for c, n in zip(classes.codes[:, 0], classes.rows, strict=True)}
    assert by_text == dict(zip(found.values, found.counts, strict=True))


def test_categories_of_pandas_are_counted_by_label():
    found = summary(pd.DataFrame({"sex": pd.Categorical(["M", "F", "M"], categories=["F", "M", "X"])}), ["sex"])
    assert found.rows.tolist() == [1, 2]


def test_csv_cells_are_counted_as_they_are_written(tmp_path):
    (tmp_path / "a.csv").write_text("zip\n01000\n1000\n01000\n\n1000.0\n")
    table = SMALL.scan(FileSource(tmp_path / "a.csv", dialect={"delimiter": ",", "header": True, "skip": 0}))
    found = SMALL.summarize(table, MarginalOf("zip"))
    assert {"01000", "1000", "1000.0"} <= set(found.values)


def test_packing_starts_a_new_word_before_a_number_overflows():
    wide = Digit("x", np.arange(2**20))
    key = pack([wide] * 7)
    assert len(key.words) == 3
    codes = np.array([[2**20 - 1] * 7, [0, 1, 2, 3, 4, 5, 6]])
    found = pa.table({f"k{w}": word for w, word in enumerate(key.encode(codes))})
    assert np.array_equal(key.codes(found), codes)


def test_a_person_of_the_population_counts_in_one_tuple_a_published_one_first():
    frame = pa.table({"q": ["a", "b", "b"], "who": [1, 1, 2], "here": [False, True, False]})
    assert summary(frame, ["q"], subset="here", person="who").population.tolist() == [0, 2]


def test_a_value_that_a_person_has_in_two_tuples_counts_once_when_they_merge():
    frame = pa.table({"q": ["a", "b", "b"], "s": ["flu", "flu", "flu"], "who": [1, 1, 2]})
    found = summary(frame, ["q"], sensitive=["s"], person="who").histograms[0]
    assert found.count.tolist() == [1, 2]
    assert found.total.tolist() == [2]
    assert found.merge(np.array([0, 0])).count.tolist() == [2]


def test_many_columns_are_counted_together_as_one_by_one():
    """More columns than one batch: values, order, missing cells and rows are those of each column alone."""
    draw = np.random.default_rng(3)
    texts = ["é", "Z", "a", "10", "9", "-", None]
    names = [f"c{i}" for i in range(120)]
    frame = pa.table(
        {name: [texts[i] for i in draw.integers(0, len(texts), 60)] for name in names} | {"no": [None] * 60}
    )
    table = SMALL.scan(FrameSource(frame, missing=("-",)))
    together = SMALL.summarize(table, Marginals((*names, "no")))
    assert list(together) == [*names, "no"]
    for name, found in together.items():
        alone = SMALL.summarize(table, MarginalOf(name))
        assert (found.values, found.counts.tolist()) == (alone.values, alone.counts.tolist())
