"""Noise on a column: laws, promises, and what is written."""

import math
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.perturb.noise import Noise, Written
from sfumato.mechanism.perturb.noise_law import NoiseLaw, NoiseName, scale_for
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.seeded_bits import SeededBits

GAUSSIAN, LAPLACE = NoiseName.GAUSSIAN, NoiseName.LAPLACE


def column(values, kind=Kind.INTEGER, form=None):
    """A sensitive column with these values."""
    return bind(Column("x", Role.SENSITIVE, kind, format=form), values)


def law_of(name, scale):
    """Probabilities of -400 … 400, by their definition."""
    x = np.arange(-400, 401)
    weight = np.exp(-np.abs(x) / scale) if name is LAPLACE else np.exp(-(x**2) / (2 * scale**2))
    return x, weight / weight.sum()


@pytest.mark.parametrize(("name", "scale"), [(GAUSSIAN, 0.4), (GAUSSIAN, 7.5), (LAPLACE, 0.7), (LAPLACE, 9.0)])
def test_the_distribution_is_that_of_the_definition(name, scale):
    x, weight = law_of(name, scale)
    law = NoiseLaw(name, Fraction(str(scale)))
    assert law.below(x) == pytest.approx(np.cumsum(weight), abs=1e-12)
    assert law.moments() == pytest.approx((np.abs(x) @ weight, x**2 @ weight), rel=1e-9)
    broken = np.cumsum(weight) - weight  # P(X < x) in place of P(X <= x)
    assert np.abs(law.below(x) - broken).max() > 0.01


def test_wide_gaussian_noise_is_measured_by_the_normal_law():
    wide, narrow = NoiseLaw(GAUSSIAN, Fraction(20_001)), NoiseLaw(GAUSSIAN, Fraction(19_999))
    at = np.array([-30_000, 0, 12_345])
    assert wide.below(at) == pytest.approx(narrow.below(at), abs=1e-4)
    assert wide.moments() == pytest.approx(narrow.moments(), rel=1e-3)


@pytest.mark.parametrize("name", [GAUSSIAN, LAPLACE])
def test_what_is_drawn_follows_the_law(name):
    """DKW: the largest distance of 20,000 draws stays below √(ln(2/1e-6)/2n) but once in a million seeds."""
    law, n = NoiseLaw(name, Fraction(5)), 20_000
    drawn = law.draw(n, bits=SeededBits(5))
    x = np.arange(-80, 81)
    empirical = (drawn[:, None] <= x).mean(axis=0)
    assert np.abs(empirical - law.below(x)).max() < math.sqrt(math.log(2 / 1e-6) / (2 * n))


@pytest.mark.parametrize("deviation", [Fraction(1, 2), Fraction(1), Fraction(7, 2), Fraction(1000)])
def test_the_deviation_of_laplace_noise_is_the_one_asked_for_and_never_less(deviation):
    law = NoiseLaw(LAPLACE, scale_for(LAPLACE, deviation))
    assert math.sqrt(law.moments()[1]) == pytest.approx(float(deviation), rel=1e-8)
    assert math.sqrt(law.moments()[1]) >= float(deviation) * (1 - 1e-15)


def test_laplace_on_a_bounded_range_states_the_exact_epsilon_rounded_up():
    """The odds of any published number under the two ends are at most e^ε, and reached."""
    noise = Noise(LAPLACE, Fraction(3), Decimal("0.5"), (Fraction(0), Fraction(10)))
    decision = noise.decide(column(["-4", "0", "10", "99"], Kind.DECIMAL), np.ones(4, int), bits=SeededBits(1))
    epsilon, law = decision.guarantee.parameters["epsilon"], decision.step.draw.law
    assert decision.step.draw.steps.tolist() == [0, 0, 20, 20]
    assert Fraction(epsilon) >= 20 / law.scale > Fraction(epsilon) * (1 - Fraction(1, 10**15))
    x, weight = law_of(LAPLACE, float(law.scale))
    odds = [weight[k - 0 + 400] / weight[k - 20 + 400] for k in range(-60, 60)]
    assert max(odds) == pytest.approx(math.exp(epsilon), rel=1e-9)
    assert len(x) == 801


def test_gaussian_on_a_bounded_range_states_rho_and_unbounded_noise_promises_nothing():
    ages = column(["20", "30"])
    bounded = Noise(GAUSSIAN, Fraction(5), Decimal(1), (Fraction(0), Fraction(100)))
    assert bounded.decide(ages, np.ones(2, int), bits=SeededBits(1)).guarantee.parameters["rho"] == 200.0
    free = Noise(GAUSSIAN, Fraction(5), Decimal(1), None).decide(ages, np.ones(2, int), bits=SeededBits(1))
    assert free.guarantee is None


def test_cells_move_by_whole_steps_and_the_same_bits_give_the_same_cells():
    noise = Noise(GAUSSIAN, Fraction(2), Decimal("0.25"), None)
    step = noise.decide(column(["1.1", "7,5", None], Kind.DECIMAL), np.array([5, 5, 1]), bits=SeededBits(1)).step
    leaves = np.array([0, 1] * 50)
    first, again = (step.draw.draw(leaves, bits=SeededBits(9)) for _ in range(2))
    assert np.array_equal(first, again)
    assert (first - step.draw.steps[leaves]).std() == pytest.approx(8, rel=0.3)
    texts = step.draw.texts(first.tolist())
    assert all("," in text and Decimal(text.replace(",", ".")) % Decimal("0.25") == 0 for text in texts)


def test_days_are_written_in_the_format_of_the_column_and_stay_in_the_calendar():
    written = Written(Decimal(1), decimal_comma=False, is_date=True, format="%d/%m/%Y")
    assert written.texts([0, 31]) == ["01/01/1970", "01/02/1970"]
    plain = Written(Decimal(1), decimal_comma=False, is_date=True, format=None)
    assert plain.texts([-(10**9), 10**9]) == ["0001-01-01", "9999-12-31"]
    dates = column(["03/01/2026", "04/01/2026"], Kind.DATE, "%d/%m/%Y")
    step = Noise(LAPLACE, Fraction(3), Decimal(1), None).decide(dates, np.ones(2, int), bits=SeededBits(1)).step
    assert step.draw.texts(step.draw.steps.tolist()) == ["03/01/2026", "04/01/2026"]


def test_where_cells_lie_is_what_simulated_ones_do():
    """Shares within intervals, by formula and among 20,000 draws (DKW, false alarm below 1e-6)."""
    ages = column(["20", "30", "47", None])
    decision = Noise(LAPLACE, Fraction(4), Decimal(1), None).decide(ages, np.array([3, 2, 1, 4]), bits=SeededBits(1))
    low, high = np.array([18.0, 30.0, 50.0, 0.0]), np.array([21.4, 30.0, 40.0, 99.0])
    n = 20_000
    for leaf in range(3):
        drawn = decision.step.draw.draw(np.full(n, leaf), bits=SeededBits(leaf))
        share = ((drawn >= low[leaf]) & (drawn <= high[leaf])).mean()
        assert decision.blur.within(low, high)[leaf] == pytest.approx(share, abs=2 * math.sqrt(math.log(2e6) / 2 / n))
    assert decision.blur.within(low, high)[3] == 0
    assert decision.blur.same(4)[:3] == pytest.approx([decision.blur.law.below(np.array([0]))[0] * 2 - 1] * 3)


@pytest.mark.parametrize(
    ("deviation", "step", "bounds"), [(0, 1, None), (1, 0, None), (1, 1, (5, 5)), (Fraction(2) ** 60, 1, None)]
)
def test_numbers_out_of_range_are_refused(deviation, step, bounds):
    with pytest.raises(ParameterError):
        Noise(GAUSSIAN, Fraction(deviation), Decimal(step), bounds and tuple(map(Fraction, bounds)))


def test_text_and_numbers_too_large_are_refused_without_showing_them():
    noise = Noise(GAUSSIAN, Fraction(1), Decimal(1), None)
    with pytest.raises(ParameterError, match="is text"):
        noise.decide(column(["a"], Kind.TEXT), np.ones(1, int), bits=SeededBits(1))
    with pytest.raises(ParameterError, match="too large") as refused:
        noise.decide(column(["99999999999999999999"]), np.ones(1, int), bits=SeededBits(1))
    assert "9999" not in str(refused.value)


def test_large_numbers_on_a_fine_grid_are_found_unchanged():
    prices = column(["12345678.91", "12345678.90"], Kind.DECIMAL)
    blur = Noise(GAUSSIAN, Fraction(1), Decimal("0.01"), None).decide(prices, np.ones(2, int), bits=SeededBits(1)).blur
    assert blur.same(2) == pytest.approx([1 / math.sqrt(2 * math.pi * 100**2)] * 2, rel=1e-3)


def test_what_is_sent_to_other_machines_draws_the_same_there():
    step = Noise(LAPLACE, Fraction(2), Decimal(1), None).decide(column(["5"]), np.ones(1, int), bits=SeededBits(1)).step
    there = pickle.loads(pickle.dumps(step.draw))  # noqa: S301
    leaves = np.zeros(9, int)
    assert np.array_equal(there.draw(leaves, bits=SeededBits(3)), step.draw.draw(leaves, bits=SeededBits(3)))
