"""What is released of traces: numbers, order, times, and whether other rows are the same."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.noise.bits import SystemBits
from sfumato.release.traces.protections import most_reports
from sfumato.release.traces.rows import Rows, rows_of
from sfumato.table.traces import Traces, pieces

HOUR = 3_600_000


@st.composite
def some_traces(draw):
    """A few persons with a few fixes each, also within one second."""
    found = draw(st.sets(st.tuples(st.integers(0, 3), st.integers(0, 40)), min_size=1, max_size=30))
    person, step = np.array(sorted(found)).T
    time = np.where(step < 20, step * 300, step * HOUR)
    n = len(person)
    return Traces("Europe/Paris", tuple("abcd"), person, time, np.arange(n) / 100.0, np.arange(n) / 50.0)


@settings(max_examples=40)
@given(
    some_traces(),
    st.sampled_from(["renamed", "renamed-by-piece", "kept", "dropped"]),
    st.sampled_from(["seconds", "utc"]),
)
def test_rows_are_the_fixes_under_other_names(traces, persons, written):
    """Each person or piece has one number, numbers are 1 … n, rows are sorted, and every fix is there or within a second of one."""
    piece = pieces(traces, 3600)
    rows = rows_of(traces, piece, persons, written, bits=SystemBits())
    group = {"renamed": traces.person, "renamed-by-piece": piece}.get(persons)
    unit = 1000 if written == "seconds" else 1
    seconds = {
        (g, t // unit)
        for g, t in zip((traces.person if group is None else group).tolist(), traces.time.tolist(), strict=True)
    }
    assert len(rows.time) == (len(traces) if persons == "dropped" else len(seconds))
    if group is not None:
        assert sorted(set(rows.person.tolist())) == list(range(1, len(np.unique(group)) + 1))
        assert len(set(zip(rows.person.tolist(), rows.origin.tolist(), strict=True))) == len(np.unique(group))
    if persons == "dropped":
        assert set(rows.person.tolist()) == {0}
        keys = list(zip(rows.time, rows.latitude, rows.longitude, strict=True))
    else:
        keys = list(zip(rows.person, rows.time, strict=True))
    assert keys == sorted(keys)
    place = {(o, lat) for o, lat in zip(traces.person.tolist(), traces.latitude.tolist(), strict=True)}
    assert set(zip(rows.origin.tolist(), rows.latitude.tolist(), strict=True)) <= place


def test_rows_in_any_order_are_the_same_and_a_changed_cell_is_not():
    """As a table is read again."""
    n = 50
    rng = np.random.default_rng(3)
    who, time = np.repeat([1, 2], n // 2), np.tile(np.arange(n // 2) * 1000, 2)
    rows = Rows("renamed", ("a", "b"), who, who - 1, time, rng.random(n), rng.random(n))
    order = rng.permutation(n)
    shuffled = replace(
        rows, **{name: getattr(rows, name)[order] for name in ("person", "origin", "time", "latitude", "longitude")}
    )
    assert rows.are(rows)
    assert rows.are(shuffled)
    for name in ("person", "time", "latitude", "longitude"):
        changed = getattr(shuffled, name).copy()
        changed[7] += 1
        assert not rows.are(replace(shuffled, **{name: changed})), name
    assert not rows.are(
        replace(
            rows, **{name: getattr(rows, name)[1:] for name in ("person", "origin", "time", "latitude", "longitude")}
        )
    )


@pytest.mark.parametrize(
    ("zone", "per", "most"), [("UTC", "person", 4), ("America/New_York", "week", 4), ("Asia/Tokyo", "week", 2)]
)
def test_reports_are_added_up_by_person_or_by_local_week(zone, per, most):
    """A week begins on Monday, by local clocks: Sunday, 1970-01-04, is over 9 hours earlier in Tokyo."""
    sunday = 3 * 24 * HOUR
    time = sunday + np.array([0, 14, 16, 20, 0]) * HOUR
    traces = Traces(zone, ("a", "b"), np.array([0, 0, 0, 0, 1]), time, np.zeros(5), np.zeros(5))
    assert most_reports(traces, per) == most
