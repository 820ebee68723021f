"""Files that teams hand in, unpacked within limits: one plain file, never more, whatever the archive says of itself."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
import stat
import zipfile
import zlib
from typing import IO, TYPE_CHECKING, cast

from sfumato.errors import SourceError
from sfumato.table.contents import check_regular

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_PIECE = 1 << 20
_MAGIC: tuple[tuple[bytes, Callable[[Path], IO[bytes]]], ...] = (
    (b"\x1f\x8b", cast("Callable[[Path], IO[bytes]]", gzip.GzipFile)),
    (b"BZh", cast("Callable[[Path], IO[bytes]]", bz2.BZ2File)),
    (b"\xfd7zXZ\x00", cast("Callable[[Path], IO[bytes]]", lzma.LZMAFile)),
)
"""How compressed files begin, and how they are opened."""
MOST_MEMBERS = 100
DAMAGE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, OSError)
"""What reading a damaged archive raises, by how it is packed."""


def unpacked(path: Path, into: Path, most: int) -> Path:
    """The only table in a file: the file itself, or what a gzip, bzip2, xz or ZIP file holds.

    Names inside an archive are never used as paths: what is in it is written to `into`.

    Args:
        path: of the file that was handed in.
        into: where the plain file goes; it is written only if the file is compressed.
        most: bytes that the plain file may have.

    Returns:
        `path`, or `into`.

    Raises:
        SourceError: no regular file, larger than `most`, damaged, encrypted, or not exactly one file inside.
    """
    check_regular(path, "The file")
    within(path.stat().st_size, most)
    try:
        with path.open("rb") as file:
            head = file.read(8)
    except OSError as error:
        raise damaged(path) from error
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return _from_zip(path, into, most)
    for magic, opened in _MAGIC:
        if head.startswith(magic):
            try:
                with opened(path) as file:
                    return copied(file, into, most)
            except DAMAGE as error:
                raise damaged(path) from error
    return path


def _from_zip(path: Path, into: Path, most: int) -> Path:
    """The only file of a ZIP archive."""
    try:
        with zipfile.ZipFile(path) as archive:
            inside = plain_members(archive, MOST_MEMBERS)
            names = [name for name in inside if not is_clutter(name)]
            if len(names) != 1:
                raise SourceError(
                    "An archive must hold exactly one file; it holds {n}.", "pack the table alone.", n=len(names)
                )
            with archive.open(names[0]) as file:
                return copied(file, into, most)
    except DAMAGE as error:
        raise damaged(path) from error


def is_clutter(name: str) -> bool:
    """Whether a member is what some system adds to an archive by itself.

    Example:
        >>> [is_clutter(name) for name in ("__MACOSX/._a.tsv", "a/.DS_Store", "a/b.tsv")]
        [True, True, False]
    """
    parts = name.split("/")
    return parts[0] == "__MACOSX" or parts[-1].startswith("._") or parts[-1] in {".DS_Store", "Thumbs.db"}


def plain_members(archive: zipfile.ZipFile, most: int) -> dict[str, zipfile.ZipInfo]:
    """The files of a ZIP archive by name, folders left out; of what is in it only names and sizes are believed so far.

    Args:
        archive: that was opened.
        most: files that it may hold.

    Raises:
        SourceError: more of them, a name twice, an encrypted one, or something else than a file.
    """
    found: dict[str, zipfile.ZipInfo] = {}
    for one in archive.infolist():
        kind = stat.S_IFMT(one.external_attr >> 16)
        if one.is_dir():
            continue
        if one.flag_bits & 1:
            raise SourceError("An archive must not be encrypted.", "pack the table without a password.")
        if one.filename in found or kind not in {0, stat.S_IFREG}:
            raise SourceError("An archive must hold plain files alone, each name once.", "pack it again.")
        found[one.filename] = one
        if len(found) > most:
            raise SourceError("An archive may hold {most} files; this one holds more.", "pack fewer.", most=most)
    return found


def copied(file: IO[bytes], into: Path, most: int) -> Path:
    """What a stream holds, counted while it is written.

    Raises:
        SourceError: it holds more than `most` bytes.
    """
    n = 0
    with into.open("xb") as out:
        while piece := file.read(_PIECE):
            n += len(piece)
            within(n, most)
            out.write(piece)
    return into


def within(n: int, most: int) -> None:
    """Refuse what is too large.

    Raises:
        SourceError: `n` bytes are more than `most`.
    """
    if n > most:
        raise SourceError("A file may have at most {most} bytes, unpacked.", "hand in a smaller one.", most=most)


def damaged(path: Path) -> SourceError:
    """An archive that does not open."""
    return SourceError("The file {name!r} is damaged.", "pack it again.", name=path.name)


def digest_of(path: Path) -> bytes:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
