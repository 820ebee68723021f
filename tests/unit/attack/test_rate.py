"""Rates, their excess over a control group, and verdicts."""

from math import sqrt
from statistics import NormalDist

import pytest

from sfumato.attack.rate import Rate, Trial, excess


def by_hand(s, n, c, m):
    """The published formulas, written out: middles and half-widths of both rates, then their propagation."""
    z = NormalDist().inv_cdf(0.975)
    p, e = (s + z * z / 2) / (n + z * z), z / (n + z * z) * sqrt(s * (n - s) / n + z * z / 4)
    q, f = (c + z * z / 2) / (m + z * z), z / (m + z * z) * sqrt(c * (m - c) / m + z * z / 4)
    return (p - q) / (1 - q), sqrt((e / (1 - q)) ** 2 + (f * (p - 1) / (1 - q) ** 2) ** 2)


@pytest.mark.parametrize(("s", "n", "c", "m"), [(300, 1000, 200, 1000), (90, 100, 20, 50), (7, 9, 1, 9)])
def test_the_excess_is_the_published_formula(s, n, c, m):
    value, half = by_hand(s, n, c, m)
    found = excess(Rate(s, n, 0.95), Rate(c, m, 0.95))
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.high == pytest.approx(min(1, value + half), abs=1e-12)
    assert found.low == pytest.approx(max(0, value - half), abs=1e-12)


def test_a_known_value_of_another_program():
    """1,000 guesses, 300 right, 200 by the control: .124701 ± .044686."""
    found = excess(Rate(300, 1000, 0.95), Rate(200, 1000, 0.95))
    assert (round(found.value, 6), round(found.high - found.value, 6)) == (0.124701, 0.044686)


def test_no_better_than_the_control_is_no_risk():
    found = excess(Rate(10, 100, 0.95), Rate(30, 100, 0.95))
    assert (found.value, found.low) == (0, 0)
    assert Trial("", "", None, "", Rate(0, 1000, 0.95), Rate(0, 1000, 0.95)).verdict(0.01) == "low"


def test_what_was_not_tried_is_inconclusive_and_never_low():
    assert Trial("", "", None, "", None).verdict(1.0) == "inconclusive"
    assert Trial("", "", None, "", Rate(0, 10, 0.95)).verdict(1.0) == "inconclusive"


def test_what_could_not_be_read_is_never_low():
    for hits, verdict in ((0, "inconclusive"), (90, "elevated")):
        partly = Trial("", "", None, "", Rate(hits, 100, 0.95), Rate(0, 100, 0.95), complete=False)
        assert partly.verdict(0.2) == verdict


def test_few_guesses_are_inconclusive():
    """One person about whom nothing was guessed is no evidence of safety."""
    assert Trial("", "", None, "", Rate(0, 1, 0.95), Rate(0, 1, 0.95)).verdict(0.2) == "inconclusive"


def test_a_rate_is_judged_by_itself_where_certainty_harms():
    certain = Trial("homogeneity", "", None, "", Rate(50, 100, 0.95), Rate(50, 100, 0.95), None, "rate")
    assert certain.risk.value == 0.5
    assert certain.verdict(0.2) == "elevated"
