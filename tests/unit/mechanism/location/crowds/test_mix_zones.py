"""Names change where k meet who change; nothing inside is shown; no name spans a change."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.attack.traces.matchings import matchings
from sfumato.errors import ParameterError
from sfumato.mechanism.location.crowds.mix_zones import MixZones, meetings
from sfumato.table.plane import Plane, Region
from sfumato.table.traces import Traces
from sfumato.testing.seeded_bits import SeededBits

REGION = Region(Plane(45.0, 4.8), metres=1000, rows=1, columns=5)
ZONES = np.array([[-1, 0, -1, 1, -1]])
WAYS = st.lists(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 4)), max_size=8), min_size=1, max_size=6)


def traces_of(ways):
    fixes = sorted({(person, time): column for person, way in enumerate(ways) for time, column in way}.items())
    person = np.array([key[0] for key, _ in fixes], np.int64)
    time = np.array([key[1] for key, _ in fixes], np.int64) * 60_000
    columns = np.array([column for _, column in fixes], np.int64)
    latitude, longitude = REGION.centers_of(np.stack([0 * columns, columns], axis=1))
    return Traces("UTC", tuple(f"p{i}" for i in range(len(ways))), person, time, latitude, longitude)


@given(WAYS, st.integers(2, 3))
def test_names_change_exactly_where_k_meet(ways, k):
    traces = traces_of(ways)
    mixed = MixZones(REGION, ZONES, k).passed(traces, bits=SeededBits(1))
    shown, columns = mixed.traces, REGION.cells_of(mixed.traces.latitude, mixed.traces.longitude)[:, 1]
    assert set(columns.tolist()) <= {0, 2, 4}
    assert len(shown) + mixed.hidden == len(traces)
    assert sorted(zip(mixed.owner[shown.person].tolist(), shown.time.tolist(), strict=True)) == sorted(
        (person, time)
        for person, time, column in zip(
            traces.person.tolist(),
            traces.time.tolist(),
            REGION.cells_of(traces.latitude, traces.longitude)[:, 1].tolist(),
            strict=True,
        )
        if ZONES[0, column] < 0
    )
    p = mixed.passings
    for i in np.flatnonzero(p.changes):  # k of those who change are inside during some of the way
        together = p.changes & (p.zone == p.zone[i]) & (p.entered <= p.left[i]) & (p.left >= p.entered[i])
        assert together.sum() >= k
    for person in range(len(ways)):
        times = shown.time[mixed.owner[shown.person] == person]
        names = shown.person[mixed.owner[shown.person] == person][np.argsort(times)]
        changed = sorted(p.left[p.changes & (p.person == person)].tolist())
        assert len(np.unique(names)) <= len(changed) + 1
        assert sorted(times[np.argsort(times)][1:][np.diff(names) != 0].tolist()) == changed


def test_log_k_is_not_what_the_observer_misses():
    """Four meet; a zone that takes everybody a minute tells who is who, one that takes any time tells nothing."""
    fixes = [[(3 * i, 0), (3 * i + 1, 1), (3 * i + 4, 2)] for i in range(4)]
    mixed = MixZones(REGION, ZONES, 4).passed(traces_of(fixes), bits=SeededBits(2))
    assert not mixed.passings.changes.any()  # they never are four at once
    mixed = MixZones(REGION, ZONES, 2).passed(traces_of(fixes), bits=SeededBits(2))
    ((entered, left),) = meetings(mixed.passings)
    takes = (left[None, :] - entered[:, None]) / 60_000
    assert matchings(np.exp(-0.5 * ((takes - 4) / 0.2) ** 2)).bits < 1e-6
    assert 1 < matchings((takes > 0).astype(float)).bits < np.log2(24)


def test_zones_of_other_cells_and_no_crowd_are_refused():
    with pytest.raises(ParameterError, match="Every cell"):
        MixZones(REGION, ZONES.T, 2)
    with pytest.raises(ParameterError, match="at least 2"):
        MixZones(REGION, ZONES, 1)
