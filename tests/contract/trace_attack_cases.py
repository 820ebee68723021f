"""Small judges for the attacks on traces."""

from dataclasses import dataclass

import numpy as np

from sfumato.attack.traces import (
    background,
    chain,
    dummies,
    habits,
    heat,
    holes,
    meetings,
    next_place,
    places,
    portraits,
    repeated_positions,
    tracking,
    unicity,
    weeks,
)
from sfumato.summary.movement import Movement
from sfumato.table.plane import Plane
from sfumato.table.traces import Traces
from sfumato.testing.attack_contract import AttackCase

N = 200
"""Persons."""


def points_of(rng, near):
    """Three places of each of N persons, and the same a few metres off or those of others."""
    own, rows = rng.uniform(0, 1e5, (3 * N, 2)), np.repeat(np.arange(N), 3)
    seen = own + rng.normal(size=own.shape) if near else rng.uniform(0, 1e5, own.shape)
    return places.Places(rows, seen), places.Places(rows, own)


def found_by_places(attack, rng):
    return attack.guess(*points_of(rng, near=True), rng) == np.arange(N)


def found_by_places_of_others(attack, rng):
    return attack.guess(*points_of(rng, near=False), rng) == np.arange(N)


def found_at_one_place(attack, rng):
    """All persons stay at the same place."""
    here = places.Places(np.arange(N), np.zeros((N, 2)))
    return attack.guess(here, here, rng) == np.arange(N)


def chains_seen(rng, near):
    """Chains of N persons of three places each, and the same a few metres off or those of others."""
    share = np.tile([0.5, 0.3, 0.2], N)
    return [chain.Chains(one, share) for one in points_of(rng, near)]


def found_by_chain(attack, rng, *, near=True):
    return attack.guess(*chains_seen(rng, near), rng) == np.arange(N)


def found_by_chain_of_others(attack, rng):
    return found_by_chain(attack, rng, near=False)


def found_by_one_chain(attack, rng):
    here = chain.Chains(places.Places(np.arange(N), np.zeros((N, 2))), np.ones(N))
    return attack.guess(here, here, rng) == np.arange(N)


def heat_of(rng, weights):
    """Heat maps of 50 fixes each over 30 cells, by the weights of persons."""
    counts = np.stack([rng.multinomial(50, w) for w in weights])
    person, cell = np.nonzero(counts)
    return heat.HeatMaps(len(weights), person, cell, counts[person, cell] / 50)


def found_by_heat(attack, rng, *, others=False):
    weights = rng.dirichlet(np.full(30, 0.1), N)
    known = heat_of(rng, rng.dirichlet(np.full(30, 0.1), N) if others else weights)
    return attack.guess(heat_of(rng, weights), known, rng) == np.arange(N)


def found_by_heat_of_others(attack, rng):
    return found_by_heat(attack, rng, others=True)


def found_in_one_cell(attack, rng):
    here = heat.HeatMaps(N, np.arange(N), np.zeros(N, int), np.ones(N))
    return attack.guess(here, here, rng) == np.arange(N)


def portraits_seen(rng, near):
    heats = heat_of(rng, rng.dirichlet(np.full(30, 0.1), N)), heat_of(rng, rng.dirichlet(np.full(30, 0.1), N))
    seen = zip(chains_seen(rng, near), (heats[0], heats[0] if near else heats[1]), strict=True)
    return [portraits.Portraits(np.arange(N), one, map_) for one, map_ in seen]


def drawn(attack, rng, *, near=True):
    return attack.guess(*portraits_seen(rng, near), rng) == np.arange(N)


def drawn_of_others(attack, rng):
    return drawn(attack, rng, near=False)


def drawn_alike(attack, rng):
    """All persons at one place, in one cell, and which of them is asked for is drawn."""
    one = chain.Chains(places.Places(np.arange(N), np.zeros((N, 2))), np.ones(N))
    here = portraits.Portraits(np.arange(N), one, heat.HeatMaps(N, np.arange(N), np.zeros(N, int), np.ones(N)))
    return attack.guess(here, here, rng) == rng.permutation(N)


def homes(attack, rng, *, others=False, silent=False):
    """Whether a home is found among four places that are visited by night; one of them most."""
    point = rng.uniform(0, 1e5, (4 * N, 2))
    person, place, own = np.repeat(np.arange(N), 4), np.arange(4 * N), 4 * np.arange(N) + rng.integers(0, 4, N)
    night = np.ones(4 * N)
    night[own] = 1 if silent else 9
    said = attack.guess(habits.Presence(N, person, place, night, np.zeros(4 * N), point), None, rng)[0]
    return habits.found_near(said, point[rng.permutation(own) if others else own], 1.0)


def homes_of_others(attack, rng):
    return homes(attack, rng, others=True)


def homes_by_day(attack, rng):
    return homes(attack, rng, silent=True)


def went(attack, rng, *, told=True, silent=False):
    """The successor of a place on a round trip of ten that everybody makes in an own order."""
    tour = np.stack([rng.permutation(10) for _ in range(N)])
    visits = np.tile(tour, 3) if told else np.stack([rng.permutation(30) % 10 for _ in range(N)])
    view = background.Visits(np.repeat(np.arange(N), 30), visits.ravel(), np.arange(30 * N))
    now, led = (tour[:, :2], tour[:, 2]) if not silent else (rng.integers(0, 10, (N, 2)), rng.integers(0, 10, N))
    return attack.guess(view, next_place.Asked(np.arange(N), now), rng) == led


def went_by_order(attack, rng):
    """The same without looking at where somebody is."""
    return went(next_place.NextPlace(0), rng)


def went_anywhere(attack, rng):
    return went(attack, rng, told=False, silent=True)


def averaged_positions(attack, rng, *, n=400, others=False):
    own = rng.uniform(0, 10_000, (N, 2))
    far, turn = rng.gamma(2, 100, N * n), rng.uniform(0, 2 * np.pi, N * n)
    noise = np.stack([far * np.cos(turn), far * np.sin(turn)], axis=1)
    said = attack.guess(places.Places(np.repeat(np.arange(N), n), np.repeat(own, n, axis=0) + noise), None, rng)
    return habits.found_near(said, rng.uniform(0, 10_000, (N, 2)) if others else own, 30.0)


def averaged_position(attack, rng):
    return averaged_positions(attack, rng, n=1)


def averaged_positions_of_others(attack, rng):
    return averaged_positions(attack, rng, others=True)


def met(rng, *, friends=True):
    """N persons in pairs who meet ten times at rare places, and 50 meetings of each with anybody where everybody is."""
    a, b = rng.integers(0, N, 25 * N), rng.integers(0, N, 25 * N)
    some = a != b
    pairs = np.repeat(np.arange(0, N, 2), 10) if friends else np.zeros(0, int)
    one = np.concatenate([np.minimum(a, b)[some], pairs])
    other = np.concatenate([np.maximum(a, b)[some], pairs + 1])
    popular = np.concatenate([np.full(some.sum(), 0.9), np.full(len(pairs), 2 / N)])
    return meetings.Meetings(N, one, other, popular, np.full(N, 100))


def acquainted(attack, rng, *, friends=True):
    return attack.guess(met(rng, friends=friends), np.arange(N), rng) == np.arange(N) + 1 - 2 * (np.arange(N) % 2)


def acquainted_strangers(attack, rng):
    return acquainted(attack, rng, friends=False)


def with_points(attack, rng, *, others=False, alike=False):
    """Persons with 20 points each among 10,000, three of which are known; or all with the same points."""
    cell = np.tile(np.arange(20), N) if alike else rng.integers(0, 10_000, 20 * N)
    view = unicity.points_of(np.repeat(np.arange(N), 20), cell, np.zeros(20 * N, int))
    own = np.stack([view.cell[view.person == p][:3] for p in range(N)])
    if others:
        own = rng.integers(0, 10_000, own.shape)
    return attack.guess(view, np.stack([own, np.zeros_like(own)], axis=2), rng) == np.arange(N)


def with_points_of_others(attack, rng):
    return with_points(attack, rng, others=True)


def with_points_of_all(attack, rng):
    return with_points(attack, rng, alike=True)


@dataclass(frozen=True)
class Calibrating:
    """The calibrated attack, whose intruder also has what is known a second time, a little elsewhere."""

    watched: object

    def guess(self, view, knowledge, rng):
        later, earlier = portraits_seen(np.random.default_rng(7), True)
        return self.watched.guess(view, portraits.KnownTwice(knowledge, earlier, later), rng)


def drawn_calibrated(attack, rng):
    return drawn(Calibrating(attack), rng)


def drawn_calibrated_of_others(attack, rng):
    return drawn_of_others(Calibrating(attack), rng)


def drawn_calibrated_alike(attack, rng):
    return drawn_alike(Calibrating(attack), rng)


def in_the_middle(attack, rng, *, others=False):
    """Persons who vanish and come back on a circle around home, or around somewhere else."""
    home = rng.uniform(-5000, 5000, (N, 2))
    middle = rng.uniform(-5000, 5000, (N, 2)) if others else home
    angle = rng.uniform(0, 2 * np.pi, (N, 12))
    spot = middle[:, None, :] + 300 * np.stack([np.cos(angle), np.sin(angle)], axis=2)
    plane = Plane(45.75, 4.85)
    latitude, longitude = plane.degrees_of(spot[:, :, 0].ravel(), spot[:, :, 1].ravel())
    time = np.tile(np.arange(12) * 3_600_000, N)
    names = tuple(str(i) for i in range(N))
    said = attack.guess(Traces("UTC", names, np.repeat(np.arange(N), 12), time, latitude, longitude), None, rng)
    return habits.found_near(np.stack(plane.metres_of(*said.T), axis=1), home, 30.0)


def in_the_middle_of_others(attack, rng):
    return in_the_middle(attack, rng, others=True)


def among_dummies(attack, rng, *, told=True, alike=False):
    """Persons on a ring who mostly stay, each with three walks of nobody: anywhere, or of the same law."""
    cells, steps = 30, 40
    to = np.sort((np.arange(cells)[:, None] + [-1, 0, 1]) % cells, axis=1)
    ring = Movement(cells, np.arange(cells + 1) * 3, to.ravel(), np.full(cells * 3, 10))

    def staying(n):
        moved = rng.choice([-1, 0, 1], (n, steps), p=[0.1, 0.8, 0.1]).cumsum(axis=1)
        start = rng.integers(0, cells, (n, 1))
        return np.concatenate([start, (start + moved) % cells], axis=1)

    dummies_of = staying if alike else lambda n: rng.integers(0, cells, (n, steps + 1))
    view = np.concatenate([staying(N)[:, None], dummies_of(3 * N).reshape(N, 3, -1)], axis=1)
    order = rng.permuted(np.tile(np.arange(4), (N, 1)), axis=1)
    guess = attack.guess(
        np.take_along_axis(view, order[:, :, None], axis=1), dummies.KnownWalks(ring, staying(N), dummies_of(N)), rng
    )
    return np.take_along_axis(order, guess[:, None], axis=1)[:, 0] == (0 if told else rng.integers(0, 4, N))


def among_dummies_of_others(attack, rng):
    return among_dummies(attack, rng, told=False)


def among_dummies_alike(attack, rng):
    return among_dummies(attack, rng, alike=True)


def tracked(attack, rng, *, told=True, says=3.0):
    """N persons on 40 cells who mostly stay, seen through reports that speak for the true cell; is the last one named?"""
    k, t = 40, 30
    moves = np.full((k, k), 0.01 / k) + 0.99 * (
        0.9 * np.eye(k) + 0.05 * np.roll(np.eye(k), 1, 1) + 0.05 * np.roll(np.eye(k), -1, 1)
    )
    at = (rng.integers(0, k, (N, 1)) + rng.choice([0, 1, -1], (N, t), p=[0.9, 0.05, 0.05]).cumsum(axis=1)) % k
    view = rng.normal(0, 1, (N, t, k))
    view[np.arange(N)[:, None], np.arange(t), at] += says
    guess = attack.guess(view, tracking.MovementModel(np.full(k, 1 / k), moves), rng)[:, -1]
    return guess == (at[:, -1] if told else rng.integers(0, k, N))


def tracked_others(attack, rng):
    return tracked(attack, rng, told=False)


def tracked_by_nothing(attack, rng):
    return tracked(attack, rng, says=0.0)


TRACE_CASES = [
    AttackCase(tracking.Tracking(), tracked, tracked_others, tracked_by_nothing, 1 / 40, 0.9),
    AttackCase(holes.Hole(300, 600, 5), in_the_middle, in_the_middle_of_others, in_the_middle_of_others, np.pi * 30**2 / 10_000**2, 0.99),
    AttackCase(dummies.Detector(), among_dummies, among_dummies_of_others, among_dummies_alike, 1 / 4, 0.99),
    AttackCase(
        portraits.CalibratedLink(), drawn_calibrated, drawn_calibrated_of_others, drawn_calibrated_alike, 1 / N, 0.99
    ),
    AttackCase(unicity.KnownPoints(), with_points, with_points_of_others, with_points_of_all, 1 / N, 0.99),
    AttackCase(places.PlacesLink(), found_by_places, found_by_places_of_others, found_at_one_place, 1 / N, 0.99),
    AttackCase(chain.ChainLink(), found_by_chain, found_by_chain_of_others, found_by_one_chain, 1 / N, 0.99),
    AttackCase(heat.HeatLink(), found_by_heat, found_by_heat_of_others, found_in_one_cell, 1 / N, 0.95),
    AttackCase(portraits.PortraitLink(), drawn, drawn_of_others, drawn_alike, 1 / N, 0.99),
    AttackCase(weeks.PseudonymLink(), drawn, drawn_of_others, drawn_alike, 1 / N, 0.99),
    AttackCase(weeks.PseudonymLink("Markov chain"), drawn, drawn_of_others, drawn_alike, 1 / N, 0.99),
    AttackCase(habits.HomeAndWork(), homes, homes_of_others, homes_by_day, 1 / 4),
    AttackCase(next_place.NextPlace(1), went, went_by_order, went_anywhere, 1 / 10),
    AttackCase(next_place.NextPlace(2), went, went_by_order, went_anywhere, 1 / 10),
    AttackCase(
        repeated_positions.RepeatedPositions(), averaged_positions, averaged_position, averaged_positions_of_others,
        np.pi * 30**2 / 10_000**2, 0.95,
    ),
    AttackCase(meetings.Acquaintance(), acquainted, acquainted_strangers, acquainted_strangers, 1 / (N - 1), 0.99),
    AttackCase(
        meetings.Acquaintance("shared times"), acquainted, acquainted_strangers, acquainted_strangers, 1 / (N - 1), 0.9
    ),
]  # fmt: skip
"""At least one for each attack on traces."""
