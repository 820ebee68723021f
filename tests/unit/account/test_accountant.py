"""All accountants side by side: which can count what, and in which order they come."""

from fractions import Fraction

import pytest

from sfumato.account.accountant import Batch, as_approx, compare, epsilon_of
from sfumato.account.concentrated import cdp_epsilon
from sfumato.account.event import (
    ApproxDP,
    Composed,
    DiscreteGaussianNoise,
    DiscreteLaplaceNoise,
    PureDP,
    ZeroConcentratedDP,
)
from sfumato.account.gaussian import gaussian_delta
from sfumato.account.pure import optimal_composition
from sfumato.errors import ParameterError

pytest.importorskip("dp_accounting")
F = Fraction
PURE = [PureDP(F(1, 10))] * 100
ONE, LAPLACE = PureDP(F(1, 10)), DiscreteLaplaceNoise(F(20), F(2))
APPROX, GAUSS = ApproxDP(F(1), F(1, 10**6)), DiscreteGaussianNoise(F(50), F(1))


def test_order_on_pure_events():
    """Optimum <= loss distribution <= Rényi <= zCDP <= sum, here."""
    found = {reading.accountant: reading.epsilon for reading in compare(PURE, "1e-6")}
    assert found["kov"] <= found["pld"] <= found["rdp"] <= found["zcdp"] <= found["basic"] == 10
    assert [r.epsilon for r in compare(PURE, "1e-6")] == sorted(found.values())


def test_gaussian_lists():
    """Those that only know ε and δ say so."""
    readings = {r.accountant: r for r in compare([DiscreteGaussianNoise(F(100), F(1))] * 4, "1e-6")}
    assert readings["pld"].epsilon < readings["zcdp"].epsilon
    assert float(readings["rdp"].epsilon) == pytest.approx(float(readings["zcdp"].epsilon), rel=1e-12)
    assert readings["kov"].epsilon is readings["basic"].epsilon is None
    assert "DiscreteGaussianNoise" in readings["kov"].note


def test_those_that_cannot_count_come_last():
    """zCDP has no loss distribution."""
    readings = compare([ZeroConcentratedDP(F(1, 2))], "1e-6")
    assert [r.epsilon is None for r in readings] == [False, False, True, True, True]


def test_composed_events_are_taken_apart():
    """And the order does not matter."""
    events = [Composed((PureDP(F(1, 2)), DiscreteLaplaceNoise(F(9), F(3)))), PureDP(F(1, 5))]
    parts = [PureDP(F(1, 5)), DiscreteLaplaceNoise(F(9), F(3)), PureDP(F(1, 2))]
    for accountant in ("kov", "rdp", "zcdp", "basic", "pld"):
        whole, taken_apart = (float(epsilon_of(e, "1e-6", accountant)) for e in (events, parts))
        assert whole == pytest.approx(taken_apart, rel=1e-10)


def test_failures_of_approx_events_are_paid_from_delta():
    """What is left of δ is (δ - Σ δ_i) at most; when it is used up, the sum remains."""
    events = [ApproxDP(F(1, 10), F(1, 10**8))] * 50
    found = epsilon_of(events, "1e-6", "kov")
    assert optimal_composition([F(1, 10)] * 50, "1e-6") < found
    assert found <= optimal_composition([F(1, 10)] * 50, "4.99e-7")
    assert epsilon_of(events, "5e-7", "basic") == 5
    with pytest.raises(ParameterError, match="`delta`"):
        epsilon_of(events, "4e-7", "kov")
    with pytest.raises(ParameterError, match="`delta`"):
        epsilon_of(events, "4e-7", "basic")


def test_a_batch_is_one_approx_event():
    """With the ε of its accountant."""
    batch = Batch(tuple(PURE), F(1, 10**6), "pld")
    assert batch.event == ApproxDP(epsilon_of(PURE, "1e-6", "pld"), F(1, 10**6))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Batch((), F(1, 10**6), "kov"),
        lambda: Batch(tuple(PURE), F(1), "kov"),
        lambda: Batch(tuple(PURE), F(1, 10**6), "guess"),
        lambda: epsilon_of(PURE, "1e-6", "guess"),
        lambda: epsilon_of([ApproxDP(F(1), F(1, 10**9))], "1e-6", "rdp"),
        lambda: epsilon_of([ApproxDP(F(1), F(1, 10**9))], "1e-6", "zcdp"),
    ],
)
def test_refusals(make):
    """Empty batches, delta = 1, unknown names, events without a divergence."""
    with pytest.raises(ParameterError):
        make()


@pytest.mark.parametrize("accountant", ["kov", "rdp", "zcdp", "basic", "pld"])
def test_nothing_costs_nothing(accountant):
    """An empty list, and free events."""
    assert epsilon_of([], "1e-6", accountant) == 0
    assert epsilon_of([PureDP(F(0))], "1e-6", accountant) == 0


def test_compare_names_delta():
    """delta = 1."""
    with pytest.raises(ParameterError, match="`delta`"):
        compare(PURE, 1)


def test_conversion_of_gaussian_noise():
    """One total exactly, several through zCDP, which costs more."""
    one = as_approx(GAUSS, delta="1e-6")
    several = as_approx(DiscreteGaussianNoise(F(50), F(1), 5), delta="1e-6")
    assert gaussian_delta(one.epsilon, 50, 1) <= F(1, 10**6)
    assert several == ApproxDP(cdp_epsilon("0.01", "1e-6"), F(1, 10**6))
    assert one.epsilon < several.epsilon


def test_conversion_keeps_pure_events_pure():
    """δ is not spent where it is not needed."""
    assert as_approx(ONE, delta="1e-6") == ApproxDP(F(1, 10), F(0))
    assert as_approx(Composed((ONE, LAPLACE)), delta="1e-6") == ApproxDP(F(1, 5), F(0))
    assert as_approx(APPROX, delta="1e-6") == APPROX


@pytest.mark.parametrize("delta", [1, 0, 1.0])
def test_conversion_names_delta(delta):
    """delta = 1 is refused by name."""
    with pytest.raises(ParameterError, match="`delta`"):
        as_approx(GAUSS, delta=delta)


def test_conversion_of_a_mixture_with_delta_is_refused():
    """An approx event among Gaussian ones has no ρ."""
    with pytest.raises(ParameterError):
        as_approx(Composed((APPROX, GAUSS)), delta="1e-6")
    with pytest.raises(ParameterError):
        as_approx(APPROX, delta="1e-9")
