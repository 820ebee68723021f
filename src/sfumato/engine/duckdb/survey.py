"""What the bytes of a CSV file are: encoding, line ends, digest, in one pass over the whole file.

Nothing is guessed from a sample that the rest of the file could contradict, and no byte is ever
dropped or replaced: a file that does not decode is refused with the line where it fails.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import re
import zlib
from typing import TYPE_CHECKING, BinaryIO, cast

from sfumato.errors import SourceError
from sfumato.frozen import dataclass
from sfumato.table.contents import most_unpacked, unpacked_too_far

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_CHUNK = 1 << 22
_HEAD = 1 << 17
_LONGEST_HEAD = 1 << 24
MOST_LINE = 1 << 24
"""Characters of a physical line at most."""
_BOMS = (("utf-8", codecs.BOM_UTF8), ("utf-16-le", codecs.BOM_UTF16_LE), ("utf-16-be", codecs.BOM_UTF16_BE))
_ZSTD = b"\x28\xb5\x2f\xfd"
_GZIP = b"\x1f\x8b"
_BLANK_BY_QUOTE = tuple(
    re.compile(pattern)
    for pattern in (
        r' "(?<=[,;|\t\r\n ] ")',
        r'" (?=[,;|\t\r\n ])',
        r'\t"(?<=[,;|\r\n]\t")',
        r'"\t(?=[,;|\r\n])',
    )
)
"""A blank between a quote and what may be a separator; each begins with a literal, which is fast."""
_HIGH = re.compile(rb"[\x80-\xff]")
_UNDEFINED_1252 = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
_LETTER_IN_NUMBER = re.compile(rb"(?<=[0-9])[\xc0-\xd6\xd8-\xf6\xf8-\xff](?=[0-9])")
_STRANGE_SHARE = 0.05
_UTF8_PAIR = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")


@dataclass(frozen=True, slots=True)
class Survey:
    """What one pass over a CSV file found.

    Args:
        encoding: codec under which every byte decodes.
        bom: whether a byte order mark comes first.
        newline: the line end; the commonest where several are mixed.
        is_uniform: whether every LF and CR of the file belongs to such a line end.
        n_lines: physical lines.
        head: the first part of the text, without the byte order mark.
        head_is_all: whether that is the whole file.
        has_blank_by_quote: whether a quoted cell may have blanks outside its quotes.
        compression: "", "gzip" or "zstd".
        sha256: digest of the file as it is on disk.
    """

    encoding: str
    bom: bool
    newline: str
    is_uniform: bool
    n_lines: int
    head: str
    head_is_all: bool
    has_blank_by_quote: bool
    compression: str
    sha256: str


def digest(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def compression_of(path: Path) -> str:
    """How a file is compressed, by its first bytes: "gzip", "zstd" or ""."""
    with path.open("rb") as file:
        start = file.read(4)
    return "gzip" if start.startswith(_GZIP) else "zstd" if start == _ZSTD else ""


def open_bytes(path: Path, compression: str) -> BinaryIO:
    """The bytes of a file, decompressed."""
    if compression == "gzip":
        return cast("BinaryIO", gzip.open(path, "rb"))
    if compression == "zstd":
        import pyarrow as pa

        return cast("BinaryIO", pa.input_stream(str(path), compression="zstd"))
    return path.open("rb")


def open_text(path: Path, survey: Survey) -> io.TextIOWrapper:
    """The text of a surveyed file, without byte order mark, line ends as they are."""
    raw = open_bytes(path, survey.compression)
    if survey.bom:
        raw.read(len(dict(_BOMS)[survey.encoding]))
    return io.TextIOWrapper(io.BufferedReader(cast("io.RawIOBase", raw)), encoding=survey.encoding, newline="")


def survey_csv(path: Path, encoding: str | None = None) -> Survey:
    """Read a file once, to its end.

    Args:
        path: the file.
        encoding: declared by a person; None: UTF-8, UTF-16 with byte order mark, or windows-1252.

    Raises:
        SourceError: NUL characters; bytes that do not decode; text that is probably damaged. The
            line is named. Remedy: declare the encoding, or repair the file.
    """
    compression = compression_of(path)
    try:
        with open_bytes(path, compression) as file:
            bom_encoding, start = _bom(file.read(4))
        if encoding is not None:
            bom = bom_encoding is not None and _same(encoding, bom_encoding)
            return _read(path, compression, bom_encoding if bom and bom_encoding else encoding, start if bom else 0)
        if bom_encoding is not None:
            return _read(path, compression, bom_encoding, start)
        try:
            return _read(path, compression, "utf-8", 0)
        except _Undecodable as error:
            _require_plausible_1252(path, compression, error.line)
            return _read(path, compression, "windows-1252", 0)
    except _Undecodable as error:
        raise SourceError(
            "Every byte of {name!r} must decode as {encoding}; line {line} does not.",
            "declare the encoding the file was written in, or repair that line; bytes are never dropped.",
            name=path.name,
            encoding=error.encoding,
            line=error.line,
        ) from None
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError(
            "{name!r} must be a readable file; {kind} while it was read.",
            "check the path, the permissions and that the file is complete.",
            name=path.name,
            kind=type(error).__name__,
        ) from None


class _Undecodable(Exception):
    def __init__(self, encoding: str, line: int) -> None:
        super().__init__(encoding, line)
        self.encoding = encoding
        self.line = line


def _bom(start: bytes) -> tuple[str | None, int]:
    for encoding, mark in _BOMS:
        if start.startswith(mark):
            return encoding, len(mark)
    return None, 0


def _same(declared: str, found: str) -> bool:
    """Whether a declared codec is the one the byte order mark says (`utf-16` is either of two)."""
    name = codecs.lookup(declared).name
    return name in {codecs.lookup(found).name, "utf-8-sig" if found == "utf-8" else "utf-16"}


def _texts(path: Path, compression: str, encoding: str, start: int) -> Iterator[str]:
    """The decoded text in large pieces; strict."""
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    lines = n_bytes = 0
    most = most_unpacked(path.stat().st_size) if compression else None
    with open_bytes(path, compression) as file:
        file.read(start)
        while True:
            chunk = file.read(_CHUNK)
            n_bytes += len(chunk)
            if most is not None and n_bytes > most:
                raise unpacked_too_far(f"The source ({path.name!r})")
            try:
                text = decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                good = error.object[: error.start].decode(encoding, "replace")
                raise _Undecodable(encoding, lines + _line_ends(good) + 1) from None
            lines += _line_ends(text)
            if text:
                yield text
            if not chunk:
                return


def _line_ends(text: str) -> int:
    return text.count("\n") or text.count("\r")


def _read(path: Path, compression: str, encoding: str, start: int) -> Survey:
    """Count line ends, keep the head, refuse NUL."""
    n_lf = n_cr = n_crlf = 0
    last = head = ""
    n_open = 0
    head_is_all, blank_by_quote = True, False
    for text in _texts(path, compression, encoding, start):
        if "\0" in text:
            line = max(n_lf, n_cr) + _line_ends(text[: text.index("\0")]) + 1
            raise SourceError(
                "A CSV file holds no NUL characters; line {line} of {name!r} does.",
                "declare the encoding if it is UTF-16 (`utf-16-le` or `utf-16-be`), or repair the file.",
                line=line,
                name=path.name,
            )
        n_open = _open_line(path, n_open, text)
        n_lf += text.count("\n")
        n_cr += text.count("\r")
        n_crlf += text.count("\r\n") + (last == "\r" and text[0] == "\n")
        blank_by_quote = blank_by_quote or _has_blank_by_quote(text)
        head, head_is_all = _longer(head, text, all_so_far=head_is_all)
        last = text[-1]
    newline, is_uniform = _newline(n_lf, n_cr, n_crlf)
    n_lines = n_lf + n_cr - n_crlf + (last not in {"", "\n", "\r"})
    return Survey(
        encoding, start > 0, newline, is_uniform, n_lines, head, head_is_all, blank_by_quote, compression, digest(path)
    )


def _open_line(path: Path, n_open: int, text: str) -> int:
    """Characters of the line that is open after a piece of text, when `n_open` of it came before.

    A piece is shorter than a line may be, so that only a line that is open at a border can be too long.

    Raises:
        SourceError: the line is longer than `MOST_LINE`.
    """
    ends = [end for end in (text.find("\n"), text.find("\r")) if end >= 0]
    if n_open + (min(ends) if ends else len(text)) > MOST_LINE:
        raise SourceError(
            "Every line of {name!r} must have at most {most_line:,} characters; one has more.",
            "check that it is a table and that its lines end with a line feed or carriage return.",
            name=path.name,
            most_line=MOST_LINE,
        )
    return len(text) - 1 - max(text.rfind("\n"), text.rfind("\r")) if ends else n_open + len(text)


def _longer(head: str, text: str, *, all_so_far: bool) -> tuple[str, bool]:
    """The head with more text where it is too short, and whether it still is the whole file."""
    enough = len(head) >= _HEAD and _line_ends(head) > 0
    if enough or not all_so_far:
        return head, False
    end = _HEAD
    while end < len(text) and not _line_ends(text[:end]) and end < _LONGEST_HEAD:
        end *= 2
    return head + text[:end], end >= len(text)


def _newline(n_lf: int, n_cr: int, n_crlf: int) -> tuple[str, bool]:
    """The commonest line end, and whether it is the only one."""
    counts = {"\n": n_lf - n_crlf, "\r\n": n_crlf, "\r": n_cr - n_crlf}
    best = max(counts, key=lambda end: counts[end])
    return best, sum(counts.values()) == counts[best]


def _has_blank_by_quote(text: str) -> bool:
    """Whether a blank may stand between a quote and the separator next to it."""
    return any(pattern.search(text) for pattern in _BLANK_BY_QUOTE)


def _require_plausible_1252(path: Path, compression: str, line: int) -> None:
    """Refuse bytes that are neither UTF-8 nor what windows-1252 text looks like."""
    n_high = n_utf8 = n_undefined = n_strange = 0
    with open_bytes(path, compression) as file:
        while chunk := file.read(_CHUNK):
            n_high += len(_HIGH.findall(chunk))
            n_utf8 += len(_UTF8_PAIR.findall(chunk))
            n_undefined += len(_UNDEFINED_1252.findall(chunk))
            n_strange += len(_LETTER_IN_NUMBER.findall(chunk))
    mostly_utf8 = 4 * n_utf8 > n_high
    if n_undefined or mostly_utf8 or n_strange > _STRANGE_SHARE * n_high:
        found = "is UTF-8 in most places but not in" if mostly_utf8 else "is not UTF-8, first in"
        raise SourceError(
            "{name!r} {found} line {line}, and it does not look like windows-1252.",
            "declare the encoding the file was written in, or repair that line; bytes are never dropped.",
            name=path.name,
            found=found,
            line=line,
        )
