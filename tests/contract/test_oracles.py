"""Every frequency oracle of the registry keeps the contract; one with few reports also follows its law in LAWS.

Statistical checks fail for a right oracle with probability at most 1e-6 each (FALSE_ALARM); the seeds
are fixed, so they do not fail by chance from one run to the next.
"""

import math
from dataclasses import replace
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import ParameterError, ReportError
from sfumato.mechanism.local.coin import Coin
from sfumato.mechanism.local.registry import oracles
from sfumato.mechanism.local.subset_selection import SubsetSelection
from sfumato.testing import oracle_contract as contract
from sfumato.testing.seeded_bits import SeededBits

LAWS = {
    "GRR": contract.law_of_grr,
    "SUE": lambda oracle: contract.law_of_unary(oracle, 1 - oracle.coin.noise),
    "OUE": lambda oracle: contract.law_of_unary(oracle, Fraction(1, 2)),
    "SubsetSelection": contract.law_of_subsets,
    "HadamardResponse": contract.law_of_hadamard,
    "ProjectiveGeometryResponse": contract.law_of_projective,
}
"""The law of each oracle whose reports can be enumerated, written a second time."""

ORACLES = {name: contract.Case(make, LAWS.get(name)) for name, make in oracles().items()}

EPSILONS = [1e-6, 0.1, math.log(3), 2.0, 5.0, 36.0, 300.0, 700.0]
Z = NormalDist().inv_cdf(1 - contract.FALSE_ALARM / 2 / 8)
"""Bound of the largest of eight z scores."""

every_oracle = pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in ORACLES.items()])
enumerable = pytest.mark.parametrize("case", [pytest.param(c, id=name) for name, c in ORACLES.items() if c.law])


@enumerable
@pytest.mark.parametrize("size", [2, 3, 5])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_stated_epsilon_is_that_of_all_reports(case, size, epsilon):
    assert contract.states_the_epsilon_of_its_law(case, epsilon, size)


@enumerable
@pytest.mark.parametrize("size", [2, 3, 6])
@pytest.mark.parametrize("epsilon", [0.1, 2.0, 700.0])
def test_the_stated_support_is_that_of_all_reports(case, size, epsilon):
    assert contract.states_the_support_of_its_law(case, epsilon, size)


@enumerable
@pytest.mark.parametrize(("epsilon", "size"), [(0.3, 3), (1.0, 5), (3.0, 4)])
def test_reports_follow_the_law(case, epsilon, size):
    assert contract.samples_its_law(case, epsilon, size, bits=SeededBits(11)) <= 1


@every_oracle
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("size", [2, 7, 128, 10**6])
def test_the_stated_epsilon_is_at_most_the_asked_one(case, epsilon, size):
    stated = case.make(epsilon, size).epsilon
    assert stated <= epsilon
    assert stated == pytest.approx(epsilon, rel=1e-8)


@every_oracle
@settings(max_examples=60, derandomize=True)
@given(log_epsilon=st.floats(math.log(1e-6), math.log(700)), size=st.integers(2, 10**6))
def test_no_epsilon_and_domain_exceed_what_was_asked(case, log_epsilon, size):
    epsilon = min(math.exp(log_epsilon), 700.0)
    oracle = case.make(epsilon, size)
    assert 0 < oracle.epsilon <= epsilon
    assert 0 < oracle.support.q < oracle.support.p <= 1


@every_oracle
@pytest.mark.parametrize(("epsilon", "size"), [(0.5, 2), (1.0, 8), (1.0, 100), (4.0, 8)])
def test_estimates_are_unbiased_and_their_variance_is_true(case, epsilon, size):
    """z of each of up to eight means below 6.1; the mean squared z within 7 of its own errors of 1."""
    oracle = case.make(epsilon, size)
    values = np.minimum(np.arange(400) // 60, size - 1)
    found = contract.simulate(oracle, values, 600, bits=SeededBits(5))
    assert np.abs(found.bias_z[:8]).max() < Z
    assert abs(found.variance_ratio - 1) < 7 * found.ratio_error


@every_oracle
def test_counts_of_batches_add_up(case):
    assert contract.counts_add_up(case.make(1.0, 9), np.arange(900) % 9, bits=SeededBits(1))


@every_oracle
@pytest.mark.parametrize("size", [2, 3, 9, 64, 200])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 9.0])
def test_reports_survive_the_wire(case, size, epsilon):
    assert contract.survives_the_wire(case.make(epsilon, size), np.arange(37) % size, bits=SeededBits(2))


@every_oracle
@pytest.mark.parametrize("values", [[-1], [9], [0, 9], [2**40], [0.5], [True], [[1]], ["1"], [None]])
def test_values_outside_the_domain_are_refused_before_any_chance_is_drawn(case, values):
    class NoBits:
        is_secure = True

        def words(self, n):
            raise AssertionError(n)

    with pytest.raises(ParameterError) as caught:
        case.make(1.0, 9).randomize(np.array(values), bits=NoBits())
    assert str(2**40) not in str(caught.value)


@every_oracle
@pytest.mark.parametrize("size", [1, 0, -2, 2.0, True, None, 2**40])
def test_domains_without_two_values_are_refused(case, size):
    with pytest.raises(ParameterError, match="domain_size"):
        case.make(1.0, size)


@every_oracle
@pytest.mark.parametrize("epsilon", [0, -1.0, math.inf, math.nan, 800, None])
def test_epsilons_outside_their_range_are_refused(case, epsilon):
    with pytest.raises(ParameterError, match="epsilon"):
        case.make(epsilon, 9)


@every_oracle
def test_numpy_numbers_are_taken(case):
    assert case.make(np.float64(1.0), np.int64(9)) == case.make(1.0, 9)


@every_oracle
def test_a_server_with_other_parameters_refuses_the_reports(case):
    oracle = case.make(1.0, 9)
    data = oracle.to_bytes(oracle.randomize(np.arange(9), bits=SeededBits(3)))
    for other in (case.make(1.1, 9), case.make(1.0, 10), *(c.make(1.0, 9) for c in ORACLES.values() if c is not case)):
        with pytest.raises(ReportError):
            other.from_bytes(data)


@every_oracle
def test_bytes_that_were_cut_or_lengthened_are_refused(case):
    oracle = case.make(1.0, 9)
    data = oracle.to_bytes(oracle.randomize(np.arange(9), bits=SeededBits(3)))
    for wrong in (b"", data[:1], data[:10], data[:-1], data + b"\0", b"\x02" + data[1:]):
        with pytest.raises(ReportError):
            oracle.from_bytes(wrong)


@every_oracle
def test_arrays_that_are_no_reports_are_refused(case):
    oracle = case.make(1.0, 9)
    for wrong in (np.array([0.5]), np.array([[99]]), np.array([10**6]), np.array([-1])):
        with pytest.raises(ReportError):
            oracle.count_support(wrong)


@every_oracle
def test_nobody_gives_nothing(case):
    oracle = case.make(1.0, 9)
    none = oracle.randomize(np.zeros(0, np.int64), bits=SeededBits(3))
    assert oracle.count_support(none).tolist() == [0] * 9


@every_oracle
def test_the_promise_states_the_exact_epsilon(case):
    oracle = case.make(1.0, 9)
    assert oracle.guarantee().parameters["epsilon"] == oracle.epsilon


@enumerable
def test_half_the_noise_is_caught(case):
    """The broken twin tosses a coin with half the noise; its reports do not follow the law."""

    def broken(epsilon, size):
        twin = case.make(epsilon, size)
        loud = twin.coin
        object.__setattr__(twin, "coin", Halved(loud))
        return twin

    spoiled = replace(case, make=broken, law=lambda oracle: case.law(case.make(1.0, oracle.domain_size)))
    assert contract.samples_its_law(spoiled, 1.0, 5, bits=SeededBits(4)) > 1


class Halved:
    """A coin with half the noise."""

    def __init__(self, coin):
        self.truth = 1 - coin.noise / 2
        self.noise = coin.noise / 2
        self.odds = self.truth / self.noise
        self.rare = float(coin.noise / 2)
        self.rare_is_noise = True

    def toss_noise(self, n, *, bits):
        return Coin(self.rare, rare_is_noise=True).toss_noise(n, bits=bits)


def test_a_leaked_position_is_caught():
    """The broken twin puts the true value first; as lists, its reports do not follow the law."""

    class Leaking:
        def __init__(self, oracle):
            self.oracle = oracle

        def __getattr__(self, name):
            return getattr(self.oracle, name)

        def randomize(self, values, *, bits):
            reports = self.oracle.randomize(values, bits=bits)
            first = reports == values[:, None]
            return np.take_along_axis(reports, np.argsort(~first, axis=1, kind="stable"), axis=1)

    case = contract.Case(lambda e, k: Leaking(SubsetSelection(e, k)), contract.law_of_subsets)
    assert contract.samples_its_law(case, 0.5, 6, bits=SeededBits(4)) > 1
