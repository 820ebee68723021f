"""Half-widths against slow sums of the law."""

import math
from fractions import Fraction

import numpy as np
import pytest

from sfumato.account.gaussian import gaussian_tail
from sfumato.errors import ParameterError
from sfumato.mechanism.central.tail import (
    gaussian_half_width,
    laplace_half_width,
    laplace_half_width_of_two,
    laplace_tail,
)

SCALES = [Fraction(1, 700), Fraction(1, 3), Fraction(1), Fraction(7, 2), Fraction(40)]


def law(weight, reach):
    """P(x) for |x| <= reach, by adding up."""
    weights = {x: weight(x) for x in range(-reach, reach + 1)}
    total = math.fsum(weights.values())
    return {x: w / total for x, w in weights.items()}


def inside(p, a):
    return math.fsum(chance for x, chance in p.items() if abs(x) <= a)


@pytest.mark.parametrize("confidence", [0.01, 0.5, 0.95, 0.999999])
@pytest.mark.parametrize("scale", SCALES)
def test_laplace_half_widths_are_the_least(scale, confidence):
    p = law(lambda x: math.exp(-abs(x) / scale), max(4, int(60 * scale)))
    a = laplace_half_width(scale, confidence)
    assert inside(p, a) >= confidence - 1e-12
    assert a == 0 or inside(p, a - 1) < confidence


@pytest.mark.parametrize("confidence", [0.01, 0.5, 0.95, 0.999999])
@pytest.mark.parametrize("scale", SCALES)
def test_half_widths_of_two_laplace_noises_together_are_the_least(scale, confidence):
    reach = max(4, int(60 * scale))
    p = law(lambda x: math.exp(-abs(x) / scale), reach)
    sizes = np.bincount([abs(x) for x in p], weights=list(p.values()))
    kept = np.cumsum(np.convolve(sizes, sizes))
    y = laplace_half_width_of_two(scale, confidence)
    assert kept[y] >= confidence - 1e-12
    assert y == 0 or kept[y - 1] < confidence


@pytest.mark.parametrize("confidence", [0.01, 0.5, 0.95, 0.999999])
@pytest.mark.parametrize("sigma", SCALES)
def test_gaussian_half_widths_are_the_least(sigma, confidence):
    p = law(lambda x: math.exp(-(x**2) / (2 * sigma**2)), max(4, int(30 * sigma)))
    a = gaussian_half_width(sigma**2, confidence)
    assert inside(p, a) >= confidence - 1e-12
    assert a == 0 or inside(p, a - 1) < confidence


@pytest.mark.parametrize("scale", SCALES)
def test_tails(scale):
    laplace = law(lambda x: math.exp(-abs(x) / scale), max(4, int(60 * scale)))
    gauss = law(lambda x: math.exp(-(x**2) / (2 * scale**2)), max(4, int(30 * scale)))
    for least in (-3, -1, 0, 1, 2, 5):
        slow = [math.fsum(chance for x, chance in p.items() if x >= least) for p in (laplace, gauss)]
        assert float(laplace_tail(scale, least)) == pytest.approx(slow[0], abs=1e-13)
        assert float(gaussian_tail(least, scale**2)) == pytest.approx(slow[1], abs=1e-13)


def test_huge_scales():
    """Continuous laws are near: scale · ln(1/0.05) and 1.96 σ."""
    assert laplace_half_width(Fraction(2**52), 0.95) == pytest.approx(2**52 * math.log(20), rel=1e-9)
    assert gaussian_half_width(Fraction(10**12), 0.95) == pytest.approx(1.959964 * 10**6, rel=1e-6)


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 2, float("nan")])
def test_confidences_outside_are_refused(confidence):
    for half_width in (laplace_half_width, gaussian_half_width):
        with pytest.raises(ParameterError, match="confidence"):
            half_width(Fraction(1), confidence)
