"""Cells of a grid: equal, complete, and read off evenly."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from sfumato.mechanism.central.quantiles.cells import count_cells, edges, quantiles_of_cells
from sfumato.mechanism.central.quantiles.method import true_quantiles


@pytest.mark.parametrize(("size", "cells"), [(10, 1), (10, 3), (10, 10), (10, 16), (2**52 + 1, 1000), (7, 2**16)])
def test_cells_are_equal_and_complete(size, cells):
    cuts = edges(size, cells)
    assert (len(cuts), cuts[0], cuts[-1]) == (cells + 1, 0, size)
    assert set(np.diff(cuts).tolist()) <= {size // cells, size // cells + 1}


@pytest.mark.parametrize("cells", [1, 3, 10, 16])
def test_every_place_is_counted_in_its_cell(cells):
    cuts, places = edges(10, cells), np.random.default_rng(1).integers(0, 10, 500)
    slow = [sum(low <= g < high for g in places) for low, high in pairwise(cuts)]
    assert count_cells(places, cuts).tolist() == slow


def test_exact_counts_of_single_places_give_the_true_quantiles():
    """Shares whose products with the number of rows a double holds exactly."""
    places = np.random.default_rng(2).integers(0, 30, 64)
    quantiles = tuple(Fraction(i, 32) for i in range(1, 32))
    cuts = edges(30, 30)
    found = quantiles_of_cells(count_cells(places, cuts).astype(np.float64), cuts, quantiles)
    assert found.tolist() == true_quantiles(places, quantiles).tolist()


def test_places_within_a_cell_are_spread_evenly():
    cuts = np.array([0, 100, 1000])
    quantiles = (Fraction(1, 10), Fraction(1, 2), Fraction(3, 4))
    assert quantiles_of_cells(np.array([50.0, 50.0]), cuts, quantiles).tolist() == [19, 99, 549]
