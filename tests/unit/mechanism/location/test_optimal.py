"""Remapping and the optimal mechanism: beside slow twins, never worse under the prior, and exact for all pairs."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from tests.distribution.laws import follows

from sfumato.errors import ParameterError
from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
from sfumato.mechanism.location.loss import law_of
from sfumato.mechanism.location.optimal import OptimalCells, optimal, ratios, repaired, spanner
from sfumato.mechanism.location.prior import Prior, cells_of_region, expected_metres, metres_between
from sfumato.mechanism.location.remap import bayes_remap, remap_of
from sfumato.numbers.enclosure import exp_between
from sfumato.table.plane import Plane, Region
from sfumato.testing.seeded_bits import SeededBits

REGION = Region(Plane(45.70, 4.78), 100, 3, 4)
PLACES = cells_of_region(REGION)


def prior_of(seed, n=12):
    return Prior(np.random.default_rng(seed).dirichlet(np.full(n, 0.5)), origin="a test")


@pytest.mark.parametrize("seed", range(4))
def test_the_remap_is_that_of_trying_all_cells(seed):
    prior, law, metres = prior_of(seed), law_of(Fraction(1, 2), 3, 4), PLACES[2]
    found = bayes_remap(law, metres, prior)
    expected = [
        [sum(prior.shares[x] * law[x, z] * metres[x, w] for x in range(12)) for w in range(12)] for z in range(12)
    ]
    assert found.before == pytest.approx(sum(expected[z][z] for z in range(12)))
    assert found.before == pytest.approx(expected_metres(law, metres, prior))
    assert found.after == pytest.approx(sum(map(min, expected)))
    assert [expected[z][found.to[z]] for z in range(12)] == pytest.approx(list(map(min, expected)))
    assert found.after < found.before
    again = bayes_remap(law, metres, Prior(np.ones(12), origin="even"))
    assert again.after <= again.before


def test_reports_are_remapped_cell_by_cell():
    better = remap_of(GeoIndistinguishable(REGION, "0.005"), prior_of(1))
    cells = np.array([[2, 1], [0, 3]])
    assert better.cells(cells, 4).tolist() == [list(divmod(int(better.to[i]), 4)) for i in (9, 3)]
    assert better.origin == "a test"


def holds_slowly(found):
    """All pairs and reports, in fractions: w(x, z) / Σ <= e^(ε m) w(x', z) / Σ with e enclosed from below."""
    w, n = found.weights.tolist(), len(found.weights)
    assert len({sum(row) for row in w}) == 1
    for x, y in itertools.permutations(range(n), 2):
        most = exp_between(Fraction(found.epsilon) * Fraction(float(found.metres[x, y])))[0]
        assert all(w[x][z] <= most * w[y][z] for z in range(n))


@pytest.mark.parametrize(("dilation", "seed"), [(1, 0), (1.1, 1), (1.5, 2)])
def test_the_optimal_mechanism_keeps_the_promise_exactly_and_loses_least(dilation, seed):
    prior = prior_of(seed)
    found = optimal(PLACES, "0.01", prior, dilation=dilation)
    holds_slowly(found)
    assert found.loss == pytest.approx(found.least, rel=1e-9)
    assert found.loss == pytest.approx(expected_metres(found.law, PLACES[2], prior))
    remapped = remap_of(GeoIndistinguishable(REGION, "0.01"), prior)
    if dilation == 1:
        assert found.loss < remapped.after < remapped.before
        assert bayes_remap(found.law, PLACES[2], prior).after == pytest.approx(found.loss, rel=1e-9)
    else:
        assert found.loss >= optimal(PLACES, "0.01", prior, dilation=1).loss - 1e-6


def test_two_cells_have_the_known_optimum():
    """Prior (1/2, 1/2), m metres apart: the truth is told with e^(εm) / (1 + e^(εm))."""
    places = cells_of_region(Region(Plane(45.7, 4.8), 100, 1, 2))
    found = optimal(places, "0.01", Prior(np.ones(2), origin="even"), dilation=1)
    assert found.law[0, 0] == pytest.approx(math.e / (1 + math.e), rel=1e-9)
    assert found.law[0, 0] / found.law[1, 0] < math.e


def test_hexagons_are_places_too_and_draws_follow_the_weights():
    """Distances on the sphere; 50,000 draws from one cell, false-alarm rate 10⁻⁶."""
    h3 = pytest.importorskip("h3")
    cells = sorted(h3.grid_disk(h3.latlng_to_cell(45.75, 4.85, 8), 1))
    latitude, longitude = (np.array(x) for x in zip(*map(h3.cell_to_latlng, cells), strict=True))
    metres = metres_between(latitude, longitude)
    found = optimal((latitude, longitude, metres), "0.002", prior_of(3, 7), dilation=1.05)
    holds_slowly(found)
    assert found.cells_of(latitude, longitude).tolist() == list(range(7))
    told = found.randomize(np.full(50_000, 2), bits=SeededBits(5))
    total = int(found.weights[2].sum())
    assert follows(told, {z: Fraction(int(found.weights[2, z]), total) for z in range(7)})
    lat, _ = found.protect(latitude[:1], longitude[:1], bits=SeededBits(6))
    assert lat[0] in latitude
    assert "a test" in found.guarantee().assumptions[2]


@pytest.mark.parametrize("dilation", [1, 1.1, 1.5, 3])
def test_ways_along_a_spanner_are_as_short_as_asked(dilation):
    metres = metres_between(*np.random.default_rng(6).uniform(45, 46, (2, 15)))
    way = np.full((15, 15), np.inf)
    for a, b in spanner(metres, dilation):
        way[a, b] = way[b, a] = metres[a, b]
    np.fill_diagonal(way, 0)
    for k, i, j in itertools.product(range(15), repeat=3):
        way[i, j] = min(way[i, j], way[i, k] + way[k, j])
    assert (way <= dilation * metres * (1 + 1e-9)).all()


def test_weights_that_break_the_promise_are_refused():
    found = optimal(PLACES, "0.01", prior_of(1), dilation=1)
    broken = found.weights.copy()
    broken[0, 0] += 10**9
    broken[0, 1] -= 10**9
    with pytest.raises(ParameterError, match="all pairs"):
        OptimalCells(*PLACES, "0.01", broken, 0.0, 0.0, "a test")
    with pytest.raises(ParameterError, match="nearly keep"):
        repaired(np.eye(12), ratios(PLACES[2], "0.01"))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Prior(np.array([1.0, -1.0]), origin="x"), lambda: Prior(np.zeros(2), origin="x"), lambda: Prior(np.ones(2), origin=" "),
        lambda: optimal(PLACES, 0, prior_of(1), dilation=1), lambda: optimal(PLACES, "0.01", prior_of(1), dilation=0.9),
        lambda: optimal(PLACES, "0.01", prior_of(1, 5), dilation=1), lambda: optimal((np.zeros(2), np.zeros(2), np.zeros((2, 2))), 1, prior_of(1, 2), dilation=1),
        lambda: remap_of(GeoIndistinguishable(REGION, "0.01"), prior_of(1, 5)), lambda: bayes_remap(np.eye(3), np.eye(3), prior_of(1, 2)),
        lambda: optimal(PLACES, "0.01", prior_of(1), dilation=1).randomize(np.array([12]), bits=SeededBits(1)),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(wrong):
    with pytest.raises(ParameterError):
        wrong()
