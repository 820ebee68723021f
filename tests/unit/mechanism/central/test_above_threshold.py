"""AboveThreshold: the promise by exact laws over all neighbors, tight; ties; monotone questions; sessions; broken twins."""

import copy
import pickle
from fractions import Fraction
from itertools import product
from threading import Thread

import numpy as np
import pytest
from tests.unit.mechanism.central.threshold_laws import law, pattern_chance, worst

from sfumato.account.event import PureDP
from sfumato.errors import ParameterError, QueryError
from sfumato.mechanism.central import above_threshold, threshold_noise
from sfumato.mechanism.central.above_threshold import AboveThreshold
from sfumato.testing.seeded_bits import SeededBits

HALF = Fraction(1, 2)


def pairs(k, reach, changes):
    """All value lists of k questions within reach (every other value if k > 2), with all their neighbors."""
    for values in product(range(-reach, reach + 1, 2 if k > 2 else 1), repeat=k):
        for change in changes:
            yield values, tuple(v + d for v, d in zip(values, change, strict=True))


def any_direction(k):
    return list(product((-1, 0, 1), repeat=k))


def one_direction(k):
    return list(product((0, 1), repeat=k)) + list(product((0, -1), repeat=k))


def largest(k, reach, changes, q1, q2, **how):
    both = list(pairs(k, reach, changes))
    laws = {values: law(values, q1, q2, **how) for pair in both for values in pair}
    return worst(laws, both)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_no_neighbors_of_three_questions_are_told_apart_by_more_than_epsilon(k, strict):
    """Scales Δ/ε₁ and 2Δ/ε₂ with e^-ε₁ = 1/4 and e^(-ε₂/2) = 1/2: e^ε = 4 · 2²; ties counted either way."""
    assert largest(k, 1, any_direction(k), Fraction(1, 4), HALF, strict=strict) <= 16


@pytest.mark.parametrize("k", [1, 2, 3])
def test_monotone_questions_need_half_the_noise(k):
    """Scales Δ/ε₁ and Δ/ε₂ with e^-ε₁ = e^-ε₂ = 1/4: e^ε = 16 for one direction, and more than that for any."""
    assert largest(k, 1, one_direction(k), Fraction(1, 4), Fraction(1, 4)) <= 16


def test_half_the_noise_breaks_the_promise_of_questions_that_are_not_monotone():
    """Broken twin: the monotone scales where values move in both directions; many values above, then one below."""
    far = (6,) * 7
    top = pattern_chance((*far, 0), (False,) * 7 + (True,), Fraction(1, 4), Fraction(1, 4))
    low = pattern_chance((*(v + 1 for v in far), -1), (False,) * 7 + (True,), Fraction(1, 4), Fraction(1, 4))
    assert top / low > 16


def test_the_promise_is_tight():
    """Enough high values force the threshold's noise far up; then each of the two moves costs its whole share."""
    for k, reach, least in ((4, 4, 8), (8, 12, 15.9)):
        pattern = (False,) * k + (True,)
        one = pattern_chance((reach,) * k + (0,), pattern, Fraction(1, 4), HALF)
        other = pattern_chance((reach + 1,) * k + (-1,), pattern, Fraction(1, 4), HALF)
        assert least < one / other <= 16


def test_the_exact_law_of_the_tests_is_that_of_the_mechanism():
    """10 000 scans in each outcome's normal interval, 6.5 deviations: false alarm below 1e-9."""
    scan, bits, values = AboveThreshold(Fraction(2), 1, 0, monotone=False), SeededBits(5), (1, -1, 2)
    q1, q2 = (Fraction(np.exp(-1 / float(s))) for s in (scan.noise.of_threshold, scan.noise.of_query))
    seen = np.zeros(4)
    for _ in range(1200):
        stop = scan.decide(np.array(values), confidence=0.9, bits=bits).place
        seen[3 if stop is None else stop] += 1
    expected = [float(pattern_chance(values, (False,) * i + (True,) * (i < 3), q1, q2)) * 1200 for i in range(4)]
    assert np.all(np.abs(seen - expected) < 6.5 * np.sqrt(np.array(expected)))


def test_scales_are_what_the_price_allows():
    scan = AboveThreshold(Fraction(1, 2), 3, 10, monotone=False, share_of_threshold=Fraction(1, 5))
    assert (scan.noise.of_threshold, scan.noise.of_query) == (30, 15)
    assert 3 / scan.noise.of_threshold + 6 / scan.noise.of_query == scan.epsilon
    assert scan.event == PureDP(Fraction(1, 2))
    monotone = AboveThreshold(Fraction(1, 2), 3, 10, monotone=True)
    assert 3 / monotone.noise.of_threshold + 3 / monotone.noise.of_query == monotone.epsilon


def fix_noise(monkeypatch, *numbers):
    """The next draws, one after the other; what is missing is 0."""
    left = list(numbers)

    def draw(n, scale, *, bits):
        return np.array([left.pop(0) if left else 0 for _ in range(n)], np.int64)

    for module in (above_threshold, threshold_noise):
        monkeypatch.setattr(module, "discrete_laplace", draw)


def test_a_tie_is_above_in_the_list_and_in_the_session(monkeypatch):
    scan = AboveThreshold(Fraction(1), 1, 7, monotone=False)
    fix_noise(monkeypatch)
    assert scan.decide(np.array([6, 7, 8]), confidence=0.9, bits=SeededBits(1)).place == 1
    session = scan.start(bits=SeededBits(1))
    assert [session.ask(6), session.ask(7)] == [False, True]


def test_no_stop_is_said_and_huge_values_do_not_overflow(monkeypatch):
    scan = AboveThreshold(Fraction(1), 1, -(2**60), monotone=False)
    fix_noise(monkeypatch, 2**62, -(2**62))
    assert scan.decide(np.array([-(2**63)]), confidence=0.9, bits=SeededBits(1)).place is None
    fix_noise(monkeypatch, 2**62, 2**62)
    assert scan.decide(np.array([2**64 - 1], np.uint64), confidence=0.9, bits=SeededBits(1)).place == 0


def test_a_session_closes_at_its_stop_and_draws_its_threshold_once(monkeypatch):
    scan = AboveThreshold(Fraction(1), 1, 0, monotone=False)
    fix_noise(monkeypatch, 5)
    session = scan.start(bits=SeededBits(1))
    assert [session.ask(v) for v in (4, 3, 5)] == [False, False, True]
    assert not session.is_open
    with pytest.raises(QueryError, match="used up"):
        session.ask(0)


def test_a_session_is_not_copied_and_shows_no_secret():
    session = AboveThreshold(Fraction(1), 1, 123_456, monotone=False).start(bits=SeededBits(1))
    for make in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be copied"):
            make(session)
    assert repr(session) == "<ThresholdSession: 1 stops left>"


def test_a_session_stops_once_among_threads():
    session = AboveThreshold(Fraction(1), 1, 0, monotone=False).start(bits=SeededBits(1))
    said = []

    def ask():
        try:
            said.append(session.ask(10**6))
        except QueryError:
            said.append(None)

    threads = [Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said.count(True) == 1
    assert said.count(None) == 7


def test_errors_show_no_value_and_do_not_use_the_session():
    session = AboveThreshold(Fraction(1), 1, 0, monotone=False).start(bits=SeededBits(1))
    with pytest.raises(ParameterError) as error:
        session.ask(41.5)
    assert "41" not in str(error.value)
    assert session.is_open


@pytest.mark.parametrize(
    "change",
    [
        {"epsilon": Fraction(0)},
        {"epsilon": 1.0},
        {"sensitivity_of_queries": 0},
        {"threshold": 2**61},
        {"threshold": 0.5},
        {"share_of_threshold": Fraction(1)},
        {"share_of_threshold": 0.5},
        {"monotone": None},
        {"epsilon": Fraction(1, 2**60)},
    ],
)
def test_what_is_refused_before_any_data(change):
    given = {"epsilon": Fraction(1), "sensitivity_of_queries": 1, "threshold": 0, "monotone": False}
    with pytest.raises(ParameterError):
        AboveThreshold(**{**given, **change})


@pytest.mark.parametrize("values", [[], [[1]], [1.5], ["a"], [True]])
def test_values_must_be_whole(values):
    with pytest.raises(ParameterError, match="whole"):
        AboveThreshold(Fraction(1), 1, 0, monotone=False).decide(np.array(values), confidence=0.9, bits=SeededBits(1))
