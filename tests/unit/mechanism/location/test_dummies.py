"""Dummies move as the public counts say; careless ones are found, and persons with habits are found among good ones."""

import numpy as np
import pytest

from sfumato.attack.traces.dummies import Detector, KnownWalks, means
from sfumato.errors import ParameterError
from sfumato.mechanism.location.dummies import Company, accompanied, started, walked
from sfumato.noise.bits import SystemBits
from sfumato.summary.movement import Movement, movement_of, steps_of
from sfumato.table.plane import Plane, Region
from sfumato.table.traces import Traces
from sfumato.testing.seeded_bits import SeededBits

LINE = Movement(4, np.array([0, 2, 5, 7, 7]), np.array([0, 1, 0, 1, 2, 1, 3]), np.array([3, 1, 2, 5, 3, 1, 1]))
"""Four cells in a row; nobody ever left the last one."""


def test_walks_are_drawn_with_the_counted_shares():
    """40,000 moves from cell 1, of which shares 2, 5 and 3 in 10: each off by 6 standard errors with probability < 1e-8."""
    moved = walked(LINE, np.full(40_000, 1), 1, bits=SystemBits())[:, 1]
    share = np.bincount(moved, minlength=4) / 40_000
    due = np.array([0.2, 0.5, 0.3, 0.0])
    assert (np.abs(share - due) <= 6 * np.sqrt(due * (1 - due) / 40_000)).all()
    assert walked(LINE, np.array([3]), 2, bits=SystemBits()).tolist() == [[3, 3, 3]]


def test_chances_are_shares_of_moves_and_a_move_never_seen_is_half_of_one():
    found = np.exp(LINE.log_chance(np.array([1, 1, 3]), np.array([1, 3, 0])))
    assert found.tolist() == pytest.approx([5 / 10.5, 0.5 / 10.5, 1.0])


def test_moves_are_counted_one_after_another():
    region = Region(Plane(45.0, 4.8), metres=1000, rows=3, columns=3)
    chance = np.random.default_rng(2)
    time = np.sort(chance.choice(400, 30, replace=False)) * 60_000
    place = (chance.uniform(45.0, 45.026, 30), chance.uniform(4.8, 4.837, 30))
    traces = Traces("UTC", ("a", "b"), np.repeat([0, 1], 15), np.concatenate([time[:15], time[15:]]), *place)
    steps = steps_of(traces, region, 300, gap=1800)
    piece, cell = steps.piece, steps.cell
    counts = {}
    for i in range(len(cell) - 1):
        if piece[i] == piece[i + 1]:
            move = int(cell[i]), int(cell[i + 1])
            counts[move] = counts.get(move, 0) + 1
    moves = movement_of(traces, region, 300, gap=1800)
    found = {
        (c, int(t)): int(n)
        for c in range(9)
        for t, n in zip(
            moves.to[moves.start[c] : moves.start[c + 1]], moves.count[moves.start[c] : moves.start[c + 1]], strict=True
        )
    }
    assert found == counts
    assert moves.visits.sum() == sum(counts.values())


def test_dummies_start_in_their_zone_as_often_as_people_move_there():
    zone = np.array([True, False, True, True])
    where = started(LINE, 20_000, zone=zone, bits=SystemBits())
    share = np.bincount(where, minlength=4) / 20_000
    assert (np.abs(share - np.array([4, 0, 2, 0]) / 6) < 6 * np.sqrt(0.25 / 20_000)).all()
    with pytest.raises(ParameterError, match="where the public has moved"):
        started(LINE, 1, zone=np.array([False, False, False, True]), bits=SystemBits())


def test_a_request_has_k_positions_and_its_order_says_nothing():
    """12,000 requests: the true position is in each of the three places equally often, 6 standard errors: < 1e-8."""
    bits, first = SeededBits(3), np.zeros(3)
    for _ in range(12_000):
        seen = Company(LINE, np.array([3, 3])).request(0, bits=bits)
        first[np.flatnonzero(seen == 0)[0]] += 1
    assert np.abs(first / 12_000 - 1 / 3).max() < 6 * np.sqrt(2 / 9 / 12_000)


def habits(n, steps, seed):
    """A public that moves on a ring of 30 cells, and dummies of three kinds."""
    chance = np.random.default_rng(seed)
    cells = 30
    to = np.sort((np.arange(cells)[:, None] + [-1, 0, 1]) % cells, axis=1)
    ring = Movement(cells, np.arange(cells + 1) * 3, to.ravel(), np.full(cells * 3, 10))
    start = chance.integers(0, cells, n)
    like_the_public = walked(ring, start, steps, bits=SeededBits(seed))
    anywhere = chance.integers(0, cells, (n, steps + 1))
    rare = ring.count.copy()
    rare[to.ravel() == np.repeat(np.arange(cells), 3)] = 80  # the public stays more often than persons here
    return ring, Movement(cells, ring.start, ring.to, rare), like_the_public, anywhere


def test_dummies_anywhere_are_found_and_those_like_the_person_are_not():
    """40 persons, k = 4: chance finds a quarter; all 40 found by chance: 4⁻⁴⁰; more than 28 of 40: < 1e-9."""
    n, k, steps = 40, 4, 60
    ring, _, persons, anywhere = habits(n * k, steps, 5)
    other = habits(n, steps, 6)[2]
    for dummies, low, high in (
        (anywhere, 40, 40),
        (walked(ring, np.zeros(n * k, int), steps, bits=SeededBits(7)), 0, 28),
    ):
        view = np.stack([persons[:n], *(dummies[i * n : (i + 1) * n] for i in range(k - 1))], axis=1)
        order = np.random.default_rng(1).permuted(np.tile(np.arange(k), (n, 1)), axis=1)
        mixed = np.take_along_axis(view, order[:, :, None], axis=1)
        guess = Detector().guess(mixed, KnownWalks(ring, other, dummies[-n:]), np.random.default_rng(2))
        found = int((np.take_along_axis(order, guess[:, None], axis=1)[:, 0] == 0).sum())
        assert low <= found <= high


def test_a_person_who_moves_unlike_the_public_is_found_among_dummies_that_do():
    """What dummies do not promise: drawn from public counts, they all stay more than this person does."""
    n, k, steps = 40, 4, 200
    _ring, staying, persons, _ = habits(n, steps, 8)
    dummies = walked(staying, np.zeros(n * k, int), steps, bits=SeededBits(9))
    view = np.stack([persons, *(dummies[i * n : (i + 1) * n] for i in range(k - 1))], axis=1)
    guess = Detector().guess(view, KnownWalks(staying, habits(n, steps, 10)[2], dummies[-n:]), np.random.default_rng(3))
    assert (guess == 0).sum() >= 38
    assert means(staying, persons).mean() < means(staying, dummies).mean()


def test_a_trace_that_nobody_is_near_is_released_among_walks_from_the_same_cell():
    region = Region(Plane(45.0, 4.8), metres=1000, rows=3, columns=3)
    chance = np.random.default_rng(4)
    time = np.concatenate([np.sort(chance.choice(300, 12, replace=False)) for _ in range(2)]) * 60_000
    place = (chance.uniform(45.0, 45.026, 24), chance.uniform(4.8, 4.837, 24))
    traces = Traces("UTC", ("a", "b"), np.repeat([0, 1], 12), time, *place)
    moves = movement_of(traces, region, 300)
    records, owner = accompanied(traces, moves, region, 300, 4, bits=SystemBits())
    assert sorted(owner.tolist()) == [-1] * 6 + [0, 1]
    cell = steps_of(traces, region, 300).cell
    cells = region.codes_of(records.latitude, records.longitude)
    for name in np.flatnonzero(owner >= 0).tolist():
        mine = records.person == name
        same_times = [
            one for one in range(8) if np.array_equal(records.time[records.person == one], records.time[mine])
        ]
        assert len(same_times) == 4  # the person and three walks, which begin where the person does
        assert {int(cells[records.person == one][0]) for one in same_times} == {int(cells[mine][0])}
    assert sorted(
        np.concatenate([cells[records.person == one] for one in np.flatnonzero(owner >= 0)]).tolist()
    ) == sorted(cell.tolist())
    with pytest.raises(ParameterError, match="at least 2 records"):
        accompanied(traces, moves, region, 300, 1, bits=SystemBits())
