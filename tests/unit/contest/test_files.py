"""Files that teams hand in: archives within limits, and lines with every fault told by line and column."""

import bz2
import gzip
import io
import lzma
import zipfile

import pytest

from sfumato.contest.insanonym.game import SHAPE
from sfumato.contest.unpack import unpacked
from sfumato.engine.duckdb.lines import read_lines
from sfumato.errors import SourceError

LINE = b"a\t2015-03-04 00:35:54\t39.9\t116.3\n"


def read(tmp_path, text):
    """The faults of a file, as sentences."""
    path = tmp_path / "made.tsv"
    path.write_bytes(text)
    lines, faults = read_lines(path, SHAPE)
    assert (lines is None) == bool(faults)
    return [one.sentence for one in faults]


FAULTS = {
    b"a\t2015-03-04\t1\t2\n": "Line 2, date: must be a time such as 2015-03-04 00:35:54.",
    b"a\t2015-02-30 00:00:00\t1\t2\n": "Line 2, date: must be a time such as 2015-03-04 00:35:54.",
    b"a\t2015-03-04 00:35:54\tx\t2\n": "Line 2, latitude: must be a finite number.",
    b"a\t2015-03-04 00:35:54\tnan\t2\n": "Line 2, latitude: must be a finite number.",
    b"a\t2015-03-04 00:35:54\t1\tinf\n": "Line 2, longitude: must be a finite number.",
    b"a\t2015-03-04 00:35:54\t1\t\n": "Line 2, longitude: must be a finite number.",
    b"a\t2015-03-04 00:35:54\t1\n": "Line 2: must have as many cells as there are columns.",
    b"a\t2015-03-04 00:35:54\t1\t2\t3\n": "Line 2: must have as many cells as there are columns.",
    b'"a\t2015-03-04 00:35:54\t1\t2"\n': "Line 2, longitude: must be a finite number.",
    b"\t2015-03-04 00:35:54\t1\t2\n": "Line 2, id: must not be empty.",
    b"\n": "Line 2: must not be blank.",
    b"\xff\xfe\t2015-03-04 00:35:54\t1\t2\n": "Line 2: must be text in UTF-8.",
    b"a" * 3_000_000 + b"\t2015-03-04 00:35:54\t1\t2\n": "Line 2: must be shorter than two million characters.",
}


@pytest.mark.parametrize("text", FAULTS, ids=range(len(FAULTS)))
def test_a_fault_is_told_by_line_and_column(tmp_path, text):
    assert read(tmp_path, LINE + text + LINE) == [FAULTS[text]]


@pytest.mark.parametrize("text", [LINE, LINE[:-1], LINE * 3, LINE.replace(b"\n", b"\r\n") * 2, b"\xef\xbb\xbf" + LINE])
def test_lines_are_read_as_they_are(tmp_path, text):
    assert read(tmp_path, text) == []


def test_what_is_no_file_is_told(tmp_path):
    """All commands that are given a submission, an attack or a published table read it here."""
    for path, said in ((tmp_path / "absent.tsv", "must be readable"), (tmp_path, "it is a folder")):
        with pytest.raises(SourceError, match=said):
            unpacked(path, tmp_path / "plain", 1000)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_has_no_lines(tmp_path):
    path = tmp_path / "empty"
    path.write_bytes(b"")
    lines, faults = read_lines(path, SHAPE)
    assert (lines.rows, faults) == (0, ())


def test_no_more_faults_are_told_than_asked(tmp_path):
    path = tmp_path / "made.tsv"
    path.write_bytes(b"a\tx\t1\t2\n" * 1000)
    assert len(read_lines(path, SHAPE, most_faults=7)[1]) == 7


def zipped(**files):
    """A ZIP archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize(
    "text",
    [LINE, gzip.compress(LINE), bz2.compress(LINE), lzma.compress(LINE), zipped(**{"../../a.tsv": LINE})],
    ids=range(5),
)
def test_one_table_comes_out_whatever_it_was_packed_by(tmp_path, text):
    """A name inside an archive that leads elsewhere leads nowhere."""
    given, into = tmp_path / "given", tmp_path / "room/plain"
    given.write_bytes(text)
    into.parent.mkdir()
    assert unpacked(given, into, 1000).read_bytes() == LINE
    assert {path.name for path in tmp_path.rglob("*")} <= {"given", "room", "plain"}


BAD = {
    "bomb": gzip.compress(bytes(10_000_000)),
    "zip bomb": zipped(a=bytes(10_000_000)),
    "too large": bytes(2000),
    "two files": zipped(a=LINE, b=LINE),
    "no file": zipped(),
    "cut": gzip.compress(LINE * 9)[:-9],
    "damaged": gzip.compress(LINE * 99)[:20] + b"zzzz" + gzip.compress(LINE * 99)[24:],
    "no archive": b"PK\x03\x04" + bytes(50),
    "many": zipped(**{str(i): b"" for i in range(200)}),
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_archives_are_unpacked_within_limits(tmp_path, text):
    given, into = tmp_path / "given", tmp_path / "plain"
    given.write_bytes(text)
    with pytest.raises(SourceError):
        unpacked(given, into, 1000)
    assert not into.exists() or into.stat().st_size <= 1000
