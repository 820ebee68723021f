"""How well two histories are told apart, against an enumeration of every view."""

from functools import cache
from itertools import product
from math import log

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.local.longitudinal.history import lifetime_epsilon
from sfumato.mechanism.local.longitudinal.l_grr import LGRR
from sfumato.mechanism.local.longitudinal.l_unary import l_osue, l_sue
from sfumato.mechanism.local.longitudinal.location import history_loss, repeated_loss
from sfumato.mechanism.local.longitudinal.loloha import LOLOHA

HASHED = LOLOHA(64, 1.0, 2.0, 2)


@cache
def bit_laws(chain, history, cell):
    """P[view] of one bit for every view, by summing over what may be remembered of each input."""
    inputs = sorted(set(history))
    laws = []
    for view in product((0, 1), repeat=len(history)):
        total = 0
        for memory in product((0, 1), repeat=len(inputs)):
            kept = dict(zip(inputs, memory, strict=True))
            chance = 1
            for value, bit in kept.items():
                one = chain.p1 if value == cell else chain.q1
                chance *= one if bit else 1 - one
            for value, shown in zip(history, view, strict=True):
                one = chain.p2 if kept[value] else chain.q2
                chance *= one if shown else 1 - one
            total += chance
        laws.append(total)
    return laws


def slow(chain, cells, a, b):
    """Obvious twin, in fractions: the bits are independent, so the worst ratios multiply."""
    up = down = 1
    for cell in cells:
        ratios = [x / y for x, y in zip(bit_laws(chain, a, cell), bit_laws(chain, b, cell), strict=True)]
        up, down = up * max(ratios), down * min(ratios)
    return max(log(up), -log(down))


def test_hashed_histories_are_enumerated():
    for a, b in product(product((0, 1), repeat=4), repeat=2):
        found = history_loss(HASHED, np.array(a), np.array(b))
        assert found == pytest.approx(slow(HASHED.chain, [1], a, b), rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("protocol", [l_osue(3, 1.0, 2.0), l_sue(3, 0.5, 3.0)])
def test_vectors_of_bits_are_enumerated(protocol):
    for a, b in product(product((0, 1, 2), repeat=3), repeat=2):
        found = history_loss(protocol, np.array(a), np.array(b))
        assert found == pytest.approx(slow(protocol.chain, range(3), a, b), rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("protocol", [HASHED, l_osue(64, 1.0, 2.0), l_sue(64, 1.0, 2.0)])
def test_histories_that_repeat_at_the_same_moments_stay_within_the_lifetime(protocol):
    a, b = np.repeat([0, 1], 100), np.repeat([1, 0], 100)
    assert history_loss(protocol, a[:100], b[:100]) == pytest.approx(2.0, rel=1e-6)
    assert history_loss(protocol, a, b) == pytest.approx(lifetime_epsilon(protocol, 2), rel=1e-6)


@pytest.mark.parametrize("protocol", [HASHED, l_osue(64, 1.0, 2.0)])
def test_other_histories_have_no_bound_free_of_the_number_of_reports(protocol):
    """Staying against moving half way: twice the reports, nearly twice the loss, above any lifetime."""
    losses = [history_loss(protocol, np.zeros(n, np.int64), np.repeat([0, 1], n // 2)) for n in (20, 40, 80, 160)]
    growth = np.diff(losses) / np.array([20, 40, 80])
    assert np.all(growth > 0.9 * growth[-1])
    assert losses[-1] > 10 * lifetime_epsilon(protocol, 2)


def test_returning_to_a_place_is_seen_although_the_changes_are_at_the_same_moments():
    away_and_back, onwards = np.repeat([0, 1, 0], 30), np.repeat([0, 1, 2], 30)
    assert history_loss(l_osue(3, 1.0, 2.0), away_and_back, onwards) > 3 * lifetime_epsilon(l_osue(3, 1.0, 2.0), 3)


@pytest.mark.parametrize(
    ("protocol", "a", "b"),
    [
        (HASHED, [0, 1], [0]),
        (HASHED, [], []),
        (HASHED, [0, 2], [0, 1]),
        (HASHED, [0, -1], [0, 1]),
        (LOLOHA(64, 1.0, 2.0, 3), [0], [1]),
        (l_osue(9, 1.0, 2.0), list(range(9)) * 9, list(range(9)) * 8 + [0] * 9),
    ],
)
def test_histories_that_cannot_be_compared_are_refused(protocol, a, b):
    with pytest.raises(ParameterError):
        history_loss(protocol, np.array(a, np.int64), np.array(b, np.int64))


@cache
def symbol_law(chain, k, history):
    """P[view] of remembered and repeated randomized response over k symbols, for every view."""
    inputs = sorted(set(history))
    memories, views = (np.array(list(product(range(k), repeat=n))) for n in (len(inputs), len(history)))
    chance = np.where(memories == inputs, float(chain.p1), float(chain.q1)).prod(axis=1)
    kept = memories[:, [inputs.index(value) for value in history]]
    return np.where(views[:, None] == kept, float(chain.p2), float(chain.q2)).prod(axis=2) @ chance


@pytest.mark.parametrize("protocol", [LGRR(3, 1.0, 2.0), LGRR(4, 0.5, 3.0), LOLOHA(64, 1.0, 2.0, 3)])
def test_what_repeating_symbols_lose_is_enumerated(protocol):
    """Every life of up to three reports against every other that repeats with it and is nowhere at one place."""
    k = protocol.n_inputs
    for t in (1, 2, 3):
        lives = list(product(range(k), repeat=t))
        worst = {}
        for a, b in product(lives, repeat=2):
            together = all((a[i] == a[j]) == (b[i] == b[j]) for i in range(t) for j in range(t))
            if together and all(x != y for x, y in zip(a, b, strict=True)):
                laws = symbol_law(protocol.chain, k, a), symbol_law(protocol.chain, k, b)
                runs = tuple(sorted(a.count(x) for x in set(a)))
                worst[runs] = max(worst.get(runs, 0.0), np.log(laws[0] / laws[1]).max())
        for runs, loss in worst.items():
            assert repeated_loss(protocol, np.array(runs)) == pytest.approx(loss, rel=1e-8)


@pytest.mark.parametrize("protocol", [l_osue(64, 1.0, 2.0), l_sue(64, 0.5, 3.0), HASHED])
@pytest.mark.parametrize("n", [1, 2, 7, 500])
def test_what_repeating_reports_lose_is_the_loss_of_two_histories(protocol, n):
    found = repeated_loss(protocol, np.array([n]))
    assert found == pytest.approx(history_loss(protocol, np.zeros(n, int), np.ones(n, int)), rel=1e-8)
    assert found <= protocol.epsilon_permanent * (1 + 1e-8)
    assert repeated_loss(protocol, np.array([n, 1])) == pytest.approx(found + protocol.epsilon_first, rel=1e-8)


def test_a_run_of_no_report_is_refused():
    with pytest.raises(ParameterError, match="needs a report"):
        repeated_loss(HASHED, np.array([1, 0]))
