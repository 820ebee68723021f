"""Tables in memory."""

import datetime as dt
import subprocess
import sys

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sfumato.engine.duckdb.scan import scan
from sfumato.errors import SourceError
from sfumato.table.source import FrameSource


def cells(table):
    return table.connection.sql(f"SELECT * FROM {table.name} ORDER BY __row").fetchall()


def test_a_pandas_frame_keeps_its_order_and_loses_its_index():
    """A13: no index column; categories are their labels; NaN is missing."""
    frame = pd.DataFrame(
        {"sex": pd.Categorical.from_codes([1, 0, -1], ["M", "F"]), "age": [34.0, np.nan, 50.0], 3: ["01", "x", None]},
        index=[9, 9, 7],
    )
    table = scan(FrameSource(frame))
    assert (table.header.names, table.header.source_kind) == (("sex", "age", "3"), "pandas")
    assert table.header.types == ("VARCHAR", "DOUBLE", "VARCHAR")
    assert cells(table) == [(0, "F", 34.0, "01"), (1, "M", None, "x"), (2, None, 50.0, None)]


def test_a_pandas_column_of_several_types_is_a_column_of_texts():
    """Each object says what it says alone, so that one of them does not decide how the others are read."""
    frame = pd.DataFrame({"mixed": [1, "a", 2.0, None, dt.date(2020, 1, 31), b"x"]})
    table = scan(FrameSource(frame))
    assert table.header.types == ("VARCHAR",)
    assert [cell for _, cell in cells(table)] == ["1", "a", "2", None, "2020-01-31", None]


def test_pandas_columns_that_repeat_are_renamed():
    """Nothing is overwritten."""
    frame = pd.DataFrame([[1, 2]], columns=["a", "A"])
    table = scan(FrameSource(frame))
    assert (table.header.names, cells(table)) == (("a", "A (2)"), [(0, 1, 2)])


def test_pandas_columns_on_two_levels_are_refused():
    """A name is one text."""
    frame = pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")]))
    with pytest.raises(SourceError, match="one level"):
        scan(FrameSource(frame))


@pytest.mark.parametrize("make", [lambda frame: frame, lambda frame: frame.lazy()])
def test_a_polars_frame_keeps_types(make):
    """Eager or lazy."""
    frame = pl.DataFrame(
        {"c": pl.Series(["b", "a"], dtype=pl.Categorical), "d": [dt.date(2020, 1, 31), None], "n": [1, 2]}
    )
    table = scan(FrameSource(make(frame)))
    assert (table.header.types, table.header.source_kind) == (("VARCHAR", "DATE", "BIGINT"), "polars")
    assert cells(table) == [(0, "b", dt.date(2020, 1, 31), 1), (1, "a", None, 2)]


def test_an_arrow_table_of_several_chunks_keeps_its_order():
    """A column without any value is text."""
    table = pa.concat_tables([pa.table({"n": [i], "gone": pa.nulls(1)}) for i in range(5)])
    scanned = scan(FrameSource(table))
    assert scanned.header.types == ("BIGINT", "VARCHAR")
    assert cells(scanned) == [(i, i, None) for i in range(5)]


def test_a_record_batch_is_a_table():
    """One piece of Arrow."""
    assert scan(FrameSource(pa.record_batch({"n": [1, 2]}))).header.n_rows == 2


def test_a_duckdb_relation_of_another_connection_is_streamed():
    """In the order that it has."""
    with duckdb.connect() as connection:
        relation = connection.sql("SELECT i, i::DECIMAL(6, 1) AS d FROM range(100000) r(i) ORDER BY i DESC")
        table = scan(FrameSource(relation))
    assert (table.header.source_kind, table.header.types) == ("duckdb", ("BIGINT", "DECIMAL(6,1)"))
    wrong = table.connection.sql(f"SELECT count(*) FROM {table.name} WHERE i + __row <> 99999").fetchall()
    assert wrong == [(0,)]


@pytest.mark.parametrize("frame", [None, [1, 2], {"a": [1]}, "table.csv"])
def test_what_is_no_table_is_refused(frame):
    """The message lists what can be read."""
    with pytest.raises(SourceError, match="pandas, Polars or Arrow"):
        scan(FrameSource(frame))


@pytest.mark.parametrize(
    "cells", [pd.Series([1j]), pd.Series([1j]).astype("category"), pd.Series([1], dtype="longdouble")]
)
def test_a_type_that_arrow_lacks_is_refused_by_name(cells):
    with pytest.raises(SourceError, match=r"column 'odd' is (complex128|float128|longdouble)"):
        scan(FrameSource(pd.DataFrame({"odd": cells})))


@pytest.mark.parametrize("sparse", [pd.arrays.SparseArray([1.0, np.nan]), pd.arrays.SparseArray([0, 3])], ids=str)
def test_sparse_pandas_columns_have_a_cell_in_each_row(sparse):
    dense = [[row[0] for row in cells(scan(FrameSource(pd.DataFrame({"x": x}))))] for x in (sparse, sparse.to_dense())]
    assert dense[0] == dense[1]
    assert len(dense[0]) == 2


def test_a_frame_without_columns_is_refused():
    """There is nothing to publish."""
    with pytest.raises(SourceError, match="has none"):
        scan(FrameSource(pd.DataFrame()))


def test_the_caller_keeps_an_unchanged_frame():
    """Nothing is renamed in place."""
    frame = pd.DataFrame({"a": [1], "A": [2]})
    scan(FrameSource(frame))
    assert list(frame.columns) == ["a", "A"]


def test_an_arrow_table_is_opened_without_pandas():
    """Whose import takes longer than all else; pyarrow would import it to see that the table is none of its frames.

    Older versions of `pyarrow.dataset`, which DuckDB asks, import it whatever they are asked.
    """
    code = (
        "import io, sys, pyarrow.csv as csv, pyarrow.dataset; before = 'pandas' in sys.modules; from sfumato.engine.duckdb.scan import scan; from sfumato.table.source import FrameSource\n"
        "found = scan(FrameSource(csv.read_csv(io.BytesIO(b'zip\\na\\nb\\n'))))\n"
        "print(found.connection.sql(f'SELECT * FROM {found.name} ORDER BY __row').fetchall(), before or 'pandas' not in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[(0, 'a'), (1, 'b')] True\n"
