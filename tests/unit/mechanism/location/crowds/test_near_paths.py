"""(k, δ)-anonymity: never farther apart than δ, k alike with δ = 0, and what δ > 0 lets through."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.mechanism.location.crowds.near_paths import NearPaths, nearest_record
from sfumato.table.plane import Plane, distance
from sfumato.table.traces import Traces

PLANE = Plane(45.0, 4.8)


def walks(n, length, seed):
    """Persons who walk from places within some kilometres, each at times of their own."""
    chance = np.random.default_rng(seed)
    time = np.sort(chance.choice(5000, (n, length), replace=True), axis=1) * 1000 + np.arange(length)
    start, steps = chance.uniform(0, 0.05, (n, 1, 2)), chance.normal(0, 0.001, (n, length, 2)).cumsum(axis=1)
    place = (np.array([45.0, 4.8]) + start + steps).reshape(-1, 2)
    return Traces(
        "UTC", tuple(map(str, range(n))), np.repeat(np.arange(n), length), time.ravel(), place[:, 0], place[:, 1]
    )


@given(st.integers(2, 4), st.sampled_from([0.0, 50.0, 400.0]), st.sampled_from([300.0, 5000.0]), st.integers(0, 20))
def test_persons_of_a_group_are_k_at_the_same_times_within_delta(k, delta, radius, seed):
    traces = walks(12, 5, seed)
    edited = NearPaths(k, delta, radius, 3600).edit(traces, PLANE, lambda done: None)
    assert (edited.group < 0).sum() == edited.dropped_persons
    assert set(np.unique(edited.traces.person).tolist()) == set(np.flatnonzero(edited.group >= 0).tolist())
    for one in np.unique(edited.group[edited.group >= 0]).tolist():
        members = np.flatnonzero(edited.group == one)
        assert len(members) >= k
        records = [edited.traces.kept(edited.traces.person == member) for member in members.tolist()]
        for record in records[1:]:
            assert np.array_equal(record.time, records[0].time)
            apart = distance(record.latitude, record.longitude, records[0].latitude, records[0].longitude)
            assert (apart <= delta * (1 + 1e-3) + 1e-6).all()
            if delta == 0:
                assert np.array_equal(record.latitude, records[0].latitude)
                assert np.array_equal(record.longitude, records[0].longitude)


def test_only_delta_zero_hides_who_is_who():
    """With δ > 0 the nearest record is one's own far more often than one time in k: (k, δ)-anonymity is no k-anonymity."""
    traces, k = walks(60, 8, 3), 5
    rates = []
    for delta in (0, 600):
        edited = NearPaths(k, delta, np.inf, 3600).edit(traces, PLANE, lambda done: None)
        rates.append(float(nearest_record(edited.traces, traces, PLANE).mean()))
    assert rates[0] <= 1 / k
    assert rates[1] > 3 / k


def test_who_is_far_from_everybody_is_dropped_and_counted():
    near, far = walks(4, 5, 1), walks(1, 5, 2)
    both = Traces(
        "UTC",
        ("0", "1", "2", "3", "far"),
        np.append(near.person, far.person + 4),
        np.append(near.time, far.time),
        np.append(near.latitude, far.latitude + 1),
        np.append(near.longitude, far.longitude),
    )
    edited = NearPaths(2, 0, 20_000, 3600).edit(both, PLANE, lambda done: None)
    assert edited.group[4] == -1
    assert edited.dropped_persons in {1, 2, 3}  # a group that is left with fewer than k goes with them


@pytest.mark.parametrize("wrong", [{"k": 1}, {"delta": -1}, {"radius": 0}, {"seconds": 0}, {"rows_at_once": 7}])
def test_numbers_that_make_no_group_are_refused(wrong):
    with pytest.raises(ParameterError, match="at least 2 persons"):
        NearPaths(**{"k": 2, "delta": 0.0, "radius": 100.0, "seconds": 60.0, **wrong})


def test_fewer_than_k_persons_are_refused():
    with pytest.raises(ParameterError, match="smaller k"):
        NearPaths(5, 0, 100, 60).edit(walks(4, 3, 0), PLANE, lambda done: None)
