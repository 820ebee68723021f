"""Meetings beside all pairs of fixes, and whom they give away."""

import numpy as np
import pytest

from sfumato.attack.traces.heat import cells_of_earth
from sfumato.attack.traces.meetings import Acquaintance, Meetings, meetings, scores
from sfumato.errors import ParameterError
from sfumato.table.plane import distance
from sfumato.table.traces import Traces


def strolls(rng, persons=6, n=30):
    person = np.repeat(np.arange(persons), n)
    time = np.concatenate([np.sort(rng.choice(4000, n, replace=False)) for _ in range(persons)]) * 1000
    lat, lon = (45 + rng.integers(0, 6, persons * n) / 1500 for _ in range(2))
    return Traces("UTC", tuple("abcdef"[:persons]), person, time, lat, lon)


@pytest.mark.parametrize("seed", range(4))
def test_meetings_are_those_of_all_pairs(seed):
    traces = strolls(np.random.default_rng(seed))
    cell = cells_of_earth(traces.latitude, traces.longitude, 100)
    expected = set()
    for a in range(len(traces)):
        for b in range(len(traces)):
            first, second = sorted((a, b), key=lambda i: (traces.time[i], i))
            near = distance(traces.latitude[a], traces.longitude[a], traces.latitude[b], traces.longitude[b]) <= 100
            if traces.person[a] < traces.person[b] and near and traces.time[second] - traces.time[first] <= 60_000:
                visitors = len(set(traces.person[cell == cell[first]].tolist()))
                slot = int(traces.time[first] // 60_000)
                expected.add((int(traces.person[a]), int(traces.person[b]), visitors / 6, int(cell[first]), slot))
    met = meetings(traces, metres=100, seconds=60)
    found = sorted(zip(met.one.tolist(), met.other.tolist(), met.popularity.tolist(), strict=True))
    assert found == sorted(one[:3] for one in expected)
    assert len(found) > 10
    assert met.times.tolist() == [len(set((traces.time[traces.person == p] // 60_000).tolist())) for p in range(6)]


def test_rare_places_tell_more_than_popular_ones():
    """Three meetings where everybody goes say less than one where only two ever were."""
    met = Meetings(9, np.array([0, 0, 0, 0]), np.array([1, 1, 1, 2]), np.array([1.0, 1.0, 1.0, 2 / 9]), np.full(9, 5))
    rng = np.random.default_rng(1)
    assert Acquaintance("rare places").guess(met, np.array([0]), rng).tolist() == [2]
    assert Acquaintance("shared times").guess(met, np.array([0, 8]), rng).tolist() == [1, -1]
    assert scores(met, "shared times")[2].tolist() == [3 / 7, 1 / 9]


def test_no_numbers_and_no_words_are_refused():
    with pytest.raises(ParameterError, match="meeting"):
        meetings(strolls(np.random.default_rng(1)), metres=0, seconds=60)
    with pytest.raises(ParameterError, match="one of"):
        Acquaintance("gossip")
