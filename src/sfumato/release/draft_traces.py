"""A first plan for a table of who was when and where: recognised by names and values of four columns, written as TOML."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import tomlkit

from sfumato.document.header import FORMAT, PLAN
from sfumato.frozen import dataclass
from sfumato.table.plane import Plane

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tomlkit.items import Item, Table

    from sfumato.table import values
    from sfumato.table.clock import Written
    from sfumato.table.role import Look

_PERSON = {"person", "who", "user", "userid", "uid", "id", "device", "deviceid", "imei", "phone", "cab", "taxi", "vehicle", "driver", "trajid", "individual"}  # fmt: skip
_TIME = {"time", "timestamp", "datetime", "date", "at", "when", "t", "ts", "moment", "checkintime", "recordedat", "gpstime", "locationdate"}  # fmt: skip
_LATITUDE, _LONGITUDE = {"lat", "latitude"}, {"lon", "lng", "long", "longitude"}
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
_OWN_ZONE = re.compile(r"(Z|[+-]\d\d:?\d\d)$")
_LOOKED_AT = 1000
"""Values of a column that are looked at."""
_HALF_WAY = 179.0
"""Degrees around the Earth beyond which places are in no one region."""
_MOST_CELLS, _SIDES = 4000, (100, 200, 500, 1000, 2000, 5000, 10_000)


@dataclass(frozen=True, slots=True)
class Fixes:
    """What the four columns of a table of fixes seem to be.

    Args:
        person: column of persons, who have several rows.
        time: column of times.
        latitude: column of degrees.
        longitude: column of degrees.
        written: how times seem to be written.
        zone: a zone of whole hours by the mean longitude: a guess.
        corner: whole tenths of degrees south-west of all places.
        far: the same north-east.
    """

    person: str
    time: str
    latitude: str
    longitude: str
    written: Written
    zone: str
    corner: tuple[float, float]
    far: tuple[float, float]

    @property
    def names(self) -> tuple[str, str, str, str]:
        """The four columns."""
        return self.person, self.time, self.latitude, self.longitude


def fixes_of(looks: Mapping[str, Look], person: str | None) -> Fixes | None:
    """The four columns, if a table has them: degrees by name and range, times by name and form, persons who repeat.

    Args:
        looks: every column.
        person: an identifier that repeats; None: none was found, and names decide.
    """
    latitude, longitude = (named_as(looks, names) for names in (_LATITUDE, _LONGITUDE))
    time = next((name for name in looks if _plain(name) in _TIME and _written(looks[name].values)), None)
    who = person or named_as(looks, _PERSON)
    if latitude is None or longitude is None or time is None or who is None:
        return None
    repeats = 1 <= len(looks[who].values) < looks[who].n_rows
    up, along = _degrees(looks[latitude].values, 85.0), _degrees(looks[longitude].values, 180.0)
    if not repeats or len({who, time, latitude, longitude}) < 4 or up is None or along is None:
        return None
    (south, north), (west, east) = up, along
    hours = round((west + east) / 30)
    return Fixes(
        who, time, latitude, longitude, _written(looks[time].values) or "local", f"Etc/GMT{-hours:+d}" if hours else "UTC",
        (math.floor(south * 10) / 10, math.floor(west * 10) / 10), (math.ceil(north * 10) / 10, math.ceil(east * 10) / 10),
    )  # fmt: skip


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def named_as(looks: Mapping[str, Any], names: set[str]) -> str | None:
    """The first column of one of these names, without case and signs."""
    return next((name for name in looks if _plain(name) in names), None)


def _written(texts: Sequence[str]) -> Written | None:
    """How times are written; None: these are none."""
    some = texts[:_LOOKED_AT]
    if not some:
        return None
    if all(text.lstrip("-").isdecimal() for text in some):
        size = float(np.median([abs(int(text)) for text in some]))
        return "seconds" if 1e8 < size < 1e11 else "milliseconds" if 1e11 <= size < 1e14 else None
    if not all(_MOMENT.match(text) for text in some):
        return None
    return "utc" if all(_OWN_ZONE.search(text) for text in some) else "local"


def _degrees(texts: Sequence[str], most: float) -> tuple[float, float] | None:
    """The least and the greatest; None: these are no degrees."""
    try:
        found = np.array(texts, np.float64)
    except ValueError:
        return None
    low, high = float(found.min(initial=np.inf)), float(found.max(initial=-np.inf))
    return (low, high) if -most <= low <= high <= most and high - low < _HALF_WAY else None


def traces_text(fixes: Fixes, source: values.Table, *, stem: str, suffix: str) -> str:
    """The commented plan.

    Args:
        fixes: what was recognised.
        source: the [source] table.
        stem: name of the table without suffix, for the names of the outputs.
        suffix: of the release.
    """
    words = (
        "A first plan for a table of who was when and where. Every line is a guess to be checked by someone who knows the data.",
        "Persons get numbers that are drawn anew; columns that are none of the four are left out.",
    )
    array = tomlkit.aot()
    array.append(_protect())
    parts = {"traces": _traces(fixes), "region": _region(fixes), "protect": array}
    return commented_plan(words, source, parts, stem=stem, suffix=suffix)


def commented_plan(
    words: Sequence[str], source: values.Table, parts: Mapping[str, Item], *, stem: str, suffix: str
) -> str:
    """A plan with comments at its head, its source, its parts and its outputs.

    Args:
        words: the comments.
        source: the [source] table.
        parts: what stands between, by the names of the tables.
        stem: name of the table without suffix, for the names of the outputs.
        suffix: of the release.
    """
    document = tomlkit.document()
    for line in words:
        document.add(tomlkit.comment(line))
    document.add(FORMAT, tomlkit.item(PLAN.format))
    document.add("source", toml_table(dict(source)))
    for name, part in parts.items():
        document.add(name, part)
    output = {"path": f"{stem}.release.{suffix}", "report": f"{stem}.report.html", "result": f"{stem}.result.json"}
    document.add("output", toml_table(output))
    return tomlkit.dumps(document)


def toml_table(keys: Mapping[str, values.Item]) -> Table:
    """Keys as a table that may get comments."""
    table = tomlkit.table()
    for key, value in keys.items():
        table.add(key, value)
    return table


def _traces(fixes: Fixes) -> Table:
    """[traces]."""
    table = toml_table(dict(zip(("person", "time", "latitude", "longitude"), fixes.names, strict=True)))
    table.add("zone", fixes.zone)
    table["zone"].comment(
        'by longitude alone: name where the persons live, such as "Europe/Paris"; it says when night is'
    )
    table.add("written", fixes.written)
    table["written"].comment("local, utc, seconds or milliseconds")
    return table


def _region(fixes: Fixes) -> Table:
    """[region]: tenths of degrees around all places, in cells that are not too many."""
    table = tomlkit.table()
    table.add(
        tomlkit.comment(
            "Public: declare it from a map. These tenths of degrees hold all places of the table, which tells"
        )
    )
    table.add(tomlkit.comment("roughly where its outermost ones are."))
    north, east = Plane(*fixes.corner).metres_of(np.array([fixes.far[0]]), np.array([fixes.far[1]]))[::-1]
    extent = max(float(north[0]), 1.0), max(float(east[0]), 1.0)
    side = next((side for side in _SIDES if max(extent) / side <= _MOST_CELLS), _SIDES[-1])
    rows, columns = (math.ceil(length / side) for length in extent)
    for key, value in zip(
        ("latitude", "longitude", "metres", "rows", "columns"), (*fixes.corner, side, rows, columns), strict=True
    ):
        table.add(key, value)
    return table


def _protect() -> Table:
    """[[protect]]."""
    table = tomlkit.table()
    table.add(
        tomlkit.comment(
            "Reports of one person add up. Others: promesse, memoised-reports, cloak, shared-paths, near-paths, rule;"
        )
    )
    table.add(tomlkit.comment("`sfumato sweep` compares them."))
    table.add("name", "geo-indistinguishability")
    table.add("ratio", 4)
    table.add("within", 200)
    table["within"].comment("metres within which no report is more than `ratio` times likelier")
    return table
