import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.mechanism.local.several.adaptive import Rule, choose_oracle, greatest_of, oracles_for


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("k", [2, 3, 6, 10, 11, 24, 25, 63])
def test_the_rule_for_rare_values_is_the_papers_threshold(epsilon, k):
    expected = "GRR" if k < 3 * math.exp(epsilon) + 2 else "OUE"
    assert choose_oracle(epsilon, k, Rule.RARE_VALUES).name == expected


@given(st.floats(-5, 5), st.floats(-5, 5), st.floats(-5, 5))
def test_the_greatest_value_of_a_polynomial_equals_a_fine_search(constant, slope, square):
    def value(f):
        return constant + slope * f + square * f * f

    found = greatest_of(*(np.array([value(f)]) for f in (0.0, 0.5, 1.0)))[0]
    assert found == pytest.approx(max(value(f) for f in np.linspace(0, 1, 20001)), abs=1e-6)


def test_something_that_is_no_choice_is_refused():
    with pytest.raises(ParameterError):
        oracles_for("GRR", 1.0, (2, 3))
