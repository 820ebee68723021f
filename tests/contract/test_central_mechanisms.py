"""What every mechanism of central privacy must do. A new one is added to `central_cases.CASES`."""

import dataclasses
import inspect
import pkgutil
from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest
from tests.contract.central_cases import CASES, ONE
from tests.unit.mechanism.central.tiny_persons import UNITS, differences, persons, vectors

from sfumato.account.budget import Budget
from sfumato.account.cost import concentrated_rho, cost_of, pure_epsilon
from sfumato.account.event import ApproxDP, ZeroConcentratedDP, from_data, to_data
from sfumato.mechanism import central, graph
from sfumato.mechanism.central.additive import Additive
from sfumato.mechanism.central.count import Count
from sfumato.mechanism.central.covariance import Covariance
from sfumato.mechanism.central.mean import Mean, MeanOfKnownCount
from sfumato.mechanism.central.mean_of_replaced import MeanOfReplaced
from sfumato.mechanism.central.sums import Sum
from sfumato.mechanism.central.variance import Variance
from sfumato.table.domain import Range
from sfumato.table.unit import Neighbors, Unit

every = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{type(case.mechanism).__name__}")
RANGES = [Range(0, 2, 1), Range(-1, 10, 11), Range(-1, 1, 1), Range(5, 7, 2), Range("0.5", "2.5", 1), Range(-7, -5, 1)]
"""Also: bounds of different sizes, 0 at neither end, 0 outside, steps that do not hit 0."""


def promised(event):
    """What the price allows: an epsilon, or a delta."""
    epsilon = pure_epsilon(event)
    return float(event.delta if epsilon is None and isinstance(event, ApproxDP) else epsilon)


@every
def test_no_neighbors_are_told_apart_by_more_than_the_price(case, monkeypatch):
    assert case.loss(case.mechanism, 1, monkeypatch) <= promised(case.mechanism.event) * (1 + 1e-9)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.broken], ids=lambda case: type(case.mechanism).__name__
)
def test_a_broken_twin_is_caught(case, monkeypatch):
    assert case.loss(case.mechanism, case.broken, monkeypatch) > promised(case.mechanism.event)


def test_what_it_says_is_fixed_before_data_are_seen():
    """Of every case: a price that can be kept and charged, a name, an argument, and fields that cannot be set."""
    for case in CASES:
        event = case.mechanism.event
        assert from_data(to_data(event)) == event == case.mechanism.event, case
        budget = Budget.pure(10) if pure_epsilon(event) is not None else Budget.approx(10, "1/10")
        assert min(cost_of(event, budget)) >= 0, case
        assert max(cost_of(event, budget)) > 0, case
        assert len(case.mechanism.name) > 5, case
        assert case.mechanism.argument.endswith((".", ";")), case
        assert dataclasses.is_dataclass(case.mechanism), case
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(case.mechanism, dataclasses.fields(case.mechanism)[0].name, None)


def test_every_mechanism_of_the_room_is_under_contract():
    """What has an argument and is no joint."""
    found = set()
    for module in (m for room in (central, graph) for m in pkgutil.walk_packages(room.__path__, f"{room.__name__}.")):
        for _, kind in inspect.getmembers(import_module(module.name), inspect.isclass):
            if kind.__module__ == module.name and hasattr(kind, "argument") and dataclasses.is_dataclass(kind):
                found.add(kind)
    assert found == {type(case.mechanism) for case in CASES if case.broken}


@pytest.mark.parametrize("rho", ["1/10", "1/2", "3"])
@pytest.mark.parametrize("kind", [Count, Sum, Mean, Variance])
def test_gaussian_noise_costs_what_its_law_says(kind, rho, monkeypatch):
    """The Rényi divergence of order 2 of two neighbors, summed over the law of every total that moves."""
    price, domain = ZeroConcentratedDP(Fraction(rho)), Range(-1, 1, 1)
    for unit in UNITS[:2]:
        mechanism = kind(unit, price, 1) if kind is Count else kind("x", domain, unit, price, 1)
        cells = [()] if kind is Count else [None, *((p,) for p in range(3))]
        found = vectors(monkeypatch, mechanism, ["x"], 1, persons(unit, 1, cells))
        moves = differences(unit.neighbors, [parts[0] for parts in found])
        sigma = float(mechanism.noise.law.sigma)
        y = np.arange(-int(40 * sigma) - 40, int(40 * sigma) + 41)
        weights = np.exp(-(y**2) / (2 * sigma**2))

        def order_two(move, y=y, weights=weights, sigma=sigma):
            moved = np.exp(-((y - move) ** 2) / (2 * sigma**2))
            kept = moved > 0
            return np.log((weights[kept] ** 2 / moved[kept]).sum() / weights.sum())

        worst = max(sum(order_two(int(m)) for m in move) for move in moves)
        assert 0.99 * worst <= 2 * concentrated_rho(mechanism.event) * (1 + 1e-9)
        assert worst <= 2 * float(concentrated_rho(mechanism.event)) * (1 + 1e-9)
        assert concentrated_rho(mechanism.event) <= Fraction(rho)


def largest(neighbors, moves):
    """L1, L2² and number of coordinates, over all neighbors."""
    found = differences(neighbors, moves)
    return np.abs(found).sum(axis=1).max(), (found**2).sum(axis=1).max(), (found != 0).sum(axis=1).max()


def check(monkeypatch, mechanism, unit, groups, cells):
    """Stated = found, so the noise is never too small and never larger than needed."""
    found = vectors(monkeypatch, mechanism, ["x", "y"], groups, persons(unit, groups, cells))
    for i, part in enumerate(getattr(mechanism, "parts", (mechanism,))):
        assert isinstance(part, Additive)
        l1, squared, changed = largest(unit.neighbors, [parts[i] for parts in found])
        assert (part.sensitivity.l1, part.sensitivity.squared_l2) == (l1, squared)
        assert part.sensitivity.coordinates >= changed
    return changed


@pytest.mark.parametrize("unit", UNITS, ids=lambda u: f"{u.neighbors.name}-{u.rows}-{u.keys}")
@pytest.mark.parametrize("groups", [1, 2, 3, 4])
def test_the_sensitivity_of_counts(monkeypatch, unit, groups):
    mechanism = Count(unit, ONE, groups)
    assert check(monkeypatch, mechanism, unit, groups, [()]) == mechanism.sensitivity.coordinates


@pytest.mark.parametrize(("i", "unit"), list(enumerate(UNITS)))
@pytest.mark.parametrize(("j", "domain"), list(enumerate(RANGES)))
def test_the_sensitivity_of_sums(monkeypatch, i, unit, j, domain):
    """Every unit with every range, and each of both with one group and with three."""
    groups = (1, 3)[(i + j) % 2]
    cells = [None, *((p,) for p in range(domain.size))]
    check(monkeypatch, Sum("x", domain, unit, ONE, groups), unit, groups, cells)


@pytest.mark.parametrize("unit", UNITS[:4], ids=lambda u: f"{u.neighbors.name}-{u.rows}-{u.keys}")
@pytest.mark.parametrize(("groups", "size"), [(1, 2), (1, 3), (2, 3), (3, 2)])
@pytest.mark.parametrize("kind", [Mean, Variance])
def test_the_sensitivity_of_means_and_variances(monkeypatch, unit, groups, size, kind):
    """Two or more groups reach L1 for any limits; one group does where a person can be exchanged within it."""
    mechanism = kind("x", Range(-1, size - 2, 1), unit, ONE, groups)
    check(monkeypatch, mechanism, unit, groups, [None, *((p,) for p in range(size))])


@pytest.mark.parametrize("unit", UNITS[:2], ids=lambda u: f"{u.neighbors.name}")
def test_the_sensitivity_of_pairs_of_columns(monkeypatch, unit):
    cells = [None, *((p, q) for p in range(3) for q in range(2))]
    check(monkeypatch, Covariance(("x", "y"), (Range(-1, 1, 1), Range(0, 10, 10)), unit, ONE, groups=2), unit, 2, cells)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_sensitivity_of_a_mean_of_known_count(monkeypatch, size):
    unit = Unit.row(Neighbors.REPLACE)
    mechanism = MeanOfKnownCount("x", Range(0, size - 1, 1), unit, ONE, rows=3)
    check(monkeypatch, mechanism, unit, 1, [None, *((p,) for p in range(size))])


@pytest.mark.parametrize("unit", [u for u in UNITS if u.neighbors is Neighbors.REPLACE], ids=lambda u: f"{u.rows}")
@pytest.mark.parametrize("price", [ONE, ZeroConcentratedDP(Fraction(1))], ids=lambda p: type(p).__name__)
@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_sensitivity_of_a_mean_of_replaced_persons(monkeypatch, unit, price, size):
    """Rows without a value too: how many have one is private."""
    mechanism = MeanOfReplaced("x", Range(0, size - 1, 1), unit, price)
    check(monkeypatch, mechanism, unit, 1, [None, *((p,) for p in range(size))])
