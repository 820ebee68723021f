"""The sparse vector technique: the promise by exact laws, and the published variants that break it.

The broken ones are algorithms 3 to 6 of M. Lyu, D. Su, N. Li, "Understanding the Sparse Vector Technique for
Differential Privacy", VLDB 2017, each here with whole noise.
"""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.unit.mechanism.central.threshold_laws import law, pattern_chance, restarted_law, tail, worst

from sfumato.account.event import Composed, PureDP
from sfumato.errors import ParameterError, QueryError
from sfumato.mechanism.central import above_threshold, sparse_vector
from sfumato.mechanism.central.sparse_vector import SparseVector
from sfumato.testing.seeded_bits import SeededBits

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def pairs(k, changes):
    for values in product((-1, 1), repeat=k):
        for change in changes:
            yield values, tuple(v + d for v, d in zip(values, change, strict=True))


def largest(make, k, changes):
    both = list(pairs(k, changes))
    return worst({values: make(values) for pair in both for values in pair}, both)


ANY = list(product((-1, 1), repeat=3))
ONE = list(product((0, 1), repeat=3)) + list(product((0, -1), repeat=3))


def test_two_stops_keep_epsilon():
    """e^-ε₁ = 1/4 and a value's noise of 4Δ/ε₂ with e^(-ε₂/4) = 1/2: e^ε = 4 · 2⁴."""
    assert largest(lambda v: law(v, QUARTER, HALF, 2), 3, ANY) <= 64


def test_two_stops_of_monotone_questions_keep_epsilon():
    """A value's noise of 2Δ/ε₂ with e^(-ε₂/2) = 1/2: e^ε = 4 · 2²."""
    assert largest(lambda v: law(v, QUARTER, HALF, 2), 3, ONE) <= 16


def test_two_restarted_scans_keep_epsilon():
    """Each e^ε = 4 · 2²."""
    assert largest(lambda v: restarted_law(v, QUARTER, HALF, 2), 3, ANY) <= 256


def ratio(pattern, one, other, q1, q2):
    return pattern_chance(one, pattern, q1, q2) / pattern_chance(other, pattern, q1, q2)


def far(below, above, reach):
    """Many values far above that are found below, then some that are found above; and the neighbor that moves most."""
    pattern = (False,) * below + (True,) * above
    one = (reach,) * below + (0,) * above
    return pattern, one, tuple(v + (1 if v else -1) for v in one)


def test_two_stops_are_tight():
    assert 63 < ratio(*far(12, 2, 12), QUARTER, HALF) <= 64


def test_lee_and_clifton_forget_how_many_stops_there_are():
    """Algorithm 4: ε₁ = ε/4 and noise Δ/ε₂ on values, 3 stops: e^-ε₁ = 1/2, e^-ε₂ = 1/8, stated e^ε = 16."""
    found = ratio(*far(10, 3, 6), HALF, Fraction(1, 8))
    assert found > 16**4
    assert found <= Fraction(2) ** (1 + 6 * 3)


def test_stoddard_and_others_leave_values_without_noise():
    """Algorithm 5: below at 0 and above at 1 is possible, below at 1 and above at 0 is not."""
    laws = {values: law(values, QUARTER, Fraction(0), None) for values in ((0, 1), (1, 0))}
    assert worst(laws, [((0, 1), (1, 0))]) is None


def test_chen_and_others_never_stop():
    """Algorithm 6: noise Δ/ε₁ and Δ/ε₂ with ε₁ = ε₂ = ε/2, stated e^ε = 16; the ratio grows with the questions."""
    found = [ratio(*far(m, m, 1), QUARTER, QUARTER) for m in (1, 3, 5)]
    assert found[0] < found[1] < found[2]
    assert found[2] > 16**2


def test_roth_shows_the_number_that_was_compared():
    """Algorithm 3: a number 0 tells that the threshold's noise is at most 0; then each answer below costs its whole noise."""

    def chance(value, m, number):
        total = Fraction(0)
        for r in range(-60, number + 1):
            below = (1 - tail(HALF, r - value)) ** m
            total += QUARTER ** abs(r) * below * HALF ** abs(number)
        return total

    found = [chance(0, m, 0) / chance(1, m, 0) for m in (1, 5, 20)]
    assert found[2] > 4 * 2**2 * 1000
    assert found[0] < found[1] < found[2]


def fix_noise(monkeypatch, seed):
    """Equal noise for the list and the session: that of value i, of threshold j, of number j."""
    rng = np.random.default_rng(seed)
    values, thresholds, numbers = (rng.integers(-3, 4, 40) for _ in range(3))
    used = {"values": 0, "thresholds": 0, "numbers": 0}

    def draw(n, scale, *, bits):
        kind, of = bits[scale], {"values": values, "thresholds": thresholds, "numbers": numbers}
        start = used[kind]
        used[kind] += n
        return of[kind][start : start + n]

    for module in (above_threshold, sparse_vector):
        monkeypatch.setattr(module, "discrete_laplace", draw)
    return used


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_list_and_session_say_the_same(monkeypatch, restarted, seed):
    scan = SparseVector(
        Fraction(1), 1, 2, answers=3, monotone=False, share_of_numbers=Fraction(1, 3), restarted=restarted
    )
    kinds = {scan.noise.of_query: "values", scan.noise.of_threshold: "thresholds", scan.number_scale: "numbers"}
    values = np.random.default_rng(seed).integers(-5, 5, 12)
    fix_noise(monkeypatch, seed)
    listed = scan.decide(values, confidence=0.9, bits=kinds)
    fix_noise(monkeypatch, seed)
    session, said = scan.start(bits=kinds), []
    for value in values.tolist():
        if session.is_open:
            said.append(session.ask(value))
    assert listed.above.tolist() == [above for above, _ in said]
    assert listed.numbers.tolist() == [number for above, number in said if above]
    assert session.is_open == (sum(listed.above) < 3)


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("monotone", [False, True])
def test_every_part_of_epsilon_is_spent_once(restarted, monotone):
    scan = SparseVector(
        Fraction(3), 2, 0, answers=4, monotone=monotone, share_of_numbers=Fraction(1, 3), restarted=restarted
    )
    moves = 1 if monotone else 2
    spent = scan.noise.thresholds * 2 / scan.noise.of_threshold + 4 * moves * 2 / scan.noise.of_query
    assert spent + 4 * 2 / scan.number_scale == 3
    assert scan.event == (Composed((PureDP(Fraction(3, 4)),) * 4) if restarted else PureDP(Fraction(3)))


def test_after_the_last_stop_nothing_is_said():
    scan = SparseVector(Fraction(10), 1, 0, answers=2, monotone=False)
    out = scan.decide(np.array([10**6] * 5), confidence=0.9, bits=SeededBits(1))
    assert out.above.tolist() == [True, True]
    assert out.numbers is None
    session = scan.start(bits=SeededBits(1))
    assert [session.ask(10**6), session.ask(10**6)] == [(True, None)] * 2
    assert session.stops_left == 0
    with pytest.raises(QueryError):
        session.ask(1)


def test_numbers_and_answers_keep_their_confidence():
    """400 scans, confidence 0.9: misses are at most Binomial(400, 0.1); more than 75 have a chance below 1e-7."""
    scan, bits = SparseVector(Fraction(1), 1, 50, answers=3, monotone=False, share_of_numbers=HALF), SeededBits(3)
    values, missed = np.array([0, 40, 50, 60, 200] * 6), 0
    for _ in range(400):
        out = scan.decide(values, confidence=0.9, bits=bits)
        seen = values[: len(out.above)]
        wrong = np.where(out.above, seen < 50 - out.within, seen >= 50 + out.within).any()
        missed += bool(wrong or (np.abs(out.numbers - seen[out.above]) > out.numbers_within).any())
    assert missed <= 75


@pytest.mark.parametrize(
    "change",
    [
        {"answers": 0},
        {"answers": 2**21},
        {"share_of_numbers": Fraction(1)},
        {"share_of_numbers": 0.5},
        {"share_of_numbers": Fraction(-1, 2)},
        {"epsilon": 0.5},
        {"epsilon": Fraction(-1)},
        {"share_of_numbers": Fraction(1, 2**60)},
    ],
)
def test_what_is_refused_before_any_data(change):
    given = {"epsilon": Fraction(1), "sensitivity_of_queries": 1, "threshold": 0, "answers": 2, "monotone": False}
    with pytest.raises(ParameterError):
        SparseVector(**{**given, **change})
