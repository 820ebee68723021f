"""A contest as one file: its document, what was handed in and published, attacks, scores, the audit log, and a digest of each.

Keys and the contest's tables go in only where that is asked for: with them everything can be judged again. Without them an
archive is still its organiser's: whoever has the original table reads the key off the order of lines of a submission.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from dataclasses import asdict
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from sfumato.arena.room import Room
from sfumato.arena.store import Handed, Store
from sfumato.contest.opening import read_contest
from sfumato.contest.unpack import DAMAGE, copied, damaged, digest_of, plain_members
from sfumato.errors import SourceError
from sfumato.frozen import dataclass
from sfumato.table.values import parsed_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sfumato.arena.store import Noted
    from sfumato.document.contest import ContestDocument

FORMAT = "sfumato.arena-archive/1"
CONTENTS, SUMS, DOCUMENT = "archive.json", "SHA256SUMS", "contest.toml"
MOST_FILES = 1_000_000
"""Members of an archive."""
MOST_TOLD = 1 << 30
"""Bytes of the lists of an archive."""
_REMEDY = "take the file that `sfumato arena archive` wrote."
_PIECE = 1 << 20
_MOMENT = (1980, 1, 1, 0, 0, 0)
"""When every member was written, so that the same contest is the same file."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What an archive says of itself.

    Args:
        contest: its name.
        has_secrets: whether the contest's tables and the keys are in it.
        teams: by name.
        files: all that was handed in, with what the judge said.
        audit: who did what when, the oldest first.
    """

    contest: str
    has_secrets: bool
    teams: tuple[str, ...]
    files: tuple[Handed, ...]
    audit: tuple[Noted, ...]

    def written(self) -> str:
        """As JSON."""
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1, ensure_ascii=False) + "\n"


def contents_from(text: str) -> Contents:
    """What `Contents.written` wrote.

    Raises:
        SourceError: it is something else.

    Example:
        >>> one = Contents("Spring", False, ("red",), (), ((0.0, "red", "token", None),))
        >>> contents_from(one.written()) == one
        True
    """
    said = parsed_json(text, "The list of an archive", _REMEDY)
    try:
        if not isinstance(said, dict) or said["format"] != FORMAT:
            raise ValueError  # noqa: TRY301 - told below as everything else that is wrong
        files = tuple(_handed(one) for one in said["files"])
        audit = tuple((float(at), str(who), str(what), file) for at, who, what, file in said["audit"])
        teams = tuple(str(one) for one in said["teams"])
        if not {one.team for one in files} <= set(teams):
            raise ValueError  # noqa: TRY301
        return Contents(str(said["contest"]), bool(said["has_secrets"]), teams, files, audit)
    except (KeyError, TypeError, ValueError):
        raise SourceError("The list of an archive must be written as this version writes it.", _REMEDY) from None


def _handed(said: dict[str, Any]) -> Handed:
    """A file of the list. What was with a judge waits: the judge is gone."""
    one = Handed(**said)
    states = {"waiting", "accepted", "refused", "failed"}
    state = "waiting" if one.state == "judging" else one.state
    if type(one.id) is not int or not 0 < one.id < 2**31 or state not in states:
        raise ValueError
    return Handed(one.id, one.team, one.target, one.at, one.sha256, state, one.result, one.published)


def pack(out: Path, contest: Path, store: Store, room: Room, *, with_secrets: bool) -> str:
    """Write the archive of a contest.

    Args:
        out: the file; it must not be there.
        contest: document of the contest.
        store: its tables.
        room: its files.
        with_secrets: whether keys and the contest's tables go in too.

    Returns:
        SHA-256 of the archive, in hexadecimal.

    Raises:
        SourceError: a file is absent, or is not the one that was handed in.
    """
    said = read_contest(contest)
    with store.holding():
        listed = Contents(said.name, with_secrets, store.teams(), store.everything(), tuple(store.audit()))
    digests: dict[str, str] = {}
    with zipfile.ZipFile(out, "x", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
        _write(archive, digests, CONTENTS, listed.written().encode())
        _write(archive, digests, DOCUMENT, contest.read_bytes())
        for name, path in _sources(said, contest.parent, room, listed):
            _copy(archive, digests, name, path)
        for one in listed.files:
            if digests[f"handed/{one.id}"] != one.sha256:
                raise SourceError("File {n} must be as it was handed in; it was changed.", "restore it.", n=one.id)
        sums = "".join(f"{digest}  {name}\n" for name, digest in digests.items())
        archive.writestr(zipfile.ZipInfo(SUMS, _MOMENT), sums)
    return digest_of(out).hex()


def unpack(path: Path, into: Path, opened: Callable[[Path], Store]) -> Contents:
    """Lay a contest out as it was: its document, its tables where they are in it, and the folder `store`.

    Args:
        path: of the archive.
        into: folder that is made; nothing is left of it where something is wrong.
        opened: the empty store of a folder of files.

    Raises:
        SourceError: the archive is damaged, was changed, or holds something else than a contest; the store is not empty.
    """
    if not path.is_file():
        raise SourceError("There must be a file {name!r}.", "correct its name.", name=path.name)
    beside = into.with_name(f".{into.name}.part")
    if into.exists() or beside.exists():
        raise SourceError("The folder {name!r} must not be there.", "choose another place.", name=into.name)
    beside.mkdir(mode=0o700, parents=True)
    try:
        listed = _laid_out(path, beside)
        store = opened(beside / "store")
        try:
            if not store.restore(listed.teams, listed.files, listed.audit):
                raise SourceError("The database of a contest that is opened must be empty.", "name another one.")
        finally:
            store.close()
        beside.rename(into)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return listed


def _sources(said: ContestDocument, folder: Path, room: Room, listed: Contents) -> Iterator[tuple[str, Path]]:
    """Names of members and where they come from."""
    for one in sorted(listed.files, key=lambda one: one.id):
        yield f"handed/{one.id}", room.file(one.id)
        if room.public(one.id).exists():
            yield f"public/{one.id}", room.public(one.id)
        if listed.has_secrets and room.key(one.id).exists():
            yield f"keys/{one.id}", room.key(one.id)
    if listed.has_secrets:
        for name in _tables(said):
            yield f"tables/{name}", folder / name


def _tables(said: ContestDocument) -> tuple[str, ...]:
    """Tables that a contest names, each once.

    Raises:
        SourceError: one that is not beside its document.
    """
    table = said.table
    names = dict.fromkeys(name for name in (table.original, table.reference, table.regions) if name is not None)
    for name in names:
        parts = PurePosixPath(name).parts
        if PurePosixPath(name).is_absolute() or ".." in parts or "\\" in name or parts[:1] in {("store",), (DOCUMENT,)}:
            raise SourceError("The table {name!r} must be beside the document, or below it.", "move it.", name=name)
    return tuple(names)


def _laid_out(path: Path, folder: Path) -> Contents:
    """The files of an archive in their places, each with its digest."""
    try:
        with zipfile.ZipFile(path) as archive:
            inside = plain_members(archive, MOST_FILES)
            sums = _sums(archive, inside)
            if set(sums) != set(inside) - {SUMS} or not {CONTENTS, DOCUMENT} <= set(sums):
                raise _changed(SUMS)

            def put(name: str, to: Path, most: int) -> Path:
                to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                with archive.open(inside[name]) as file:
                    copied(file, to, most)
                if digest_of(to).hex() != sums.pop(name):
                    raise _changed(name)
                to.chmod(0o600)
                return to

            listed = contents_from(put(CONTENTS, folder / CONTENTS, MOST_TOLD).read_text("utf-8"))
            said = read_contest(put(DOCUMENT, folder / DOCUMENT, MOST_TOLD))
            (folder / CONTENTS).unlink()
            places = _places(said, listed, folder)
            if not set(sums) <= set(places):
                raise _changed(next(name for name in sums if name not in places))
            for name in list(sums):
                put(name, places[name], max(said.limits.bytes, MOST_TOLD))
            absent = [one.id for one in listed.files if not Room(folder / "store").file(one.id).exists()]
            if absent:
                raise _changed(f"handed/{absent[0]}")
            return listed
    except (*DAMAGE, UnicodeDecodeError) as error:
        raise damaged(path) from error


def _places(said: ContestDocument, listed: Contents, folder: Path) -> dict[str, Path]:
    """Where each member that an archive may have belongs."""
    room = Room(folder / "store")
    places = {f"tables/{name}": folder / name for name in _tables(said)}
    for one in listed.files:
        places |= {f"handed/{one.id}": room.file(one.id), f"public/{one.id}": room.public(one.id), f"keys/{one.id}": room.key(one.id)}  # fmt: skip
    return places


def _sums(archive: zipfile.ZipFile, inside: Mapping[str, zipfile.ZipInfo]) -> dict[str, str]:
    """Digests of members by name."""
    if SUMS not in inside:
        raise _changed(SUMS)
    with archive.open(inside[SUMS]) as file:
        text = file.read(MOST_TOLD).decode("utf-8")
    return {name: digest for digest, _, name in (line.partition("  ") for line in text.splitlines())}


def _write(archive: zipfile.ZipFile, digests: dict[str, str], name: str, content: bytes) -> None:
    """A member that is in memory."""
    digests[name] = hashlib.sha256(content).hexdigest()
    archive.writestr(zipfile.ZipInfo(name, _MOMENT), content, zipfile.ZIP_DEFLATED)


def _copy(archive: zipfile.ZipFile, digests: dict[str, str], name: str, path: Path) -> None:
    """A member from a file."""
    digest, about = hashlib.sha256(), zipfile.ZipInfo(name, _MOMENT)
    about.compress_type = zipfile.ZIP_DEFLATED
    try:
        with path.open("rb") as file, archive.open(about, "w", force_zip64=True) as out:
            while piece := file.read(_PIECE):
                digest.update(piece)
                out.write(piece)
    except OSError as error:
        raise SourceError(
            "The file {name!r} must be readable.", "correct its name or its rights.", name=name
        ) from error
    digests[name] = digest.hexdigest()


def _changed(name: str) -> SourceError:
    """An archive that is not as it was written."""
    return SourceError(
        "The archive must be as it was written; {name!r} is changed, absent, or one too many.", _REMEDY, name=name
    )
