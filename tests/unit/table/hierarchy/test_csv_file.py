"""Hierarchy files are read as they are; what does not fit the table is named by kind and count."""

import gzip

import pytest

from sfumato.errors import (
    AmbiguousHierarchy,
    HierarchyError,
    IncompleteHierarchy,
    ParameterError,
    SourceError,
    ValueFormMismatch,
    ValueNotInHierarchy,
)
from sfumato.table.hierarchy.csv_file import CsvFile
from sfumato.table.hierarchy.match import Match
from sfumato.table.schema import Column, Kind, Role

AGE = Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER)
TEXT = Column("status", Role.QUASI_IDENTIFYING)


def build(tmp_path, content, values=(), column=TEXT, **options):
    path = tmp_path / "hierarchy.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return CsvFile(path, **options).build(column, list(values))


def test_all_lines_are_leaves_in_their_order(tmp_path):
    tree = build(tmp_path, "9;high;*\n1;low;*\n2;low;*\n", ["1"])
    assert tree.labels == (("9", "1", "2"), ("high", "low"), ("*",))
    assert tree.leaf_counts(1).tolist() == [1, 2]


@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_delimiters_and_line_ends_are_found(tmp_path, delimiter, newline):
    lines = [delimiter.join(path) for path in (["1", "low", "*"], ["9", "high", "*"])]
    assert build(tmp_path, newline.join([*lines, "", ""])).labels[0] == ("1", "9")


def test_a_comma_inside_intervals_is_no_delimiter(tmp_path):
    assert build(tmp_path, "5;[0, 5[;*\n7;[5, 9[;*\n").labels[1] == ("[0, 5[", "[5, 9[")


def test_quotes_hold_delimiters(tmp_path):
    assert build(tmp_path, '"a;b";"say ""x""";*\nc;y;*\n').labels[:2] == (("a;b", "c"), ('say "x"', "y"))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_part_of_a_value(tmp_path, encoding):
    assert build(tmp_path, "é;*\n".encode(encoding), ["é"]).labels[0] == ("é",)


def test_another_encoding_must_be_declared(tmp_path):
    content = "a;*\né;*\n".encode("latin-1")
    with pytest.raises(SourceError, match="line 2"):
        build(tmp_path, content)
    assert build(tmp_path, content, encoding="latin-1").labels[0] == ("a", "é")


def test_compressed_files_are_read(tmp_path):
    path = tmp_path / "hierarchy.csv.gz"
    path.write_bytes(gzip.compress(b"a;*\n"))
    assert CsvFile(path).build(TEXT, ["a"]).labels == (("a",), ("*",))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(SourceError, match="must be readable"):
        CsvFile(tmp_path / "none.csv").build(TEXT, [])


def test_a_delimiter_after_every_line_adds_no_level(tmp_path):
    assert build(tmp_path, "a;*;\nb;*;\n").height == 1


def test_a_short_line_is_incomplete(tmp_path):
    with pytest.raises(IncompleteHierarchy, match="1 of 3 lines"):
        build(tmp_path, "1;low;*\n2;low;*\n3;*\n")


def test_a_quote_that_is_not_closed(tmp_path):
    with pytest.raises(IncompleteHierarchy, match="must be closed"):
        build(tmp_path, 'a;*\n"b;*\n')


def test_a_delimiter_is_one_character(tmp_path):
    with pytest.raises(ParameterError):
        CsvFile(tmp_path / "h.csv", delimiter=";;")


@pytest.mark.parametrize("value", ["34.0", '"34"', " 34.00", "3.4e1", "34,0"])
def test_one_number_in_two_forms(tmp_path, value):
    """B5: 34, 34.0 and "34" are told apart from a value that is absent."""
    with pytest.raises(ValueFormMismatch, match="1 of them are there as the same number") as caught:
        build(tmp_path, "34;30-39;*\n35;30-39;*\n", ["35", value], AGE)
    assert "number" in caught.value.remedy


def test_forms_of_numbers_match_when_declared(tmp_path):
    """B5: the user may declare that equal numbers are one value; the table's text is kept."""
    tree = build(tmp_path, "34;30-39;*\n35;30-39;*\n", ["34.0", "35"], AGE, match=Match.NUMBER)
    assert tree.labels[0] == ("34.0", "35")
    assert tree.n_leaves == 2


def test_blanks_are_told_apart_in_the_remedy(tmp_path):
    """A4: ` Widowed` and `Widowed` need one declared rule."""
    with pytest.raises(ValueNotInHierarchy, match="differ from it only in blanks") as caught:
        build(tmp_path, "Widowed;alone;*\nMarried;pair;*\n", [" Widowed"])
    assert "trimmed" in caught.value.remedy


def test_blanks_are_ignored_when_declared(tmp_path):
    """A4: under the rule, both spellings in the table are leaves of one node."""
    tree = build(tmp_path, "Widowed;alone;*\n", [" Widowed", "Widowed"], match=Match.TRIMMED)
    assert tree.labels == ((" Widowed", "Widowed"), ("alone",), ("*",))


def test_a_value_that_is_absent_is_counted_and_not_shown(tmp_path):
    with pytest.raises(ValueNotInHierarchy, match="2 of 3 distinct values") as caught:
        build(tmp_path, "a;*\n", ["a", "canary", "canary2"])
    assert "canary" not in str(caught.value)


def test_two_lines_of_one_number_are_ambiguous_under_the_rule(tmp_path):
    with pytest.raises(AmbiguousHierarchy, match="repeated in another form"):
        build(tmp_path, "34;*\n34.0;*\n", ["34"], AGE, match=Match.NUMBER)


def test_every_public_hierarchy_loads(shared):
    """ARX's own hierarchies, as files: as many leaves as lines."""
    folders = ("adult_arx", "arx_other_hierarchies", "medical", "acs_folktables")
    paths = [path for folder in folders for path in (shared / "data" / folder).rglob("*hierarch*.csv*")]
    assert len(paths) > 100
    for path in paths:
        text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        n_lines = sum(bool(line.strip()) for line in text.splitlines())
        assert CsvFile(path).build(Column(path.stem, Role.QUASI_IDENTIFYING), []).n_leaves == n_lines


def test_adult_fits_its_hierarchies(shared):
    """Every value of ARX's Adult is in ARX's hierarchies; ages have 100 leaves."""
    folder = shared / "data" / "adult_arx"
    header, *rows = gzip.decompress((folder / "adult.csv.gz").read_bytes()).decode().splitlines()
    for name, values in zip(header.split(";"), zip(*(row.split(";") for row in rows), strict=True), strict=True):
        spec = CsvFile(folder / "hierarchies" / f"adult_hierarchy_{name}.csv")
        tree = spec.build(Column(name, Role.QUASI_IDENTIFYING), sorted(set(values)))
        assert set(values) <= set(tree.labels[0])
        assert name != "age" or tree.n_leaves == 100


def test_errors_are_hierarchy_errors_of_the_column(tmp_path):
    with pytest.raises(HierarchyError, match="'status'"):
        build(tmp_path, "a;b\nc;d\n")
