"""Central mechanisms audited from their answers: the right one passes, its broken twin is caught.

Bounds hold with confidence 1 - 1e-6 each, so a right mechanism is refuted with probability below 1e-6.
"""

from fractions import Fraction

import numpy as np
import pytest

from sfumato.account.event import ApproxDP, PureDP
from sfumato.attack.audit import audit
from sfumato.mechanism.central.additive import AdditiveNoise, LaplaceLaw
from sfumato.mechanism.central.count import Count
from sfumato.mechanism.central.mean import Mean
from sfumato.mechanism.central.partition_selection import ThresholdSelection
from sfumato.mechanism.central.selection import Chooser, Selection
from sfumato.mechanism.central.sums import Sum
from sfumato.mechanism.central.variance import Variance
from sfumato.table.domain import Range
from sfumato.table.unit import Neighbors, Unit
from sfumato.testing.seeded_bits import SeededBits

N, CONFIDENCE = 40_000, 1 - 1e-6
ROW, EXCHANGED = Unit.row(Neighbors.ADD_REMOVE), Unit.row(Neighbors.REPLACE)


def run(mechanism, inputs, n=N):
    """Inputs are columns of totals; every repetition is a group with noise of its own."""
    bits = SeededBits(72)

    def randomize(totals):
        found = mechanism.decide(totals.reshape(len(totals), -1).T.copy(), confidence=0.9, bits=bits)
        return np.rint(np.nan_to_num(found.values, nan=-1e6) * 1000).astype(np.int64)

    return audit(randomize, inputs, n=n, confidence=CONFIDENCE)


def with_scale(mechanism, scale):
    """The same mechanism with other noise."""
    object.__setattr__(mechanism, "noise", AdditiveNoise(LaplaceLaw(Fraction(scale)), mechanism.noise.event))
    return mechanism


def counts(epsilon=1):
    return Count(ROW, PureDP(Fraction(epsilon)), groups=None)


def sums(epsilon=1):
    return Sum("x", Range(-1, 10, 1), ROW, PureDP(Fraction(epsilon)), groups=None)


def means(epsilon=1):
    return Mean("x", Range(0, 1, 1), EXCHANGED, PureDP(Fraction(epsilon)), groups=None)


def variances(epsilon=1):
    return Variance("x", Range(0, 1, 1), ROW, PureDP(Fraction(epsilon)), groups=None)


CASES = {
    "count": (counts, [[3], [4]], 0.7),
    "sum": (sums, [[0], [10]], 0.7),
    "mean": (means, [[1, -1], [2, 0]], 0.2),
    "variance": (variances, [[0, 0, 2], [1, 0, 2]], 0.7),
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_numbers_pass_and_with_a_quarter_of_the_noise_are_caught(name):
    """A mean shows a part of what its totals show, so less of ε is found."""
    make, inputs, least = CASES[name]
    right = make()
    assert least < run(right, inputs).epsilon_lower <= 1
    twin = with_scale(make(), right.noise.law.scale / 4)
    assert run(twin, inputs).refutes(1.0)


def test_half_the_noise_is_caught():
    for make, inputs in ((counts, [[3], [4]]), (sums, [[0], [10]])):
        assert run(make(2), inputs).refutes(1.0)


def test_f20_a_sensitivity_with_the_lower_bound_twice_is_caught():
    assert run(with_scale(sums(), 1), [[0], [10]]).epsilon_lower > 3


def test_f8_no_noise_because_bounds_are_missing_is_caught():
    assert run(with_scale(sums(), Fraction(1, 10**6)), [[0], [10]]).epsilon_lower > 5


def test_a_count_whose_noise_is_added_to_a_double_is_caught():
    """A fraction of the true value survives whole noise."""

    def leaks(totals):
        return np.rint(totals[:, 0] / 3 * 1000).astype(int) + 1000 * counts().noise.law.draw(
            len(totals), bits=SeededBits(1)
        )

    assert audit(leaks, [[3], [4]], n=N, confidence=CONFIDENCE).epsilon_lower > 5


def test_a_histogram_of_exchanged_rows_needs_twice_the_noise_of_one_count():
    """Two cells at once: (3, 3) against (4, 2)."""

    def both(mechanism):
        bits = SeededBits(73)

        def randomize(totals):
            flat = totals.reshape(1, -1)
            noisy = mechanism.decide(flat, confidence=0.9, bits=bits).values.astype(np.int64)
            return noisy.reshape(-1, 2)

        return audit(randomize, [[3, 3], [4, 2]], n=N, confidence=CONFIDENCE)

    right = Count(EXCHANGED, PureDP(Fraction(1)), groups=None)
    assert 0.6 < both(right).epsilon_lower <= 1
    assert both(with_scale(Count(EXCHANGED, PureDP(Fraction(1)), groups=None), 1)).refutes(1.0)


@pytest.mark.parametrize("chooser", Chooser)
def test_selections_pass_and_with_the_monotone_rate_are_caught(chooser):
    """Scores (0, 0) against (1, -1) are not monotone."""

    def choose(monotone):
        chosen, bits = Selection(PureDP(Fraction(2)), 1, monotone, 2, chooser), SeededBits(74)
        return lambda rows: np.array([int(chosen.decide(scores, bits=bits)[0]) for scores in rows])

    inputs = [[-1, 1], [0, 0], [1, -1]]
    right = audit(choose(False), inputs[1:], n=1200, confidence=CONFIDENCE)
    assert right.epsilon_lower <= 2
    wide = audit(choose(True), [inputs[0], inputs[2]], n=1200, confidence=CONFIDENCE)
    assert wide.epsilon_lower > right.epsilon_lower


def test_a_key_of_one_person_is_named_as_often_as_delta_says_and_a_missing_mass_is_caught():
    """Against the δ that leaves the threshold itself out; expected 2678 of 200 000, claimed 985."""
    offered = ApproxDP(Fraction(1), Fraction(2, 100))
    selection, n = ThresholdSelection(ROW, offered), 200_000
    named = len(selection.decide(np.ones(n, np.int64), confidence=0.9, bits=SeededBits(75)).places)
    stated, claimed = float(selection.event.delta), float(selection.event.delta) * np.exp(-1)
    assert abs(named - n * stated) < 5 * np.sqrt(n * stated)
    assert named > n * claimed + 5 * np.sqrt(n * claimed)
