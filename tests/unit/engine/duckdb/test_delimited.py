"""CSV files as tables of text."""

import gzip
import tempfile
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from sfumato.engine.duckdb.engine import summarize
from sfumato.engine.duckdb.scan import scan
from sfumato.errors import SourceError
from sfumato.summary.ask import Marginals, Tuples
from sfumato.table.attribute import Attribute
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Role
from sfumato.table.source import FileSource


@pytest.fixture
def read(tmp_path):
    """Names, rows and header of a CSV file of these bytes."""

    def read(content, name="table.csv", **fixed):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        table = scan(FileSource(path, dialect=fixed))
        rows = table.connection.sql(f"SELECT * EXCLUDE (__row) FROM {table.name} ORDER BY __row").fetchall()
        return rows, table.header

    return read


def refusal(read, content, **fixed):
    with pytest.raises(SourceError) as caught:
        read(content, **fixed)
    return str(caught.value)


def test_every_cell_is_text(read):
    """Nothing is a number, a date or missing by itself."""
    rows, header = read('a,b,c\n01000,1e5,NA\n, x ,""\n"34",null,2020-01-31\n')
    assert set(header.types) == {"VARCHAR"}
    assert rows == [("01000", "1e5", "NA"), ("", " x ", ""), ("34", "null", "2020-01-31")]


def test_a_plain_file_is_not_copied(read, monkeypatch):
    """DuckDB reads it where it is."""
    import sfumato.engine.duckdb.delimited as module

    monkeypatch.setattr(module, "write_plain", lambda *_: pytest.fail("copied"))
    assert read('Title\n\na;"b;"\n1;2\n3;\n')[0] == [("1", "2"), ("3", "")]
    assert read('a,b\r\n"1\r\n","2"\r\n')[0] == [("1\r\n", "2")]
    assert read(gzip.compress(b"a,b\r\n1,2\r\n"), "packed")[0] == [("1", "2")]


def test_gzip_with_several_members_is_read_whole(read):
    """As `cat a.gz b.gz` makes it."""
    assert len(read(gzip.compress(b"a,b\n1,2\n") + gzip.compress(b"3,4\n"))[0]) == 2


def test_blanks_around_quotes_are_part_of_the_cell(read):
    """Byte for byte, even where DuckDB would drop them."""
    assert read('a,b\n1, "x"\n')[0] == [("1", ' "x"')]


def test_blank_lines_are_no_rows(read):
    """In a file of one column as of several."""
    assert len(read("a,b\n\n1,2\n\n")[0]) == 1
    assert read('zip\n01000\n\n""\n\n')[0] == [("01000",), ("",)]


def test_a_row_with_one_empty_cell_too_many_is_an_error(read):
    """DuckDB lets it pass; we do not."""
    assert "line 3 has 3" in refusal(read, "a,b\n1,\n2,3,\n")
    assert "line 9002 has 3" in refusal(read, "a,b\n" + "1,2\n" * 9000 + "2,3,\n" + "1,2\n" * 90_000)


def test_an_empty_last_cell_is_fine(read):
    """Quoted or not."""
    assert read('a,b\n1,\n2,""\n')[0] == [("1", ""), ("2", "")]


def test_rows_equal_to_the_header_are_left_out_with_a_note(read):
    """Files that were joined repeat it."""
    rows, header = read("a,b\n1,2\na,b\n3,4\n")
    assert rows == [("1", "2"), ("3", "4")]
    assert any("repeat the header" in note for note in header.notes)


def test_mixed_line_ends_are_read(read):
    """LF inside a cell of a CRLF file stays; LF at the end of a row ends it."""
    assert read('a;b\r\n1;"x\ny"\r\n2;z\n')[0] == [("1", "x\ny"), ("2", "z")]


def test_other_encodings_are_read_and_named(read):
    """The dialect tells what to write again."""
    rows, header = read("\ufeffa;b\r\né;2\r\n".encode("utf-16-be"))
    assert (rows, header.dialect.encoding, header.dialect.bom) == ([("é", "2")], "utf-16-be", True)


def test_a_column_called_like_the_position_is_renamed(read):
    """`rowid` and `c0` are ordinary names, `__row` is ours."""
    rows, header = read("__row,rowid,c0\n7,8,9\n")
    assert header.names == ("__row (2)", "rowid", "c0")
    assert rows == [("7", "8", "9")]


def test_a_cell_of_five_million_characters_is_read(read):
    """Longer than DuckDB's usual limit."""
    rows, _ = read("a,b\n1," + "z" * 5_000_000 + "\n")
    assert len(rows[0][1]) == 5_000_000


def test_a_file_without_rows_has_columns(read):
    """A header alone is a table."""
    rows, header = read("a,b\n")
    assert (rows, header.names, header.n_rows) == ([], ("a", "b"), 0)


def test_a_headless_file_is_named_by_position(read):
    """No row is lost to the header."""
    rows, header = read("39,F\n34,M\n")
    assert (len(rows), header.names) == (2, ("column 1", "column 2"))


ROWS = [
    "a,b,c",
    "1,x,",
    "1,x,",
    ",,",
    "2,,y",
    "é,ü,€",
    "1,x",
    "1,x,,",
    '"1",x,',
    "",
    "\x01,x,y",
    " 1,x ,y",
    "id,town,sum",
]


@settings(max_examples=50)
@given(
    rows=st.lists(st.sampled_from(ROWS), max_size=12),
    newline=st.sampled_from(["\n", "\r\n"]),
    ends=st.booleans(),
    quote=st.sampled_from(['"', ""]),
    size=st.sampled_from([0, 1 << 20]),
)
def test_equal_lines_that_are_read_together_are_the_rows_one_by_one(rows, newline, ends, quote, size):
    """As a bag, with the same refusals and the same digest: ragged rows, quotes, blank lines, headers again."""
    text = newline.join(["id,town,sum", "7,k,l", *rows]) + (newline if ends else "")
    dialect = {"delimiter": ",", "quote": quote}
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder) / "table.csv"
        path.write_bytes(text.encode())
        patch.setattr("sfumato.engine.duckdb.delimited._SMALL", size)
        patch.setattr("sfumato.engine.duckdb.delimited._LEAST_LINES", 0)
        patch.setattr("sfumato.engine.duckdb.delimited._LEAST_REPEATED", 1)
        one, together = (told(FileSource(path, dialect=dialect, is_unordered=free)) for free in (False, True))
    assert one == together


def told(source):
    """Rows as a bag and header of a source, or its refusal."""
    try:
        table = scan(source)
    except SourceError as error:
        return str(error)
    rows = table.connection.sql(f"SELECT * FROM {table.name}").fetchall()
    assert sorted(row[0] for row in rows) == list(range(table.header.n_rows))
    return sorted(row[1:] for row in rows), table.header, counts_of(table)


def counts_of(table):
    """How often each value and each tuple stands there, with and without persons."""
    names = table.header.names
    found = summarize(table, Marginals(names))
    flat = [
        Attribute(Column(name, Role.QUASI_IDENTIFYING), Hierarchy.flat(name, found[name].values or [None]), None)
        for name in names
    ]
    told = [(one.values, one.counts.tolist()) for one in found.values()]
    for sensitive, person in ((flat[-2:], None), (flat[-1:], names[0])):
        classes = summarize(table, Tuples(tuple(flat[:-1]), tuple(sensitive), person=person))
        histograms = [(h.owner.tolist(), h.value.tolist(), h.count.tolist()) for h in classes.histograms]
        told.append((classes.codes.tolist(), classes.rows.tolist(), classes.persons.tolist(), histograms))
    return told


def test_lines_of_which_few_are_equal_are_read_as_rows(tmp_path, monkeypatch):
    """A table of different rows is loaded as any other."""
    monkeypatch.setattr("sfumato.engine.duckdb.delimited._SMALL", 0)
    monkeypatch.setattr("sfumato.engine.duckdb.delimited._MOST_DISTINCT", 2)
    path = tmp_path / "table.csv"
    for cells, is_together in (("1,2\n1,2\n3,4\n", True), ("1,2\n3,4\n5,6\n", False)):
        path.write_text("a,b\n" + cells)
        view = scan(FileSource(path, is_unordered=True)).connection.sql("SELECT sql FROM duckdb_views()").fetchall()
        assert is_together == any("together" in row[0] for row in view)


@pytest.mark.parametrize(("n", "n_distinct", "is_together"), [(20, 5, True), (20, 8, False), (15, 5, False)])
def test_equal_lines_of_a_small_file_are_read_together_where_its_head_repeats_few(
    tmp_path, monkeypatch, n, n_distinct, is_together
):
    """Of 22 lines, with the header and the end, five differ and two more: 7 · 3 <= 22; or 10 do, or too few are there."""
    monkeypatch.setattr("sfumato.engine.duckdb.delimited._LEAST_LINES", 20)
    monkeypatch.setattr("sfumato.engine.duckdb.delimited._LEAST_REPEATED", 3)
    path = tmp_path / "table.csv"
    path.write_text("a,b\n" + "".join(f"{i % n_distinct},x\n" for i in range(n)))
    table = scan(FileSource(path, is_unordered=True))
    assert is_together == (table.distinct is not None)
    rows = table.connection.sql(f"SELECT a, count(*) FROM {table.name} GROUP BY a").fetchall()
    assert {str(i): len(range(i, n, n_distinct)) for i in range(n_distinct)} == dict(rows)
    assert not scan(FileSource(path)).distinct
