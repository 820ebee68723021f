"""Odd CSV files made plain, and broken ones described."""

import csv

import pytest

from sfumato.engine.duckdb.rewrite import write_plain
from sfumato.engine.duckdb.scan import scan
from sfumato.engine.duckdb.survey import survey_csv
from sfumato.errors import SourceError
from sfumato.table.dialect_sniff import sniff
from sfumato.table.source import Dialect, FileSource


@pytest.fixture
def rewrite(tmp_path):
    """Rows of the plain copy of a file of these bytes, and the number that was reported."""

    def rewrite(content, **fixed):
        path, copy = tmp_path / "odd.csv", tmp_path / "plain.csv"
        path.write_bytes(content)
        survey = survey_csv(path)
        written = Dialect(encoding=survey.encoding, bom=survey.bom, newline=survey.newline)
        n_rows = write_plain(path, survey, sniff(survey.head, written, fixed, complete=survey.head_is_all), copy)
        with copy.open(encoding="utf-8", newline="") as file:
            return list(csv.reader(file)), n_rows

    return rewrite


@pytest.fixture
def read(tmp_path):
    """Rows of a CSV file of this text."""

    def read(content, **fixed):
        path = tmp_path / "table.csv"
        path.write_text(content, newline="")
        table = scan(FileSource(path, dialect=fixed))
        return table.connection.sql(f"SELECT * EXCLUDE (__row) FROM {table.name} ORDER BY __row").fetchall()

    return read


def refusal(read, content, **fixed):
    with pytest.raises(SourceError) as caught:
        read(content, **fixed)
    return str(caught.value)


def test_a_copy_holds_the_rows_only(rewrite):
    """No title, no header, no blank line, no footer; every cell as it is."""
    content = "Title\r\rid;'x y'\r1;'a;\rb'\r\r2;\xe9\rNote\r".encode("windows-1252")
    rows, n_rows = rewrite(content, quote="'", footer=1)
    assert (rows, n_rows) == ([["1", "a;\rb"], ["2", "\xe9"]], 2)


def test_many_batches_are_written(rewrite):
    """A batch is twenty thousand rows."""
    rows, n_rows = rewrite(b"a,b\r" + b"1,2\r" * 50_001)
    assert n_rows == len(rows) == 50_001


def test_a_short_row_is_an_error_with_its_line_and_both_counts(read):
    """And no cell is shown."""
    told = refusal(read, "a,b,c\n1,2,3\nhush,hush\n")
    assert "the header (line 1), 3; line 3 has 2" in told
    assert "hush" not in told


def test_footnotes_are_an_error_that_says_how_to_leave_them_out(read):
    """The remedy is the very key to declare."""
    text = "a,b,c\n1,2,3\n4,5,6\n\nSource: us\n"
    assert "`footer = 1`" in refusal(read, text)
    assert len(read(text, footer=1)) == 2


def test_a_quote_that_never_closes_is_an_error_with_its_line(read):
    """Else it would swallow the rest."""
    assert "never closed in the row that begins on line 4" in refusal(read, 'a,b\n1,"2"\n3,"4"\n5,"6\n7,8\n', quote='"')


def test_text_after_a_closing_quote_is_an_error_with_its_line(read):
    """The cell is ambiguous."""
    assert "text follows a closing quote in the row that begins on line 3" in refusal(
        read, 'a,b\n1,2\n3,"4"5\n', quote='"'
    )
