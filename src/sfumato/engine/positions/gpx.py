"""GPX: what receivers and telephones write, read by a parser that expands no entity and loads nothing.

Every point of a track is a fix; waypoints and routes are none. A GPX time is UTC and says so.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args
from xml.parsers import expat

import numpy as np
import pyarrow as pa

from sfumato.engine.positions.points import doubles
from sfumato.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable

PersonIs = Literal["file", "track"]
"""Who is a person: all tracks of one file, or each track by its name."""
_CHUNK = 1 << 20


def gpx(paths: str | Path | Iterable[str | Path], *, person: PersonIs) -> Any:
    """GPX files as an Arrow table with columns `person`, `time`, `latitude` and `longitude`, a row for each point of a track.

    Args:
        paths: a file, a folder of files, or several of them.
        person: who is a person: "file" (its name without the suffix) or "track" (its <name>; without one, the name of the
            file and a number).

    Raises:
        SourceError: no file, one that is no GPX, one that declares a document type (it may hide entities), or another word
            for a person.

    Source:
        GPX 1.1 schema, topografix.com.
    """
    if person not in get_args(PersonIs):
        raise SourceError(
            "A person in GPX files is a file or a track; got {person!r}.",
            'say `person="file"` or `person="track"`.',
            person=person,
        )
    given = [Path(paths)] if isinstance(paths, (str, Path)) else [Path(path) for path in paths]
    files = [file for path in given for file in (sorted(path.glob("*.gpx")) if path.is_dir() else [path])]
    if not files:
        raise SourceError("At least one GPX file is needed; there is none.", "check the path.")
    parts = [_read(file, person) for file in files]
    names, times = ([one for part in parts for one in getattr(part, what)] for what in ("persons", "times"))
    degrees = (np.array([one for part in parts for one in getattr(part, what)], np.float64) for what in ("latitudes", "longitudes"))  # fmt: skip
    columns = {"person": pa.array(names, pa.string()), "time": pa.array(times, pa.string())}
    return pa.table(columns | dict(zip(("latitude", "longitude"), map(doubles, degrees), strict=True)))


class _Reader:
    """What the parser calls: lists grow as points end."""

    def __init__(self, stem: str, person: PersonIs) -> None:
        self.persons: list[str | None] = []
        self.times: list[str | None] = []
        self.latitudes: list[float] = []
        self.longitudes: list[float] = []
        self._stem, self._by_track = stem, person == "track"
        self._path: list[str] = []
        self._text: list[str] | None = None
        self._track, self._begun, self._name = 0, 0, ""
        self._time: str | None = None
        self._place = float("nan"), float("nan")

    def start(self, tag: str, given: dict[str, str]) -> None:
        """An element begins."""
        name = tag.rpartition(":")[2]
        self._path.append(name)
        if len(self._path) == 1 and name != "gpx":
            raise _NoGpxError
        if name == "trk":
            self._track, self._begun, self._name = self._track + 1, len(self.times), ""
        elif name == "trkpt":
            self._time, self._place = None, (_number(given.get("lat")), _number(given.get("lon")))
        elif self._path[-2:] in (["trkpt", "time"], ["trk", "name"]):
            self._text = []

    def text(self, part: str) -> None:
        """Text of an element that is read."""
        if self._text is not None:
            self._text.append(part)

    def end(self, tag: str) -> None:
        """An element ends."""
        name, said = tag.rpartition(":")[2], "".join(self._text or ()).strip()
        if self._path[-2:] == ["trkpt", "time"]:
            self._time = said or None
        elif self._path[-2:] == ["trk", "name"]:
            self._name = said
        elif name == "trkpt":
            self.times.append(self._time)
            self.latitudes.append(self._place[0])
            self.longitudes.append(self._place[1])
        elif name == "trk":
            own = (self._name or f"{self._stem} {self._track}") if self._by_track else self._stem
            self.persons += [own] * (len(self.times) - self._begun)
        self._text = None
        self._path.pop()


class _NoGpxError(Exception):
    """The first element is not gpx, or there is a document type."""


def _refuse(*_: object) -> None:
    raise _NoGpxError


def _number(text: str | None) -> float:
    """Degrees, NaN if it is no number."""
    try:
        return float(text or "nan")
    except ValueError:
        return float("nan")


def _read(path: Path, person: PersonIs) -> _Reader:
    """The points of one file."""
    reader, parser = _Reader(path.stem, person), expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.CharacterDataHandler = reader.text
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = _refuse
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                parser.Parse(chunk, False)
            parser.Parse(b"", True)
    except OSError as error:
        raise SourceError("{name!r} must be a file that can be read.", "check the path.", name=path.name) from error
    except (expat.ExpatError, _NoGpxError, ValueError, LookupError):
        raise SourceError(
            "{name!r} must be a GPX file: well-formed XML whose first element is `gpx`, without a document type (line "
            "{line}).",
            "export the track again; document types can hide entities and are not read.",
            name=path.name,
            line=parser.CurrentLineNumber,
        ) from None
    return reader
