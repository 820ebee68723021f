"""DJ clustering beside its definition, and places of real taxis."""

import numpy as np
import pytest

from sfumato.attack.traces.clusters import Search, density_joined, places_found
from sfumato.errors import ParameterError
from sfumato.table.plane import distance
from sfumato.table.traces import Traces


def slow_clusters(lat, lon, metres, least):
    """Sets of positions of one person: neighborhoods that count, joined while two share a position."""
    n = len(lat)
    around = [{j for j in range(n) if distance(lat[i], lon[i], lat[j], lon[j]) <= metres} for i in range(n)]
    sets = [one for one in around if len(one) >= least]
    while True:
        pair = next(((a, b) for a in range(len(sets)) for b in range(a) if sets[a] & sets[b]), None)
        if pair is None:
            return {frozenset(one) for one in sets}
        sets[pair[1]] |= sets.pop(pair[0])


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("least", [1, 2, 4])
def test_clusters_are_those_of_the_definition(seed, least):
    rng = np.random.default_rng(seed)
    person = np.sort(rng.integers(0, 3, 60))
    lat, lon = 45 + rng.integers(0, 25, 60) / 5e3, 5 + rng.integers(0, 20, 60) / 5e3
    label = density_joined(person, lat, lon, metres=100, least=least)
    for p in range(3):
        own = np.flatnonzero(person == p)
        mine = {frozenset(np.flatnonzero(label[own] == k).tolist()) for k in set(label[own].tolist()) - {-1}}
        assert mine == slow_clusters(lat[own], lon[own], 100, least)
    named = label[label >= 0]
    assert np.unique(named).tolist() == list(range(named.max() + 1))
    firsts = [np.flatnonzero(label == k)[0] for k in range(named.max() + 1)]
    assert firsts == sorted(firsts)


def test_two_persons_at_one_place_have_a_place_each():
    there = density_joined(np.array([0, 1]), np.full(2, 45.0), np.full(2, 5.0), metres=100, least=1)
    assert there.tolist() == [0, 1]
    assert density_joined(np.array([0, 1]), np.full(2, 45.0), np.full(2, 5.0), metres=100, least=2).tolist() == [-1, -1]
    assert len(density_joined(np.zeros(0, int), np.zeros(0), np.zeros(0), metres=1, least=1)) == 0


def test_places_are_the_means_of_their_stays_and_rare_stays_are_at_none():
    lat = np.repeat([45.0, 45.2, 45.0004], 3)
    traces = Traces("UTC", ("a",), np.zeros(9, int), np.arange(9) * 600_000, lat, np.zeros(9))
    found = places_found(traces, Search(least=2))
    assert found.place.tolist() == [0, -1, 0]
    assert found.latitude.tolist() == pytest.approx([45.0002])
    assert found.person.tolist() == [0]


@pytest.mark.parametrize(("metres", "least"), [(0, 1), (float("nan"), 1), (100, 0)])
def test_no_numbers_are_refused(metres, least):
    with pytest.raises(ParameterError):
        density_joined(np.zeros(1, int), np.zeros(1), np.zeros(1), metres=metres, least=least)
