import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.guarantee.beta_likeness import BasicBetaLikeness, EnhancedBetaLikeness
from sfumato.summary.histogram import distribution_of
from sfumato.testing.examples import classes_with_illness as table
from sfumato.testing.strategies import SENSITIVE, classes


def gains(c):
    """(q - p)/p and p of every value of every class, as fractions."""
    d = distribution_of(c, SENSITIVE)
    whole = int(d.total.sum())
    out = [[] for _ in range(d.n_classes)]
    for i, v, n in zip(d.owner, d.value, d.count, strict=True):
        p = Fraction(int(d.total[v]), whole)
        out[i].append((Fraction(int(n), int(d.sizes[i])) / p - 1, p))
    return out


@given(classes(), st.fractions(0, 4, max_denominator=6))
def test_basic_likeness_is_its_definition(c, beta):
    expected = [bool(own) and all(gain <= beta for gain, _ in own) for own in gains(c)]
    assert expected == BasicBetaLikeness(SENSITIVE, beta).holds(c).tolist()


@given(classes(), st.fractions(0, 4, max_denominator=6))
def test_enhanced_likeness_is_its_definition(c, beta):
    expected = [bool(own) and all(gain <= beta and gain <= -math.log(p) + 1e-15 for gain, p in own) for own in gains(c)]
    assert expected == EnhancedBetaLikeness(SENSITIVE, beta).holds(c).tolist()


def test_a_gain_equal_to_beta_is_allowed():
    assert BasicBetaLikeness("illness", 1).holds(table([[2, 0], [0, 2]])).all()
    assert not BasicBetaLikeness("illness", "0.999").holds(table([[2, 0], [0, 2]])).any()


def test_enhanced_likeness_bounds_frequent_values_that_the_basic_one_leaves_free():
    """p = 1/2: the gain may be at most ln 2 = 0.69, and a class of one value gains 1."""
    pure = table([[2, 0], [0, 2]])
    assert BasicBetaLikeness("illness", 3).holds(pure).all()
    assert not EnhancedBetaLikeness("illness", 3).holds(pure).any()
    assert EnhancedBetaLikeness("illness", 3).measure(pure) == math.inf


def test_a_column_with_one_value_gains_nothing():
    """p = 1, ln p = 0: the tie is exact."""
    assert EnhancedBetaLikeness("illness", 0).holds(table([[3], [1]])).all()


@pytest.mark.parametrize("model", [BasicBetaLikeness, EnhancedBetaLikeness])
def test_a_negative_beta_is_refused(model):
    with pytest.raises(ParameterError):
        model("illness", -1)
