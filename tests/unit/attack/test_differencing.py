"""Two aggregates betray the one who joined: exactly if they are exact, and by known chances if they are noisy."""

from fractions import Fraction

import numpy as np
import pytest

from sfumato.attack.differencing import (
    best_hit_rate,
    chance_within,
    half_width,
    noise_law,
    posterior_of_joiner,
    value_of_joiner,
)
from sfumato.errors import ParameterError
from sfumato.noise.discrete_laplace import discrete_laplace
from sfumato.testing.seeded_bits import SeededBits

FAR = 400
"""Beyond this the slow twins drop chances below 1e-15, for scales up to 10."""


def slow_law(scale, noises):
    """Chances of -2·FAR … 2·FAR, by convolution; the broken twin of the closed form would forget a term."""
    one = np.exp(-np.abs(np.arange(-FAR, FAR + 1)) / float(scale))
    one /= one.sum()
    other = one if noises == 2 else np.eye(1, 2 * FAR + 1, FAR)[0]
    return np.convolve(one, other)


def slow_hit_rate(within, size, scale, noises):
    """Sum over all answers of the best window, by brute force."""
    law = slow_law(scale, noises)
    total = 0.0
    for answer in range(-FAR, size + FAR):
        chances = [law[answer - value + 2 * FAR] if abs(answer - value) <= 2 * FAR else 0.0 for value in range(size)]
        total += max(sum(chances[low : low + 2 * within + 1]) for low in range(size - 2 * within))
    return total / size


def test_the_example_of_the_course():
    assert value_of_joiner(100, 55_000, 101, 56_000) == 156_000
    assert value_of_joiner(102, 55_551, 97, 55_975) == -236_627


def test_any_table_betrays_its_newcomer_and_its_leaver():
    rng = np.random.default_rng(1)
    for _ in range(20):
        values = rng.integers(0, 10**6, rng.integers(1, 50)).astype(float)
        moved = float(rng.integers(0, 10**6))
        more = np.append(values, moved)
        assert round(value_of_joiner(len(values), values.mean(), len(more), more.mean())) == moved
        assert round(value_of_joiner(len(more), more.mean(), len(values), values.mean())) == -moved


@pytest.mark.parametrize("noises", [1, 2])
@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(2), Fraction(10)])
def test_the_law_is_the_convolution(scale, noises):
    there = np.arange(-FAR, FAR + 1)
    assert np.allclose(
        noise_law(there, scale, noises), slow_law(scale, noises)[FAR : 3 * FAR + 1], rtol=1e-6, atol=1e-15
    )


@pytest.mark.parametrize("noises", [1, 2])
@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(2), Fraction(10)])
def test_half_widths_are_the_least(scale, noises):
    law = slow_law(scale, noises)
    for share in (0.1, 0.5, 0.95, 0.999):
        within = [law[2 * FAR - a : 2 * FAR + a + 1].sum() for a in range(FAR)]
        assert half_width(share, scale, noises) == next(a for a, chance in enumerate(within) if chance >= share)
        assert chance_within(7, scale, noises) == pytest.approx(within[7], abs=1e-12)


@pytest.mark.parametrize("noises", [1, 2])
@pytest.mark.parametrize("scale", [Fraction(1, 2), Fraction(3), Fraction(10)])
@pytest.mark.parametrize(("within", "size"), [(0, 1), (0, 6), (2, 5), (2, 12), (3, 20)])
def test_the_best_hit_rate_is_that_of_the_best_window_for_every_answer(within, size, scale, noises):
    found = best_hit_rate(within, size, scale, noises)
    assert found == pytest.approx(slow_hit_rate(within, size, scale, noises), abs=1e-9)


def test_the_promise_bounds_the_insider():
    """Two values of a range of `size` steps differ by at most size - 1, and noise of that scale by ε is ε-private."""
    for epsilon in (0.1, 1.0, 3.0):
        blind = best_hit_rate(7, 201, None, 1)
        for noises in (1, 2):
            found = best_hit_rate(7, 201, Fraction(200) / Fraction(epsilon), noises)
            assert blind < found <= np.exp(epsilon) * blind


def test_posteriors_follow_bayes():
    for answer, noises in ((-5, 1), (4, 2), (50, 2)):
        law = noise_law(answer - np.arange(9), Fraction(3), noises)
        assert np.allclose(posterior_of_joiner(answer, Fraction(3), 9, noises), law / law.sum(), rtol=1e-12)


def test_posteriors_of_far_answers_stay_finite():
    assert posterior_of_joiner(10**7, Fraction(1), 5, 2).sum() == pytest.approx(1)


def test_a_released_difference_hits_as_often_as_predicted():
    """4e5 draws: a rate off by 0.005 is more than 6 standard deviations, a false alarm below 1e-8."""
    scale, n = Fraction(9), 400_000
    noise = discrete_laplace(2 * n, scale, bits=SeededBits(3))
    difference = noise[:n] - noise[n:]
    assert abs(np.mean(np.abs(difference) <= 7) - chance_within(7, scale, 2)) < 0.005
    values = np.random.default_rng(4).integers(0, 40, n)
    guesses = np.clip(values + difference, 7, 32)
    assert abs(np.mean(np.abs(guesses - values) <= 7) - best_hit_rate(7, 40, scale, 2)) < 0.005


def test_parameters_are_checked():
    with pytest.raises(ParameterError, match="share must lie"):
        half_width(1.0, Fraction(1), 1)
    with pytest.raises(ParameterError, match="within"):
        best_hit_rate(3, 6, None, 1)
