"""Joint shares of two RAPPOR variables are the most probable ones and lie around the truth."""

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.local.rappor.association.associate import OTHER, Variable, associate
from sfumato.mechanism.local.rappor.association.joint import joint_shares
from sfumato.mechanism.local.rappor.association.likelihood import likelihoods
from sfumato.mechanism.local.rappor.bloom import bloom_bits, design_bits
from sfumato.mechanism.local.rappor.fleet import first_reports
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.testing.seeded_bits import SeededBits

PAGES = RapporParams("pages", bits=32, hashes=2, cohorts=4, f="1/8", p="1/8", q="7/8")
SYSTEMS = RapporParams("systems", bits=3, hashes=1, cohorts=1, f=0, p="1/4", q="3/4", values=("l", "m", "w"))
HELD = ("a", "b", "c", "d", "e", "f")


def paired(persons, seed, *, named=2):
    """Persons (n_pages, n_systems) as two variables; pages beyond `named` are other strings."""
    rng, bits = np.random.default_rng(seed), SeededBits(seed)
    page, system = np.divmod(np.repeat(np.arange(persons.size), persons.ravel()), persons.shape[1])
    cohorts = rng.integers(0, PAGES.cohorts, len(page))
    names = [*HELD[:named], *(f"unknown {seed} {i}" for i in range(persons.shape[0] - named))]
    places = design_bits(PAGES, names)[page, cohorts]
    one = Variable(PAGES, cohorts, first_reports(PAGES, places, bits=bits), HELD[:named])
    two = Variable(SYSTEMS, cohorts * 0, first_reports(SYSTEMS, system[:, None], bits=bits), SYSTEMS.values)
    return one, two


def slow_likelihood(params, cohort, report, name):
    """Bit by bit, against an empty filter."""
    held = set(bloom_bits(params, name, cohort).tolist())
    high, low, out = float(params.q_star), float(params.p_star), 1.0
    for j in held:
        out *= (high / low) if report[j] else (1 - high) / (1 - low)
    return out


def test_likelihoods_equal_the_slow_twin():
    rng = np.random.default_rng(2)
    cohorts, reports = rng.integers(0, 4, 50), rng.random((50, 32)) < 0.5
    found = likelihoods(PAGES, cohorts, reports, HELD, other=False)
    slow = np.array([[slow_likelihood(PAGES, c, r, name) for name in HELD] for c, r in zip(cohorts.tolist(), reports, strict=True)])  # fmt: skip
    assert found == pytest.approx(slow / slow.max(axis=1, keepdims=True))


def test_the_other_column_is_the_mean_over_random_strings():
    """Against 4,000 random strings without coinciding bits: relative error of a mean below 10 %, fixed strings."""
    report = np.random.default_rng(3).random((1, 32)) < 0.5
    names = [n for i in range(4000) if len(set(bloom_bits(PAGES, n := f"s{i}", 1).tolist())) == 2]
    found = likelihoods(PAGES, np.array([1]), report, names, other=True)[0]
    assert found[-1] == pytest.approx(found[:-1].mean(), rel=0.15)


def test_joint_shares_lie_around_the_truth_and_errors_are_honest():
    """40 tables: z of each of 9 cells has mean square near 1; between 0.5 and 2 but for a chance below 1e-6.

    The other strings are ten new ones in each table, so that their bits lie as evenly as the model takes them.
    """
    persons = np.array([[600, 50, 350], [50, 600, 150], *([[12, 12, 7]] * 10)])
    truth = np.vstack([persons[:2], persons[2:].sum(axis=0)]) / persons.sum()
    z = []
    for seed in range(40):
        found = associate(*paired(persons, seed))
        assert found.rows == ("a", "b", OTHER)
        assert found.gap <= 0.0101
        z.append((found.share - truth) / found.error)
    assert 0.5 < np.mean(np.square(z)) < 2
    assert np.abs(np.mean(z, axis=0)).max() < 1


def test_an_association_is_told_from_independence():
    """Diagonal against uniform: the diagonal's excess is 0.15, ten errors."""
    tied, apart = np.diag([4000] * 3), np.full((3, 3), 1333)
    for persons, expected in ((tied, 2 / 9), (apart, 0.0)):
        found = associate(*paired(persons, 7, named=3))
        excess = (found.share - found.independent)[:3].diagonal()
        assert np.abs(excess - expected).max() < 0.1


def test_em_reaches_the_maximum_of_a_plain_search():
    """Two cells of one variable: the certificate agrees with a fine grid."""
    rng = np.random.default_rng(5)
    likelihood = rng.random((200, 2)) + 0.05
    found = joint_shares(likelihood, np.ones((200, 1)), gap=1e-9)
    grid = np.linspace(0, 1, 100_001)
    level = sum(np.log(a * grid + b * (1 - grid)) for a, b in likelihood)
    assert found.share[0, 0] == pytest.approx(grid[level.argmax()], abs=2e-5)


def test_unpaired_reports_are_refused():
    one, two = paired(np.array([[5, 5, 5], [5, 5, 5]]), 1)
    with pytest.raises(ParameterError, match="same persons"):
        joint_shares(one.likelihood, two.likelihood[:-1])
    with pytest.raises(ParameterError, match="cells"):
        joint_shares(np.ones((3, 100)), np.ones((3, 100)))
    with pytest.raises(ParameterError, match="bits"):
        likelihoods(SYSTEMS, np.array([0]), np.ones((1, 2), bool), ("l",), other=False)
