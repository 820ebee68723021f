"""Sheets of workbooks."""

import datetime as dt

import openpyxl
import pytest

from sfumato.engine.duckdb.scan import scan
from sfumato.errors import SourceError
from sfumato.table.source import FileSource


@pytest.fixture
def book(tmp_path):
    """A workbook with these sheets."""

    def book(**sheets):
        path = tmp_path / "book.xlsx"
        workbook = openpyxl.Workbook()
        workbook.remove(workbook.active)
        for title, rows in sheets.items():
            sheet = workbook.create_sheet(title)
            for row in rows:
                sheet.append(row)
        workbook.save(path)
        return path

    return book


def read(path, **options):
    table = scan(FileSource(path, **options))
    rows = table.connection.sql(f"SELECT * EXCLUDE (__row) FROM {table.name} ORDER BY __row").fetchall()
    return rows, table.header


def test_cells_are_the_texts_that_excel_shows(book):
    """Whole numbers have no point, dates are ISO, text keeps its zeros."""
    moment, day = dt.datetime.fromisoformat("2020-01-31T08:30"), dt.date(2020, 1, 31)
    path = book(
        people=[
            ["id", "share", "zip", "yes", "born", "seen", "clock", "long", "spent"],
            [5, 0.1 + 0.2, "01000", True, day, moment, dt.time(8, 30), 12345678901234, dt.timedelta(hours=30)],
            [6, 1e-7, " x", False, None, dt.datetime.fromisoformat("2020-02-01"), None, 1e20, None],
        ]
    )
    rows, header = read(path)
    assert set(header.types) == {"VARCHAR"}
    assert rows == [
        ("5", "0.3", "01000", "TRUE", "2020-01-31", "2020-01-31 08:30:00", "08:30:00", "12345678901234", "30:00:00"),
        ("6", "0.0000001", " x", "FALSE", "", "2020-02-01 00:00:00", "", "100000000000000000000", ""),
    ]


def test_moments_at_midnight_are_dates(book):
    """A date with a time format is still a date where no row has a time."""
    assert read(book(s=[["d"], [dt.datetime.fromisoformat("2020-01-31")]]))[0] == [("2020-01-31",)]


def test_numbers_that_excel_stores_as_fractions_are_shown_whole(book):
    """5.0 is `5`, in the header as well."""
    rows, header = read(book(s=[[2019.0, "x"], [5.0, "a"], [-0.0, "b"]]))
    assert (header.names, rows) == (("2019", "x"), [("5", "a"), ("0", "b")])


def test_leading_blanks_are_kept_and_noted_or_trimmed(book):
    """A4: one declared rule for every source."""
    path = book(s=[["status"], [" Widowed"], ["Married\u00a0"]])
    rows, header = read(path)
    assert rows == [(" Widowed",), ("Married\u00a0",)]
    assert any("'status'" in note and "trim" in note for note in header.notes)
    assert read(path, trim=True)[0] == [("Widowed",), ("Married",)]


def test_blank_columns_are_left_out_and_nameless_ones_named(book):
    """A11: both are notes."""
    rows, header = read(book(s=[["a", None, None, "A"], [1, None, 2, 3]]))
    assert header.names == ("a", "column 2", "A (2)")
    assert rows == [("1", "2", "3")]
    assert len(header.notes) == 3


def test_the_table_may_start_below_blank_rows(book):
    """The first filled row names the columns."""
    assert read(book(s=[[], [None], ["a", "b"], [1, 2]]))[0] == [("1", "2")]


def test_the_sheet_is_the_first_or_the_declared_one(book):
    """Another name is an error that lists the sheets."""
    path = book(one=[["a"], [1]], two=[["b"], [2]])
    assert read(path)[1].names == ("a",)
    assert read(path, sheet="two")[1].names == ("b",)
    with pytest.raises(SourceError, match=r"it has \['one', 'two'\]"):
        read(path, sheet="three")


def test_an_empty_sheet_is_refused(book):
    """There is nothing to publish."""
    with pytest.raises(SourceError, match="is empty"):
        read(book(s=[[]]))


def test_a_damaged_workbook_is_refused(tmp_path):
    """A zip that is no workbook."""
    path = tmp_path / "t.xlsx"
    path.write_bytes(b"PK\x03\x04" + b"x" * 100)
    with pytest.raises(SourceError, match="readable workbook"):
        read(path)
