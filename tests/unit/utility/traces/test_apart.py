"""Distances against all pairs, one by one."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from tests.unit.utility.traces.drawn import drawn

from sfumato.errors import ParameterError
from sfumato.table.plane import distance
from sfumato.table.traces import Traces
from sfumato.utility.traces.apart import from_fixes, from_path, from_then, spread


def metres(lat, lon, other_lat, other_lon):
    return float(distance(*(np.array([x]) for x in (lat, lon, other_lat, other_lon)))[0])


def path_of(original, who, gap, parts=400):
    """Many points of a person's path."""
    rows = [(t, lat, lon) for p, t, lat, lon in rows_of(original) if p == who]
    out = [(lat, lon) for _, lat, lon in rows]
    for (t, lat, lon), (u, lat2, lon2) in pairwise(rows):
        if u - t <= gap * 1000:
            out += [(lat + s * (lat2 - lat), lon + s * (lon2 - lon)) for s in np.linspace(0, 1, parts)]
    return np.array(out)


def rows_of(traces):
    return list(
        zip(*(getattr(traces, name).tolist() for name in ("person", "time", "latitude", "longitude")), strict=True)
    )


@pytest.mark.parametrize("seed", range(4))
def test_nearest_fixes_are_those_of_all_pairs(seed):
    original, published = drawn(seed), drawn(seed + 100)
    wanted = [
        min(metres(lat, lon, *place) for p, _, *place in rows_of(original) if p == who)
        for who, _, lat, lon in rows_of(published)
    ]
    assert from_fixes(published, original) == pytest.approx(wanted)


@pytest.mark.parametrize(("seed", "gap"), [(0, np.inf), (1, 7200), (2, 3600), (3, 1)])
def test_nearest_points_of_the_path_are_those_of_many_points_of_it(seed, gap):
    """Points are at most 7 m apart on lines of at most 2.8 km, so a distance d is found up to √(d² + 3.5²) - d."""
    original, published = drawn(seed), drawn(seed + 100)
    found = from_path(published, original, gap=gap)
    for (who, _, lat, lon), one in zip(rows_of(published), found.tolist(), strict=True):
        path = path_of(original, who, gap)
        n = len(path)
        near = float(distance(np.full(n, lat), np.full(n, lon), path[:, 0], path[:, 1]).min())
        assert one - 0.01 <= near <= np.hypot(one, 3.6) + 0.01


@pytest.mark.parametrize("seed", range(4))
def test_places_at_a_time_are_between_the_fixes_around_it(seed):
    original, published = drawn(seed), drawn(seed + 100)
    wanted = []
    for who, time, lat, lon in rows_of(published):
        rows = [row[1:] for row in rows_of(original) if row[0] == who]
        there = [np.interp(time, [r[0] for r in rows], [r[i] for r in rows]) for i in (1, 2)]
        wanted.append(metres(lat, lon, *there))
    assert from_then(published, original) == pytest.approx(wanted, abs=1e-6)


def test_original_fixes_and_points_between_them_are_no_distance_away():
    one = drawn(5)
    assert max(of(one, one).max() for of in (from_fixes, from_path, from_then)) < 1e-6
    at = np.flatnonzero(one.same)
    middle = (one.latitude[at] + one.latitude[at + 1]) / 2, (one.longitude[at] + one.longitude[at + 1]) / 2
    halfway = Traces(one.zone, one.persons, one.person[at], (one.time[at] + one.time[at + 1]) // 2, *middle)
    assert from_path(halfway, one).max() < 0.01
    assert from_then(halfway, one).max() < 0.01


def test_a_path_over_the_180th_meridian_takes_the_short_way():
    there = Traces("UTC", ("a",), np.zeros(2, int), np.array([0, 2000]), np.zeros(2), np.array([179.99, -179.99]))
    middle = Traces("UTC", ("a",), np.zeros(1, int), np.array([1000]), np.zeros(1), np.array([180.0]))
    assert from_path(middle, there)[0] < 0.01
    assert from_then(middle, there)[0] < 1e-6


def test_nobody_is_measured_by_another_person():
    """b is published exactly where a was: the distance is to b's own fix, 1,112 m away."""
    original = Traces("UTC", ("a", "b"), np.array([0, 1]), np.zeros(2, int), np.array([45.0, 45.01]), np.zeros(2))
    moved = Traces("UTC", ("a", "b"), np.array([1]), np.zeros(1, int), np.array([45.0]), np.zeros(1))
    assert [round(of(moved, original)[0]) for of in (from_fixes, from_path, from_then)] == [1112] * 3


def test_other_persons_are_refused_and_nothing_is_a_spread_of_none():
    one = drawn(6)
    with pytest.raises(ParameterError, match="persons of the original"):
        from_fixes(replace(one, persons=("x", "y", "z")), one)
    with pytest.raises(ParameterError, match="persons of the original"):
        from_then(one, one.kept(one.person > 0))
    none = one.kept(np.zeros(len(one), bool))
    assert [len(of(none, one)) for of in (from_fixes, from_path, from_then)] == [0, 0, 0]
    assert spread(np.zeros(0)).median is None
