"""Points in time: what a text or a number of a table says, and what a clock on the wall shows, by a declared time zone.

Times are whole milliseconds since 1970-01-01 00:00 UTC. No zone is ever assumed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, get_args
from zoneinfo import ZoneInfo

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.types import BoolArray, IntArray

Written = Literal["local", "utc", "seconds", "milliseconds"]
"""How times are written: by the clock of the place, by that of UTC, or as a number since 1970."""

DAY = 86_400_000
_SLOT = 900_000
"""Clocks are changed at a full quarter of an hour."""
_MOST_MARKS = 1 << 23
"""Slots between the first and the last that are marked rather than sorted: two centuries."""
_TEXT = re.compile(
    r"(\d{4})[-/](\d\d)[-/](\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?"
)
_NUMBER = re.compile(r"(-?\d{1,15})(?:\.0*)?")
_EARLIEST, _LATEST = -62_135_596_800_000, 253_402_300_800_000 - 1
"""The years 1 to 9999."""


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """What times say.

    Args:
        time: (n,) int64 milliseconds since 1970 UTC; anything where unreadable or skipped.
        is_read: (n,) bool: it is a point in time.
        is_skipped: (n,) bool: a clock time that never was, because the clock was put forward.
        is_twofold: (n,) bool: a clock time that was twice, because the clock was put back; the first is taken.
    """

    time: IntArray
    is_read: BoolArray
    is_skipped: BoolArray
    is_twofold: BoolArray

    def at(self, places: IntArray) -> Moments:
        """Those at some places; -1: no time."""
        here = places >= 0
        none = np.zeros(1, bool)
        return Moments(
            np.append(self.time, 0)[places].astype(np.int64),
            *(np.append(one, none)[places] & here for one in (self.is_read, self.is_skipped, self.is_twofold)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Stamps:
    """Times of which all are written alike, as whole numbers; a column that mixes forms stays texts.

    Args:
        form: "numbers" as they are, "clocks" in milliseconds since 1970-01-01 00:00 of the clock, or "moments" in
            milliseconds since 1970 UTC, from texts with an offset of their own.
        value: (n,) int64.
        is_there: (n,) bool: false where the cell is missing.
    """

    form: Literal["numbers", "clocks", "moments"]
    value: IntArray
    is_there: BoolArray

    def read(self, zone: str, written: Written) -> Moments:
        """What they say, exactly as `read_times` has it of their texts.

        Raises:
            ParameterError: see `read_times`.

        Example:
            >>> at = Stamps("clocks", np.array([9 * 3_600_000]), np.array([True])).read("Asia/Tokyo", "local")
            >>> at.time.tolist(), at.is_read.tolist()
            ([0], [True])
        """
        _check_written(zone, written)
        none = np.zeros(len(self.value), bool)
        is_number = written in {"seconds", "milliseconds"}
        if is_number != (self.form == "numbers"):
            return Moments(np.full(len(self.value), _EARLIEST - 1), none, none, none)
        time = self.value * (1000 if written == "seconds" else 1)
        has = self.is_there & (time >= _EARLIEST) & (time <= _LATEST)
        if self.form != "clocks" or written == "utc":
            return Moments(np.where(has, time, _EARLIEST - 1), has, none, none)
        found = from_local(np.where(has, time, 0), zone)
        return Moments(found.time, found.is_read & has, found.is_skipped & has, found.is_twofold & has)


def checked_zone(zone: str) -> ZoneInfo:
    """The time zone of a name.

    Raises:
        ParameterError: no zone of the IANA data base. Remedy: "Europe/Paris", "Asia/Shanghai" or "UTC".

    Example:
        >>> checked_zone("Asia/Tokyo").key
        'Asia/Tokyo'
    """
    try:
        return ZoneInfo(zone)
    except (KeyError, ValueError, TypeError, OSError) as error:
        raise ParameterError(
            "`zone` must name a time zone of the IANA data base; got {zone!r}.",
            'give the zone in which the persons live, such as "Europe/Paris" (on a system without time zones, install '
            "the package `tzdata`).",
            zone=zone,
        ) from error


def offsets(time: IntArray, zone: str) -> IntArray:
    """(n,) int64: milliseconds that local clocks are ahead of UTC at each moment.

    Example:
        >>> offsets(np.array([0, 15_552_000_000]), "Europe/Berlin").tolist()
        [3600000, 3600000]
    """
    from datetime import UTC, datetime

    place = checked_zone(zone)
    slots, of = _listed(np.clip(time, _EARLIEST + 2 * DAY, _LATEST - 2 * DAY) // _SLOT)
    ahead = [datetime.fromtimestamp(slot * _SLOT // 1000, UTC).astimezone(place).utcoffset() for slot in slots.tolist()]
    found = np.array([round(one.total_seconds() * 1000) if one else 0 for one in ahead], np.int64)
    return np.asarray(found[of.ravel()] if len(found) else np.zeros(0, np.int64))


def _listed(slots: IntArray) -> tuple[IntArray, IntArray]:
    """The distinct slots, rising, and the place of each in them; those of some centuries are marked and not sorted."""
    first, last = (int(slots.min()), int(slots.max())) if len(slots) else (0, 0)
    if last - first > _MOST_MARKS:
        found, of = np.unique(slots, return_inverse=True)
        return found, of.ravel()
    marks = np.zeros(last - first + 1, bool)
    marks[slots - first] = True
    return np.flatnonzero(marks) + first, (np.cumsum(marks) - 1)[slots - first]


def local(time: IntArray, zone: str) -> IntArray:
    """(n,) int64: what local clocks show, as milliseconds since 1970-01-01 00:00 of the clock.

    Example:
        >>> (local(np.array([0]), "Asia/Tokyo") // 3_600_000).tolist()
        [9]
    """
    return time + offsets(time, zone)


def from_local(clock: IntArray, zone: str) -> Moments:
    """Points in time of clock times; one that was twice is the first, one that never was is marked.

    Args:
        clock: (n,) int64 milliseconds since 1970-01-01 00:00 of the clock.
        zone: of the clock.

    Example:
        >>> hour = 3_600_000
        >>> night = 1_521_936_000_000  # 2018-03-25 00:00 in Paris, when 02:30 never was
        >>> from_local(np.array([night + 1.5 * hour, night + 2.5 * hour], np.int64), "Europe/Paris").is_skipped.tolist()
        [False, True]
    """
    before, after = (clock - offsets(clock + shift, zone) for shift in (-DAY, DAY))
    fits_before, fits_after = (moment + offsets(moment, zone) == clock for moment in (before, after))
    first = np.where(fits_before & fits_after, np.minimum(before, after), np.where(fits_before, before, after))
    is_there = fits_before | fits_after
    return Moments(first, is_there, ~is_there, fits_before & fits_after & (before != after))


def read_times(texts: Sequence[str], zone: str, written: Written) -> Moments:
    """What texts say: ISO 8601 dates and times, or numbers since 1970.

    A text that ends with Z or an offset says its own zone and is taken by it, whatever `written` is.

    Args:
        texts: canonical texts of cells.
        zone: of the clock, if times are local.
        written: "local", "utc", "seconds" or "milliseconds".

    Raises:
        ParameterError: no such zone, or another word for `written`. Remedy: one of the four.

    Example:
        >>> read_times(["1970-01-01 09:00:00", "1970-01-01T00:00:01Z", "nonsense"], "Asia/Tokyo", "local").time.tolist()[:2]
        [0, 1000]
    """
    _check_written(zone, written)
    if written in ("seconds", "milliseconds"):
        return _numbers(texts, 1000 if written == "seconds" else 1)
    stamp, offset, is_read = _clock_times(texts)
    own = offset != _NO_OFFSET
    moments = np.where(own, stamp - offset, stamp)
    skipped, twofold = np.zeros(len(texts), bool), np.zeros(len(texts), bool)
    at = np.flatnonzero(~own & is_read)
    if written == "local" and len(at):
        found = from_local(stamp[at], zone)
        moments[at], skipped[at], twofold[at] = found.time, found.is_skipped, found.is_twofold
    return Moments(moments, is_read & ~skipped, skipped, twofold)


def _check_written(zone: str, written: str) -> None:
    """Whether there is such a zone, and such a way to write times."""
    checked_zone(zone)
    if written not in get_args(Written):
        raise ParameterError(
            "`written` must be one of {words}; got {written!r}.",
            "say whether times are those of local clocks, of UTC, or numbers since 1970.",
            words=", ".join(get_args(Written)),
            written=written,
        )


_NO_OFFSET = np.iinfo(np.int64).min


def _numbers(texts: Sequence[str], unit: int) -> Moments:
    """Milliseconds of whole numbers."""
    found = [_NUMBER.fullmatch(text) for text in texts]
    values = [int(match[1]) * unit if match else _EARLIEST - 1 for match in found]
    time = np.array([value if _EARLIEST <= value <= _LATEST else _EARLIEST - 1 for value in values], np.int64)
    none = np.zeros(len(time), bool)
    return Moments(time, time >= _EARLIEST, none, none)


def _clock_times(texts: Sequence[str]) -> tuple[IntArray, IntArray, BoolArray]:
    """What each text's clock shows, its own offset, and whether it is a time at all."""
    parts = [_one(text) for text in texts]
    stamp = np.array([part[0] for part in parts], np.int64)
    offset = np.array([part[1] for part in parts], np.int64)
    return stamp, offset, stamp >= _EARLIEST


def _one(text: str) -> tuple[int, int]:
    """Clock and offset of a text in milliseconds; a clock before the first year: it is no time."""
    from datetime import UTC, datetime

    match = _TEXT.fullmatch(text.strip())
    if match is None:
        return _EARLIEST - 1, 0
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    try:
        clock = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return _EARLIEST - 1, 0
    stamp = round(clock.timestamp()) * 1000 + int(f"{match[7] or '':0<3}"[:3])
    return stamp, _offset(match[8])


def _offset(text: str | None) -> int:
    """Milliseconds of "Z", "+02", "-0330" or "+05:45"."""
    if text is None:
        return _NO_OFFSET
    if text == "Z":
        return 0
    digits = text[1:].replace(":", "")
    minutes = 60 * int(digits[:2]) + int(digits[2:] or 0)
    return (-1 if text[0] == "-" else 1) * minutes * 60_000
