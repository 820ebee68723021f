"""Geo-indistinguishable cells: the ratio over all pairs of a region, the audit of it and of broken twins, positions."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from sfumato.attack.audit import audit
from sfumato.errors import ParameterError
from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
from sfumato.mechanism.location.loss import largest_loss, weights
from sfumato.mechanism.location.planar import PlanarLaplace, epsilon_per_metre
from sfumato.table.plane import Plane, Region, distance
from sfumato.testing.seeded_bits import SeededBits

LYON = Plane(45.70, 4.78)


def slow_weights(rate, rows, columns, reach):
    """The same, point by point of the grid."""
    cells = list(itertools.product(range(rows), range(columns)))
    out = np.zeros((len(cells), len(cells)))
    for i, (r, c) in enumerate(cells):
        for u, v in itertools.product(range(-reach, reach + 1), repeat=2):
            to = (min(max(r + u, 0), rows - 1), min(max(c + v, 0), columns - 1))
            out[i, cells.index(to)] += math.exp(-rate * math.hypot(u, v))
    return out


@pytest.mark.parametrize(("rate", "rows", "columns"), [(1, 2, 3), (2, 3, 3), (Fraction(3, 2), 1, 4)])
def test_weights_enclose_those_of_all_points(rate, rows, columns):
    low, high = weights(Fraction(rate), rows, columns)
    slow = slow_weights(float(rate), rows, columns, 40)
    assert (low <= slow).all()
    assert (slow <= high).all()
    assert (high / low < 1 + 1e-10).all()


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (4, 5), (6, 6), (10, 10)])
@pytest.mark.parametrize("rate", [Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(3)])
def test_no_pair_of_cells_is_told_apart_by_more_than_their_distance_allows(rate, rows, columns):
    """Clamping included; an inner cell reports itself, so the bound is met."""
    found = largest_loss(rate, rows, columns)
    assert float(rate) <= found <= float(rate) * (1 + 1e-9) + 1e-9


@pytest.mark.parametrize(("rows", "columns"), [(1, 2), (2, 2), (1, 8)])
def test_a_region_of_borders_tells_less(rows, columns):
    assert largest_loss(Fraction(1), rows, columns) < 1


def test_drawing_again_outside_would_break_the_promise():
    """The twin that draws again until it is inside: weights over the region alone, made to add up to one."""
    at = list(itertools.product(range(4), repeat=2))
    table = np.array([[math.exp(-math.dist(x, z)) for z in at] for x in at])
    table /= table.sum(axis=1, keepdims=True)
    worst = max(
        np.log(table[i] / table[j]).max() / math.dist(at[i], at[j]) for i, j in itertools.permutations(range(16), 2)
    )
    assert worst > 1.1  # fmt: skip


def test_more_than_can_be_added_up_is_refused():
    with pytest.raises(ParameterError, match="at most 256 cells"):
        largest_loss(Fraction(1), 100, 100)
    with pytest.raises(ParameterError, match="not tiny"):
        largest_loss(Fraction(1, 10**6), 2, 2)


# The audit

GRID = Region(LYON, 100, 41, 41)
EPSILON = Fraction(1, 200)
RATE = 0.5
NEAR = ((20, 20), (20, 21), (21, 21))
"""Cells 1, 1 and √2 steps apart: the audit's bound is of the worst pair, at most √2/2 nats."""
TURNS = 64


def on_few_rays(report):
    """Whether a report lies on one of the rays that few random bits can draw from the first cell."""
    x, y = report[:, 0] - 20.0, report[:, 1] - 20.0
    turn = np.round(np.arctan2(y, x) / (2 * np.pi) * TURNS) / TURNS * 2 * np.pi
    along = x * np.cos(turn) + y * np.sin(turn)
    return (np.abs(along * np.cos(turn) - x) <= 0.5) & (np.abs(along * np.sin(turn) - y) <= 0.5)


def polar(radius, turn):
    return np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)


def twin(noise):
    """A randomizer that rounds floats to the grid."""
    rng = np.random.default_rng(41)
    return lambda cells: GRID.nearest(np.round(cells + noise(rng, len(cells))))


def audited(randomize):
    return audit(randomize, NEAR, n=200_000, confidence=1 - 1e-6, views={"on few rays": on_few_rays})


def test_the_audit_does_not_refute_it():
    """False-alarm rate 10⁻⁶ at most."""
    protection = GeoIndistinguishable(GRID, EPSILON)
    found = audited(lambda cells: protection.randomize(cells, bits=SeededBits(int(cells[0].sum()))))
    assert not found.refutes(RATE * math.sqrt(2))
    assert found.epsilon_lower > 0.4  # it sees what there is


@pytest.mark.parametrize(
    "noise",
    [
        lambda rng, n: polar(rng.gamma(2, 1 / RATE, n), rng.integers(0, TURNS, n) * (2 * np.pi / TURNS)),
        lambda rng, n: polar(rng.exponential(1 / RATE, n), rng.uniform(0, 2 * np.pi, n)),
        lambda rng, n: rng.laplace(scale=1 / RATE, size=(n, 2)),
        lambda rng, n: polar(np.minimum(rng.gamma(2, 1 / RATE, n), 6), rng.uniform(0, 2 * np.pi, n)),
    ],
    ids=["a turn of few bits", "a radius of one dimension", "axis by axis", "a capped radius"],
)
def test_the_audit_refutes_float_twins(noise):
    assert audited(twin(noise)).refutes(RATE * math.sqrt(2))


# Positions


def test_reports_are_cells_of_the_region_as_far_as_the_law_says():
    """Median distance of 20,000 reports beside that of the real law: 4 % are 6 deviations; cells of 10 m blur 7 m."""
    region = Region(LYON, 10, 1200, 1000)
    protection = GeoIndistinguishable(region, epsilon_per_metre(4, 200))
    at = np.full(20_000, 45.754), np.full(20_000, 4.843)
    seen = protection.protect(*at, bits=SeededBits(42))
    assert np.array_equal(region.cells_of(*seen), region.nearest(region.cells_of(*seen)))
    median = float(np.median(distance(*at, *seen)))
    assert abs(median / PlanarLaplace(epsilon_per_metre(4, 200)).quantile(0.5) - 1) < 0.04


def test_a_position_outside_is_reported_inside():
    protection = GeoIndistinguishable(Region(LYON, 100, 3, 3), 1)
    assert protection.region.cells_of(np.array([45.0, 46.9]), np.array([4.0, 5.9])).tolist() == [[0, 0], [2, 2]]
    cells = protection.randomize(np.array([[0, 0], [2, 2]]), bits=SeededBits(1))
    assert cells.tolist() == [[0, 0], [2, 2]]  # 100 nats a cell


def test_what_positions_tell_is_rounded_against_us():
    protection = GeoIndistinguishable(GRID, EPSILON)
    stated = protection.between_positions(100, reports=3)
    assert stated >= 3 * 0.005 * (100 * protection.region.stretch + 100 * math.sqrt(2))
    assert protection.guarantee(3).parameters["epsilon"] == EPSILON
    assert "0.015 d" in protection.guarantee(3).statement


@pytest.mark.parametrize("cells", [[[0, 41]], [[-1, 0]], [0, 1], [[0, 1, 2]]])
def test_cells_outside_are_refused(cells):
    with pytest.raises(ParameterError, match="row and a column"):
        GeoIndistinguishable(GRID, EPSILON).randomize(np.array(cells), bits=SeededBits(1))


@pytest.mark.parametrize("epsilon", [0, -1, "nothing", float("nan")])
def test_no_epsilon_is_refused(epsilon):
    with pytest.raises(ParameterError, match="epsilon"):
        GeoIndistinguishable(GRID, epsilon)
