"""Proposed collections keep both epsilons exactly and find what the formula says."""

import math
from fractions import Fraction

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.local.rappor.design import BITS, Promise, best, permanent_noise, propose
from sfumato.mechanism.local.rappor.detection import (
    OWN_BITS,
    Aim,
    shape_of,
    simulated_power,
    smallest_share,
    smallest_shares,
)
from sfumato.mechanism.local.rappor.params import RapporParams


@pytest.mark.parametrize(("permanent", "first"), [(4.0, 1.0), (2 * math.log(3), math.log(3)), (None, 2.0), (0.5, 0.25), (20.0, 8.0)])  # fmt: skip
def test_no_proposal_exceeds_an_epsilon_and_fractions_are_short(permanent, first):
    found = propose("home", Promise(permanent, first), Aim(10**6, 1000))
    assert len(found) == len(BITS)
    for one in found:
        made = one.params
        assert made.is_one_time if permanent is None else made.epsilon_permanent <= permanent
        assert 0.9 * first < made.epsilon_first <= first or permanent == 0.5
        assert all(x.denominator <= 1024 for x in (made.f, made.p, made.q))
    assert best(found).share <= 1.05 * min(one.share for one in found)


def test_the_least_permanent_noise_equals_the_slow_twin():
    """Step by step from 0, in exact fractions against a rational just above e^(ε/2h)."""
    for epsilon, hashes in ((4.0, 1), (2.0, 2), (1.0, 4), (9.0, 3)):
        f = permanent_noise(epsilon, hashes)
        steps = [Fraction(i, 1024) for i in range(1, 1024)]
        assert f == next(x for x in steps if 2 * hashes * math.log((2 - x) / x) <= epsilon)


def test_the_share_solves_its_equation():
    """s = reach · √V(s), the variance written out."""
    low, high, aim = 0.3, 0.6, Aim(50_000, 300)
    for shape in (shape_of(64, 2, 8), shape_of(32, 1, 1), OWN_BITS):
        share = float(smallest_shares(np.array([low]), np.array([high]), shape, aim)[0])
        g, m = shape.set_share, shape.cohorts
        rate = low + (high - low) * (g + (1 - g) * share)
        noise = m * rate * (1 - rate) / (aim.reports * (high - low) ** 2)
        variance = (noise + share * (1 - share) * g * (1 - g)) / (m * shape.places * (1 - g))
        assert share == pytest.approx(aim.reach * math.sqrt(variance), rel=1e-12)


def test_the_decoder_finds_strings_of_the_smallest_share_and_misses_those_of_half():
    """Power 90 %, 60 strings looked at: fewer than 70 % found has probability below 1e-5, seed fixed; half: mostly missed."""
    aim = Aim(20_000, 50)
    made = best(propose("home", Promise(3.0, 1.5), aim))
    rng = np.random.default_rng(4)
    assert simulated_power(made.params, made.share, aim, runs=12, rng=rng) > 0.7
    assert simulated_power(made.params, made.share / 2, aim, runs=4, rng=rng) < 0.5


def test_declared_values_get_one_bit_each():
    found = propose("os", Promise(None, 1.0), Aim(10_000, 3), values=("a", "b", "c"))
    assert [one.params.variant for one in found] == ["basic one-time RAPPOR"]
    assert found[0].share == smallest_share(found[0].params, Aim(10_000, 3))
    assert simulated_power(found[0].params, found[0].share, Aim(10_000, 3), runs=40, rng=np.random.default_rng(2)) > 0.7


def test_nothing_detectable_and_impossible_wishes():
    assert (
        smallest_share(RapporParams("x", bits=1, hashes=1, cohorts=1, f="1/2", p="1/2", q="3/4"), Aim(9, 9)) == math.inf
    )
    for wish in (
        (lambda: Promise(0.0, 1.0)),
        (lambda: Promise(1.0, math.inf)),
        (lambda: Aim(0, 1)),
        (lambda: Aim(1, 1, 0.0)),
    ):
        with pytest.raises(ParameterError):
            wish()
    with pytest.raises(ParameterError, match="No collection"):
        propose("home", Promise(1e-6, 1e-6), Aim(10, 10))
