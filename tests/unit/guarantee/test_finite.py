"""The exact ε and δ(ε) of two finite laws."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.guarantee.finite import delta_at, epsilon_of_laws

F = Fraction
LAWS = (
    st.lists(st.integers(0, 9), min_size=4, max_size=4)
    .filter(any)
    .map(lambda weights: {i: F(w, sum(weights)) for i, w in enumerate(weights)})
)


def slow_delta(p, q, epsilon):
    """The largest p(S) - e^ε q(S) over all sets of outputs, both ways, in floats."""
    outputs = sorted(set(p) | set(q))
    best = 0.0
    for mask in range(2 ** len(outputs)):
        chosen = [o for i, o in enumerate(outputs) if mask >> i & 1]
        a, b = (float(sum(law.get(o, F(0)) for o in chosen)) for law in (p, q))
        best = max(best, a - math.exp(epsilon) * b, b - math.exp(epsilon) * a)
    return best


@given(LAWS, LAWS, st.fractions(0, 3, max_denominator=20))
def test_delta_is_the_worst_set_of_outputs(p, q, epsilon):
    """Over all 16 sets."""
    found = delta_at(p, q, epsilon)
    assert float(found) == pytest.approx(slow_delta(p, q, float(epsilon)), abs=1e-12)


@given(LAWS, LAWS)
def test_no_delta_is_needed_at_the_exact_epsilon(p, q):
    """δ(ε) is 0 from there on; where one law excludes an output of the other, ε is infinite and δ never 0."""
    epsilon = epsilon_of_laws(p, q)
    if math.isinf(epsilon):
        assert delta_at(p, q, F(50)) > 0
    else:
        assert delta_at(p, q, F(epsilon)) == 0
        if epsilon > 1e-9:
            assert delta_at(p, q, F(epsilon) * F(999999, 1000000)) > 0


def test_delta_is_rounded_up():
    """Just at ε = ln 2, held as the next float below, something is left."""
    p, q = {0: F(2, 3), 1: F(1, 3)}, {0: F(1, 3), 1: F(2, 3)}
    assert delta_at(p, q, F(math.nextafter(math.log(2), 0))) > 0


def test_outputs_that_are_not_named_have_no_chance():
    """Laws with different outputs."""
    assert delta_at({"a": F(1)}, {"b": F(1)}, F(5)) == 1
    assert epsilon_of_laws({"a": F(1)}, {"b": F(1)}) == math.inf
    assert epsilon_of_laws({"a": F(1)}, {"a": F(1), "b": F(0)}) == 0


def test_a_broken_mechanism_is_caught():
    """Randomized response that lies with 1/4 where it claims 1/3 has ε = ln 3, not ln 2."""
    broken = epsilon_of_laws({0: F(3, 4), 1: F(1, 4)}, {0: F(1, 4), 1: F(3, 4)})
    assert broken > math.log(3) - 1e-12 > math.log(2)


@pytest.mark.parametrize("law", [{0: F(1, 2)}, {0: F(3, 2), 1: F(-1, 2)}, {}])
def test_laws_add_up_to_one(law):
    """Exactly."""
    with pytest.raises(ParameterError, match="law"):
        epsilon_of_laws(law, {0: F(1)})


def test_epsilon_is_not_negative():
    """By name."""
    with pytest.raises(ParameterError, match="`epsilon`"):
        delta_at({0: F(1)}, {0: F(1)}, F(-1))
