"""Trips and weeks of persons: beside a loop over fixes, and where nothing may cross."""

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.table.plane import distance
from sfumato.table.traces import Traces
from sfumato.table.trips import by_week, trips_between, trips_by_gap

MINUTE = 60_000


def random_traces(seed, n=300, persons=5, zone="Europe/Paris"):
    rng = np.random.default_rng(seed)
    person = np.sort(rng.integers(0, persons, n))
    time = 1_521_900_000_000 + np.cumsum(rng.integers(1, 400, n)) * 10 * MINUTE
    return Traces(zone, tuple("abcde")[:persons], person, time, 45 + rng.random(n) / 10, 4 + rng.random(n) / 10)


def test_two_persons_with_one_fix_each_make_no_trip():
    two = Traces("UTC", ("a", "b"), np.array([0, 1]), np.array([0, MINUTE]), np.zeros(2), np.array([0.0, 0.01]))
    assert len(trips_by_gap(two, np.inf)) == 0 == len(trips_between(two.person, np.arange(2), np.arange(2)))


@pytest.mark.parametrize("by_day", [True, False])
def test_trips_and_lengths_are_those_of_a_loop(by_day):
    traces, gap = random_traces(4), 40 * 3600
    days = traces.clock // 86_400_000
    expected, first = [], 0
    for i in range(1, len(traces) + 1):
        if (
            i == len(traces)
            or traces.person[i] != traces.person[i - 1]
            or traces.time[i] - traces.time[i - 1] > gap * 1000
            or (by_day and days[i] != days[i - 1])
        ):
            if i - 1 > first:
                expected.append((first, i - 1))
            first = i
    found = trips_by_gap(traces, gap, by_day=by_day)
    assert list(zip(found.first.tolist(), found.last.tolist(), strict=True)) == expected
    lat, lon = traces.latitude, traces.longitude
    for (a, b), length in zip(expected, found.millimetres(traces).tolist(), strict=True):
        assert length == sum(round(float(distance(lat[i], lon[i], lat[i + 1], lon[i + 1])) * 1000) for i in range(a, b))


def test_weeks_begin_on_monday_by_the_clock_of_the_zone():
    """Sunday 2018-03-25 was 23 hours long in Paris; 22:30 UTC of it is Monday there, and Sunday in UTC."""
    night = 1_522_017_000_000
    time = np.array([night - 3_600_000, night])
    for zone, weeks in (("Europe/Paris", 2), ("UTC", 1)):
        found, whose = by_week(Traces(zone, ("a",), np.zeros(2, int), time, np.zeros(2), np.zeros(2)))
        assert len(found.persons) == weeks == len(whose)


def test_weeks_keep_every_fix_of_every_person():
    traces = random_traces(7)
    found, whose = by_week(traces)
    assert np.array_equal(whose[found.person], traces.person)
    assert np.array_equal(found.time, traces.time)
    week = (found.clock // 86_400_000 + 3) // 7
    assert all(len(set(week[found.person == unit])) == 1 for unit in range(len(whose)))


def test_a_gap_that_is_none_is_refused():
    with pytest.raises(ParameterError):
        trips_by_gap(random_traces(1), 0)
