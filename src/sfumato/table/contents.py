"""What a file holds that a plan or a person names: its bytes up to a limit, from a regular file only.

A pipe or a device may wait for ever or never end, and a small compressed file may hold a large one: each is refused
before it is read, or as soon as the limit is passed.
"""

from __future__ import annotations

import gzip
import stat
import zipfile
import zlib
from typing import IO, TYPE_CHECKING

from sfumato.errors import SourceError

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 256 << 20
"""Bytes of a document or a hierarchy file at most, unpacked."""
MOST_UNPACKED = 1000
"""How many times its own length a compressed file may hold at most."""
MOST_IN_WORKBOOK = 200
"""How many times its own length a workbook may hold at most."""
ALWAYS_IN_WORKBOOK = 64 << 20
"""Bytes that a workbook may hold whatever its length."""
_CHUNK = 1 << 20
ALWAYS_UNPACKED = 16 << 20
"""Bytes that a compressed file may hold whatever its length."""


def check_regular(path: Path, what: str) -> None:
    """Refuse what is no regular file, without opening it.

    Args:
        path: a file that is there, or a link to one.
        what: what it is called in messages ("the plan").

    Raises:
        SourceError: it is not there, or a folder, pipe, device, or link in a circle.

    Example:
        >>> from pathlib import Path
        >>> check_regular(Path("/dev/null"), "the plan")
        Traceback (most recent call last):
        sfumato.errors.SourceError: the plan ('null') must be a regular file; it is a device. Remedy: correct the path.
    """
    cure = "correct the path."
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise SourceError(
            "{what} ({name!r}) must be readable; {strerror}.", cure, what=what, name=path.name, strerror=error.strerror
        ) from None
    except ValueError:
        raise SourceError("The path of {what} must hold no NUL character.", cure, what=what) from None
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "a pipe" if stat.S_ISFIFO(mode) else "a device"
        raise SourceError(
            "{what} ({name!r}) must be a regular file; it is {kind}.", cure, what=what, name=path.name, kind=kind
        )


def read_bytes(path: Path, what: str, *, most: int = MOST_BYTES) -> bytes:
    """All bytes of a regular file, unpacked where its name ends in `.gz`.

    Args:
        path: the file.
        what: what it is called in messages.
        most: bytes that it may hold, unpacked.

    Raises:
        SourceError: no regular file, not readable, damaged, or longer than it may be.
    """
    check_regular(path, what)
    try:
        with path.open("rb") as file:
            if path.suffix == ".gz":
                return _unpacked(file, path.stat().st_size, what, most)
            data = file.read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is damaged"
        raise SourceError(
            "{what} ({name!r}) must be readable; {reason}.",
            "correct the path.",
            what=what,
            name=path.name,
            reason=reason,
        ) from None
    if len(data) > most:
        raise _too_long(what, most)
    return data


def read_text(path: Path, what: str) -> str:
    """The text of a regular file in UTF-8.

    Raises:
        SourceError: as `read_bytes`, or it is not UTF-8.
    """
    try:
        return read_bytes(path, what).decode("utf-8")
    except UnicodeDecodeError:
        raise SourceError(
            "{what} ({name!r}) must be UTF-8.", "save it in that encoding.", what=what, name=path.name
        ) from None


def most_unpacked(packed: int) -> int:
    """How many bytes a compressed file of so many bytes may hold.

    Example:
        >>> most_unpacked(1) == ALWAYS_UNPACKED, most_unpacked(10**6)
        (True, 1000000000)
    """
    return max(ALWAYS_UNPACKED, packed * MOST_UNPACKED)


def _unpacked(file: IO[bytes], packed: int, what: str, most: int) -> bytes:
    """The content of a gzip file."""
    with gzip.GzipFile(fileobj=file) as inner:
        data = inner.read(min(most, most_unpacked(packed)) + 1)
    if len(data) > most:
        raise _too_long(what, most)
    if len(data) > most_unpacked(packed):
        raise unpacked_too_far(what)
    return data


def check_workbook(path: Path) -> None:
    """Refuse a workbook whose parts unpack too far, before it is held in memory; every part is counted, not believed.

    Args:
        path: a workbook. One that is no zip archive (the old binary form) is not compressed.

    Raises:
        SourceError: it holds more than 200 times its length (and more than 64 MiB), or a damaged part.
    """
    if not zipfile.is_zipfile(path):
        return
    room = max(ALWAYS_IN_WORKBOOK, path.stat().st_size * MOST_IN_WORKBOOK)
    try:
        with zipfile.ZipFile(path) as book:
            for part in book.infolist():
                with book.open(part) as content:
                    while chunk := content.read(_CHUNK):
                        room -= len(chunk)
                        if room < 0:
                            raise SourceError(
                                "{name!r} must not hold more than {most_in_workbook} times its compressed length "
                                "(or {always_in_workbook} MiB); it does.",
                                "save the sheet as CSV or Parquet if it is what you expect.",
                                name=path.name,
                                most_in_workbook=MOST_IN_WORKBOOK,
                                always_in_workbook=ALWAYS_IN_WORKBOOK >> 20,
                            )
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError) as error:
        raise SourceError(
            "{name!r} must be a readable workbook; it is not ({kind}).",
            "check that the file is complete and not protected by a password.",
            name=path.name,
            kind=type(error).__name__,
        ) from None


def unpacked_too_far(what: str) -> SourceError:
    """The error for a compressed file that holds many times its length."""
    return SourceError(
        "{what} must not hold more than {most_unpacked:,} times its compressed length "
        "(or {always_unpacked} MiB); it does.",
        "unpack it yourself if it is what you expect, and give the unpacked file.",
        what=what,
        most_unpacked=MOST_UNPACKED,
        always_unpacked=ALWAYS_UNPACKED >> 20,
    )


def _too_long(what: str, most: int) -> SourceError:
    return SourceError(
        "{what} must hold at most {most} MiB, unpacked; it holds more.",
        "give a shorter file.",
        what=what,
        most=most >> 20,
    )
