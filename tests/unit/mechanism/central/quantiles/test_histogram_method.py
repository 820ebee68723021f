"""HistogramMethod: the law of the scan, the promise on every tiny table, and the smaller noise."""

from fractions import Fraction

import numpy as np
import pytest
from tests.distribution.laws import follows
from tests.unit.mechanism.central.quantiles.method_laws import scan_law, scan_laws
from tests.unit.mechanism.central.quantiles.tiny_tables import largest_loss

from sfumato.errors import ParameterError
from sfumato.mechanism.central.quantiles import histogram_method
from sfumato.mechanism.central.quantiles.histogram_method import HistogramMethod, first_at_least_zero
from sfumato.mechanism.central.quantiles.method import true_quantiles
from sfumato.table.unit import OF_TABLES, Neighbors
from sfumato.testing.seeded_bits import SeededBits

QS = [Fraction(1, 4), Fraction(1, 2), Fraction(2, 3)]
DECILES = tuple(Fraction(i, 10) for i in range(1, 10))
SIZE = 4


@pytest.mark.parametrize("neighbors", OF_TABLES)
@pytest.mark.parametrize("factors", [(0.25, 0.25), (1.0, 0.05)])
def test_too_little_noise_is_caught(monkeypatch, neighbors, factors):
    methods = [HistogramMethod((q,), Fraction(2), SIZE, neighbors, rows=1, steps=SIZE, monotone=True) for q in QS]
    found = [scan_laws(monkeypatch, method, factors) for method in methods]
    assert max(largest_loss(law, SIZE, 3, neighbors) for law in found) > 2


def test_the_smaller_noise_for_counts_that_do_not_move_together_is_caught():
    """Many values fall by 1 and the next one rises by 1: with the smaller noise the ratio passes e^ε."""
    before, after = np.zeros(400), np.full(400, -1.0)
    before[-1], after[-1] = -6, -5
    scale = 2.0  # epsilon 1 has 2 for the threshold, and 4 for values of any kind
    smaller = scan_law(after, scale, scale)[399] / scan_law(before, scale, scale)[399]
    enough = scan_law(after, scale, 2 * scale)[399] / scan_law(before, scale, 2 * scale)[399]
    assert np.log(smaller) > 1
    assert np.log(enough) <= 1


def test_the_scan_follows_its_law():
    """False alarm: 1e-6."""
    values, bits = np.array([-4, -1, -1, 3]), SeededBits(1)
    found = [first_at_least_zero(values, Fraction(2), Fraction(3), bits=bits) for _ in range(1500)]
    assert follows(found, scan_law(values, 2, 3))
    assert not follows(found, scan_law(values, 2, 1.5))


def test_noise_counts_quantiles_rows_and_exchanges():
    def scales(neighbors, rows, monotone):
        method = HistogramMethod(DECILES, Fraction(1), 9, neighbors, rows=rows, monotone=monotone)
        return method.scales(Fraction(1, 2))

    assert scales(Neighbors.REPLACE, 1, False) == (36, 72)
    assert scales(Neighbors.ADD_REMOVE, 1, True) == (36, 36)
    assert scales(Neighbors.ADD_REMOVE, 3, True) == (108, 108)
    assert scales(Neighbors.REPLACE, 3, True) == (108, 108)


def test_little_noise_gives_the_true_quantiles_where_cells_are_points():
    places = np.random.default_rng(1).integers(0, 50, 10_000)
    method = HistogramMethod(DECILES, Fraction(2**20), 50, Neighbors.ADD_REMOVE, rows=1)
    assert method.decide(places, bits=SeededBits(1)).tolist() == true_quantiles(places, DECILES).tolist()


def test_without_an_answer_the_last_place_is_given(monkeypatch):
    monkeypatch.setattr(histogram_method, "first_at_least_zero", lambda values, *scales, bits: len(values))
    method = HistogramMethod((Fraction(1, 2),), Fraction(1), 1000, Neighbors.REPLACE, rows=1, steps=7)
    assert method.decide(np.arange(1000), bits=None).tolist() == [999]


@pytest.mark.parametrize("neighbors", OF_TABLES)
@pytest.mark.parametrize("table", [[], [0], [4, 4, 4], [0, 1, 2, 3, 4]])
def test_any_table_gives_rising_places_of_the_grid(neighbors, table):
    method = HistogramMethod(DECILES, Fraction(1, 10), 5, neighbors, rows=2)
    for seed in range(20):
        found = method.decide(np.array(table, np.int64), bits=SeededBits(seed))
        assert 0 <= found[0] <= found[-1] < 5
        assert np.all(np.diff(found) >= 0)


def test_steps_and_noise_that_cannot_be_are_refused():
    with pytest.raises(ParameterError, match="steps"):
        HistogramMethod(DECILES, Fraction(1), 9, Neighbors.REPLACE, rows=1, steps=0)
    with pytest.raises(ParameterError, match="scale of the noise"):
        HistogramMethod(
            (Fraction(1, 2**20), Fraction(1, 2)), Fraction(1, 2**30), 9, Neighbors.REPLACE, rows=1, monotone=False
        )
