"""Is every order equally likely?"""

import numpy as np

from sfumato.noise.bits import SystemBits
from sfumato.noise.permutation import permutation


def test_each_place_is_equally_likely_for_each_row():
    """24,000 permutations of 4: each of the 24 orders appears about 1,000 times.

    A count is Binomial(24000, 1/24) with standard deviation 30.96; the bound of 6.5 deviations is
    missed with probability below 24 × 8.1e-11 < 1e-8 (normal tail).
    """
    bits = SystemBits()
    codes = [int("".join(map(str, permutation(4, bits=bits))), 4) for _ in range(24_000)]
    _, counts = np.unique(codes, return_counts=True)
    assert 24 == len(counts)
    assert np.all(np.abs(counts - 1000) < 6.5 * 30.96)
