"""Times of tables: what texts say, and clocks that are put forward and back."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.table.clock import from_local, local, read_times

HOUR = 3_600_000


def milliseconds(text):
    return round(datetime.fromisoformat(text).timestamp() * 1000)


@pytest.mark.parametrize(
    ("text", "zone", "written", "moment"),
    [
        ("2018-06-01 08:00:00", "Asia/Tokyo", "local", "2018-05-31T23:00Z"),
        ("2018-06-01T08:00", "Asia/Tokyo", "utc", "2018-06-01T08:00Z"),
        ("2018-06-01 23:00:00Z", "Asia/Tokyo", "local", "2018-06-01T23:00Z"),
        ("2018-06-01 08:00:00.25+02", "Asia/Tokyo", "utc", "2018-06-01T06:00:00.250Z"),
        ("2018/06/01 08:00:00 -0330", "UTC", "utc", "2018-06-01T11:30Z"),
        ("2018-06-01", "Europe/Paris", "local", "2018-05-31T22:00Z"),
        ("1211018404", "America/Los_Angeles", "seconds", "2008-05-17T10:00:04Z"),
        ("1211018404000", "America/Los_Angeles", "milliseconds", "2008-05-17T10:00:04Z"),
        ("-1.0", "UTC", "seconds", "1969-12-31T23:59:59Z"),
    ],
)
def test_texts_are_points_in_time(text, zone, written, moment):
    found = read_times([text], zone, written)
    assert found.is_read.all()
    assert found.time.tolist() == [milliseconds(moment)]


@pytest.mark.parametrize("text", ["", "soon", "2018-02-30 08:00:00", "2018-06-01 25:00", "08:00", "0000-01-01", "1e9"])
@pytest.mark.parametrize("written", ["local", "utc", "seconds"])
def test_other_texts_are_not_read(text, written):
    assert not read_times([text], "UTC", written).is_read.any()


@pytest.mark.parametrize(
    "zone", ["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "UTC"]
)
def test_clock_times_of_two_years_are_read_as_the_standard_library_reads_them(zone):
    """Every half hour of the days around those on which clocks are put, and every seventeenth of the others.

    Lord Howe puts its clocks by half an hour; Apia had no 30 December 2011.
    """
    start, place = datetime(2011, 1, 1, tzinfo=UTC), ZoneInfo(zone)
    offsets = [(start + timedelta(days=day)).astimezone(place).utcoffset() for day in range(2 * 365)]
    put = [day for day in range(1, 2 * 365) if offsets[day] != offsets[day - 1]]
    near = {day + away for day in put for away in range(-3, 3)}
    clocks = [start + timedelta(minutes=30 * i) for i in range(2 * 365 * 48) if i // 48 in near or i % 17 == 0]
    found = from_local(np.array([round(c.timestamp() * 1000) for c in clocks]), zone)
    for clock, time, skipped, twofold in zip(
        clocks, found.time.tolist(), found.is_skipped.tolist(), found.is_twofold.tolist(), strict=True
    ):
        early, late = (clock.replace(tzinfo=place, fold=fold) for fold in (0, 1))
        is_real = early.astimezone(UTC).astimezone(place).replace(tzinfo=None) == clock.replace(tzinfo=None)
        assert skipped == (not is_real)
        assert is_real == (time == round(early.timestamp() * 1000)) or not is_real
        assert twofold == (is_real and early.utcoffset() != late.utcoffset())
    assert np.array_equal(
        local(found.time[~found.is_skipped], zone),
        [round(c.timestamp() * 1000) for c, s in zip(clocks, found.is_skipped, strict=True) if not s],
    )


def test_the_day_on_which_summer_begins_keeps_its_order():
    """users.md I2: 00:55 and 01:05 UTC of 25 March 2018 are ten minutes apart, and 01:55 and 03:05 in Paris."""
    found = read_times(["2018-03-25T00:55Z", "2018-03-25T01:05Z"], "Europe/Paris", "utc").time
    assert np.diff(found).tolist() == [600_000]
    shown = local(found, "Europe/Paris") % (24 * HOUR)
    assert shown.tolist() == [115 * 60_000, 185 * 60_000]
    clocks = read_times(["2018-03-25 01:55", "2018-03-25 02:30", "2018-10-28 02:30"], "Europe/Paris", "local")
    assert clocks.is_skipped.tolist() == [False, True, False]
    assert clocks.is_twofold.tolist() == [False, False, True]
    assert clocks.time[2] == milliseconds("2018-10-28T00:30Z")


def test_nothing_is_read_of_nothing():
    found = read_times([], "UTC", "local")
    assert found.at(np.array([-1, -1])).is_read.tolist() == [False, False]


@pytest.mark.parametrize("zone", ["", "Mars/Base", None, "../etc/passwd", "CESTx"])
def test_no_zone_is_refused(zone):
    with pytest.raises(ParameterError, match="zone"):
        read_times(["2018-01-01"], zone, "utc")


def test_another_way_of_writing_is_refused():
    with pytest.raises(ParameterError, match="written"):
        read_times(["2018-01-01"], "UTC", "guess")
