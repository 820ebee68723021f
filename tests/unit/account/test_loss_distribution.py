"""Loss distributions are never below the exact ε, close to it, and refuse what they cannot bound."""

import sys
from fractions import Fraction

import pytest

from sfumato.account.event import (
    ApproxDP,
    Composed,
    DiscreteGaussianNoise,
    DiscreteLaplaceNoise,
    PureDP,
    ZeroConcentratedDP,
)
from sfumato.account.gaussian import gaussian_epsilon
from sfumato.account.loss_distribution import flat, loss_distribution_epsilon
from sfumato.account.pure import optimal_composition
from sfumato.errors import ParameterError

pytest.importorskip("dp_accounting")
F = Fraction


@pytest.mark.parametrize("delta", ["1e-3", "1e-6", "1e-9"])
@pytest.mark.parametrize("event", [PureDP(F(1, 10)), DiscreteLaplaceNoise(F(10), F(1), 4)])
def test_pure_lists_are_optimal_and_not_below(event, delta):
    """Randomized response is the loss of both: the exact optimum is a lower limit, and reached within 10⁻³."""
    found = loss_distribution_epsilon([event] * 50, delta)
    exact = optimal_composition([F(1, 10)] * 50, delta)
    assert exact * (1 - F(1, 10**9)) <= found <= exact + F(1, 1000)


@pytest.mark.parametrize(("square", "sensitivity"), [(16, 1), (400, 9), (F(1, 4), 1)])
def test_one_gaussian_is_exact_and_not_below(square, sensitivity):
    """Against the exact summation of δ(ε)."""
    found = loss_distribution_epsilon([DiscreteGaussianNoise(F(square), F(sensitivity))], "1e-6")
    exact = gaussian_epsilon("1e-6", square, sensitivity)
    assert exact * (1 - F(1, 10**6)) <= found <= exact + F(1, 1000)


def test_laplace_noise_with_a_larger_sensitivity_costs_less_than_pure():
    """Its loss takes values in between."""
    laplace = loss_distribution_epsilon([DiscreteLaplaceNoise(F(100), F(10))] * 50, "1e-6")
    pure = loss_distribution_epsilon([PureDP(F(1, 10))] * 50, "1e-6")
    assert laplace < pure


def test_several_totals_fall_back_to_pure():
    """The law of one total is not used for a vector."""
    vector = loss_distribution_epsilon([DiscreteLaplaceNoise(F(100), F(10), 3)] * 50, "1e-6")
    assert vector == loss_distribution_epsilon([PureDP(F(1, 10))] * 50, "1e-6")


def test_mixed_lists_grow():
    """Each further event adds."""
    events = [PureDP(F(1, 10)), DiscreteGaussianNoise(F(100), F(1)), ApproxDP(F(1, 5), F(1, 10**8))]
    values = [loss_distribution_epsilon(events[:n], "1e-6") for n in (1, 2, 3)]
    assert values == sorted(values)
    assert loss_distribution_epsilon([Composed(tuple(events))], "1e-6") == values[-1]
    assert len(flat([Composed(tuple(events)), events[0]])) == 4


def test_free_events_and_empty_lists():
    """0 costs 0."""
    assert loss_distribution_epsilon([], "1e-6") == 0
    free = [PureDP(F(0)), DiscreteLaplaceNoise(F(1), F(0)), DiscreteGaussianNoise(F(1), F(0))]
    assert loss_distribution_epsilon(free, "1e-6") == 0


@pytest.mark.parametrize("event", [ZeroConcentratedDP(F(1)), DiscreteGaussianNoise(F(1), F(1), 2)])
def test_events_without_a_loss_distribution_are_refused(event):
    """With the accountants that can."""
    with pytest.raises(ParameterError, match="zcdp"):
        loss_distribution_epsilon([event], "1e-6")


@pytest.mark.parametrize("delta", ["1e-11", 1, "1e-400"])
def test_deltas_that_floats_cannot_hold_are_named(delta):
    """Small ones are refused rather than answered wrongly."""
    with pytest.raises(ParameterError, match="`delta`"):
        loss_distribution_epsilon([PureDP(F(1))], delta)


def test_more_failure_than_delta_is_refused():
    """No ε is finite then."""
    with pytest.raises(ParameterError, match="larger delta"):
        loss_distribution_epsilon([ApproxDP(F(1), F(1, 10**3))], "1e-6")


def test_huge_scales_are_refused():
    """With a remedy."""
    with pytest.raises(ParameterError, match="coarser"):
        loss_distribution_epsilon([DiscreteGaussianNoise(F(10**12), F(1))], "1e-6")


def test_the_extra_is_named_when_it_is_not_installed(monkeypatch):
    """Not a bare ImportError."""
    monkeypatch.setitem(sys.modules, "dp_accounting", None)
    monkeypatch.setitem(sys.modules, "dp_accounting.pld", None)
    with pytest.raises(ParameterError, match=r"sfumato\[account\]"):
        loss_distribution_epsilon([PureDP(F(1))], "1e-6")
