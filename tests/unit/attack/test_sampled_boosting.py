from fractions import Fraction

import numpy as np
import pytest

from sfumato.attack.sampled_attribute import guess, score
from sfumato.attack.sampled_boosting import Booster, available_booster, guess_by_boosting, synthesize
from sfumato.errors import ParameterError
from sfumato.guarantee.coordinate import Coordinate, Encoding

HALF, P, Q = Fraction(1, 2), Fraction(3, 4), Fraction(1, 4)
LAW = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
SHARES = np.array([0.1, 0.2, 0.7])
VALUE = Coordinate(Encoding.VALUE, 3, Fraction(3, 5), Fraction(1, 5), LAW)
ZEROS = Coordinate(Encoding.BITS, 3, P, Q, None)
VALUES = Coordinate(Encoding.BITS, 3, P, Q, LAW)


@pytest.mark.parametrize("coordinate", [VALUE, ZEROS, VALUES])
def test_synthetic_reports_follow_the_public_law(coordinate):
    n = 60_000
    reports, sampled = synthesize([coordinate] * 2, [SHARES] * 2, n, rng=np.random.default_rng(1))
    p, q = float(coordinate.p), float(coordinate.q)
    bound = 6 * np.sqrt(0.25 / (n / 2 - 1000))
    for at in (0, 1):
        ones = reports[at] if coordinate.encoding is Encoding.BITS else np.eye(3)[reports[at]]
        genuine, fakes = ones[sampled == at].mean(axis=0), ones[sampled != at].mean(axis=0)
        assert np.all(np.abs(genuine - (q + SHARES * (p - q))) < bound)
        assert np.all(np.abs(fakes - [float(share) for share in coordinate.fake_support]) < bound)


def test_boosting_learns_less_than_the_best_guess_knows():
    rng = np.random.default_rng(2)
    coordinates, shares = [ZEROS, VALUE, VALUES], [SHARES] * 3
    reports, sampled = synthesize(coordinates, shares, 4000, rng=rng)
    learned = guess_by_boosting(reports, coordinates, shares, n_profiles=4000, booster=Booster.HISTOGRAM, rng=rng)
    best = score(guess(reports, coordinates, shares), sampled, 3, confidence=0.999999)
    found = score(learned, sampled, 3, confidence=0.999999)
    assert found.baseline < found.interval.low
    assert found.accuracy <= best.interval.high


def test_an_attribute_that_no_profile_sampled_is_never_guessed():
    rng = np.random.default_rng(3)
    coordinates, shares = [ZEROS] * 4, [SHARES] * 4
    reports, _ = synthesize(coordinates, shares, 50, rng=rng)
    _, known = synthesize(coordinates, shares, 3, rng=np.random.default_rng(9))
    found = guess_by_boosting(
        reports, coordinates, shares, n_profiles=3, booster=Booster.HISTOGRAM, rng=np.random.default_rng(9)
    )
    assert set(found.tolist()) <= set(known.tolist())


def test_one_profile_is_too_few():
    with pytest.raises(ParameterError):
        guess_by_boosting(
            [np.zeros((1, 3), bool)],
            [ZEROS],
            [SHARES],
            n_profiles=1,
            booster=Booster.HISTOGRAM,
            rng=np.random.default_rng(1),
        )


def test_the_available_booster_can_be_imported():
    assert available_booster() in Booster
