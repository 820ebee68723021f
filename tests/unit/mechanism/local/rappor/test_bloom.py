"""Bloom bits are words of SHA-256, even, and the same ones one at a time and together."""

import hashlib

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.local.rappor import bloom
from sfumato.mechanism.local.rappor.bloom import bloom_bits, canonical, design_bits
from sfumato.mechanism.local.rappor.params import RapporParams

HALF = {"f": "1/2", "p": "1/2", "q": "3/4"}
HOME = RapporParams("home é", bits=100, hashes=11, cohorts=7, **HALF)
TEXTS = ["", "a", "été", "日本語 🙂", "x" * 1000, "a\x00b"]


def by_hand(params, text, cohort, i):
    """Hash i, from the definition in the module's first lines."""
    name, value = (one.encode() for one in (params.name, text))
    data = b"sfumato.rappor/1" + len(name).to_bytes(4, "big") + name + cohort.to_bytes(4, "big")
    data += (i // 8).to_bytes(4, "big") + len(value).to_bytes(4, "big") + value
    return int.from_bytes(hashlib.sha256(data).digest()[4 * (i % 8) :][:4], "big") % params.bits


def test_bits_are_words_of_the_digest_in_any_grouping(monkeypatch):
    slow = [[[by_hand(HOME, text, j, i) for i in range(11)] for j in range(7)] for text in TEXTS]
    assert design_bits(HOME, TEXTS).tolist() == slow
    assert [[bloom_bits(HOME, text, j).tolist() for j in range(7)] for text in TEXTS] == slow
    monkeypatch.setattr(bloom, "_CHUNK", 4)
    assert design_bits(HOME, TEXTS).tolist() == slow
    assert design_bits(HOME, []).shape == (0, 7, 11)


def test_every_bit_is_as_likely():
    """χ² of 100 cells over 77 000 hashes; above 190 with a chance below 1e-7."""
    counts = np.bincount(design_bits(HOME, [str(i) for i in range(1000)]).ravel(), minlength=100)
    assert ((counts - 770) ** 2 / 770).sum() < 190


def test_one_text_has_one_encoding_and_half_a_pair_is_a_replacement_character():
    assert canonical("e\u0301") == canonical("é")
    assert canonical("\ud83d\ude42") == "🙂".encode()
    assert canonical("a\ud800b\udfff") == "a\ufffdb\ufffd".encode()


def test_declared_values_have_a_bit_each_also_in_another_normal_form():
    basic = RapporParams("b", bits=2, hashes=1, cohorts=1, **HALF, values=("no", "é"))
    assert bloom_bits(basic, "e\u0301", 0).tolist() == [1]
    assert design_bits(basic, ["é", "no"]).tolist() == [[[1]], [[0]]]
    with pytest.raises(ParameterError, match="other"):
        bloom_bits(basic, "secret", 0)


@pytest.mark.parametrize("cohort", [-1, 7])
def test_no_such_cohort(cohort):
    with pytest.raises(ParameterError, match="cohort"):
        bloom_bits(HOME, "a", cohort)
