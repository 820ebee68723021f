"""Encoding, line ends and digest of a CSV file."""

import gzip
import hashlib
import re
import tempfile
from pathlib import Path

import hypothesis.strategies as st
import pyarrow as pa
import pytest
from hypothesis import given

from sfumato.engine.duckdb.survey import survey_csv
from sfumato.errors import SourceError

TEXT = "name;town\r\nZoë;Köln\r\n"


@pytest.fixture
def write(tmp_path):
    def write(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write


@pytest.mark.parametrize(
    ("content", "encoding", "bom"),
    [
        (TEXT.encode(), "utf-8", False),
        (TEXT.encode("utf-8-sig"), "utf-8", True),
        (b"\xff\xfe" + TEXT.encode("utf-16-le"), "utf-16-le", True),
        (b"\xfe\xff" + TEXT.encode("utf-16-be"), "utf-16-be", True),
        (TEXT.encode("windows-1252"), "windows-1252", False),
        ("a;b\n1;5 €\n".encode("windows-1252"), "windows-1252", False),
    ],
)
def test_the_encoding_is_found(write, content, encoding, bom):
    """And the text is right."""
    survey = survey_csv(write(content))
    assert (survey.encoding, survey.bom) == (encoding, bom)
    assert survey.head in {TEXT, "a;b\n1;5 €\n"}


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-8-sig", "utf-8"])
def test_a_declared_encoding_may_have_a_byte_order_mark(write, codec):
    """The mark is never part of the first name."""
    mark = "\ufeff" if codec in {"utf-16-le", "utf-8"} else ""
    assert survey_csv(write((mark + TEXT).encode(codec)), codec).head == TEXT


def test_a_declared_encoding_wins(write):
    """Any codec that Python knows."""
    assert survey_csv(write("имя\nИван\n".encode("koi8-r")), "koi8-r").head == "имя\nИван\n"


def test_a_byte_is_never_dropped(write):
    """A10: `1\\xff2` must not become 12; the line is named and the bytes are not shown."""
    with pytest.raises(SourceError, match="line 2") as caught:
        survey_csv(write(b"x\n1\xff2\n"))
    assert "ff" not in str(caught.value)


def test_a_byte_that_the_declared_encoding_lacks_is_refused_with_its_line(write):
    """Strict, wherever it stands."""
    with pytest.raises(SourceError, match="must decode as utf-8; line 3"):
        survey_csv(write(b"x\n1\n\xe9\n"), "utf-8")


def test_damage_far_behind_the_beginning_is_found(write):
    """The whole file is read, not a sample."""
    good = "1,é\n" * 2_000_000
    with pytest.raises(SourceError, match="in most places but not in line 2000001"):
        survey_csv(write(good.encode() + b"2,\xe9\n"))


def test_bytes_without_meaning_in_windows_1252_are_refused(write):
    """Japanese, say: the person declares the encoding."""
    with pytest.raises(SourceError, match="does not look like windows-1252"):
        survey_csv(write("名前\n東京都、山田\n".encode("shift_jis")))


def test_nul_is_refused_with_its_line_and_a_hint(write):
    """UTF-16 without a mark looks like this."""
    with pytest.raises(SourceError, match=r"line 1 .*utf-16-le"):
        survey_csv(write("a,b\n1,2\n".encode("utf-16-le")))


@pytest.mark.parametrize(
    ("text", "newline", "is_uniform", "n_lines"),
    [
        ("a\nb\n", "\n", True, 2),
        ("a\r\nb", "\r\n", True, 2),
        ("a\rb\r", "\r", True, 2),
        ("a\r\nb\nc\r\n", "\r\n", False, 3),
        ("a\nb\rc\nd", "\n", False, 4),
        ("", "\n", True, 0),
        ("a", "\n", True, 1),
    ],
)
def test_line_ends_are_counted(write, text, newline, is_uniform, n_lines):
    """Mixed ones are noticed."""
    survey = survey_csv(write(text.encode()))
    assert (survey.newline, survey.is_uniform, survey.n_lines) == (newline, is_uniform, n_lines)


def test_a_line_end_across_two_pieces_is_one(write):
    """CR as the last byte of a piece, LF as the first of the next."""
    filler = "x" * ((1 << 22) - 1)
    survey = survey_csv(write((filler + "\r\nb\r\n").encode()))
    assert (survey.newline, survey.is_uniform, survey.n_lines) == ("\r\n", True, 2)


def test_compressed_files_are_known_by_their_bytes(write):
    """Whatever the name says; the digest is of the file as it is on disk."""
    packed = gzip.compress(TEXT.encode())
    survey = survey_csv(write(packed, "table.csv"))
    assert (survey.compression, survey.head, survey.sha256) == ("gzip", TEXT, hashlib.sha256(packed).hexdigest())
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as out:
        out.write(TEXT.encode("utf-16"))
    survey = survey_csv(write(sink.getvalue().to_pybytes(), "table.zst"))
    assert (survey.compression, survey.encoding, survey.head) == ("zstd", "utf-16-le", TEXT)


def test_a_truncated_file_is_refused(write):
    """Half a gzip is no table."""
    with pytest.raises(SourceError, match="readable file"):
        survey_csv(write(gzip.compress(TEXT.encode() * 100)[:40]))


def test_long_first_lines_are_kept_whole(write):
    """The head holds at least one line, however wide."""
    line = ",".join(f"column{i}" for i in range(40_000)) + "\n"
    survey = survey_csv(write((line * 4).encode()))
    assert survey.head.count("\n") >= 1


@pytest.mark.parametrize("text", ['a, "b"\n', 'a,"b" ,c\n', ' "a"\n', 'x\n  "a"\n', 'a;\t"b"\n'])
def test_blanks_beside_quotes_are_noticed(write, text):
    """DuckDB would drop them."""
    assert survey_csv(write(("x\n" + text).encode())).has_blank_by_quote


def test_a_quote_inside_text_is_not_noticed(write):
    """`say "x" now` is no quoted cell."""
    assert not survey_csv(write(b'a,"say ""x"" now"\n')).has_blank_by_quote


BLANK_BY_QUOTE = re.compile(r'(?:(?<=[,;|\t\r\n ]) |(?<=[,;|\r\n])\t)"|"(?: (?=[,;|\t\r\n])|\t(?=[,;|\r\n]))')
PIECES = [
    "a",
    ";",
    ",",
    '"',
    '""',
    " ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "|",
    "é",
    "€",
    "𝄞",
    ';"" \n',
    ';""\n',
    ";\r\n",
    ' "',
    '" ,',
]


def slowly(content, encoding):
    """What a survey says, from the whole text at once."""
    text = content.decode(encoding)
    text = text.removeprefix("\ufeff")
    n_crlf = text.count("\r\n")
    counts = {"\n": text.count("\n") - n_crlf, "\r\n": n_crlf, "\r": text.count("\r") - n_crlf}
    newline = max(counts, key=counts.__getitem__)
    lines = (text.removesuffix("\n") if text.endswith("\n") else text).split("\n")
    lines = [line.removesuffix("\r") for line in lines] if "\n" in text or text.strip("\r") else []
    if text.endswith("\r"):
        lines = lines[:-1]
    return {
        "newline": newline,
        "is_uniform": sum(counts.values()) == counts[newline],
        "n_lines": sum(counts.values()) + bool(text and text[-1] not in "\r\n"),
        "has_blank_by_quote": BLANK_BY_QUOTE.search("\n" + text) is not None,
        **{end: sum(line.endswith(end) for line in lines) for end in (";", ',""', ';""')},
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def told_by(survey):
    """The same of a survey."""
    names = ("newline", "is_uniform", "n_lines", "has_blank_by_quote", "sha256")
    return {name: getattr(survey, name) for name in names} | {
        end: survey.ends.get(end.encode(), 0) for end in (";", ',""', ';""')
    }


@given(
    pieces=st.lists(st.sampled_from(PIECES), max_size=30),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "windows-1252"]),
    size=st.integers(1, 9),
)
def test_blocks_say_what_the_whole_text_says(pieces, encoding, size):
    """Quotes, line ends, characters and byte order marks across the borders of blocks of a few bytes."""
    text = "".join(pieces if encoding != "windows-1252" else [piece for piece in pieces if piece != "𝄞"])
    content = text.encode(encoding)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sfumato.engine.duckdb.survey._CHUNK", size)
        path = Path(folder) / "table.csv"
        path.write_bytes(content)
        found = survey_csv(path, encoding)
    assert slowly(content, encoding) == told_by(found)
    assert (text, True) == (found.head, found.head_is_all)


def test_dirty_files_say_the_same_in_small_blocks(shared, monkeypatch):
    """Latin-1, UTF-16, lone CR, titles, JSON in cells, packed ones: against their whole text."""
    monkeypatch.setattr("sfumato.engine.duckdb.survey._CHUNK", 997)
    paths = sorted((shared / "data" / "dirty_csv").glob("[0-9]*"))
    assert len(paths) == 10
    for path in paths:
        found, content = survey_csv(path), path.read_bytes()
        text = gzip.decompress(content) if path.suffix == ".gz" else content
        expected = slowly(text, found.encoding) | {"sha256": hashlib.sha256(content).hexdigest()}
        assert expected == told_by(found), path.name
