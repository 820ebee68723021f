"""What users of other tools stumbled over when they brought a table in, with the right behaviour."""

from pathlib import Path

import openpyxl
import pandas as pd
import pytest

from sfumato.engine.duckdb.scan import scan
from sfumato.errors import SourceError
from sfumato.table.source import FileSource, FrameSource


@pytest.fixture
def read(tmp_path):
    """Header and rows of a CSV file of these bytes."""

    def read(content, **options):
        path = tmp_path / "table.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return contents(scan(FileSource(path, **options)))

    return read


def contents(table):
    rows = table.connection.sql(f"SELECT * EXCLUDE (__row) FROM {table.name} ORDER BY __row").fetchall()
    return table.header, rows


def test_a_header_longer_than_its_rows_names_line_and_both_counts(read):
    """A1: the remedy offers to drop the empty column."""
    with pytest.raises(SourceError, match=r"header \(line 1\), 3; line 2 has 2") as caught:
        read("a,b,\n1,2\n")
    assert "remove the separator at the end of line 1" in caught.value.remedy


def test_iso_dates_are_accepted_as_they_are(read):
    """A2: a date is its text."""
    header, rows = read("id,born\n1,2020-01-31\n2,1999-12-01\n")
    assert (header.types, rows[0]) == (("VARCHAR", "VARCHAR"), ("1", "2020-01-31"))


def test_one_trim_rule_holds_for_every_source(read, tmp_path):
    """A4: Excel's ` Widowed` and the file's ` Widowed` are the same text, trimmed or not."""
    path = tmp_path / "t.xlsx"
    book = openpyxl.Workbook()
    book.active.append(["status", "n"])
    book.active.append([" Widowed", "1"])
    book.save(path)
    for trim, value in ((False, " Widowed"), (True, "Widowed")):
        header, rows = read("status,n\n Widowed,1\n", trim=trim)
        assert contents(scan(FileSource(path, trim=trim)))[1] == rows == [(value, "1")]
        assert any("begin or end with blanks" in note for note in header.notes) is not trim


def test_a_name_with_a_trailing_blank_is_exact(read):
    """A5: names are compared and kept with their blanks."""
    assert read('"a ",b\n1,2\n')[0].names == ("a ", "b")


def test_leading_zeros_are_kept(read):
    """A7: `01000` stays five characters, `0` stays `0`."""
    assert read("zip\n01000\n0\n75001\n")[1] == [("01000",), ("0",), ("75001",)]


def test_semicolons_and_decimal_commas_are_sniffed(read):
    """A8: two columns; the dialect tells the decimal comma."""
    header, rows = read("id;price\n1;5,3\n")
    assert (header.dialect.delimiter, header.dialect.decimal, rows) == (";", ",", [("1", "5,3")])


def test_a_single_column_is_a_question(read):
    """A8: never success where a separator may have been missed."""
    with pytest.raises(SourceError, match="is the separator right"):
        read("id^price\n1^5\n")


def test_bytes_that_do_not_decode_invent_no_value(read):
    """A10: `1`, a stray byte, `2` is not 12: the line is refused."""
    with pytest.raises(SourceError, match="line 2"):
        read(b"x\n1\xff2\n")


def test_duplicate_and_empty_names_are_renamed_with_a_note(read):
    """A11: nothing is overwritten, `a` and `A` stay apart."""
    header, rows = read("a,A,,\n1,2,3,4\n")
    assert header.names == ("a", "A (2)", "column 3", "column 4")
    assert (rows, len(header.notes)) == ([("1", "2", "3", "4")], 3)


def test_a_frame_comes_without_index_column_and_with_labels():
    """A13: labels of a factor, not its codes."""
    frame = pd.DataFrame({"sex": pd.Categorical.from_codes([0, 1], ["M", "F"])}, index=[5, 3])
    header, rows = contents(scan(FrameSource(frame)))
    assert (header.names, rows) == (("sex",), [("M",), ("F",)])


def test_a_header_read_as_data_is_noted(read):
    """A14: the note says what went wrong."""
    header, rows = read("HHID,AGE\n1,34\n2,50\n", dialect={"header": False})
    assert rows[0] == ("HHID", "AGE")
    assert any("first row looks like a header" in note for note in header.notes)


def test_only_declared_codes_are_missing(read):
    """A16: `NA` is Namibia, `null` is a name."""
    assert read("country,name\nNA,null\nFR,\n")[1] == [("NA", "null"), ("FR", "")]


def test_a_hundred_thousand_text_ids_are_read(read):
    """A17: an identifier of many values is a text as any other."""
    header, _ = read("id,x\n" + "".join(f"household-{i},1\n" for i in range(100_000)))
    assert header.n_rows == 100_000


DIRTY = {
    "01_french_excel_latin1_decimal_comma.csv": (638, 8, "windows-1252", ";", {"Année", "RevPAR"}),
    "02_baac_caracteristiques_2013_latin1.csv.gz": (58397, 16, "windows-1252", ",", {"Num_Acc", "dep"}),
    "03_baac_persons_excel_damaged_ids.csv": (99, 17, "utf-8", ";", {"num_acc", "secu3"}),
    "04_istat_communes_multiline_header_latin1.csv.gz": (7904, 26, "windows-1252", ";", {"Codice Regione"}),
    "05_nhs_utf16le.csv": (327, 19, "utf-16-le", ",", {"Organisation_code"}),
    "06_german_sparse_latin1.csv": (2237, 4, "windows-1252", ",", {"Kapitel/Titel", "column 4"}),
    "07_nasa_cr_only_line_ends.csv": (133, 19, "utf-8", ",", {"Year", "SON"}),
    "09_header_repeated_json_cells.csv": (404, 11, "utf-8", ";", {"NUMCOM", "GEO_INFO"}),
    "10_duplicate_column_names.csv": (2, 5, "utf-8", ",", {"id", "id (2)", "id (3)"}),
}


@pytest.mark.parametrize("name", DIRTY)
def test_dirty_files_are_read_whole(shared, name):
    """Rows, columns, encoding, separator and names of real files that break tools."""
    n_rows, n_columns, encoding, delimiter, names = DIRTY[name]
    header = scan(FileSource(shared / "data" / "dirty_csv" / name)).header
    assert (header.n_rows, len(header.names)) == (n_rows, n_columns)
    assert (header.dialect.encoding, header.dialect.delimiter) == (encoding, delimiter)
    assert names <= set(header.names)


def test_footnotes_of_a_dirty_file_are_refused_then_left_out(shared):
    """The message names the line, both counts and the key to declare."""
    path = shared / "data" / "dirty_csv" / "08_german_title_lines.csv"
    with pytest.raises(SourceError, match=r"line 12\), 11; line 74 has 1") as caught:
        scan(FileSource(path))
    assert "`footer = 21`" in caught.value.remedy
    header = scan(FileSource(path, dialect={"footer": 21})).header
    assert (header.n_rows, len(header.names), header.names[1]) == (60, 11, "1985")


def test_texts_of_dirty_files_are_unchanged(shared):
    """Accents, doubled quotes, line breaks in names, leading zeros, damaged numbers."""
    folder = shared / "data" / "dirty_csv"

    def first(name):
        return contents(scan(FileSource(folder / name)))

    header, rows = first("04_istat_communes_multiline_header_latin1.csv.gz")
    assert header.names[1] == "Codice dell'Unità territoriale sovracomunale \n(valida a fini statistici)"
    assert rows[0][4] == "001001"
    assert first("09_header_repeated_json_cells.csv")[1][0][9] == '{"champ_1": 0, "champ_2": -1.0}'
    assert first("03_baac_persons_excel_damaged_ids.csv")[1][0][0] == "2,005E+11"
    assert first("10_duplicate_column_names.csv")[1][0] == ("1101", "John", "0", "30", "001101")
    assert first("07_nasa_cr_only_line_ends.csv")[1][0][14:16] == ("****", "*****")


@pytest.mark.parametrize(
    ("name", "n_rows", "n_columns"),
    [
        ("contest_pwscup/2025/HI_10K.csv.gz", 10_000, 18),
        ("adult_uci/adult.data.gz", 32_561, 15),
        ("adult_uci/adult_48842.csv.gz", 48_842, 16),
        ("adult_arx/adult.csv.gz", 30_162, 9),
        ("adult_arx/toy/test.csv", 7, 3),
        ("adult_arx/toy/test_dirty.csv", 7, 3),
        ("medical/breast_cancer_ljubljana.csv", 286, 10),
        ("medical/diabetes130_hospitals.csv.gz", 101_766, 50),
        ("medical/texas_inpatient_999.csv", 999, 18),
        ("medical/stroke.csv.gz", 5_110, 12),
        ("france_surveys/hdv2003.csv", 2_000, 20),
        ("france_surveys/hobbies2003.csv.gz", 8_403, 23),
        ("sdcmicro/testdata.csv.gz", 4_580, 15),
        ("sdcmicro/casc1.csv", 13, 7),
        ("sdcmicro/EIA.csv.gz", 4_092, 15),
    ],
)
def test_public_tables_are_read_whole(shared, name, n_rows, n_columns):
    """Rows and columns as their documentation counts them."""
    header = scan(FileSource(shared / "data" / name)).header
    assert (header.n_rows, len(header.names)) == (n_rows, n_columns)


def test_blanks_after_commas_belong_to_the_cells_unless_trimmed(shared):
    """Adult as published by UCI: ` ?` becomes `?` only when trim is declared."""
    path = shared / "data" / "adult_uci" / "adult.data.gz"
    for trim, code in ((False, " ?"), (True, "?")):
        table = scan(FileSource(path, trim=trim))
        found = table.connection.sql(f"SELECT count(*) FROM {table.name} WHERE \"column 2\" = '{code}'").fetchall()
        assert found == [(1836,)]


def test_a_file_that_is_broken_on_purpose_says_where(shared):
    """Ragged rows: the first line and both counts."""
    with pytest.raises(SourceError, match=r"header \(line 1\), 4; line 2 has 3"):
        scan(FileSource(shared / "data" / "adult_arx" / "toy" / "test-import.csv"))


def test_every_row_of_a_dirty_file_equals_what_pythons_reader_sees(shared):
    """A slow, independent reading of the street addresses."""
    import csv
    import gzip
    import io

    path: Path = shared / "data" / "dirty_csv" / "02_baac_caracteristiques_2013_latin1.csv.gz"
    text = gzip.decompress(path.read_bytes()).decode("windows-1252")
    expected = [tuple(row) for row in csv.reader(io.StringIO(text, newline=""))][1:]
    assert contents(scan(FileSource(path)))[1] == expected
