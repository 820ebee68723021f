"""From a source through the whole engine and back again."""

import gzip

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.errors import SfumatoError
from sfumato.noise.bits import SystemBits
from sfumato.recipe.recipe import Recipe
from sfumato.recipe.steps import Drop, Recode, Suppress
from sfumato.summary.ask import MarginalOf, Tuples
from sfumato.summary.published import SuppressedMark, suppressed_classes
from sfumato.summary.roll_up import roll_up
from sfumato.table.attribute import Attribute, bind
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Role
from sfumato.table.source import FileSink, FileSource, FrameSink, FrameSource

ENGINE = DuckDBEngine(memory_limit="1GB", threads=2)


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
