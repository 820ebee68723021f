"""What the bytes of a CSV file are: encoding, line ends, digest, in one pass over the whole file.

Nothing is guessed from a sample that the rest of the file could contradict, and no byte is ever
dropped or replaced: a file that does not decode is refused with the line where it fails. Whatever
the encoding, signs are counted in blocks of UTF-8, where the bytes of ASCII mean nothing else.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import re
import zlib
from collections import Counter
from dataclasses import field
from typing import TYPE_CHECKING, BinaryIO, cast

import numpy as np

from sfumato.errors import SourceError
from sfumato.frozen import dataclass
from sfumato.table.contents import most_unpacked, unpacked_too_far

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from hashlib import _Hash as Hash
    from pathlib import Path

    import numpy.typing as npt

    from sfumato.types import IntArray

_CHUNK = 1 << 20
"""Bytes of a block: what is made of one stays in the cache of a processor."""
_HEAD = 1 << 17
_LONGEST_HEAD = 1 << 24
MOST_LINE = 1 << 24
"""Characters of a physical line at most."""
_BOMS = (("utf-8", codecs.BOM_UTF8), ("utf-16-le", codecs.BOM_UTF16_LE), ("utf-16-be", codecs.BOM_UTF16_BE))
_ZSTD = b"\x28\xb5\x2f\xfd"
_GZIP = b"\x1f\x8b"
_TRANSPARENT = frozenset(("utf-8", "cp1252", "iso8859-1", "ascii"))
"""Codecs under which a byte of ASCII always means itself."""
_TAIL = 4
"""Bytes before a block that are looked at with it."""
_TAB, _LF, _CR, _BLANK, _QUOTE = b'\t\n\r "'
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
        has_quotes: whether a double quote stands anywhere.
        has_blank_by_quote: whether a quoted cell may have blanks outside its quotes.
        ends: how many lines that LF (or nothing) ends have this sign last, or this sign before two double quotes;
            as UTF-8, continuation bytes for signs of several.
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
    has_quotes: bool
    has_blank_by_quote: bool
    ends: Mapping[bytes, int]
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


@dataclass(slots=True)
class _Tally:
    """What was counted so far in the text of a file; see `Survey`.

    Args:
        name: of the file, for refusals.
        n_lf: line feeds.
        n_cr: carriage returns.
        n_crlf: line feeds that follow one.
        n_lines: lines before the block that is read, as they are told in refusals.
        n_open: characters of the line that is open.
        has_quotes: whether a double quote stands anywhere.
        blank_by_quote: whether a quoted cell may have blanks outside its quotes.
        ends: as in `Survey`.
        tail: the last bytes; a file begins as if a line had ended.
    """

    name: str
    n_lf: int = 0
    n_cr: int = 0
    n_crlf: int = 0
    n_lines: int = 0
    n_open: int = 0
    has_quotes: bool = False
    blank_by_quote: bool = False
    ends: Counter[bytes] = field(default_factory=Counter)
    tail: bytes = b"\n" * _TAIL

    def add(self, block: bytes) -> None:
        """Count in a block of whole characters.

        Raises:
            SourceError: a NUL character, or a line that is longer than `MOST_LINE`.
        """
        self._refuse_nul(block)
        self._follow_line(block)
        seen = self.tail + block
        signs = np.frombuffer(seen, np.uint8)
        ends = np.flatnonzero(signs[_TAIL:] == _LF) + _TAIL
        n_cr = 0
        if b"\r" in block:
            n_cr = int(np.count_nonzero(signs[_TAIL:] == _CR))
        after_cr = signs[ends - 1] == _CR
        self.n_lf, self.n_cr = self.n_lf + len(ends), self.n_cr + n_cr
        self.n_crlf += int(np.count_nonzero(after_cr))
        self.n_lines += len(ends) or n_cr
        self._count_ends(signs, ends - after_cr)
        self.has_quotes = self.has_quotes or b'"' in block
        self.blank_by_quote = self.blank_by_quote or (b'"' in seen and _has_blank_by_quote(signs))
        self.tail = seen[-_TAIL:]

    def finish(self) -> None:
        """Count the line that nothing ends."""
        if self.tail[-1:] not in b"\r\n":
            signs = np.frombuffer(self.tail, np.uint8)
            self._count_ends(signs, np.array([_TAIL]))

    def _refuse_nul(self, block: bytes) -> None:
        """No text of a table holds this sign; UTF-16 read as something else does."""
        if b"\0" in block:
            line = max(self.n_lf, self.n_cr) + _line_ends(block[: block.index(b"\0")]) + 1
            raise SourceError(
                "A CSV file holds no NUL characters; line {line} of {name!r} does.",
                "declare the encoding if it is UTF-16 (`utf-16-le` or `utf-16-be`), or repair the file.",
                line=line,
                name=self.name,
            )

    def _follow_line(self, block: bytes) -> None:
        """Measure the line that is open; a block is shorter than a line may be, so that no other can be too long."""
        ends = [end for end in (block.find(b"\n"), block.find(b"\r")) if end >= 0]
        first = block[: min(ends)] if ends else block
        if self.n_open + len(first) > MOST_LINE and self.n_open + _n_characters(first) > MOST_LINE:
            raise SourceError(
                "Every line of {name!r} must have at most {most_line:,} characters; one has more.",
                "check that it is a table and that its lines end with a line feed or carriage return.",
                name=self.name,
                most_line=MOST_LINE,
            )
        last = max(block.rfind(b"\n"), block.rfind(b"\r"))
        self.n_open = _n_characters(block[last + 1 :]) + (0 if ends else self.n_open)

    def _count_ends(self, signs: npt.NDArray[np.uint8], ends: IntArray) -> None:
        """Count the signs before the ends of lines."""
        last = signs[ends - 1]
        is_quoted = (last == _QUOTE) & (signs[ends - 2] == _QUOTE)
        for found, quotes in ((last, b""), (signs[ends - 3][is_quoted], b'""')):
            counts = np.bincount(found, minlength=256)
            self.ends.update({bytes([sign]) + quotes: int(counts[sign]) for sign in np.flatnonzero(counts)})


def _n_characters(text: bytes) -> int:
    """Characters of a text in UTF-8."""
    return len(text) if text.isascii() else int(np.count_nonzero((np.frombuffer(text, np.uint8) & 0xC0) != 0x80))


def _has_blank_by_quote(signs: npt.NDArray[np.uint8]) -> bool:
    """Whether a blank or tab may stand between a quote and the separator next to it; two signs further are looked at."""
    is_quote, is_gap = signs == _QUOTE, (signs == _BLANK) | (signs == _TAB)
    for quote, gap, beyond, blanks in (
        (slice(2, None), slice(1, -1), slice(0, -2), b" \t"),
        (slice(0, -2), slice(1, -1), slice(2, None), b"\t"),
    ):
        found = np.flatnonzero(is_quote[quote] & is_gap[gap])
        if len(found):
            is_blank, sign = signs[gap][found] == _BLANK, signs[beyond][found]
            closes = np.isin(sign, np.frombuffer(b",;|\r\n", np.uint8))
            if (closes | (is_blank & np.isin(sign, np.frombuffer(blanks, np.uint8)))).any():
                return True
    return False


def _blocks(path: Path, compression: str, encoding: str, start: int, tally: _Tally, hashed: Hash) -> Iterator[bytes]:
    """The text in large blocks of whole characters in UTF-8; strict. Bytes of the file enter the digest."""
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    is_transparent = codecs.lookup(encoding).name in _TRANSPARENT
    n_bytes = 0
    most = most_unpacked(path.stat().st_size) if compression else None
    with open_bytes(path, compression) as file:
        hashed.update(file.read(start))
        while True:
            chunk = file.read(_CHUNK)
            hashed.update(b"" if compression else chunk)
            n_bytes += len(chunk)
            if most is not None and n_bytes > most:
                raise unpacked_too_far(f"The source ({path.name!r})")
            try:
                if is_transparent and chunk and chunk.isascii() and not decoder.getstate()[0]:
                    block = chunk
                else:
                    block = decoder.decode(chunk, final=not chunk).encode("utf-8", "surrogatepass")
            except UnicodeDecodeError as error:
                good = error.object[: error.start].decode(encoding, "replace")
                raise _Undecodable(
                    encoding, tally.n_lines + _line_ends(good.encode("utf-8", "surrogatepass")) + 1
                ) from None
            if block:
                yield block
            if not chunk:
                return


def _line_ends(text: bytes) -> int:
    return text.count(b"\n") or text.count(b"\r")


def _read(path: Path, compression: str, encoding: str, start: int) -> Survey:
    """Count line ends, keep the head, refuse NUL."""
    tally, hashed = _Tally(path.name), hashlib.sha256()
    head, head_is_all = "", True
    for block in _blocks(path, compression, encoding, start, tally, hashed):
        tally.add(block)
        head, head_is_all = _longer(head, block, all_so_far=head_is_all)
    tally.finish()
    newline, is_uniform = _newline(tally.n_lf, tally.n_cr, tally.n_crlf)
    n_lines = tally.n_lf + tally.n_cr - tally.n_crlf + (tally.tail[-1:] not in b"\r\n")
    return Survey(
        encoding, start > 0, newline, is_uniform, n_lines, head, head_is_all, tally.has_quotes, tally.blank_by_quote,
        tally.ends, compression, digest(path) if compression else hashed.hexdigest(),
    )  # fmt: skip


def _longer(head: str, block: bytes, *, all_so_far: bool) -> tuple[str, bool]:
    """The head with more text where it is too short, and whether it still is the whole file."""
    enough = len(head) >= _HEAD and ("\n" in head or "\r" in head)
    if enough or not all_so_far:
        return head, False
    text, end = block.decode("utf-8", "surrogatepass"), _HEAD
    while end < len(text) and not ("\n" in text[:end] or "\r" in text[:end]) and end < _LONGEST_HEAD:
        end *= 2
    return head + text[:end], end >= len(text)


def _newline(n_lf: int, n_cr: int, n_crlf: int) -> tuple[str, bool]:
    """The commonest line end, and whether it is the only one."""
    counts = {"\n": n_lf - n_crlf, "\r\n": n_crlf, "\r": n_cr - n_crlf}
    best = max(counts, key=lambda end: counts[end])
    return best, sum(counts.values()) == counts[best]


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
