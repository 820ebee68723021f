"""What hostile teams hand in is refused with its reason, or judged as the table that it is; nothing is written elsewhere."""

import bz2
import gzip
import io
import json
import lzma
import stat
import zipfile
from contextlib import suppress

import pytest
from tests.app.contests import contest

from sfumato.contest.key import key_from
from sfumato.contest.opening import open_judge
from sfumato.errors import SourceError
from sfumato.noise.bits import SystemBits


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A contest of 300 lines and files of two million bytes."""
    return contest(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def judge(folder):
    """Its judge."""
    return open_judge(folder / "contest.toml")


@pytest.fixture(scope="module")
def made(judge):
    """A submission that is accepted."""
    return judge.defend("renamed", SystemBits())


def packed(*members):
    """A ZIP archive of names, contents and kinds of file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, kind in members:
            about = zipfile.ZipInfo(name)
            about.compress_type, about.external_attr = zipfile.ZIP_DEFLATED, (kind | 0o644) << 16
            archive.writestr(about, content)
    return out.getvalue()


def refusal(judge, path):
    """Why a submission is refused: its first fault, or the error of a file that cannot be read at all."""
    try:
        told = judge.check(path).faults[0]
    except SourceError as error:
        return str(error)
    return f"{told.line}: {told.must}"


ZEROS = bytes(2_000_001)
ARCHIVES = {
    "gzip bomb": (gzip.compress(ZEROS), "at most 2000000 bytes"),
    "gzip bomb of many parts": (gzip.compress(ZEROS[:9999]) * 201, "at most 2000000 bytes"),
    "bzip2 bomb": (bz2.compress(ZEROS), "at most 2000000 bytes"),
    "xz bomb": (lzma.compress(ZEROS), "at most 2000000 bytes"),
    "zip bomb": (packed(("a", ZEROS, stat.S_IFREG)), "at most 2000000 bytes"),
    "link": (packed(("a", b"/etc/passwd", stat.S_IFLNK)), "plain files"),
    "device": (packed(("a", b"", stat.S_IFCHR)), "plain files"),
    "two tables": (packed(("a", b"x", 0), ("b", b"x", 0)), "exactly one file"),
    "many files": (packed(*((f"{i}", b"", 0) for i in range(101))), "may hold 100 files"),
    "cut": (packed(("a", b"x" * 99, 0))[:-30], "damaged"),
}


@pytest.mark.parametrize("what", ARCHIVES)
def test_archives_are_unpacked_within_limits_and_one_plain_file_at_a_time(judge, tmp_path, what):
    content, says = ARCHIVES[what]
    (tmp_path / "made").write_bytes(content)
    with pytest.raises(SourceError, match=says):
        judge.check(tmp_path / "made")
    assert [path.name for path in tmp_path.iterdir()] == ["made"]


def test_names_in_an_archive_are_no_paths(judge, made, tmp_path):
    (tmp_path / "deep").mkdir()
    for name in ("../../out.tsv", "/arena-out.tsv", "..\\out.tsv", "a/../../out.tsv"):
        (tmp_path / "deep/made.zip").write_bytes(packed((name, made, stat.S_IFREG)))
        assert judge.check(tmp_path / "deep/made.zip").faults == ()
    assert [path.name for path in tmp_path.rglob("*")] == ["deep", "made.zip"]


def first(made, who):
    """The submission with another pseudonym in its first line alone, and its lines deleted elsewhere."""
    lines = made.split(b"\n")
    cells = lines[0].split(b"\t")
    return b"\n".join([b"\t".join([who, *cells[1:]]), *(b"DEL\t\t\t" for _ in lines[1:-1]), b""])


CELLS = {
    "formula": (b"=HYPERLINK(1)", "must not begin as a formula"),
    "at": (b"@SUM(A1)", "must not begin as a formula"),
    "minus": (b"-1+1", "must not begin as a formula"),
    "latin-1": (b"\xe9t\xe9", "must be text in UTF-8"),
    "half a letter": (b"\xc3", "must be text in UTF-8"),
    "surrogate": (b"\xed\xa0\x80", "must be text in UTF-8"),
    "too long": (b"a" * 1_999_000 + b"b" * 900_000, "at most 2000000 bytes"),
}


@pytest.mark.parametrize("what", CELLS)
def test_cells_that_harm_whoever_opens_them_are_refused(judge, made, tmp_path, what):
    who, says = CELLS[what]
    (tmp_path / "made").write_bytes(first(made, who))
    assert says in refusal(judge, tmp_path / "made")


@pytest.mark.parametrize(
    "who", [b"-5", b"+3,5e2", b"<script>alert(1)</script>", b"x" * 1_500_000, b"'; DROP TABLE lines; --"]
)
def test_strange_pseudonyms_are_pseudonyms(judge, made, tmp_path, who):
    """Numbers, scripts, SQL, and a name of a megabyte: judged, and published as they are."""
    (tmp_path / "made").write_bytes(first(made, who))
    scored, published = judge.accept(tmp_path / "made", SystemBits())
    assert scored.faults == ()
    text, key = published
    assert text.split(b"\t")[0] == who
    assert key_from(json.loads(json.dumps(key.written()))).pseudonyms == key.pseudonyms


def test_utf_16_and_nothing_at_all_are_told(judge, made, tmp_path):
    for content in (made.decode().encode("utf-16"), b"", b"\0" * 99, b"\n" * 300):
        (tmp_path / "made").write_bytes(content)
        assert "must" in refusal(judge, tmp_path / "made") or "UTF-8" in refusal(judge, tmp_path / "made")


HUGE = {
    "deep": b"[" * 200_000,
    "deep objects": b'{"a":' * 200_000,
    "long number": b'{"0": {"2015-10": [' + b"9" * 5000 + b"]}}",
    "number": b'{"0": {"2015-10": [1]}}',
    "many names": json.dumps({"0": {"2015-10": [str(i) for i in range(100_000)]}}).encode(),
    "nobody": b'{"<script>": {"2015-10": ["x"]}}',
    "bomb": gzip.compress(ZEROS),
    "twice": b'{"0": {}, "0": {}}',
    "utf-16": '{"0": {}}'.encode("utf-16"),
    "surrogate": b'{"\\ud800": {}}',
}


@pytest.mark.parametrize("what", HUGE)
def test_hostile_attack_files_find_nothing(judge, made, tmp_path, what):
    (tmp_path / "made").write_bytes(made)
    (tmp_path / "attack").write_bytes(HUGE[what])
    _, key = judge.publish(tmp_path / "made", SystemBits())
    with suppress(SourceError):  # a file that cannot be unpacked is refused by its error
        found = judge.attack(tmp_path / "made", key, tmp_path / "attack")
        assert (found.found, len(found.faults), what == "bomb") == (None, 1, False)
