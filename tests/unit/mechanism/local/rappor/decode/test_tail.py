"""Tails of scores equal those of simulated hashes, and keep the level where one unknown string is large."""

import numpy as np
import pytest

from sfumato.mechanism.local.rappor.bloom import design_bits
from sfumato.mechanism.local.rappor.decode.correction import Correction, adjusted, upper_tail
from sfumato.mechanism.local.rappor.decode.decode import decode
from sfumato.mechanism.local.rappor.decode.tail import tail
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.mechanism.local.rappor.simulate import simulate_counts


def residuals(large):
    """Noise, and two bits in each of 16 cohorts that an unknown string lifts."""
    out = np.random.default_rng(1).normal(0, 1, (16, 128))
    out[:, :2] += large
    return out


@pytest.mark.parametrize("large", [0, 5, 20])
def test_tails_equal_those_of_random_hashes(large):
    """A million candidates of 32 random bits; where 100 or more exceed a score, within a tenth and 4 deviations."""
    picked, rng = residuals(large), np.random.default_rng(2)
    centered = picked - picked.mean(axis=1, keepdims=True)
    sums = np.zeros(1_000_000)
    for row in centered:
        for _ in range(2):
            sums += row[rng.integers(0, 128, len(sums))]
    sums /= np.sqrt(2 * np.sum(np.mean(centered**2, axis=1)))
    scores = np.array([2.0, 2.5, 3.0, 3.5, 4.0])
    seen = np.array([np.count_nonzero(sums > score) for score in scores])
    enough = seen >= 100
    stated = tail(scores, picked, 2)[enough] * len(sums)
    assert np.all(seen[enough] < stated * 1.25 + 4 * np.sqrt(stated))
    assert np.all(stated < np.maximum(seen[enough], upper_tail(scores[enough]) * len(sums)) * 1.6)


def test_tails_fall_with_the_score_and_never_below_the_normal_law():
    scores = np.linspace(-5, 60, 500)
    for large in (0, 5, 50):
        p = tail(scores, residuals(large), 2)
        assert np.all(np.diff(p) <= 1e-12)
        assert np.all(p >= upper_tail(scores))
        assert np.all(p <= 1)


def test_without_residuals_it_is_the_normal_law():
    scores = np.linspace(-3, 10, 50)
    assert tail(scores, np.zeros((4, 8)), 2).tolist() == upper_tail(scores).tolist()


def test_one_unknown_string_of_30_percent_makes_no_false_discoveries_but_by_the_normal_law():
    """40 collections: at most 12 with a false one (more have a chance below 1e-6 at 5 %), a twin over 15."""
    names, wrong, twin = [f"c{i}" for i in range(100)], 0, 0
    for seed in range(40):
        params = RapporParams(f"run {seed}", bits=128, hashes=2, cohorts=16, f="1/2", p="1/2", q="3/4")
        design = design_bits(params, [*names, "unknown"])
        persons = np.array([70_000] * 10 + [0] * 90 + [300_000])
        counts = simulate_counts(params, persons, design, rng=np.random.default_rng(seed))
        found = decode(params, counts, names, design=design[:100], correction=Correction.HOLM)
        wrong += bool(found.found[10:].any())
        normal = adjusted(upper_tail(found.share / found.error), Correction.HOLM) <= 0.05
        twin += bool(normal[10:].any())
    assert wrong <= 12
    assert twin > 15
