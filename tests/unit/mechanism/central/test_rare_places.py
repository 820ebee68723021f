"""Places that come up by rare coins: the law, the ends of the range, and that nothing is skipped twice."""

from fractions import Fraction
from math import expm1, sqrt

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.central import rare_places as module
from sfumato.mechanism.central.rare_places import candidate_scale, rare_places
from sfumato.noise.bernoulli import bernoulli
from sfumato.testing.seeded_bits import SeededBits


@pytest.mark.parametrize("chance", [Fraction(1, 10), Fraction(1, 2), Fraction(97, 100)])
def test_every_set_of_three_places_has_its_chance(chance):
    """1200 draws, 8 cells, 6 deviations: false alarm below 1e-7 in all."""
    bits, seen = SeededBits(2), np.zeros(8)
    for _ in range(1200):
        seen[sum(1 << int(i) for i in rare_places(3, chance, bits=bits))] += 1
    p = float(chance)
    expected = np.array([p ** i.bit_count() * (1 - p) ** (3 - i.bit_count()) for i in range(8)]) * 1200
    assert np.all(np.abs(seen - expected) < 6 * np.sqrt(expected) + 8)


@pytest.mark.parametrize("batch", [3, 2**20])
def test_counts_and_places_of_a_long_range(monkeypatch, batch):
    """The number is binomial, places are uniform; 6 deviations, false alarm below 1e-8."""
    monkeypatch.setattr(module, "_BATCH", batch)
    size, chance = 10**12 if batch > 3 else 10**4, Fraction(1, 10**7) if batch > 3 else Fraction(1, 10)
    places = rare_places(size, chance, bits=SeededBits(4))
    mean = float(size * chance)
    assert abs(len(places) - mean) < 6 * sqrt(mean)
    assert np.all(np.diff(places) > 0)
    assert 0 <= places[0] <= places[-1] < size
    assert abs(places.mean() / size - 0.5) < 6 * sqrt(1 / 12 / len(places))


def test_the_last_place_comes_up_as_often_as_the_first():
    """900 draws of 2 out of 5 expected: Binomial(900, 2/5) each, 6 deviations."""
    bits = SeededBits(9)
    seen = np.bincount(np.concatenate([rare_places(5, Fraction(2, 5), bits=bits) for _ in range(900)]), minlength=5)
    assert np.all(np.abs(seen - 360) < 6 * sqrt(900 * 0.24))


def test_candidates_without_the_second_coin_are_too_many():
    """Broken twin: their chance is above the wanted one, by a millionth; exact, not a matter of draws."""
    for chance in (Fraction(1, 3), Fraction(1, 10**6), Fraction(999, 1000)):
        assert 0 < -expm1(-1 / float(candidate_scale(chance))) - float(chance) < 2e-5 * float(chance)
    low, high = module._kept(Fraction(1, 3), candidate_scale(Fraction(1, 3)), 80)
    assert 0 < 1 - high / 2**80 < 2e-6
    assert high - low <= 16


def test_a_range_of_2_to_the_50_does_not_overflow():
    """2^50 places, 2^14 expected; 6 deviations. Skips whose sum would pass 2^63 end where the range certainly does."""
    places = rare_places(2**50, Fraction(1, 2**36), bits=SeededBits(5))
    assert abs(len(places) - 2**14) < 6 * 2**7
    assert np.all(np.diff(places) > 0)
    assert places[-1] < 2**50
    skips = np.full(2**14, 2**50)
    assert len(module._until_past(skips, 2**50)) == 3
    assert np.array_equal(module._until_past(skips[:2], 2**50), skips[:2])


@pytest.mark.parametrize("chance", [Fraction(1, 50), Fraction(1, 3)])
def test_gaps_follow_those_of_a_dense_twin(chance):
    """χ² of the gaps against coins tossed at every place, 8 classes: 53.5 has a chance below 3e-9 at 7 degrees."""
    size = 60_000
    sparse = rare_places(size, chance, bits=SeededBits(11))
    dense = np.flatnonzero(bernoulli(size, chance, bits=SeededBits(12)))
    edges = np.quantile(np.diff(dense), np.arange(1, 8) / 8)
    cut = np.unique(np.ceil(edges))
    first, second = (
        np.bincount(np.searchsorted(cut, np.diff(found), side="right"), minlength=len(cut) + 1)
        for found in (sparse, dense)
    )
    ratio = sqrt(second.sum() / first.sum())
    assert np.sum((ratio * first - second / ratio) ** 2 / np.maximum(first + second, 1)) < 53.5


@pytest.mark.parametrize(("size", "chance"), [(0, 0.5), (2**51, 0.5), (5, 0), (5, 1), (5, Fraction(1, 2**51))])
def test_what_is_refused(size, chance):
    with pytest.raises(ParameterError):
        rare_places(size, chance, bits=SeededBits(1))
