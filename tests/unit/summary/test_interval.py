"""Wilson's and Clopper and Pearson's intervals against exact rationals and the peer."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.summary.interval import clopper_pearson, lower_bound, upper_bound, upper_tail, wilson


def exact_tail(s, n, p):
    """The slow twin, in rationals."""
    p = Fraction(p)
    return sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(s, n + 1))


@given(st.integers(1, 40), st.data())
def test_the_tail_is_the_sum_of_the_binomial(n, data):
    s, p = data.draw(st.integers(0, n)), data.draw(st.floats(0, 1))
    assert upper_tail(s, n, p) == pytest.approx(float(exact_tail(s, n, p)), rel=1e-11, abs=1e-14)


@given(st.integers(1, 40), st.data())
def test_the_exact_bounds_fail_no_more_often_than_allowed(n, data):
    """At the bound the tail is at most the error, in exact arithmetic, and nearly reaches it."""
    s, error = data.draw(st.integers(0, n)), data.draw(st.sampled_from([0.4, 0.05, 1e-3, 1e-9]))
    low, high = lower_bound(s, n, error), upper_bound(s, n, error)
    if s:
        assert Fraction(error) * Fraction(999_999, 1_000_000) <= exact_tail(s, n, low) <= Fraction(error)
    if s < n:
        assert exact_tail(n - s, n, 1 - Fraction(high)) <= Fraction(error)


def test_nothing_and_everything_reach_the_ends():
    assert clopper_pearson(0, 7, 0.9).low == 0
    assert clopper_pearson(7, 7, 0.9).high == 1
    assert wilson(0, 7, 0.9).low == 0
    assert wilson(7, 7, 0.9).high == 1


@pytest.mark.parametrize(("s", "n"), [(1, 10), (50, 1000), (500_000, 1_000_000), (3, 1_000_000), (999_999, 1_000_000)])
def test_bounds_agree_with_scipy(s, n):
    stats = pytest.importorskip("scipy.stats")
    for name, ours in (("exact", clopper_pearson), ("wilson", wilson)):
        theirs = stats.binomtest(s, n).proportion_ci(0.95, method=name)
        found = ours(s, n, 0.95)
        assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), rel=1e-6)


@pytest.mark.parametrize("call", [wilson, clopper_pearson])
@pytest.mark.parametrize(
    "given_", [(3, 2, 0.9), (-1, 2, 0.9), (0, 0, 0.9), (1, 2, 1.0), (1, 2, 0.0), (1, 2, float("nan"))]
)
def test_numbers_outside_their_range_are_refused(call, given_):
    with pytest.raises(ParameterError, match="Remedy"):
        call(*given_)
