"""Matching profiles: ranks against a slow twin, ties, refusals."""

import numpy as np
import pytest

from sfumato.attack.reidentification import profile_evidence, reidentify
from sfumato.errors import ParameterError

SIZES = [3, 2, 4]


def people(n, seed=0):
    rng = np.random.default_rng(seed)
    return np.stack([rng.integers(0, k, n) for k in SIZES], axis=1)


def run(evidence, background, targets, top):
    return reidentify(evidence, background, targets, top=top, confidence=0.95, rng=np.random.default_rng(3))


@pytest.mark.parametrize("top", [1, 3, 10])
def test_expected_success_is_that_of_counting_candidate_by_candidate(top):
    background, rng = people(40), np.random.default_rng(1)
    profile = np.where(rng.random((40, 3)) < 0.3, -1, people(40, 2))
    slow = []
    for i, row in enumerate(profile):
        agree = ((background == row) & (row >= 0)).sum(axis=1)
        before, equal = (agree > agree[i]).sum(), (agree == agree[i]).sum()
        slow.append(min(1, max(0, (top - before) / equal)))
    found = run(profile_evidence(profile, SIZES), background, np.arange(40), top)
    assert found.expected == pytest.approx(np.mean(slow))
    assert found.baseline == top / 40


def test_a_true_profile_of_unique_persons_names_everyone():
    background = np.unique(people(200), axis=0)
    found = run(profile_evidence(background, SIZES), background, np.arange(len(background)), 1)
    assert found.hits == found.n == len(background)


def test_an_empty_profile_reaches_the_baseline():
    """Without evidence everyone is equal: exactly top/N."""
    found = run(profile_evidence(np.full((50, 3), -1), SIZES), people(50), np.arange(50), 5)
    assert found.expected == pytest.approx(found.baseline)


def test_naming_everybody_always_succeeds():
    assert run(profile_evidence(people(20, 5), SIZES), people(20), np.arange(20), 20).expected == 1


def test_what_does_not_fit_is_refused():
    background, evidence = people(5), profile_evidence(people(5), SIZES)
    for call in (
        lambda: run(evidence[:2], background, np.arange(5), 1),
        lambda: run(evidence, background, np.arange(4), 1),
        lambda: run(evidence, background, np.arange(5), 6),
        lambda: run(evidence, background, np.arange(1, 6), 1),
        lambda: run(evidence, background + 3, np.arange(5), 1),
    ):
        with pytest.raises(ParameterError, match="Remedy"):
            call()
