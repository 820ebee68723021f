"""Reports of several collections name persons: more of them and larger ε name more, noise names none."""

import numpy as np
import pytest

from sfumato.attack.likelihood import of_supports
from sfumato.attack.reidentification import profile_evidence, reidentify
from sfumato.mechanism.local.grr import GRR
from sfumato.testing.seeded_bits import SeededBits

SIZES = [7, 16, 7, 14, 6, 5, 2, 41, 2]
N = 1000


@pytest.fixture(scope="module")
def background():
    rng = np.random.default_rng(4)
    return np.stack([rng.choice(k, N, p=rng.dirichlet(np.ones(k))) for k in SIZES], axis=1)


def surveys(background, epsilon, n_surveys):
    """Each survey asks each person about one attribute not asked before (SMP); reports and who was asked what."""
    order = np.argsort(np.random.default_rng(5).random((N, len(SIZES))), axis=1)[:, :n_surveys]
    asked = np.zeros((N, len(SIZES)), bool)
    np.put_along_axis(asked, order, values=True, axis=1)
    reports = [GRR(epsilon, k).randomize(background[:, j], bits=SeededBits(j)) for j, k in enumerate(SIZES)]
    return asked, np.stack(reports, axis=1)


def attack(background, epsilon, n_surveys, *, weighs=True, top=10):
    asked, reports = surveys(background, epsilon, n_surveys)
    profile = np.where(asked, reports, -1)
    seen = profile_evidence(profile, SIZES)
    if weighs:
        seen = [of_supports(e, epsilon) for e in seen]
    return reidentify(seen, background, np.arange(N), top=top, confidence=0.999999, rng=np.random.default_rng(6))


def test_without_information_the_attack_is_no_better_than_chance(background):
    """ε = 1e-6: the baseline lies in the interval (false alarm 1e-6)."""
    found = attack(background, 1e-6, 5)
    assert found.interval.low <= found.baseline <= found.interval.high


def test_more_surveys_name_more_persons(background):
    rates = [attack(background, 5.0, m).expected for m in (1, 3, 5, 9)]
    assert rates == sorted(rates)
    assert rates[-1] > 10 * rates[0]


def test_larger_epsilons_name_more_persons(background):
    rates = [attack(background, e, 6).expected for e in (1.0, 3.0, 6.0, 9.0)]
    assert rates == sorted(rates)


def test_weighing_attributes_is_the_published_attack_where_all_weigh_alike(background):
    """GRR with one ε gives every agreement the same weight, so both rank alike."""
    assert attack(background, 4.0, 5).expected == attack(background, 4.0, 5, weighs=False).expected
