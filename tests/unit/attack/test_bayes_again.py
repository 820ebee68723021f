"""Closed forms of the best guess from several reports are sums over all sequences of reports, one by one."""

from itertools import product

import numpy as np
import pytest

from sfumato.attack.bayes import right_by_bits, right_by_law
from sfumato.attack.bayes_again import (
    distributions,
    log_binomial,
    right_by_counts,
    right_by_draws,
    right_by_parts,
    right_by_remembered,
    ways,
)

PRIORS = ([0.5, 0.3, 0.2], [0.1, 0.7, 0.2], [1 / 3] * 3, [0.9, 0.06, 0.04], [0.5, 0.5, 0.0])
T = 3


def one_by_one(prior, law, again=T, remembered=None):
    """The chance of the best guess: every sequence of reports is looked at; `remembered` is drawn once before all of them."""
    symbols = range(law.shape[1])
    first = np.eye(len(law)) if remembered is None else remembered
    total = 0.0
    for some in product(symbols, repeat=again):
        each = np.prod([law[:, y] for y in some], axis=0)
        total += (np.array(prior) * (first @ each)).max()
    return total


def moved(keep, size=3):
    """Randomized response."""
    return np.where(np.eye(size, dtype=bool), keep, (1 - keep) / (size - 1))


def bits_of(p, q, k=3):
    """(k, 2^k): the law of a vector of bits."""
    rows = np.array(list(product((0, 1), repeat=k)))
    return np.array([np.prod(np.where(rows, chance, 1 - chance), axis=1) for chance in np.where(np.eye(k), p, q)])


@pytest.mark.parametrize("prior", PRIORS)
def test_reports_drawn_anew(prior):
    law = np.array([[0.6, 0.4, 0.0], [0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])
    assert right_by_counts(np.array(prior), law, T) == pytest.approx(one_by_one(prior, law), abs=1e-12)
    assert right_by_counts(np.array(prior), law, 1) == pytest.approx(right_by_law(np.array(prior), law), abs=1e-12)


@pytest.mark.parametrize("prior", PRIORS)
def test_bits_drawn_anew_or_remembered(prior):
    best, rest, p, q = np.array([prior]), np.zeros(1), 0.5, 0.2
    found = right_by_parts(best, rest, log_binomial(2, p), log_binomial(2, q))
    assert found[0] == pytest.approx(one_by_one(prior, bits_of(p, q), again=2), abs=1e-12)
    (once,) = right_by_parts(best, rest, log_binomial(1, p), log_binomial(1, q))
    assert once == pytest.approx(right_by_bits(best[0], p, q), abs=1e-12)
    (p1, q1), (p2, q2) = (0.7, 0.25), (0.8, 0.15)
    own, other = (
        np.logaddexp(np.log(one) + log_binomial(2, p2), np.log(1 - one) + log_binomial(2, q2)) for one in (p1, q1)
    )
    rows = np.array(list(product((0, 1), repeat=3)))
    report = np.array([np.prod(np.where(rows, chance, 1 - chance), axis=1) for chance in np.where(rows, p2, q2)])
    slow = one_by_one(prior, report, again=2, remembered=bits_of(p1, q1))
    assert right_by_parts(best, rest, own, other)[0] == pytest.approx(slow, abs=1e-12)


@pytest.mark.parametrize("prior", PRIORS)
def test_bits_about_some_answers_only(prior):
    """The last answer has no bit."""
    law = np.array([[0.8 if one == value else 0.2 for one in range(2)] for value in range(3)])
    rows = np.array(list(product((0, 1), repeat=2)))
    table = np.array([np.prod(np.where(rows, chance, 1 - chance), axis=1) for chance in law])
    two = np.log([0.2, 0.8]), np.log([0.8, 0.2])
    found = right_by_parts(np.array([prior[:2]]), np.array([prior[2]]), *two)
    assert found[0] == pytest.approx(right_by_law(np.array(prior), table), abs=1e-12)


@pytest.mark.parametrize("prior", PRIORS)
def test_a_remembered_symbol(prior):
    answer, report = moved(0.7), moved(0.6)
    found = right_by_remembered(np.array([prior, prior[::-1]]), answer, report, T)
    slow = [one_by_one(one, report, remembered=answer) for one in (prior, prior[::-1])]
    assert found == pytest.approx(np.array(slow), abs=1e-12)


@pytest.mark.parametrize("prior", PRIORS)
def test_hash_functions_drawn_each_time(prior):
    hashed = np.array([[0, 1, 1], [1, 1, 0]])
    laws = np.where(hashed[..., None] == np.arange(2), 0.8, 0.2)
    slow = sum(
        (np.array(prior) * laws[0][:, first] * laws[1][:, second]).max()
        for first, second in product(range(2), repeat=2)
    )
    assert right_by_draws(np.array(prior), laws[np.newaxis])[0] == pytest.approx(slow, abs=1e-12)


def test_many_reports_from_what_is_remembered_tell_no_more_than_it():
    best, one = np.array([[0.4, 0.35, 0.25]]), np.array([0.4, 0.35, 0.25])
    found = right_by_remembered(best, moved(0.7), moved(0.9), 60)[0]
    assert found == pytest.approx(right_by_law(one, moved(0.7)), abs=1e-9)
    p1, q1, many = 0.7, 0.25, 400
    own, other = (
        np.logaddexp(np.log(c) + log_binomial(many, 0.9), np.log(1 - c) + log_binomial(many, 0.01)) for c in (p1, q1)
    )
    assert right_by_parts(best, np.zeros(1), own, other)[0] == pytest.approx(right_by_bits(one, p1, q1), abs=1e-9)


def test_every_distribution_is_there_once():
    found = distributions(4, 3)
    assert len(found) == ways(4, 3) == len({tuple(row) for row in found.tolist()})
    assert set(found.sum(axis=1)) == {4}
    assert np.exp(log_binomial(5, 1.0)).round(12).tolist() == [0, 0, 0, 0, 0, 1]
