"""Adjusted p-values equal the definitions, written as loops, and keep what they promise."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.mechanism.local.rappor.decode.correction import Correction, adjusted, upper_tail

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def by_hand(p, correction):
    """The definitions of the papers, one p-value at a time."""
    m, order = len(p), sorted(range(len(p)), key=lambda i: p[i])
    absent = 1.0
    if correction is Correction.ADAPTIVE:
        absent = min(1.0, (1 + sum(value >= 0.5 for value in p)) / (0.5 * m))
    out = []
    for i in range(m):
        place = order.index(i)
        if correction is Correction.BONFERRONI:
            found = m * p[i]
        elif correction is Correction.HOLM:
            found = max((m - k) * p[order[k]] for k in range(place + 1))
        else:
            found = min(absent * m * p[order[k]] / (k + 1) for k in range(place, m))
            if correction is Correction.ADAPTIVE and p[i] >= 0.5:
                found = 1.0
        out.append(min(1.0, found))
    return out


@pytest.mark.parametrize("correction", list(Correction))
@given(p=P_VALUES)
def test_adjusted_equals_the_definition(correction, p):
    assert adjusted(np.array(p), correction) == pytest.approx(by_hand(p, correction), rel=1e-12, abs=1e-300)


@given(p=P_VALUES)
def test_holm_finds_all_that_bonferroni_finds_and_the_step_up_ones_more(p):
    found = {one: adjusted(np.array(p), one) for one in Correction}
    assert np.all(found[Correction.HOLM] <= found[Correction.BONFERRONI])
    small = np.array(p) < 0.5
    assert np.all(found[Correction.ADAPTIVE][small] <= found[Correction.BENJAMINI_HOCHBERG][small])
    assert np.all(found[Correction.BENJAMINI_HOCHBERG] <= found[Correction.HOLM] * (1 + 1e-12))


def test_no_p_value_has_no_adjusted_one():
    assert all(len(adjusted(np.zeros(0), one)) == 0 for one in Correction)


def test_p_values_that_say_nothing_are_no_discoveries():
    """Fifty times one half: the adaptive estimate of absent candidates must not be fooled."""
    assert all(np.all(adjusted(np.full(50, 0.5), one) > 0.05) for one in Correction)


@pytest.mark.parametrize("correction", list(Correction))
def test_the_level_is_kept_where_nothing_is_there(correction):
    """4000 runs of 50 uniform p-values; the share of runs with a discovery exceeds 5 % by 5.1 deviations with 2e-7."""
    rng = np.random.default_rng(8)
    runs = [bool(np.any(adjusted(rng.random(50), correction) <= 0.05)) for _ in range(4000)]
    assert np.mean(runs) < 0.05 + 5.1 * math.sqrt(0.05 * 0.95 / 4000)


def test_the_tail_keeps_its_digits_far_out():
    """Against the asymptotic expansion φ(z)/z (1 - 1/z² + 3/z⁴ - 15/z⁶), good to 105/z⁸."""
    z = 20.0
    density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    assert upper_tail(np.array([z]))[0] == pytest.approx(density / z * (1 - z**-2 + 3 * z**-4 - 15 * z**-6), rel=1e-8)
    assert upper_tail(np.array([-np.inf, np.inf])).tolist() == [1, 0]
