"""Files that a plan names: regular ones only, up to a length, and no small file that holds a large one."""

import gzip
import os
import zipfile

import pytest

from sfumato.document.hierarchy_spec import spec_from
from sfumato.errors import HierarchyError, PlanError, SourceError
from sfumato.table import contents
from sfumato.table.contents import ALWAYS_UNPACKED, MOST_UNPACKED, read_bytes
from sfumato.table.hierarchy.csv_file import CsvFile
from sfumato.table.hierarchy.masking import MOST_WIDTH, Masking
from sfumato.table.hierarchy.tree import MOST_LEVELS
from sfumato.table.number import MOST_BINS, equal_edges
from sfumato.table.schema import Column, Role
from sfumato.table.values import DEEPEST, check_values, parsed_json, parsed_toml

NOTE = Column("note", Role.QUASI_IDENTIFYING)


def test_a_pipe_as_a_hierarchy_is_refused_and_not_waited_for(tmp_path):
    """Nobody ever writes into it."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceError, match="it is a pipe"):
        CsvFile(tmp_path / "pipe").build(NOTE, ["a"])


@pytest.mark.parametrize("name", [".", "loop", "absent", "a\0b"])
def test_what_is_no_file_is_refused(tmp_path, name):
    """A folder, a link in a circle, nothing, and what can be no path."""
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(SourceError, match=r"must be a regular file|must be readable|NUL"):
        read_bytes(tmp_path / name, "The plan")


def test_a_small_file_that_unpacks_to_a_large_one_is_refused_with_the_limit(tmp_path):
    """Zeros twice, packed twice as well as gzip can: some 1,030 to 1."""
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(bytes(2 * ALWAYS_UNPACKED)))
    assert path.stat().st_size * MOST_UNPACKED < 2 * ALWAYS_UNPACKED
    with pytest.raises(SourceError, match=f"{MOST_UNPACKED:,} times its compressed length"):
        read_bytes(path, "The hierarchy file")


def test_a_long_file_is_refused_and_the_limit_is_told(tmp_path):
    (tmp_path / "long.csv").write_bytes(bytes((1 << 20) + 1))
    assert len(read_bytes(tmp_path / "long.csv", "It", most=2 << 20)) == (1 << 20) + 1
    with pytest.raises(SourceError, match="at most 1 MiB"):
        read_bytes(tmp_path / "long.csv", "It", most=1 << 20)


@pytest.mark.parametrize(
    ("spec", "limit"),
    [
        ({"bins": 10**9, "from": 0, "to": 100}, MOST_BINS),
        ({"bins": 2**24, "from": 0, "to": 100}, MOST_BINS),
        ({"mask": "right", "width": 10**9}, MOST_WIDTH),
    ],
)
def test_absurd_sizes_of_hierarchies_are_refused_at_once_with_the_limit(tmp_path, spec, limit):
    with pytest.raises(PlanError, match=f"{limit}"):
        spec_from("note", spec, folder=tmp_path)


def test_the_largest_sizes_are_taken():
    assert len(equal_edges(0, 1, 1000)) == 1001
    assert Masking("left").build(NOTE, ["x" * MOST_LEVELS]).height == MOST_LEVELS


def test_a_long_cell_under_a_mask_is_refused_before_its_levels_are_made():
    """Three thousand signs would be three thousand levels; declared steps of such a text are few."""
    with pytest.raises(HierarchyError, match=f"at most {MOST_LEVELS} levels.*it has 3000"):
        Masking("right").build(NOTE, ["x" * 3000, "y"])
    assert Masking("right", steps=(1, 1000)).build(NOTE, ["x" * 3000, "y"]).height == 3
    with pytest.raises(HierarchyError, match=f"at most {MOST_WIDTH} characters"):
        Masking("right", steps=(1,)).build(NOTE, ["x" * (MOST_WIDTH + 1)])


def test_a_hierarchy_file_of_one_endless_line_is_refused(tmp_path):
    (tmp_path / "line.csv").write_text("," * 100_000, "utf-8")
    with pytest.raises(HierarchyError):
        CsvFile(tmp_path / "line.csv", ",").build(NOTE, ["a"])


@pytest.mark.parametrize(
    "text",
    ["a = nan", "a = [{b = inf}]", "a = 1e999", f"a = {2**63}", "a = " + "9" * 5000, '"a" = "\\u0000"', '"\\u0000" = 1',
     "a = " + "[" * (DEEPEST + 2) + "]" * (DEEPEST + 2), "a = " + "[" * 100_000, "a = 0000-13-01", "a"],
)  # fmt: skip
def test_values_that_no_document_means_are_refused(text):
    """In TOML, wherever they stand."""
    with pytest.raises(PlanError):
        parsed_toml(text, "The plan")


@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 5000, "", "{"])
def test_json_that_cannot_be_read_is_refused(text):
    with pytest.raises(SourceError, match="A result must be JSON"):
        parsed_json(text, "A result", "give another.")


def test_what_a_document_may_hold_passes():
    check_values("x", {"a": [1, -(2**63), 2**63 - 1, 1e308, "é", True, None, {"b": []}]})


def workbook(path, parts):
    """A zip archive as workbooks are."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as book:
        for name, text in parts.items():
            book.writestr(name, text)
    return path


def test_a_workbook_that_unpacks_too_far_is_refused_before_it_is_held(tmp_path, monkeypatch):
    monkeypatch.setattr(contents, "ALWAYS_IN_WORKBOOK", 1 << 20)
    with pytest.raises(SourceError, match="200 times its compressed length"):
        contents.check_workbook(workbook(tmp_path / "t.xlsx", {"xl/worksheets/sheet1.xml": "<c/>" * 800_000}))
    contents.check_workbook(workbook(tmp_path / "u.xlsx", {"xl/worksheets/sheet1.xml": "<c/>" * 200_000}))


def test_the_parts_of_a_workbook_are_counted_and_not_believed(tmp_path, monkeypatch):
    """The directory says one byte; the part holds three million."""
    monkeypatch.setattr(contents, "ALWAYS_IN_WORKBOOK", 1 << 20)
    path = workbook(tmp_path / "t.xlsx", {"a.xml": "<c/>" * 800_000})
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = (1).to_bytes(4, "little")
    path.write_bytes(bytes(data))
    with pytest.raises(SourceError):
        contents.check_workbook(path)


def test_what_is_no_archive_is_left_to_the_reader(tmp_path):
    (tmp_path / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0")
    contents.check_workbook(tmp_path / "old.xls")
