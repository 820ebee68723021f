"""Closed forms of the best guess are the sum over all reports, enumerated."""

from itertools import combinations, product

import numpy as np
import pytest

from sfumato.attack.bayes import law_of_supports, right_by_bits, right_by_buckets, right_by_law, right_by_sets
from sfumato.errors import ParameterError

PRIORS = ([0.4, 0.3, 0.2, 0.1], [0.1, 0.7, 0.0, 0.2], [0.25] * 4, [0.9, 0.05, 0.03, 0.02], [0.5, 0.5, 0.0, 0.0])


@pytest.mark.parametrize("p", [0.3, 0.55, 0.95])
@pytest.mark.parametrize("prior", PRIORS)
def test_every_form_is_the_sum_over_all_reports(prior, p):
    shares, k, q = np.array(prior), 4, 0.2
    rows = np.array(list(product((0, 1), repeat=k)))
    bits = [np.prod(np.where(rows, chance, 1 - chance), axis=1) for chance in (np.where(np.eye(k), p, q))]
    assert right_by_bits(shares, p, q) == pytest.approx(right_by_law(shares, np.array(bits)), abs=1e-12)
    for size in (1, 2, 3):
        if p > size / k:
            sets = np.array([[v in some for v in range(k)] for some in combinations(range(k), size)])
            by_law = right_by_law(shares, law_of_supports(sets, p))
            assert right_by_sets(shares, p, size) == pytest.approx(by_law, abs=1e-12)
    for hashed in product(range(3), repeat=k):
        if p > 1 / 3:
            law = np.where(np.array(hashed)[:, None] == np.arange(3), p, (1 - p) / 2)
            (found,) = right_by_buckets(shares, np.array([hashed]), 3, p)
            assert found == pytest.approx(right_by_law(shares, law), abs=1e-12)


def test_a_prior_that_is_none_is_refused():
    with pytest.raises(ParameterError, match="sum to 1"):
        right_by_law(np.array([0.5, 0.6]), np.eye(2))
