"""Errors of counts on a published set of tuples against counting by hand."""

import numpy as np

from sfumato.utility.inserted import count_query_error, true_share


def test_the_true_share_counts_tuples():
    true, published = np.array([[0, 0], [1, 2]]), np.array([[0, 0], [1, 1], [1, 2], [3, 3]])
    assert true_share(true, published).value == 0.5
    assert true_share(true, published[:0]).value is None


def test_an_estimator_that_is_off_by_a_share_of_the_domain_is_wrong_by_it():
    """Half of 4 and of 6 values: 2 · 3 · 5 = 30 tuples of the domain, or with another pair of columns others."""
    rng = np.random.default_rng(3)
    table = np.unique(rng.integers(0, (4, 6), (15, 2)), axis=0)
    exact = count_query_error(lambda found, _: float(found), (4, 6), table, table, 40, rng=rng)
    assert [figure.value for figure in exact] == [0, 0]
    off = count_query_error(lambda found, domain: found + domain, (4, 6), table, table, 40, rng=rng)
    assert [figure.value for figure in off] == [6, 6]


def test_a_query_asks_at_most_two_columns():
    table = np.zeros((1, 3), np.int64)
    found = count_query_error(
        lambda _, domain: float(domain), (2, 2, 10), table, table, 60, rng=np.random.default_rng(4)
    )
    assert {9, 10} & {int(figure.value) for figure in found}
