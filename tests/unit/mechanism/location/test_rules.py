"""Rules of a person: which decides, what is shown, and that a hole gives home away unless its circle was moved."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.attack.traces.holes import Hole
from sfumato.errors import ParameterError
from sfumato.mechanism.location.rules import Circle, Rule, apply
from sfumato.noise.bits import SystemBits
from sfumato.table.hours import NIGHT, Hours
from sfumato.table.plane import Plane, distance
from sfumato.table.traces import Traces
from sfumato.testing.seeded_bits import SeededBits

RULES = st.lists(
    st.builds(
        Rule,
        show=st.sampled_from(["nothing", "as it is", 500.0, 5000.0]),
        within=st.sampled_from([None, Circle(45.75, 4.85, 300), Circle(45.76, 4.85, 2000)]),
        hours=st.sampled_from([None, NIGHT, Hours(0, 24, (6,))]),
        priority=st.integers(-1, 1),
    ),
    max_size=5,
)


def a_week(seed, n=14):
    chance = np.random.default_rng(seed)
    time = np.sort(chance.choice(7 * 24 * 60, n, replace=False)) * 60_000
    return Traces(
        "Europe/Paris", ("ann",), np.zeros(n, int), time, 45.75 + chance.normal(0, 0.005, n), np.full(n, 4.85)
    )


@given(RULES, st.integers(0, 9))
def test_the_first_rule_that_fits_decides_fix_by_fix(rules, seed):
    """The table and the device say the same: each fix alone gives what all give together."""
    week = a_week(seed)
    ruled = apply(rules, week)
    lines = []
    for i in range(len(week)):
        one = week.kept(np.arange(len(week)) == i)
        fits = [
            rule
            for rule in sorted(rules, key=lambda rule: -rule.priority)
            if (
                rule.within is None
                or distance(one.latitude, one.longitude, rule.within.latitude, rule.within.longitude)[0]
                <= rule.within.metres
            )
            and (rule.hours is None or rule.hours.inside(one.clock)[0])
        ]
        show = fits[0].show if fits else "as it is"
        alone = apply(rules, one).traces
        assert len(alone) == (show != "nothing")
        if len(alone):
            moved = distance(alone.latitude, alone.longitude, one.latitude, one.longitude)[0]
            assert moved <= (0 if show == "as it is" else show * 0.72)
        lines += zip(alone.time.tolist(), alone.latitude.tolist(), alone.longitude.tolist(), strict=True)
    shown = ruled.traces
    assert lines == list(zip(shown.time.tolist(), shown.latitude.tolist(), shown.longitude.tolist(), strict=True))
    assert ruled.decided.sum() == len(week) == len(shown) + ruled.hidden


def test_coarse_cells_are_the_same_for_everybody_and_few():
    week = a_week(1, 40)
    shown = apply([Rule(5000)], week).traces
    assert len(set(zip(shown.latitude.tolist(), shown.longitude.tolist(), strict=True))) <= 3
    alone = apply([Rule(5000)], week.kept(np.arange(40) == 7)).traces
    assert alone.latitude[0] == shown.latitude[7]


def homes_and_trips(n, seed):
    """Persons who leave home in all directions and come back, a fix every 20 metres."""
    chance = np.random.default_rng(seed)
    plane = Plane(45.75, 4.85)
    home = chance.uniform(-5000, 5000, (n, 2))
    person, time, east, north = [], [], [], []
    for one in range(n):
        for trip in range(12):
            angle = chance.uniform(0, 2 * np.pi)
            along = np.concatenate([np.arange(0, 1500, 20), np.arange(1500, 0, -20)])
            person.append(np.full(len(along), one))
            time.append(trip * 86_400_000 + np.arange(len(along)) * 15_000)
            east.append(home[one, 0] + along * np.cos(angle))
            north.append(home[one, 1] + along * np.sin(angle))
    place = plane.degrees_of(np.concatenate(east), np.concatenate(north))
    names = tuple(str(one) for one in range(n))
    return Traces("UTC", names, np.concatenate(person), np.concatenate(time), *place), plane.degrees_of(
        home[:, 0], home[:, 1]
    )


def test_a_hole_around_home_shows_home_unless_the_circle_was_moved():
    """What rules together leak, measured: the middle of the hole is home to some metres; moved, it is up to a radius off."""
    traces, home = homes_and_trips(15, 3)
    off, bits = {}, SeededBits(5)
    for way in ("around home", "moved"):
        circles = [Circle(float(lat), float(lon), 300) for lat, lon in zip(*home, strict=True)]
        circles = circles if way == "around home" else [circle.moved(bits=bits) for circle in circles]
        shown = [
            apply([Rule("nothing", within=circle)], traces.kept(traces.person == i)).traces
            for i, circle in enumerate(circles)
        ]
        guess = np.array(
            [Hole(300, 100, 25).guess(one, None, np.random.default_rng(1))[i] for i, one in enumerate(shown)]
        )
        off[way] = distance(guess[:, 0], guess[:, 1], *home)
    assert np.median(off["around home"]) < 25
    assert np.median(off["moved"]) > 100


def test_a_moved_circle_holds_home_anywhere_in_it():
    """20,000 draws: the mean of (distance / radius)² of a uniform point of a disc is 1/2; off by 6 standard errors: < 1e-8."""
    home = Circle(0.0, 0.0, 1000)
    moved = [home.moved(bits=SystemBits()) for _ in range(20_000)]
    far = distance(np.array([m.latitude for m in moved]), np.array([m.longitude for m in moved]), 0.0, 0.0)
    assert far.max() <= 1000 * (1 + 1e-6)
    assert abs(((far / 1000) ** 2).mean() - 0.5) < 6 * np.sqrt(1 / 12 / 20_000)


def test_what_is_no_rule_is_refused():
    with pytest.raises(ParameterError, match="above 0 metres"):
        Rule(0.0)
    with pytest.raises(ParameterError, match="radius above 0"):
        Circle(45, 4, 0)
