"""Counts, sums, means, variances, covariances: right without noise, intervals that cover, any table."""

from fractions import Fraction

import numpy as np
import pytest
from tests.unit.mechanism.central.tiny_persons import totals, watched

from sfumato.account.event import ApproxDP, Composed, PureDP, ZeroConcentratedDP
from sfumato.errors import ParameterError
from sfumato.mechanism.central.additive import AdditiveNoise
from sfumato.mechanism.central.count import Count
from sfumato.mechanism.central.covariance import Covariance
from sfumato.mechanism.central.estimate import Estimate
from sfumato.mechanism.central.mean import Mean, MeanOfKnownCount
from sfumato.mechanism.central.mean_of_replaced import MeanOfReplaced, mean_for
from sfumato.mechanism.central.sums import Sum
from sfumato.mechanism.central.variance import Variance, deviation_of, spread_between
from sfumato.table.domain import Range
from sfumato.table.unit import OF_TABLES, Neighbors, Unit
from sfumato.testing.seeded_bits import SeededBits

ROW, EXCHANGED = Unit.row(Neighbors.ADD_REMOVE), Unit.row(Neighbors.REPLACE)
PRICES = [PureDP(Fraction(1)), ZeroConcentratedDP(Fraction(1, 2)), ApproxDP(Fraction(1), Fraction(1, 10**6))]
DOMAINS = [Range(-1, 10, 1), Range("0.5", "3.5", "1"), Range(100, 103, "0.5"), Range(-3, -1, 1)]


def tables(domain, groups, seed, most=40):
    """Random rows in each group; the first group is empty, the second has one row."""
    rng = np.random.default_rng(seed)
    sizes = [0, 1, *rng.integers(1, most, groups - 2)]
    return [(g, (int(p),)) for g, n in enumerate(sizes) for p in rng.integers(0, domain.size, n)]


def values(domain, rows, group):
    return np.array([float(domain.value(cell[0])) for g, cell in rows if g == group])


@pytest.mark.parametrize("domain", DOMAINS, ids=str)
@pytest.mark.parametrize("kind", [Sum, Mean, Variance])
def test_without_noise_the_answers_are_those_of_the_rows(monkeypatch, domain, kind):
    rows = tables(domain, 12, 1)
    mechanism = kind("x", domain, ROW, PRICES[0], 12)
    watched(monkeypatch)
    out = mechanism.decide(totals(mechanism.terms, ["x"], 12, rows), confidence=0.9, bits=None)
    slow = {Sum: np.sum, Mean: np.mean, Variance: np.var}[kind]
    for g in range(1, 12):
        assert out.values[g] == pytest.approx(slow(values(domain, rows, g)), abs=1e-12)
    assert out.values[0] == 0 if kind is Sum else np.isnan(out.values[0])


def test_without_noise_a_covariance_matrix_is_that_of_the_rows(monkeypatch):
    domains = (Range(-1, 10, 1), Range(0, 1, "0.25"), Range(5, 7, 1))
    rng = np.random.default_rng(2)
    rows = [(0, tuple(int(rng.integers(0, d.size)) for d in domains)) for _ in range(30)]
    mechanism = Covariance(("x", "y", "z"), domains, ROW, PRICES[0], 1)
    watched(monkeypatch)
    out = mechanism.decide(totals(mechanism.terms, ["x", "y", "z"], 1, rows), confidence=0.9, bits=None)
    table = np.array([[float(d.value(p)) for d, p in zip(domains, cell, strict=True)] for _, cell in rows])
    assert out.values[0] == pytest.approx(np.cov(table.T, bias=True))


def coverage(out, true):
    """Share of groups whose interval holds the truth; an empty group has none to hold."""
    known = np.isfinite(true)
    return np.mean((out.low <= true)[known] & (true <= out.high)[known])


@pytest.mark.parametrize("price", PRICES, ids=lambda p: type(p).__name__)
@pytest.mark.parametrize("kind", [Sum, Mean, Variance])
@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_intervals_cover_at_least_as_often_as_they_say(price, kind, confidence):
    """2000 groups. A right mechanism misses 5 standard deviations with probability below 3e-7."""
    domain, groups = DOMAINS[0], 2000
    rng = np.random.default_rng(3)
    sizes = rng.integers(0, 30, groups)
    rows = [(g, (int(p),)) for g, n in enumerate(sizes) for p in rng.integers(0, domain.size, n)]
    mechanism = kind("x", domain, ROW, price, groups)
    out = mechanism.decide(totals(mechanism.terms, ["x"], groups, rows), confidence=confidence, bits=SeededBits(4))
    slow = {Sum: np.sum, Mean: np.mean, Variance: np.var}[kind]
    per_group = [np.array([float(domain.value(c[0])) for c in cells]) for cells in _by_group(rows, groups)]
    true = np.array([slow(v) if len(v) or kind is Sum else np.nan for v in per_group])
    assert coverage(out, true) >= confidence - 5 * np.sqrt(confidence * (1 - confidence) / groups)
    assert np.all(out.low <= out.high)
    if kind is not Sum:  # F25: clamped values lie in the declared range, and so do intervals
        inside = np.nan_to_num(out.values, nan=0.0)
        assert inside.min() >= (-1 if kind is Mean else 0)
        assert inside.max() <= (10 if kind is Mean else 121 / 4)


def _by_group(rows, groups):
    out = [[] for _ in range(groups)]
    for g, cell in rows:
        out[g].append(cell)
    return out


def test_covariance_intervals_cover():
    domains, groups = (Range(-1, 10, 1), Range(0, 3, 1)), 1000
    rng = np.random.default_rng(5)
    rows = [(g, (int(p), int(p) % 4)) for g in range(groups) for p in rng.integers(0, 12, 20)]
    mechanism = Covariance(("x", "y"), domains, ROW, PureDP(Fraction(30)), groups)
    out = mechanism.decide(totals(mechanism.terms, ["x", "y"], groups, rows), confidence=0.9, bits=SeededBits(6))
    table = np.array([cell for _, cell in rows], float).reshape(groups, 20, 2)
    true = np.array([np.cov(part.T, bias=True) for part in table])
    assert coverage(out, true) >= 0.9 - 5 * np.sqrt(0.09 / groups / 4)
    assert np.array_equal(out.values, np.swapaxes(out.values, 1, 2))


def test_spread_bounds_hold_the_whole_box_and_are_reached():
    """Against a fine grid of each box."""
    rng = np.random.default_rng(7)
    for _ in range(200):
        least = rng.integers(0, 6, 3).astype(float)
        most = least + rng.integers(0, 6, 3)
        low, high = (float(part[0]) for part in spread_between(least[:, np.newaxis], most[:, np.newaxis]))
        axes = np.meshgrid(*(np.linspace(a, b, 13) for a, b in zip(least, most, strict=True)))
        u, v, w = (axis.ravel() for axis in axes)
        whole = u + v + w
        f = ((u * w - v * v / 4)[whole > 0]) / whole[whole > 0] ** 2
        f = f[f >= 0]
        if len(f):
            assert low <= f.min() + 1e-12
            assert f.max() <= high + 1e-12
            assert high <= f.max() + 0.03 or np.any(least + most == 0)


def test_f11_a_standard_deviation_is_never_the_root_of_a_negative():
    """3 rows at ε = 0.1, many draws."""
    mechanism = Variance("x", Range(0, 100, 1), ROW, PureDP(Fraction(1, 10)), 500)
    exact = np.repeat(totals(mechanism.terms, ["x"], 1, [(0, (40,)), (0, (41,)), (0, (60,))]), 500, axis=1)
    out = deviation_of(mechanism.decide(exact, confidence=0.95, bits=SeededBits(8)))
    known = np.isfinite(out.values)
    assert np.all(out.values[known] >= 0)
    assert np.all(out.values[known] <= 50)
    assert np.mean((out.low <= 9.2) & (out.high >= 9.2)) > 0.95


def test_f25_a_mean_may_leave_its_range_only_where_clamping_was_declined():
    exact = np.array([[0] * 200, [-30] * 200])  # 3 rows at the lower end of 0 … 10
    for clamped in (True, False):
        mechanism = Mean("x", Range(0, 10, 1), ROW, PureDP(Fraction(1)), 200, clamped=clamped)
        out = mechanism.decide(exact, confidence=0.95, bits=SeededBits(9))
        assert (np.nanmin(out.values) < 0) is not clamped
        assert np.all(out.low >= -1e-9)
        assert np.all(out.high <= 10 + 1e-9)


def test_f26_a_known_number_of_rows_leaves_the_price_to_the_sum():
    domain, price = Range(0, 100, 1), PureDP(Fraction(1))
    known = MeanOfKnownCount("x", domain, EXCHANGED, price, rows=1000)
    unknown = Mean("x", domain, EXCHANGED, price, groups=1)
    assert known.noise.law.scale == 100
    assert unknown.noise.law.scale == 200
    out = known.decide(np.array([[-10_000]]), confidence=0.95, bits=SeededBits(10))
    assert out.low[0] <= 40 <= out.high[0]
    assert abs(out.values[0] - 40) < 1
    with pytest.raises(ParameterError, match="public only"):
        MeanOfKnownCount("x", domain, ROW, price, rows=1000)


def moved_by(monkeypatch, *noise):
    """From now on this is the noise of the totals."""
    monkeypatch.setattr(
        AdditiveNoise, "add", lambda self, totals, *, bits: totals + np.array(noise).reshape(totals.shape)
    )


@pytest.mark.parametrize("price", PRICES, ids=lambda p: type(p).__name__)
@pytest.mark.parametrize("domain", [DOMAINS[0], DOMAINS[2]], ids=str)
def test_a_mean_of_replaced_persons_is_covered_and_within_its_error_for_all_noise(monkeypatch, domain, price):
    """Corners, sides and middle of all noise that the half-widths allow; tables of one row to many, at ends and between."""
    mechanism, confidence, top = MeanOfReplaced("x", domain, EXCHANGED, price), 0.9, domain.size - 1
    law = mechanism.noise.law
    reach, both = law.half_width(Fraction(19, 20)), law.half_width_of_two(confidence)
    for places in ([0], [top] * 40, [*range(domain.size)] * 7, [1] * 999 + [0]):
        exact = totals(mechanism.terms, ["x"], 1, [(0, (p,)) for p in places])
        true = np.mean([float(domain.value(p)) for p in places])
        for d, t in ((i * reach, j * reach) for i in (-1, 0, 1) for j in (-1, 0, 1)):
            moved_by(monkeypatch, d, t)
            out = mechanism.decide(exact, confidence=confidence, bits=None)
            assert float(domain.low) - 1e-9 <= out.low[0] <= true <= out.high[0] <= float(domain.high) + 1e-9
            assert np.isnan(out.values[0]) or out.low[0] <= out.values[0] <= out.high[0]
        bound = mechanism.error(confidence, len(places))
        for d in (both, 0) if bound else ():
            for signs in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                moved_by(monkeypatch, signs[0] * d, signs[1] * (both - d))
                assert abs(mechanism.decide(exact, confidence=confidence, bits=None).values[0] - true) <= bound + 1e-9


def test_where_persons_are_replaced_the_chosen_mean_is_the_better_one():
    """Mean squared errors of 4000 draws; half as much is stated for pure prices in the middle and at an end."""
    domain, price, n = Range(0, 100, 1), PureDP(Fraction(1)), 4000
    assert isinstance(mean_for("x", domain, EXCHANGED, price, 2), Mean)
    for place in (50, 100):
        one = np.array([[1000 * place], [1000 * (place - 100)]])
        parts = Mean("x", domain, EXCHANGED, price, n)
        old = parts.decide(np.repeat(one, n, axis=1), confidence=0.9, bits=SeededBits(1)).values
        chosen = mean_for("x", domain, EXCHANGED, price, 1)
        noise = chosen.noise.law.draw(2 * n, bits=SeededBits(2)).reshape(2, n)
        summed, counted = one[0] + one[1] + noise[0], one[0] - one[1] + noise[1]
        new = np.clip(50 * (1 + summed / counted), 0, 100)
        assert np.mean((new - place) ** 2) < 0.65 * np.mean((old - place) ** 2)
    with pytest.raises(ParameterError, match="replaced"):
        MeanOfReplaced("x", domain, ROW, price)


def test_the_error_of_a_mean_is_not_exceeded():
    """Worst cases of the noise on worst means."""
    mechanism = Mean("x", Range(0, 10, 1), ROW, PureDP(Fraction(1)), None)
    n, reach = 50, mechanism.noise.law.half_width(Fraction(19, 20))
    bound = mechanism.error(0.9, n)
    for share in np.linspace(0, 1, 21):
        first, second = 10 * n * share, 10 * n * (1 - share)
        for a in (-reach, 0, reach):
            for b in (-reach, 0, reach):
                top, rest = max(first + a, 0), max(second + b, 0)
                assert abs(10 * top / (top + rest) - 10 * share) <= bound + Fraction(1, 10**9)
    assert mechanism.error(0.9, 1) is None


@pytest.mark.parametrize("price", PRICES, ids=lambda p: type(p).__name__)
def test_the_price_of_a_matrix_is_that_of_its_parts(price):
    domains = (Range(0, 2, 1), Range(0, 3, 1))
    mechanism = Covariance(("x", "y"), domains, ROW, price, 1)
    if isinstance(price, PureDP):
        assert isinstance(mechanism.event, Composed)
        assert sum(event.sensitivity / event.scale for event in mechanism.event.events) == 1
    elif isinstance(price, ZeroConcentratedDP):
        paid = sum(e.squared_sensitivity / (2 * e.squared_scale) for e in mechanism.event.events)
        assert 0.999 * price.rho < paid <= price.rho
    else:
        assert mechanism.event == price


def test_matrices_need_two_different_columns():
    for columns in (("x",), ("x", "x"), ()):
        with pytest.raises(ParameterError, match="two different"):
            Covariance(columns, (Range(0, 1, 1),) * len(columns), ROW, PRICES[0], 1)


@pytest.mark.parametrize("confidence", [0, 1, 1.5])
def test_a_confidence_outside_is_refused_whatever_the_data(confidence):
    domain = Range(0, 1, 1)
    for mechanism in (
        Count(ROW, PRICES[0], 1),
        Sum("x", domain, ROW, PRICES[0], 1),
        Mean("x", domain, ROW, PRICES[0], 1),
        Variance("x", domain, ROW, PRICES[0], 1),
        Covariance(("x", "y"), (domain, domain), ROW, PRICES[0], 1),
    ):
        with pytest.raises(ParameterError, match="confidence"):
            mechanism.decide(np.zeros((len(mechanism.terms), 1), np.int64), confidence=confidence, bits=SeededBits(1))


def test_the_root_keeps_intervals():
    out = deviation_of(Estimate(np.array([4.0]), np.array([-1.0]), np.array([9.0]), 0.9))
    assert (out.values[0], out.low[0], round(out.high[0], 9)) == (2.0, 0.0, 3.0)


@pytest.mark.parametrize("epsilon", [Fraction(1, 10**6), Fraction(700)])
@pytest.mark.parametrize("rows", [[], [(0, (3, 3))]], ids=["no row", "one row"])
@pytest.mark.parametrize("neighbors", OF_TABLES)
def test_any_table_and_any_price_give_an_answer(epsilon, rows, neighbors):
    domain, unit, price = Range(-1, 10, 1), Unit.row(neighbors), PureDP(epsilon)
    for mechanism in (
        Count(unit, price, 2),
        Sum("x", domain, unit, price, 2),
        Mean("x", domain, unit, price, 2),
        Variance("x", domain, unit, price, 2),
        Covariance(("x", "y"), (domain, domain), unit, price, 2),
    ):
        out = mechanism.decide(totals(mechanism.terms, ["x", "y"], 2, rows), confidence=0.95, bits=SeededBits(11))
        assert out.values.shape == out.low.shape == out.high.shape
        assert np.isfinite(out.low).all()
        assert np.isfinite(out.high).all()
