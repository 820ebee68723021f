"""Positions shown with their crowds: k counted by hand on what is published, and the leak of the published quadtree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.mechanism.location.crowds import cloak
from sfumato.mechanism.location.crowds.cloak import by_delay, by_hilbert, by_quadtree, hilbert
from sfumato.mechanism.location.crowds.presence import Presence
from sfumato.table.plane import Plane, Region

REGION = Region(Plane(45.0, 4.8), metres=100, rows=7, columns=6)
SEEN = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 3), st.integers(0, 6), st.integers(0, 5)), max_size=40)
WAYS = {
    "quadtree": by_quadtree,
    "hilbert": by_hilbert,
    "delay": lambda seen, k: by_delay(seen, k, cells=2, longest=120),
}


def there(entries):
    rows = np.array(sorted(set(entries)), np.int64).reshape(-1, 4)
    return Presence(REGION, 60, *rows.T)


def fewest_shown(cloaked):
    """Persons who are shown by one and the same box, at least."""
    shown = {}
    for person, sides in zip(cloaked.boxes.person.tolist(), map(tuple, cloaked.boxes.sides.tolist()), strict=True):
        shown.setdefault(sides, set()).add(person)
    return min(map(len, shown.values()), default=None)


@pytest.mark.parametrize("way", WAYS)
@given(SEEN, st.integers(1, 4))
def test_k_persons_are_shown_by_every_box_and_are_in_it(way, entries, k):
    seen = there(entries)
    cloaked = WAYS[way](seen, k)
    assert (fewest_shown(cloaked) or k) >= k
    part = seen.kept(cloaked.kept)
    first, last, south, north, west, east = cloaked.boxes.sides.T
    assert np.array_equal(cloaked.boxes.person, part.person)
    for low, at, high in ((first, part.slot, last), (south, part.row, north), (west, part.column, east)):
        assert ((low <= at) & (at <= high)).all()
    assert ((first >= 0) & (south >= 0) & (north < 7) & (west >= 0) & (east < 6) & (last - first < 2)).all()


@given(SEEN, st.integers(1, 4), st.booleans())
def test_squares_are_those_of_the_rule_followed_person_by_person(entries, k, reciprocal):
    seen = there(entries)
    cloaked = by_quadtree(seen, k, reciprocal=reciprocal)
    rows = np.stack([seen.slot, seen.row, seen.column], axis=1).tolist()

    def crowd(slot, level, row, column):
        at = [(s, r >> level, c >> level) == (slot, row, column) for s, r, c in rows]
        return len(set(seen.person[np.array(at, bool)].tolist()))

    levels = []
    for slot, row, column in rows:
        found = None
        for level in range(3, -1, -1):
            quarters = [(row >> level, column >> level)]
            if reciprocal and level < 3:
                up = (row >> level + 1, column >> level + 1)
                quarters = [(2 * up[0] + i, 2 * up[1] + j) for i in (0, 1) for j in (0, 1)]
            sizes = [crowd(slot, level, *quarter) for quarter in quarters]
            if any(0 < size < k for size in sizes):
                break
            found = level
        levels.append(found)
    assert cloaked.kept.tolist() == [level is not None for level in levels]
    sides = [(r >> v << v, c >> v << v) for (_, r, c), v in zip(rows, levels, strict=True) if v is not None]
    assert [tuple(one) for one in cloaked.boxes.sides[:, [2, 4]].tolist()] == sides


def test_the_published_quadtree_shows_one_person_in_a_box_of_three():
    """Whoever knows where all are knows who it is: the others would have been shown by a smaller square."""
    entries = [(0, 0, 0, 0), (1, 0, 0, 1), (2, 0, 3, 3)]
    assert fewest_shown(by_quadtree(there(entries), 2, reciprocal=False)) == 1
    assert fewest_shown(by_quadtree(there(entries), 2)) == 3


def test_a_person_alone_on_the_way_is_followed_through_boxes_of_many():
    """What is not promised: two slots, each person among two in each box, and only one person fits both boxes."""
    entries = [(0, 0, 0, 0), (1, 0, 0, 1), (0, 1, 3, 3), (2, 1, 3, 2)]
    cloaked = by_quadtree(there(entries), 2)
    boxes = [tuple(one) for one in cloaked.boxes.sides[cloaked.boxes.person == 0].tolist()]
    crowds = [set(cloaked.boxes.person[(cloaked.boxes.sides == box).all(axis=1)].tolist()) for box in boxes]
    assert [len(crowd) for crowd in crowds] == [2, 2]
    assert set.intersection(*crowds) == {0}


def test_squares_that_are_too_wide_are_dropped_and_counted():
    entries = [(0, 0, 0, 0), (1, 0, 6, 5)]
    assert by_quadtree(there(entries), 2, widest=700).dropped == 2
    assert by_quadtree(there(entries), 2, widest=800).dropped == 0


@pytest.mark.parametrize("bits", [1, 2, 4])
def test_the_curve_visits_each_cell_once_from_neighbor_to_neighbor(bits):
    row, column = (part.ravel() for part in np.indices((1 << bits, 1 << bits)))
    order = np.argsort(hilbert(row, column, bits))
    assert sorted(hilbert(row, column, bits).tolist()) == list(range(1 << 2 * bits))
    assert set((np.abs(np.diff(row[order])) + np.abs(np.diff(column[order]))).tolist()) == {1}


def test_the_compiled_loop_gathers_the_same_crowds(monkeypatch):
    pytest.importorskip("numba")
    chance = np.random.default_rng(2)
    seen = there(zip(*(chance.integers(0, top, 300).tolist() for top in (8, 40, 7, 6)), strict=True))
    plain = by_delay(seen, 3, cells=2, longest=900)
    monkeypatch.setattr(cloak, "PAYS_FROM", 0)
    fast = by_delay(seen, 3, cells=2, longest=900)
    assert np.array_equal(plain.boxes.sides, fast.boxes.sides)


@pytest.mark.parametrize("way", WAYS)
def test_a_crowd_of_nobody_is_refused(way):
    with pytest.raises(ParameterError, match="at least 1"):
        WAYS[way](there([]), 0)
