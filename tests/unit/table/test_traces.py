"""Traces: sorted, counted, and no step between two persons."""

import numpy as np
import pytest

from sfumato.errors import ParameterError, SchemaError
from sfumato.table.clock import read_times
from sfumato.table.traces import Traces, _by_person_and_time, traces_from


def made(rows, *, zone="UTC", written="seconds", fastest=None):
    """Traces of (person, time, latitude, longitude)."""
    names = tuple(dict.fromkeys(row[0] for row in rows if row[0] is not None))
    person = np.array([-1 if row[0] is None else names.index(row[0]) for row in rows])
    moments = read_times([str(row[1]) for row in rows], zone, written)
    place = np.array([row[2] for row in rows], float), np.array([row[3] for row in rows], float)
    return traces_from(names, person, moments, place, zone=zone, fastest=fastest)


def test_fixes_are_sorted_and_what_is_wrong_is_counted():
    nan = float("nan")
    traces, found = made(
        [("b", 5, 0, 0), ("a", 9, 1, 1), ("a", 3, 1, 2), ("a", 9, 1, 1), ("a", 9, 0.5, 1), (None, 1, 1, 1), ("b", "soon", 1, 1),
         ("b", 6, 121.5, 31.2), ("c", 7, nan, 1), ("a", 10, 2, 1)],
        fastest=100,
    )  # fmt: skip
    assert traces.persons == ("b", "a")
    assert traces.person.tolist() == [0, 1, 1, 1]
    assert (traces.time // 1000).tolist() == [5, 3, 9, 10]
    assert traces.latitude.tolist() == [0, 1, 0.5, 2]
    assert (found.rows, found.kept, found.without_person, found.without_time) == (10, 4, 1, 1)
    assert (found.impossible_places, found.at_zero, found.repeated, found.contradicting, found.too_fast) == (
        2,
        1,
        1,
        1,
        2,
    )
    assert found.rows == found.kept + 1 + 1 + 2 + 1 + 1


def test_two_persons_with_a_fix_each_make_no_step():
    """users.md I4: no flow from one person to the next."""
    traces, found = made([("a", 1, 45, 5), ("b", 2, 46, 5)], fastest=1)
    assert traces.steps()[0].tolist() == []
    assert found.too_fast == 0
    assert traces.starts.tolist() == [0, 1, 2]


def test_the_order_of_rows_does_not_matter():
    rng = np.random.default_rng(1)
    rows = [
        (f"p{rng.integers(4)}", int(rng.integers(40)), float(rng.integers(3)), float(rng.integers(3)))
        for _ in range(200)
    ]
    first, found = made(rows)
    for _ in range(5):
        shuffled = [rows[i] for i in rng.permutation(200)]
        again, same = made(shuffled)
        assert same == found
        names = np.array(first.persons)[first.person], np.array(again.persons)[again.person]
        one, other = (sorted(zip(n.tolist(), t.time.tolist(), t.latitude.tolist(), t.longitude.tolist(), strict=True))
                      for n, t in zip(names, (first, again), strict=True))  # fmt: skip
        assert one == other


def test_night_is_that_of_the_place():
    """users.md I1: 23:00 UTC is 8 in the morning in Tokyo."""
    traces, _ = made([("a", "2018-05-01T23:00:00Z", 35.7, 139.7)], zone="Asia/Tokyo", written="utc")
    assert (traces.clock // 3_600_000 % 24).tolist() == [8]


def test_skipped_and_twofold_clock_times_are_counted():
    rows = [("a", "2018-03-25 02:30", 1, 1), ("a", "2018-10-28 02:30", 1, 1), ("a", "2018-05-05 02:30", 1, 1)]
    _, found = made(rows, zone="Europe/Paris", written="local")
    assert (found.kept, found.skipped_times, found.twofold_times, found.without_time) == (2, 1, 1, 0)


def test_kept_fixes_keep_their_persons():
    traces, _ = made([("a", 1, 1, 1), ("b", 2, 2, 2), ("b", 3, 2, 2)])
    assert traces.kept(traces.time > 1000).starts.tolist() == [0, 0, 2]
    assert len(traces.kept(traces.time > 1000)) == 2


def test_a_table_without_a_fix_is_refused_and_no_cell_is_shown():
    with pytest.raises(SchemaError, match="none of its 1 rows") as caught:
        made([("secret", "never", 1, 1)])
    assert "secret" not in str(caught.value)
    assert "never" not in str(caught.value)


@pytest.mark.parametrize("fastest", [0, -1, float("nan")])
def test_no_speed_is_refused(fastest):
    with pytest.raises(ParameterError, match="fastest"):
        made([("a", 1, 1, 1)], fastest=fastest)


@pytest.mark.parametrize(("person", "time", "latitude"), [([0, 0], [2, 1], [1, 1]), ([1, 0], [1, 2], [1, 1]), ([0, 0], [1, 1], [1, 1]),
                                                          ([0, 2], [1, 1], [1, 1]), ([0, 1], [1, 1], [91, 1]), ([0, 1], [1], [1, 1])])  # fmt: skip
def test_arrays_that_are_no_traces_are_refused(person, time, latitude):
    with pytest.raises(ParameterError, match="sorted by person and time"):
        Traces("UTC", ("a", "b"), np.array(person), np.array(time), np.array(latitude, float), np.zeros(2))


@pytest.mark.parametrize("span", [10, 2**61])
def test_rows_are_ordered_by_person_time_and_place(span):
    """Also where person and time do not fit one number."""
    rng = np.random.default_rng(8)
    person, time = rng.integers(0, 5, 400), rng.integers(0, 9, 400) * (span // 9)
    lat, lon = rng.integers(0, 3, 400) * 1.0, rng.integers(0, 3, 400) * 1.0
    order = _by_person_and_time(person, time, lat, lon)
    assert sorted(order.tolist()) == list(range(400))
    rows = list(zip(person[order], time[order], lat[order], lon[order], strict=True))
    assert rows == sorted(rows)
    assert _by_person_and_time(np.zeros(3, int), np.arange(3), lat[:3], lon[:3]).tolist() == [0, 1, 2]
