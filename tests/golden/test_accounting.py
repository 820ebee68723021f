"""Published and measured totals: 100 and 1 000 answers with ε = 0.1 at δ = 10⁻⁶, by other libraries and by formula."""

from fractions import Fraction

import pytest

from sfumato.account.accountant import epsilon_of
from sfumato.account.concentrated import cdp_epsilon
from sfumato.account.event import DiscreteGaussianNoise, DiscreteLaplaceNoise, PureDP
from sfumato.account.gaussian import gaussian_delta, gaussian_epsilon
from sfumato.account.pure import advanced_composition, basic_composition, optimal_composition

F = Fraction
EPSILON, DELTA = F(1, 10), "1e-6"
NEARLY_CONTINUOUS = DiscreteLaplaceNoise(F(10_000), F(1_000))
"""Discrete Laplace noise with a fine unit: its loss is nearly that of continuous noise."""


@pytest.mark.parametrize(("k", "expected"), [(100, 4.7746), (1000, 19.3447)])
def test_optimal_composition(k, expected):
    """Kairouz, Oh and Viswanath, to all digits that are known."""
    assert float(optimal_composition([EPSILON] * k, DELTA)) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(("k", "expected"), [(100, 4.6927), (1000, 18.9503)])
def test_loss_distribution_of_laplace_noise(k, expected):
    """dp-accounting's own totals for continuous noise."""
    pytest.importorskip("dp_accounting")
    assert float(epsilon_of([NEARLY_CONTINUOUS] * k, DELTA, "pld")) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(("k", "expected"), [(100, 4.9842), (1000, 20.0466)])
def test_renyi_of_laplace_noise(k, expected):
    """dp-accounting has a list of orders; ours is searched, so it may be smaller, and is not by much."""
    found = float(epsilon_of([NEARLY_CONTINUOUS] * k, DELTA, "rdp"))
    assert expected - 0.01 < found <= expected + 1e-4


@pytest.mark.parametrize(("k", "simple"), [(100, 5.7565), (1000, 21.6226)])
def test_concentrated(k, simple):
    """ρ + 2 sqrt(ρ ln(1/δ)) is what others use; the tighter conversion lies below."""
    found = float(epsilon_of([PureDP(EPSILON)] * k, DELTA, "zcdp"))
    assert simple * 0.88 < found < simple


@pytest.mark.parametrize(("k", "expected"), [(100, 6.308), (1000, 27.14)])
def test_advanced(k, expected):
    """Dwork, Rothblum and Vadhan."""
    assert float(advanced_composition([EPSILON] * k, DELTA)) == pytest.approx(expected, abs=5e-3)


@pytest.mark.parametrize("k", [100, 1000])
def test_basic(k):
    """The sum, exactly."""
    assert basic_composition([EPSILON] * k) == F(k, 10)


def test_against_dp_accounting_order_by_order():
    """On its own list of orders and for its Gaussian event, its total is ours or above."""
    accounting = pytest.importorskip("dp_accounting")
    from dp_accounting.rdp import RdpAccountant

    theirs = RdpAccountant().compose(accounting.GaussianDpEvent(10.0), 50).get_epsilon(1e-6)
    ours = float(epsilon_of([DiscreteGaussianNoise(F(100), F(1))] * 50, DELTA, "rdp"))
    assert ours <= theirs * (1 + 1e-9)
    assert ours == pytest.approx(theirs, rel=5e-3)


def test_conversion_of_canonne_kamath_steinke():
    """σ = 1, Δ = 1: exact ε 4.4996 at δ = 10⁻⁶ lies below the conversion of ρ = 1/2, 5.2215."""
    assert float(gaussian_epsilon(DELTA, 1, 1)) == pytest.approx(4.4996, abs=1e-4)
    assert float(cdp_epsilon("0.5", DELTA)) == pytest.approx(5.2215, abs=1e-4)
    assert gaussian_delta(cdp_epsilon("0.5", DELTA), 1, 1) < F(DELTA)
