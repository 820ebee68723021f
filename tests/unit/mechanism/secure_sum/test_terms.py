"""Terms: what they must say, and what they promise."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from tests.unit.mechanism.secure_sum.parties import Parties, bits_of, identity, terms_for

from sfumato.errors import ParameterError
from sfumato.mechanism.secure_sum.holder import Seat, join
from sfumato.mechanism.secure_sum.noise import SharedNoise
from sfumato.mechanism.secure_sum.terms import terms_of


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"threshold": 2}, "raise `threshold` to 3"),
        ({"colluding": 1}, "raise `threshold` to 4"),
        ({"threshold": 5, "colluding": 4}, "colluding must be an integer from 0 to 3"),
        ({"threshold": 6}, "threshold must be an integer"),
        ({"cells": 1_000_001}, "cells must be"),
        ({"cells": 0}, "cells must be"),
        ({"greatest": 2**53 + 1}, "greatest must be"),
        ({"about": b"short"}, "32 bytes each"),
        ({"holders": (bytes(32),) * 5}, "distinct keys"),
        ({"publisher": bytes([1]) * 32, "holders": (bytes([1]) * 32, bytes(32))}, "distinct keys"),
        ({"holders": tuple(i.to_bytes(32, "big") for i in range(1, 502))}, "number of holders must be"),
        ({"noise": SharedNoise(Fraction(1), 1, among=2)}, "among the 3 honest"),
    ],
)
def test_terms_that_do_not_protect_are_refused(change, words):
    with pytest.raises(ParameterError, match=words):
        replace(terms_for(5, 3), **change)


@pytest.mark.parametrize(("greatest", "width"), [(13_107, 16), (13_108, 32), (858_993_459, 32), (858_993_460, 64)])
def test_the_modulus_is_the_least_that_no_sum_reaches(greatest, width):
    """5 · 13,107 = 2¹⁶ - 1 and 5 · 858,993,459 = 2³² - 1."""
    assert terms_for(5, 3, greatest=greatest).width == width
    if width < 64:
        full = Parties(terms_for(5, 3, greatest=greatest), counts=lambda i, cells: np.full(cells, greatest)).total()
        assert full.counts.tolist() == [5 * greatest] * 3


def test_the_largest_sum_with_the_most_noise_fits():
    """All limits at once: 500 holders of whom two are honest, 2⁵³ each, noise of scale 2⁴⁰ in 10⁶ cells."""
    holders = tuple(i.to_bytes(32, "big") for i in range(1, 501))
    noise = SharedNoise(Fraction(1, 2**40), 1, among=2)
    most = replace(terms_for(5, 3), holders=holders, threshold=500, colluding=498, cells=10**6, greatest=2**53, noise=noise)  # fmt: skip
    assert most.width == 64
    assert 500 * 2**53 + 2 * most.slack < 2**63


@pytest.mark.parametrize("noise", [None, SharedNoise(Fraction(1, 3), 2, among=3)])
def test_terms_are_read_again_and_their_digest_tells_them(noise):
    terms = terms_for(5, 3, noise=noise)
    again = terms_of(terms.written())
    assert again == terms
    assert again.digest == terms.digest
    assert len({terms.digest, terms_for(5, 4).digest, terms_for(5, 3, greatest=99).digest}) == 3


@pytest.mark.parametrize("change", [{"more": 1}, {"version": "sfumato.secure-sum/2"}, {"cells": True}, {"noise": 3}])
def test_other_terms_are_refused(change):
    told = json.loads(terms_for(5, 3).written()) | change
    with pytest.raises(ParameterError):
        terms_of(json.dumps(told, separators=(",", ":"), sort_keys=True).encode())
    for raw in (b"", b"[]", b"{", b"\xff", b"[" * 100_000):
        with pytest.raises(ParameterError, match="must be of version"):
            terms_of(raw)


@pytest.mark.parametrize("counts", [[-1, 0, 0], [101, 0, 0], [0, 0], [0.5, 0, 0]])
def test_counts_that_the_terms_do_not_name_are_refused_and_not_shown(counts):
    with pytest.raises(ParameterError, match="3 whole counts from 0 to 100") as caught:
        join(Seat(terms_for(3, 2), 0, identity(0)), np.array(counts), bits=bits_of(0))
    assert "101" not in str(caught.value)


@pytest.mark.parametrize(("place", "key"), [(0, 1), (3, 0), (-1, 2)])
def test_a_seat_needs_its_own_key(place, key):
    with pytest.raises(ParameterError, match="the one that the terms name"):
        Seat(terms_for(3, 2), place, identity(key))
