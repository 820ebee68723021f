"""PRAM of a column of a plan."""

import math

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.perturb.pram_column import PramColumn, share_error
from sfumato.mechanism.perturb.transition import keep_share
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.seeded_bits import SeededBits

VALUES = ("no", "sometimes", "yes")
SMOKES = bind(Column("smokes", Role.SENSITIVE), ["yes", "no", None])
COUNTS = np.array([70, 20, 10])  # no, yes, missing


def test_cells_are_drawn_from_the_row_of_their_category():
    """Hoeffding for each of 6 chances from 20,000 draws; false alarm below 1e-6."""
    step = PramColumn(VALUES, 0.8, None).decide(SMOKES, COUNTS, bits=SeededBits(1)).step
    n = 20_000
    for leaf, own in ((0, 0), (1, 2)):
        places = step.draw.draw(np.full(n, leaf), bits=SeededBits(leaf))
        shares = np.bincount(places, minlength=3) / n
        expected = np.full(3, 0.1)
        expected[own] = 0.8
        assert shares == pytest.approx(expected, abs=math.sqrt(math.log(12e6) / (2 * n)))
    assert step.draw.texts([2, 0, 1]) == ["yes", "no", "sometimes"]


def test_epsilon_is_that_of_the_matrix_and_does_not_depend_on_the_table():
    one = PramColumn(VALUES, 0.8, None).decide(SMOKES, COUNTS, bits=SeededBits(1))
    other = PramColumn(VALUES, 0.8, None).decide(SMOKES, COUNTS[::-1].copy(), bits=SeededBits(1))
    assert one.guarantee == other.guarantee
    assert math.exp(one.guarantee.parameters["epsilon"]) == pytest.approx(8)


def test_invariant_pram_keeps_expected_shares_and_says_where_its_matrix_comes_from():
    decision = PramColumn(VALUES, 0.8, 0.5).decide(SMOKES, COUNTS, bits=SeededBits(1))
    chance = decision.step.draw.chance
    shares = np.array([70, 0, 20]) / 90
    assert shares @ chance.matrix == pytest.approx(shares, abs=1e-12)
    assert any("computed from the shares" in said for said in decision.guarantee.assumptions)


def test_expected_cells_and_unchanged_ones_add_up():
    blur = PramColumn(VALUES, 0.8, None).decide(SMOKES, COUNTS, bits=SeededBits(1)).blur
    assert blur.totals(3) == pytest.approx([70, 20, 0])
    assert blur.same(3)[:2] == pytest.approx([0.8, 0.8])


def test_numbers_keep_their_place_on_the_line():
    ages = bind(Column("rooms", Role.SENSITIVE, Kind.INTEGER), ["1", "3"])
    blur = PramColumn(("1", "2", "3"), 0.5, None).decide(ages, np.array([1, 1]), bits=SeededBits(1)).blur
    assert blur.within(np.array([2.0, 2.0]), np.array([3.0, 3.0])) == pytest.approx([0.5, 0.75])


def test_the_stated_error_is_that_of_simulated_estimates():
    """1,000 simulated tables; the deviation of a deviation is within 15 % (far beyond 1e-6)."""
    chance, cells = keep_share(2, 0.8), np.array([300, 100])
    rng = np.random.default_rng(4)
    yes = rng.binomial(100, 0.8, 1000) + rng.binomial(300, 0.2, 1000)
    estimates = (yes / 400 - 0.2) / 0.6
    assert share_error(chance, cells) == pytest.approx(estimates.std(), rel=0.15)


def test_cells_outside_the_declared_values_are_counted_and_not_shown():
    with pytest.raises(ParameterError, match="20 do not") as refused:
        PramColumn(("no", "maybe"), 0.8, None).decide(SMOKES, COUNTS, bits=SeededBits(1))
    assert "'yes'" not in str(refused.value)


@pytest.mark.parametrize("values", [("a",), ("a", "a"), ()])
def test_at_least_two_different_categories(values):
    with pytest.raises(ParameterError, match="two declared"):
        PramColumn(values, 0.8, None)


def test_a_column_without_a_known_cell_is_refused():
    with pytest.raises(ParameterError, match="known cell"):
        PramColumn(VALUES, 0.8, None).decide(SMOKES, np.array([0, 0, 3]), bits=SeededBits(1))
