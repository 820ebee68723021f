from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.unit.mechanism.local.several.enumeration import fake, genuine, reports_of

from sfumato.attack.sampled_attribute import evidence, guess, score
from sfumato.errors import ParameterError
from sfumato.guarantee.coordinate import Coordinate, Encoding

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
P, Q = Fraction(3, 4), Fraction(1, 4)
SHARES = [np.array([0.7, 0.3]), np.array([0.5, 0.25, 0.25])]
KINDS = {
    "GRR": [
        Coordinate(Encoding.VALUE, 2, P, Q, (HALF, HALF)),
        Coordinate(Encoding.VALUE, 3, Fraction(3, 5), Fraction(1, 5), (THIRD, THIRD, THIRD)),
    ],
    "bits against zeros": [Coordinate(Encoding.BITS, k, P, Q, None) for k in (2, 3)],
    "bits against values": [
        Coordinate(Encoding.BITS, 2, P, Q, (Q, P)),
        Coordinate(Encoding.BITS, 3, P, Q, (HALF, Q, Q)),
    ],
}


def one_report(encoding, report):
    """A report as an array of one person."""
    return np.array([report], np.int64 if encoding is Encoding.VALUE else np.bool_)


@pytest.mark.parametrize("kind", KINDS)
def test_the_guess_is_the_mode_of_the_enumerated_posterior(kind):
    coordinates = KINDS[kind]
    for pair in product(*(reports_of(c) for c in coordinates)):
        quotients = [
            sum(f * genuine(c, y, v) for v, f in enumerate(shares)) / fake(c, y)
            for c, y, shares in zip(coordinates, pair, SHARES, strict=True)
        ]
        reports = [one_report(c.encoding, y) for c, y in zip(coordinates, pair, strict=True)]
        assert evidence(reports, coordinates, SHARES)[0].tolist() == pytest.approx([float(q) for q in quotients])


def test_no_other_guess_is_right_more_often():
    coordinates = KINDS["GRR"]
    right = 0.0
    for pair in product(range(2), range(3)):
        joint = []
        for at, (c, shares) in enumerate(zip(coordinates, SHARES, strict=True)):
            seen = sum(f * genuine(c, pair[at], v) for v, f in enumerate(shares))
            other = 1 - at
            joint.append(float(seen) * float(fake(coordinates[other], pair[other])) / 2)
        found = guess([np.array([pair[0]]), np.array([pair[1]])], coordinates, SHARES)[0]
        right += joint[found]
        assert joint[found] == pytest.approx(max(joint))
    assert right > 0.5


def test_on_reports_that_say_nothing_the_guess_reaches_the_baseline():
    rng = np.random.default_rng(1)
    coordinates = [Coordinate(Encoding.VALUE, 4, Fraction(1, 4) + Fraction(1, 10**9), Fraction(1, 4), (Q,) * 4)] * 5
    sampled = rng.integers(0, 5, 20_000)
    reports = [rng.integers(0, 4, 20_000) for _ in range(5)]
    found = score(guess(reports, coordinates, [np.full(4, 0.25)] * 5), sampled, 5, confidence=1 - 1e-9)
    assert found.interval.low <= found.baseline <= found.interval.high


def test_a_report_that_no_fake_gives_is_certain():
    coordinates = [Coordinate(Encoding.VALUE, 2, P, Q, (Fraction(1), Fraction(0))), KINDS["GRR"][0]]
    with np.errstate(all="raise"):
        found = guess([np.array([1]), np.array([0])], coordinates, [SHARES[0], SHARES[0]])
    assert found.tolist() == [0]


def test_score_has_the_share_its_interval_and_the_baseline():
    found = score(np.array([0, 1, 1, 0]), np.array([0, 1, 0, 0]), 2, confidence=0.95)
    assert (found.right, found.n, found.accuracy, found.baseline) == (3, 4, 0.75, 0.5)
    assert found.interval.low < 0.75 < found.interval.high


@pytest.mark.parametrize(
    ("reports", "shares"),
    [
        ([np.array([0])], SHARES),
        ([np.array([0]), np.array([0, 1])], SHARES),
        ([np.array([0]), np.array([3])], SHARES),
        ([np.array([0]), np.array([-1])], SHARES),
        ([np.array([0]), np.array([0])], [SHARES[0], SHARES[0]]),
        ([np.array([0]), np.array([0])], [SHARES[0], np.array([1.2, -0.1, -0.1])]),
        ([np.array([0]), np.array([0])], [SHARES[0], np.array([np.nan, 0.5, 0.5])]),
    ],
)
def test_what_does_not_belong_together_is_refused(reports, shares):
    with pytest.raises(ParameterError):
        guess(reports, KINDS["GRR"], shares)


def test_there_must_be_one_guess_for_each_person():
    with pytest.raises(ParameterError):
        score(np.array([0]), np.array([0, 1]), 2, confidence=0.95)
