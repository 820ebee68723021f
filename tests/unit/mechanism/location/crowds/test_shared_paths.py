"""Whole traces that k persons share: k by brute force on what is published, cuts as good as any."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.mechanism.location.crowds import shared_paths
from sfumato.mechanism.location.crowds.boxes import sharing
from sfumato.mechanism.location.crowds.presence import Presence, presence
from sfumato.mechanism.location.crowds.shared_paths import SharedPaths
from sfumato.table.plane import Plane, Region
from sfumato.table.traces import Traces

REGION = Region(Plane(45.0, 4.8), metres=100, rows=50, columns=50)
ENTRY = st.tuples(st.integers(0, 6), st.integers(0, 8), st.integers(0, 6), st.integers(0, 6))


def there(entries):
    rows = np.array(sorted(set(entries)), np.int64).reshape(-1, 4)
    return Presence(REGION, 600, *rows.T)


def fewest_by_hand(boxes):
    """Records as tuples, compared one with another."""
    records = {}
    for person, sides in zip(boxes.person.tolist(), boxes.sides.tolist(), strict=True):
        records.setdefault(person, []).append(tuple(sides))
    alike = [sum(other == one for other in records.values()) for one in records.values()]
    return min(alike, default=None)


def cheapest(entries, widest, longest):
    """Of all ways to part the slots of one group into boxes and suppressed slots, the least cost."""
    slots = sorted({entry[1] for entry in entries})
    members = {entry[0] for entry in entries}

    def price(part):
        inside = [entry for entry in entries if entry[1] in part]
        wide = np.ptp([e[2] for e in inside]) + np.ptp([e[3] for e in inside])
        long = part[-1] - part[0]
        fits = {e[0] for e in inside} == members and wide <= widest and long <= longest
        return len(inside) * (0.5 * wide / widest + 0.5 * long / longest) if fits else np.inf

    def best(i):
        if i == len(slots):
            return 0.0
        dropped = sum(entry[1] == slots[i] for entry in entries) + best(i + 1)
        return min([dropped, *(price(slots[i:j]) + best(j) for j in range(i + 1, len(slots) + 1))])

    return best(0)


@given(st.lists(ENTRY, min_size=1, max_size=30), st.integers(2, 3))
def test_k_persons_share_what_is_published_and_every_box_is_true_of_each(entries, k):
    seen = there(entries)
    if len(set(seen.person.tolist())) < k:
        with pytest.raises(ParameterError, match="smaller k"):
            SharedPaths(k=k, metres=300, seconds=1200).decide(seen, lambda done: None)
        return
    shared = SharedPaths(k=k, metres=300, seconds=1200).decide(seen, lambda done: None)
    published = shared.boxes
    assert (fewest_by_hand(published) or k) >= k
    assert min(sharing(published).tolist(), default=None) == fewest_by_hand(published)
    assert len(set(published.person.tolist())) + shared.dropped_persons == len(set(seen.person.tolist()))
    covered = set()
    for person, (a, b, south, north, west, east) in zip(published.person, published.sides, strict=True):
        inside = (seen.slot >= a) & (seen.slot <= b)
        own = np.flatnonzero(inside & (seen.person == person))
        assert len(own)
        assert (seen.row[own] >= south).all()
        assert (seen.row[own] <= north).all()
        assert (seen.column[own] >= west).all()
        assert (seen.column[own] <= east).all()
        assert north - south + east - west <= 3
        assert b - a <= 2
        covered |= set(own.tolist())
    assert shared.suppressed == len(seen) - len(covered)


@given(st.lists(ENTRY, min_size=1, max_size=14))
def test_the_cuts_of_a_group_are_the_best_of_all(entries):
    seen = there([(person % 2, *rest) for person, *rest in entries])
    if len(set(seen.person.tolist())) < 2:
        return
    shared = SharedPaths(k=2, metres=300, seconds=1200).decide(seen, lambda done: None)
    rows = np.stack([seen.person, seen.slot, seen.row, seen.column], axis=1).tolist()
    assert shared.cost == pytest.approx(cheapest(rows, 3, 2))


def test_the_compiled_loop_makes_the_same_boxes(monkeypatch):
    pytest.importorskip("numba")
    chance = np.random.default_rng(5)
    seen = there(zip(*(chance.integers(0, top, 400).tolist() for top in (20, 40, 9, 9)), strict=True))
    method = SharedPaths(k=3, metres=500, seconds=6000)
    plain = method.decide(seen, lambda done: None)
    monkeypatch.setattr(shared_paths, "PAYS_FROM", 0)
    fast = method.decide(seen, lambda done: None)
    assert np.array_equal(plain.boxes.sides, fast.boxes.sides)
    assert plain.cost == fast.cost


def test_fixes_outside_the_region_are_counted_and_left_out():
    fixes = Traces(
        "UTC",
        ("a", "b"),
        np.array([0, 0, 1]),
        np.array([0, 1000, 0]),
        np.array([45.001, 46, 45.001]),
        np.full(3, 4.801),
    )
    seen, outside = presence(fixes, REGION, 60)
    assert (len(seen), outside) == (2, 1)


@pytest.mark.parametrize("wrong", [{"k": 1}, {"metres": 0}, {"seconds": float("nan")}, {"rows_at_once": 7}])
def test_numbers_without_a_crowd_are_refused(wrong):
    with pytest.raises(ParameterError, match="at least 2 persons"):
        SharedPaths(**{"k": 2, "metres": 100.0, "seconds": 60.0, **wrong})
