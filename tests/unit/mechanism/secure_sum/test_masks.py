"""Masks, beside a slow twin in whole numbers; one masked vector is uniform."""

import numpy as np
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from scipy.stats import chi2
from tests.unit.mechanism.secure_sum.parties import Parties, counts_of, terms_for

from sfumato.mechanism.secure_sum import wire
from sfumato.mechanism.secure_sum.masks import mask_of, masked
from sfumato.mechanism.secure_sum.wire import Kind

ALARM = 1e-6


def slow_mask(key, cells, width):
    """AES-256-CTR of zeros, read number by number."""
    size = width // 8
    stream = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor().update(bytes(size * cells))
    return [int.from_bytes(stream[size * i : size * (i + 1)], "little") for i in range(cells)]


def slow_masked(vector, place, seed, pairs, width):
    out = [int(x) + m for x, m in zip(vector, slow_mask(seed, len(vector), width), strict=True)]
    for other, key in pairs:
        sign = 1 if place < other else -1
        out = [x + sign * m for x, m in zip(out, slow_mask(key, len(vector), width), strict=True)]
    return [x % 2**width for x in out]


@pytest.mark.parametrize(("width", "kind"), [(16, np.uint16), (32, np.uint32), (64, np.uint64)])
def test_masks_are_those_of_the_slow_twin_and_cancel(width, kind):
    keys = {pair: bytes([*pair]) * 16 for pair in ((0, 1), (0, 2), (1, 2))}
    total = np.zeros(5, kind)
    for place in range(3):
        vector = np.array([place, 0, 1, 2**width - 1, 7], kind)
        pairs = [(v, keys[min(v, place), max(v, place)]) for v in range(3) if v != place]
        found = masked(vector, place, bytes([place]) * 32, pairs)
        assert found.tolist() == slow_masked(vector, place, bytes([place]) * 32, pairs, width)
        total += found - mask_of(bytes([place]) * 32, 5, width)
    assert total.tolist() == [3, 0, 3, 2**width - 3, 21]


def no_masks(vector, place, seed, pairs):
    return vector.copy()


def p_value(vector):
    """Of the bytes of a vector being uniform: χ² with 255 degrees of freedom."""
    seen = np.bincount(vector.view(np.uint8), minlength=256)
    expected = len(vector.view(np.uint8)) / 256
    return chi2.sf(((seen - expected) ** 2 / expected).sum(), 255)


def test_one_masked_vector_is_uniform(monkeypatch):
    """40,000 bytes and more: a correct mask fails with probability 1e-6; counts without one are seen at once."""

    def vector():
        parties = Parties(terms_for(3, 2, cells=20_000), rounds=2)
        message = wire.opened(parties.answers[2][1], Kind.MASKED, parties.terms)
        return np.frombuffer(message.body, np.uint16)

    found = vector()
    assert p_value(found) >= ALARM
    assert p_value(found - counts_of(1, 20_000).astype(np.uint16)) >= ALARM
    monkeypatch.setattr("sfumato.mechanism.secure_sum.holder.masked", no_masks)
    assert p_value(vector()) < ALARM
