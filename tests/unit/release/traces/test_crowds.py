"""Crowds of a plan tell progress, and stop when they are told to."""

from time import monotonic

import numpy as np
import pytest

from sfumato.document.traces import Cloak, NearPaths, SharedPaths
from sfumato.errors import Interrupted
from sfumato.mechanism.location.crowds import shared_paths
from sfumato.noise.bits import SystemBits
from sfumato.release.tools import Tools
from sfumato.release.traces.protections import Given, protection_of
from sfumato.table.plane import Plane, Region
from sfumato.table.traces import Traces

GIVEN = Given(Region(Plane(45.70, 4.78), 100, 120, 100), 3600, by_day=True)
SAID = (
    Cloak(k=3, seconds=600, way="quadtree"), Cloak(k=3, seconds=600), NearPaths(k=3, radius=20_000),
    SharedPaths(k=3, seconds=600, widest=20_000, longest=7200),
)  # fmt: skip


def walkers(n=40, steps=20):
    rng = np.random.default_rng(3)
    person = np.repeat(np.arange(n), steps)
    place = np.array([45.75, 4.84])[:, None] + rng.normal(0, 0.003, (2, n * steps))
    return Traces("UTC", tuple(map(str, range(n))), person, np.tile(np.arange(steps) * 600_000, n), *place)


@pytest.mark.parametrize("said", SAID)
def test_crowds_tell_how_many_are_done_and_stop_when_told(said, monkeypatch):
    monkeypatch.setattr(shared_paths, "_AT_ONCE", 100)
    told = []
    protection = protection_of(said, GIVEN)
    traces = walkers()
    tools = Tools(SystemBits(), monotonic, lambda done, total, message: told.append((done, total, message)))
    whole = protection.protect(traces, tools)
    assert len(whole) > 0
    assert len(told) > 1
    assert all(0 <= done <= total and message == "gathering crowds" for done, total, message in told)
    assert told[-1][0] > told[0][0]

    for last in range(len(told)):
        left = [last]

        def stop(*_, left=left):
            left[0] -= 1
            if left[0] < 0:
                raise Interrupted("The work was stopped.", "start it again.")

        with pytest.raises(Interrupted):
            protection.protect(traces, Tools(SystemBits(), monotonic, stop))


@pytest.mark.parametrize("at_once", [1, 7, 100, 10**9])
def test_records_are_the_same_however_many_groups_are_cut_at_once(monkeypatch, at_once):
    protection = protection_of(SAID[-1], GIVEN)
    tools = Tools(SystemBits(), monotonic, lambda *_: None)
    once = protection.protect(walkers(), tools)
    monkeypatch.setattr(shared_paths, "_AT_ONCE", at_once)
    again = protection.protect(walkers(), tools)
    assert len(once) == len(again) > 0
    assert np.array_equal(once.time, again.time)
    assert np.array_equal(once.latitude, again.latitude)
