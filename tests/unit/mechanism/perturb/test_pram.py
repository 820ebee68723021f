"""PRAM of one column: rows stay aligned, chance is repeatable, estimates undo the matrix."""

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.perturb.pram import combine, estimate, randomize, randomize_strata
from sfumato.mechanism.perturb.transition import invariant, keep_share, transition
from sfumato.testing.seeded_bits import SeededBits

CODES = np.array([0, 1, -1, 2, 2, -1, 0])


def test_missing_cells_stay_in_their_rows():
    published = randomize(CODES, keep_share(3, 0.4), bits=SeededBits(1))
    assert np.array_equal(CODES == -1, published == -1)


def test_the_same_words_give_the_same_release():
    one, two = (randomize(CODES, keep_share(3, 0.4), bits=SeededBits(s)) for s in (1, 1))
    assert np.array_equal(one, two)


def test_the_identity_changes_nothing():
    assert np.array_equal(CODES, randomize(CODES, transition(np.eye(3)), bits=SeededBits(1)))


def test_rows_follow_a_permutation_matrix():
    """What each row becomes is its own: a slow twin, row by row."""
    turn = transition(np.roll(np.eye(3), 1, axis=1))
    assert [(c + 1) % 3 if c >= 0 else -1 for c in CODES] == randomize(CODES, turn, bits=SeededBits(1)).tolist()


def test_each_stratum_keeps_its_matrix():
    turn, keep = transition(np.roll(np.eye(3), 1, axis=1)), transition(np.eye(3))
    strata = np.array([0, 1, 0, 0, 1, 1, 1])
    expected = [(c + 1) % 3 if c >= 0 and s else c for c, s in zip(CODES, strata, strict=True)]
    assert expected == randomize_strata(CODES, strata, [keep, turn], bits=SeededBits(1)).tolist()


def test_estimates_are_exact_where_the_publication_is_expected():
    """1,000 cells in the exact proportions λ = Pᵀ p give p back."""
    chance = keep_share(2, 0.75)
    published = np.repeat([0, 1], [600, 400])
    assert estimate(published, chance).values == pytest.approx([0.7, 0.3])


def test_the_estimate_of_an_invariant_release_is_not_the_published_share():
    """Invariance holds in expectation; the estimator undoes this release's chance."""
    chance = invariant(keep_share(2, 0.75), np.array([0.7, 0.3]), alpha=1.0)
    found = estimate(np.repeat([0, 1], [800, 200]), chance)
    assert found.values @ chance.matrix == pytest.approx([0.8, 0.2])


def test_strata_add_up():
    one, two = estimate(np.array([0, 0, 1]), keep_share(2, 0.75)), estimate(np.array([1]), keep_share(2, 0.9))
    both = combine([one, two])
    assert both.values == pytest.approx(0.75 * one.values + 0.25 * two.values)
    assert both.variance == pytest.approx(0.75**2 * one.variance + 0.25**2 * two.variance)
    assert both.n == 4


@pytest.mark.parametrize("codes", [[3], [-2], [0.5], [[0]], ["a"]])
def test_unknown_codes_are_refused_without_being_named(codes):
    with pytest.raises(ParameterError, match="Remedy"):
        randomize(np.array(codes), keep_share(3, 0.5), bits=SeededBits(1))


def test_what_cannot_be_estimated_is_refused():
    with pytest.raises(ParameterError, match="independent"):
        estimate(np.array([0, 1]), transition(np.full((2, 2), 0.5)))
    with pytest.raises(ParameterError, match="known cell"):
        estimate(np.array([-1]), keep_share(2, 0.75))


def test_strata_must_fit():
    keep = transition(np.eye(3))
    for strata, chances in (
        (np.zeros(6, int), [keep]),
        (np.full(7, -1), [keep]),
        (np.zeros(7, int), [keep, transition(np.eye(2))]),
    ):
        with pytest.raises(ParameterError, match="Remedy"):
            randomize_strata(CODES, strata, chances, bits=SeededBits(1))


def test_empty_columns_pass():
    assert len(randomize(np.empty(0, np.int64), keep_share(2, 0.75), bits=SeededBits(1))) == 0
