"""The choice of an oracle by exact variance."""

import math

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.local.oracle import variance
from sfumato.mechanism.local.recommend import By, curves, recommend, table
from sfumato.mechanism.local.registry import oracle_named, oracles


@pytest.mark.parametrize("by", list(By))
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_the_best_comes_first_and_every_oracle_is_there(by, epsilon):
    (choice,) = recommend(epsilon, 64, 1000, by=by)
    scores = [candidate.by(by) for candidate in choice.candidates]
    assert scores == sorted(scores)
    assert {c.name for c in choice.candidates} == set(oracles())


def test_all_candidates_keep_the_asked_epsilon():
    assert all(c.epsilon <= 1.0 for c in recommend(1.0, 64, 1000)[0].candidates)


def test_the_mean_variance_is_the_same_for_every_distribution():
    rng = np.random.default_rng(0)
    for candidate in recommend(1.0, 9, 1000)[0].candidates:
        support = oracle_named(candidate.name, 1.0, 9).support
        for shares in rng.dirichlet(np.ones(9), 5):
            assert variance(shares, 1000, support).mean() == pytest.approx(candidate.mean, rel=1e-9)


@pytest.mark.parametrize(
    ("name", "epsilon", "size", "expected"),
    [
        ("GRR", 0.5, 2, 3.92e-4),
        ("GRR", 0.5, 32, 7.52e-3),
        ("GRR", 0.5, 1024, 0.243),
        ("OUE", 0.5, 32, 1.567e-3),
        ("SUE", 0.5, 32, 1.592e-3),
    ],
)
def test_variances_printed_in_the_literature(name, epsilon, size, expected):
    """Table 2 of H. Arcolezi et al. (ALLOMFREE), n = 10,000, f = 0."""
    found = {c.name: c.rare for c in recommend(epsilon, size, 10_000)[0].candidates}
    assert found[name] == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 4.0])
@pytest.mark.parametrize("size", [2, 8, 30, 128])
def test_grr_beats_oue_exactly_where_the_papers_rule_says(epsilon, size):
    """At f = 0: GRR iff k < 3 e^ε + 2."""
    found = {c.name: c.rare for c in recommend(epsilon, size, 100)[0].candidates}
    assert (found["GRR"] < found["OUE"]) == (size < 3 * math.exp(epsilon) + 2)


def test_a_prior_decides_by_its_least_accurate_value():
    prior = np.array([0.9, *np.full(9, 0.1 / 9)])
    choice = recommend(3.0, [10], 1000, [prior])[0]
    assert choice.by is By.WORST
    best = oracle_named(choice.best.name, 3.0, 10)
    assert choice.best.worst == pytest.approx(variance(prior, 1000, best.support).max())


def test_a_smaller_report_is_found_within_the_slack():
    choice = recommend(1.0, 128, 100_000)[0]
    small = choice.smallest_within(0.05)
    assert small.mean <= 1.05 * choice.best.mean
    assert small.bits_per_report < choice.best.bits_per_report
    assert choice.smallest_within(0.0) == choice.best


def test_the_bytes_are_those_of_the_wire():
    from sfumato.mechanism.local.wire import overhead
    from sfumato.testing.seeded_bits import SeededBits

    for candidate in recommend(1.0, 100, 100)[0].candidates:
        oracle = oracle_named(candidate.name, 1.0, 100)
        one = oracle.to_bytes(oracle.randomize(np.array([5]), bits=SeededBits(0)))
        assert len(one) == overhead(candidate.name, 1) + candidate.bytes_per_report


def test_rows_of_the_table_are_plain():
    rows = table(recommend(1.0, [2, 5], 100))
    assert len(rows) == 2 * len(oracles())
    assert all(isinstance(cell, str | int | float) for row in rows for cell in row.values())


def test_curves_fall_as_epsilon_grows():
    for curve in curves([0.5, 1.0, 2.0, 4.0], 128, 100_000):
        assert list(curve.variances) == sorted(curve.variances, reverse=True)


@pytest.mark.parametrize("prior", [[np.array([0.5, 0.6])], [np.array([1.0])], [np.array([1.5, -0.5])], []])
def test_priors_that_are_no_distribution_are_refused(prior):
    with pytest.raises(ParameterError):
        recommend(1.0, [2], 100, prior)


def test_unknown_names_are_refused():
    with pytest.raises(ParameterError, match="GRR"):
        oracle_named("grr2", 1.0, 2)


@pytest.mark.parametrize("n", [0, -1, 1.5])
def test_nobody_cannot_be_recommended_anything(n):
    with pytest.raises(ParameterError):
        recommend(1.0, 2, n)
