"""Pairs of answers: the estimate has the right mean and its error the right size, by enumeration of all reports."""

from itertools import product

import numpy as np
import pytest

from sfumato.errors import PlanError
from sfumato.mechanism.local.grr import GRR
from sfumato.mechanism.local.olh import OLH
from sfumato.mechanism.local.oue import OUE
from sfumato.mechanism.local.randomized_response import forced_response, warner
from sfumato.mechanism.local.survey.cross import check_able, count, joint
from sfumato.mechanism.local.survey.randomizer import Choice, Coins


def law(reports, value):
    """Every report of a value, with its chance."""
    if isinstance(reports, Coins):
        yes = float(reports.design.yes_if_yes if value else reports.design.yes_if_no)
        return [(np.array([1]), yes), (np.array([0]), 1 - yes)]
    p, q = reports.oracle.support.p, reports.oracle.support.q
    k = reports.size
    if reports.name == "GRR":
        return [(np.array([y]), p if y == value else q) for y in range(k)]
    out = []
    for bits in product((0, 1), repeat=k):
        chances = [(p if i == value else q) if bit else 1 - (p if i == value else q) for i, bit in enumerate(bits)]
        out.append((np.packbits(np.array([bits], np.uint8), axis=1, bitorder="little"), float(np.prod(chances))))
    return out


KINDS = [Choice(GRR(1.0, 3)), Choice(OUE(0.8, 2)), Coins(forced_response("2/3", "1/6")), Coins(warner("0.2"))]


@pytest.mark.parametrize("first", KINDS, ids=lambda one: one.name)
@pytest.mark.parametrize("second", KINDS, ids=lambda one: one.name)
def test_a_pair_of_reports_stands_for_the_pair_of_answers_on_average(first, second):
    for a, b in product(range(first.size), range(second.size)):
        mean, square = 0.0, 0.0
        for (left, p), (right, q) in product(law(first, a), law(second, b)):
            found = joint(first, second, count(first, second, left, right), 1, confidence=0.95).shares
            mean, square = mean + p * q * found, square + p * q * found**2
        held = np.zeros((first.size, second.size))
        held[a, b] = 1
        assert np.allclose(mean, held, atol=1e-9)


def test_the_error_is_that_of_the_terms_of_all_persons():
    one, rng = Choice(GRR(1.0, 2)), np.random.default_rng(1)
    left, right = rng.integers(0, 2, 50), rng.integers(0, 2, 50)
    terms = np.stack([joint(one, one, count(one, one, left[i : i + 1], right[i : i + 1]), 1, confidence=0.9).shares for i in range(50)])  # fmt: skip
    found = joint(one, one, count(one, one, left, right), 50, confidence=0.9)
    assert np.allclose(found.shares, terms.mean(axis=0))
    assert np.allclose(found.deviations, terms.std(axis=0) / np.sqrt(50))


def test_hashed_reports_cannot_be_counted_together():
    with pytest.raises(PlanError, match="GRR, SUE, OUE"):
        check_able(Choice(OLH(1.0, 4)))
