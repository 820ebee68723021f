from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ReportError
from sfumato.mechanism.local.oracle import variance
from sfumato.mechanism.local.several.adaptive import OracleName, Rule
from sfumato.mechanism.local.several.every_attribute import EveryAttribute
from sfumato.mechanism.local.several.spl import SPL, part_of
from sfumato.noise.bits import SystemBits


@given(st.floats(1e-9, 700), st.integers(1, 100))
def test_parts_never_add_up_to_more_than_the_budget(epsilon, d):
    assert Fraction(part_of(epsilon, d)) * d <= Fraction(epsilon)


def test_each_attribute_has_its_part():
    assert [round(o.epsilon, 12) for o in SPL(1.0, (2, 3, 4, 50), Rule.RARE_VALUES).oracles] == [0.25] * 4


def test_every_attribute_at_a_part_is_splitting():
    split, every = SPL(1.0, (2, 3), OracleName.GRR), EveryAttribute(0.5, (2, 3), OracleName.GRR)
    assert split.oracles == every.oracles


def test_variance_is_the_oracles_own():
    scheme, f = SPL(1.0, (2, 2), OracleName.OUE), np.array([0.25, 0.75])
    assert scheme.variance([f, f], 10)[1].tolist() == variance(f, 10, scheme.oracles[1].support).tolist()


def test_reports_of_different_persons_do_not_travel_together():
    scheme = SPL(1.0, (2, 2), OracleName.GRR)
    first, second = scheme.randomize(np.zeros((3, 2), np.int64), bits=SystemBits())
    with pytest.raises(ReportError):
        scheme.to_bytes((first, second[:2]))


def test_reports_of_another_number_of_attributes_are_refused():
    scheme = SPL(1.0, (2, 2), OracleName.GRR)
    with pytest.raises(ReportError):
        scheme.count_support(scheme.randomize(np.zeros((3, 2), np.int64), bits=SystemBits())[:1])


def test_bytes_of_another_scheme_are_refused():
    split, every = SPL(1.0, (2, 3), OracleName.GRR), EveryAttribute(0.5, (2, 3), OracleName.GRR)
    data = split.to_bytes(split.randomize(np.zeros((3, 2), np.int64), bits=SystemBits()))
    with pytest.raises(ReportError):
        every.from_bytes(data)
