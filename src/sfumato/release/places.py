"""The files that a command reads and writes, and whether it may: nothing that is read is ever overwritten.

The one rule for every path that is written: it is no file that is read, no other output, no folder, device, pipe or
link to nothing; its folder is there and may be written. It is asked before anything is read. Two paths are one file
when the file system says so (links, letters of another case, other ways to write a path); two files that are not there
yet are one when their names differ in nothing but case.
"""

from __future__ import annotations

import os
import re
import unicodedata
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from sfumato.errors import SourceError
from sfumato.frozen import dataclass
from sfumato.table.source import FileSink, FileSource, SqlSink, SqlSource, uri_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sfumato.release.plan import PerturbChoice, Plan
    from sfumato.table.source import Sink, Source

_PARTS = re.compile(r".*\.parquet|_SUCCESS|\..*\.crc", re.DOTALL)
"""Names of the files of a folder that a cluster wrote."""
_PACKED = (".gz", ".zst")


@dataclass(frozen=True, slots=True)
class Place:
    """One path of a command.

    Args:
        role: what it is to who gave it, such as "the source".
        path: the path; URIs of shared storage are not looked at, but `file:` is.
        parts: whether a folder that a cluster wrote may be replaced.
    """

    role: str
    path: Path
    parts: bool = False


def check_places(read: Iterable[Place], written: Sequence[Place]) -> None:
    """Refuse a path that may not be written.

    Args:
        read: every file that is read, or kept (a database, a ledger).
        written: every file that is written whole.

    Raises:
        SourceError: an output that is a file that is read, or another output, or no file, or in no folder that may be
            written. Remedy: another path.

    Example:
        >>> check_places([Place("the source", Path("t.csv"))], [Place("the report", Path("./t.csv"))])
        Traceback (most recent call last):
        sfumato.errors.SourceError: The report must not overwrite the source; both are 't.csv'. Remedy: give the report another path.
    """
    known: dict[tuple[object, ...], Place] = {}
    for place in read:
        if (key := _identity(place)) is not None:
            known.setdefault(key, place)
    for place in written:
        key = _identity(place)
        if key is not None and key in known:
            raise SourceError(
                "{upper}{role} must not overwrite {role2}; both are {known!r}.",
                "give {role3} another path.",
                upper=place.role[:1].upper(),
                role=place.role[1:],
                role2=known[key].role,
                known=known[key].path.name,
                role3=place.role,
            )
        if uri_of(place.path) is None:
            _check_kind(place)
            _check_folder(place)
        if key is not None:
            known[key] = place


def source_places(role: str, source: Source | None) -> Iterator[Place]:
    """The file of a table or database."""
    if isinstance(source, FileSource):
        yield Place(role, source.path)
    elif isinstance(source, SqlSource):
        yield from database_places(f"the database of {role}", source.url)


def sink_places(role: str, sink: Sink | None, *, parts: bool = False) -> tuple[list[Place], list[Place]]:
    """What a sink keeps (a database gets a new table, the others stay) and what it writes whole."""
    if isinstance(sink, FileSink):
        return [], [Place(role, sink.path, parts)]
    return (list(database_places(f"the database of {role}", sink.url)), []) if isinstance(sink, SqlSink) else ([], [])


def plan_reads(plan: Plan) -> Iterator[Place]:
    """Every file that a plan names and that is read or kept: itself, source, hierarchies, keys, their tables, ledger."""
    if plan.file is not None:
        yield Place("the plan", plan.file)
    yield from source_places("the source", plan.source)
    yield from source_places("the table of vertices", plan.vertices)
    for column in plan.schema.columns:
        yield from (Place(f"the hierarchy of {column.name!r}", path) for path in _paths_in(column.hierarchy))
    for choice in plan.perturb:
        yield from choice_reads(choice)
    if plan.account is not None:
        yield from database_places("the ledger", plan.account.ledger)


def choice_reads(choice: PerturbChoice) -> Iterator[Place]:
    """The key of a column's pseudonyms and the table that is kept of them."""
    from sfumato.document.perturb import Pseudonym

    if not isinstance(choice.said, Pseudonym):
        return
    if choice.said.key.file is not None:
        yield Place(f"the key of {choice.column!r}", choice.folder / choice.said.key.file)
    if choice.said.table is not None:
        yield Place(f"the table of pseudonyms of {choice.column!r}", choice.folder / choice.said.table)


def beside(path: Path, word: str) -> Path:
    """Where a further table of a release goes: beside the first.

    Example:
        >>> beside(Path("release.csv.gz"), "sensitive").name
        'release.sensitive.csv.gz'
    """
    end = "".join(path.suffixes[-2:]) if path.suffix.lower() in _PACKED else path.suffix
    return path.with_name(f"{path.name.removesuffix(end)}.{word}{end}")


def database_places(role: str, url: str) -> Iterator[Place]:
    """The file of an SQLite or DuckDB database."""
    if url.startswith(("sqlite:", "duckdb:")):
        yield Place(role, Path(unquote(urlsplit(url).path.removeprefix("/"))))


def _paths_in(spec: object) -> Iterator[Path]:
    """Every path that a declaration holds."""
    if isinstance(spec, Path):
        yield spec
    elif is_dataclass(spec):
        for field in fields(spec):
            yield from _paths_in(getattr(spec, field.name))
    elif isinstance(spec, (tuple, list)):
        for item in spec:
            yield from _paths_in(item)


def _identity(place: Place) -> tuple[object, ...] | None:
    """What makes two paths one file; None where the file system cannot say, which whoever reads it will."""
    uri, path = uri_of(place.path), place.path
    if uri is not None:
        if not uri.startswith("file:"):
            return ("uri", uri)
        path = Path(unquote(urlsplit(uri).path))
    try:
        try:
            found = path.stat()
        except (FileNotFoundError, NotADirectoryError):
            folder = path.absolute().parent.stat()
            return folder.st_dev, folder.st_ino, unicodedata.normalize("NFC", path.name).casefold()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def _check_kind(place: Place) -> None:
    """Only a file, or nothing, may stand where one is written."""
    path = place.path
    try:
        if not os.path.lexists(path):
            return
        wrong = (
            "a link to nothing" if path.is_symlink() and not path.exists()
            else "a folder" if path.is_dir()
            else "" if path.is_file()
            else "a device, a pipe or a socket"
        )  # fmt: skip
        if wrong == "a folder" and place.parts:
            wrong = "" if all(_PARTS.fullmatch(one.name) for one in path.iterdir()) else "a folder of something else"
    except (OSError, ValueError):
        raise _unwritable(place, "its path cannot be a file's") from None
    if wrong:
        raise SourceError(
            "{role} is written to a file; {name!r} is {wrong}.",
            "name a file in it." if wrong == "a folder" else "choose another path.",
            role=place.role[:1].upper() + place.role[1:],
            name=path.name,
            wrong=wrong,
        )


def _check_folder(place: Place) -> None:
    """The folder must be there and may be written."""
    folder = place.path.parent
    try:
        found, may = folder.is_dir(), os.access(folder, os.W_OK | os.X_OK)
    except (OSError, ValueError):
        found = may = False
    if not found:
        raise SourceError(
            "The folder of {path!r} must exist; it does not.", "make it, or choose another place.", path=place.path.name
        )
    if not may:
        raise _unwritable(place, "its folder may not be written")


def _unwritable(place: Place, why: str) -> SourceError:
    """A place where nothing can be written."""
    return SourceError("{path!r} must be writable; {why}.", "choose another place.", path=place.path.name, why=why)
