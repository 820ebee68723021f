"""Persons alone with their sex and birth date, by formula and by simulation."""

import math

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.risk.expected_uniqueness import DAYS, persons_for, share_alone


def test_the_formula_is_the_mean_of_simulated_places():
    """200 places of 300 persons in 500 cells; six deviations of the mean."""
    rng, shares = np.random.default_rng(8), []
    for _ in range(200):
        counts = np.bincount(rng.integers(0, 500, 300), minlength=500)
        shares.append((counts == 1).sum() / 300)
    assert np.mean(shares) == pytest.approx(share_alone(300, 500), abs=6 * np.std(shares) / math.sqrt(200))


def test_the_published_shares_are_what_places_of_known_size_give():
    """87 % (Sweeney 2000) and 63 % (Golle 2006) with dates even over 80 years."""
    cells = 2 * DAYS * 80
    assert persons_for(0.87, cells) == pytest.approx(8139, abs=1)
    assert persons_for(0.63, cells) == pytest.approx(27_002, abs=1)
    assert share_alone(persons_for(0.63, cells), cells) == pytest.approx(0.63)
    assert share_alone(1, cells) == 1


@pytest.mark.parametrize(("persons", "cells"), [(0, 10), (5, 1)])
def test_numbers_out_of_range_are_refused(persons, cells):
    with pytest.raises(ParameterError):
        share_alone(persons, cells)
    with pytest.raises(ParameterError):
        persons_for(persons / 4, cells)
