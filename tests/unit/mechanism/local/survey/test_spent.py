"""What a person spends on a survey is that of all reports that can be sent, enumerated with exact chances."""

import math
from fractions import Fraction
from itertools import combinations, pairwise, product

import numpy as np
import pytest

from sfumato.mechanism.local.coin import calibrate
from sfumato.mechanism.local.grr import GRR
from sfumato.mechanism.local.longitudinal.d_bit_flip import DBitFlip
from sfumato.mechanism.local.longitudinal.l_grr import LGRR
from sfumato.mechanism.local.longitudinal.l_unary import l_osue
from sfumato.mechanism.local.longitudinal.loloha import LOLOHA
from sfumato.mechanism.local.oue import OUE
from sfumato.mechanism.local.randomized_response import forced_response
from sfumato.mechanism.local.survey.randomizer import Choice, Coins
from sfumato.mechanism.local.survey.several_answers import EveryBit, OneBit
from sfumato.mechanism.local.survey.spent import spent_afresh, spent_remembering, whole
from sfumato.numbers.logarithm import log_up


def of_grr(oracle):
    """Chance of each report, by answer."""
    p, q = oracle.exact_support
    return {v: {y: p if y == v else q for y in range(oracle.domain_size)} for v in range(oracle.domain_size)}


def of_oue(oracle):
    p, q = oracle.exact_support
    return {
        v: {bits: math.prod((p if i == v else q) if bit else 1 - (p if i == v else q) for i, bit in enumerate(bits))
            for bits in product((0, 1), repeat=oracle.domain_size)}
        for v in range(oracle.domain_size)
    }  # fmt: skip


def of_coins(design):
    return {v: {1: chance, 0: 1 - chance} for v, chance in ((0, design.yes_if_no), (1, design.yes_if_yes))}


def answers_with(k, most):
    return [held for n in range(most + 1) for held in combinations(range(k), n)]


def of_every_bit(one):
    s = one.coin.noise
    return {
        held: {bits: math.prod(s if bit != (i in held) else 1 - s for i, bit in enumerate(bits))
               for bits in product((0, 1), repeat=one.domain_size)}
        for held in answers_with(one.domain_size, one.most)
    }  # fmt: skip


def of_one_bit(one):
    s, k = one.coin.noise, one.domain_size
    return {
        held: {2 * i + bit: Fraction(1, k) * (s if bit != (i in held) else 1 - s) for i in range(k) for bit in (0, 1)}
        for held in answers_with(k, one.most)
    }


def enumerated(laws, asks):
    """The largest log-ratio of everything that a phone sends: which questions it asks, and their reports."""
    worst = Fraction(1)
    for asked in combinations(range(len(laws)), asks):
        every = list(product(*(laws[i] for i in asked)))
        for reports in product(*(next(iter(laws[i].values())) for i in asked)):
            chances = [
                math.prod(laws[i][v][y] for i, v, y in zip(asked, answers, reports, strict=True)) for answers in every
            ]
            worst = max(worst, max(chances) / min(chances))
    return log_up(worst)


@pytest.mark.parametrize("asks", [1, 2, 3])
def test_a_whole_survey_spends_what_all_its_reports_lose(asks):
    grr, oue, coins = GRR(0.7, 3), OUE(1.1, 2), forced_response("2/3", "1/6")
    several, one = EveryBit(0.9, 3, 1), OneBit(0.4, 3, 2)
    made = [Choice(grr), Choice(oue), Coins(coins), several, one]
    laws = [of_grr(grr), of_oue(oue), of_coins(coins), of_every_bit(several), of_one_bit(one)]
    for law, question in zip(laws, made, strict=True):
        assert all(sum(row.values()) == 1 for row in law.values())
        assert enumerated([law], 1) == question.epsilon
    stated = whole([one.epsilon for one in made], asks)
    assert stated * (1 - 1e-12) <= enumerated(laws, asks) <= stated


def test_bits_that_each_spend_everything_are_caught():
    right = EveryBit(0.9, 4, 2)
    broken = EveryBit(0.9, 4, 2)
    object.__setattr__(broken, "coin", calibrate(0.9, 0.9, lambda odds: odds))  # as if answers differed in one bit
    assert enumerated([of_every_bit(right)], 1) <= 0.9 < enumerated([of_every_bit(broken)], 1)


def view(protocol, history, reports):
    """Exact chance of the reports of a history: answers to its inputs are drawn once."""
    p1, q1, p2, q2 = protocol.chain.p1, protocol.chain.q1, protocol.chain.p2, protocol.chain.q2
    total, k = Fraction(1), protocol.n_inputs
    for value in set(history):
        shown = [y for x, y in zip(history, reports, strict=True) if x == value]
        total *= sum((p1 if a == value else q1) * math.prod(p2 if y == a else q2 for y in shown) for a in range(k))
    return total


def patterns(history):
    return tuple(history.index(x) for x in history)


def worst_of(protocol, times, alike):
    """Largest log-ratio over pairs of histories for which `alike` holds."""
    k = protocol.n_inputs
    histories = list(product(range(k), repeat=times))
    chances = {h: [view(protocol, h, y) for y in product(range(k), repeat=times)] for h in histories}
    return max(
        log_up(max(a / b for a, b in zip(chances[g], chances[h], strict=True)))
        for g in histories for h in histories if alike(g, h)
    )  # fmt: skip


@pytest.mark.parametrize(("protocol", "times"), [(LGRR(3, 0.6, 1.5), 3), (LOLOHA(9, 0.6, 1.5, 2), 4)])
def test_remembered_answers_spend_what_all_histories_lose(protocol, times):
    for distinct in (1, 2):
        spent = spent_remembering(protocol, times, distinct)
        found = worst_of(protocol, times, lambda g, h, m=distinct: patterns(g) == patterns(h) and len(set(g)) <= m)
        assert found <= spent.lifetime <= found * (1 + 1e-8)
    steady = worst_of(protocol, times, lambda g, h: len(set(g)) == len(set(h)) == 1)
    assert steady <= spent.steady <= steady * (1 + 1e-8)
    assert worst_of(protocol, times, lambda _g, _h: True) <= spent.any_history
    assert spent.report == protocol.epsilon_first


def test_more_times_never_spend_less_and_stay_below_the_lifetime():
    protocol = l_osue(4, 0.5, 1.0)
    spent = [spent_remembering(protocol, times, 2) for times in range(1, 30)]
    assert all(a.lifetime <= b.lifetime * (1 + 1e-9) and a.steady <= b.steady for a, b in pairwise(spent))
    assert spent[-1].lifetime <= 2.0 * (1 + 1e-12)
    assert spent[0].steady == pytest.approx(0.5, rel=1e-8)


def test_bits_that_are_sent_as_they_are_remembered_show_when_they_change():
    spent = spent_remembering(DBitFlip(4, 4, 2, 1.0), 5, 2)
    assert math.isinf(spent.any_history)
    assert spent.lifetime == pytest.approx(2.0)


def test_fresh_answers_add_up():
    assert spent_afresh(0.1, 10).lifetime >= 10 * Fraction(0.1)
    assert whole([math.inf, 1.0], 1) == math.inf
    assert np.isclose(whole([0.1] * 3, 3), 0.3)
