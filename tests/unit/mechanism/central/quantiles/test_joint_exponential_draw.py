"""Draws by halving: the stated chances, at any distance of the weights."""

import numpy as np
from tests.distribution.laws import follows

from sfumato.mechanism.central.quantiles.joint_exponential_draw import coin_of_odds, draw_log
from sfumato.testing.seeded_bits import SeededBits


def test_draws_have_the_chances_of_their_weights():
    """Seven weights, one of them 0, far below what a float can hold. False alarm: 1e-6."""
    weights, bits = np.array([1, 0, 4, 2, 7, 1, 5]) / 20, SeededBits(3)
    with np.errstate(divide="ignore"):
        logs = np.log(weights) - 5000
    draws = [draw_log(logs, bits=bits) for _ in range(10_000)]
    assert follows(draws, dict(enumerate(weights)))


def test_coins_of_extreme_odds():
    """Both sides, beyond the range of floats, and at infinity."""
    bits = SeededBits(4)
    for odds in (-np.inf, -1e6, -701.0):
        assert not coin_of_odds(odds, bits=bits)
        assert coin_of_odds(-odds, bits=bits)
    heads = sum(coin_of_odds(0.0, bits=bits) for _ in range(4000))
    assert follows(np.repeat([0, 1], [4000 - heads, heads]), {0: 0.5, 1: 0.5})
