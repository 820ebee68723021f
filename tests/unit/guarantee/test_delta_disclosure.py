import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.guarantee.delta_disclosure import DeltaDisclosurePrivacy
from sfumato.summary.histogram import distribution_of
from sfumato.testing.examples import classes_with_illness as table
from sfumato.testing.strategies import SENSITIVE, classes


@given(classes(), st.integers(0, 4))
def test_whole_bits_are_compared_as_powers_of_two(c, delta):
    d = distribution_of(c, SENSITIVE)
    whole = int(d.total.sum())
    good = [bool(n) for n in d.sizes]
    for i, v, n in zip(d.owner, d.value, d.count, strict=True):
        q, p = int(n) * whole, int(d.sizes[i]) * int(d.total[v])
        good[i] &= q < p * 2**delta and p < q * 2**delta
    assert good == DeltaDisclosurePrivacy(SENSITIVE, delta, "2", "ignored").holds(c).tolist()


def test_a_share_doubled_is_not_less_than_one_bit():
    pure = table([[2, 0], [0, 2]])
    assert not DeltaDisclosurePrivacy("illness", 1, "2", "ignored").holds(pure).any()
    assert DeltaDisclosurePrivacy("illness", "1.000000000000000001", "2", "ignored").holds(pure).all()
    assert DeltaDisclosurePrivacy("illness", 1, "2", "ignored").measure(pure) == math.nextafter(1, 2)


def test_nats_and_bits_differ_by_the_logarithm_of_two():
    skewed = table([[3, 1], [1, 3]])
    bits = DeltaDisclosurePrivacy("illness", 1, "2", "ignored").measure(skewed)
    nats = DeltaDisclosurePrivacy("illness", 1, "e", "ignored").measure(skewed)
    assert nats == pytest.approx(bits * math.log(2), rel=1e-14)


def test_an_absent_value_counts_only_where_the_definition_of_the_paper_is_asked():
    one_lacks = table([[2, 2], [4, 0]])
    assert DeltaDisclosurePrivacy("illness", 3, "2", "ignored").holds(one_lacks).tolist() == [True, True]
    assert DeltaDisclosurePrivacy("illness", 3, "2", "counted").holds(one_lacks).tolist() == [True, False]
    assert DeltaDisclosurePrivacy("illness", 3, "2", "counted").measure(one_lacks) == math.inf


@pytest.mark.parametrize(("delta", "base", "absent"), [(-1, "2", "ignored"), (1, "10", "ignored"), (1, "2", "maybe")])
def test_parameters_outside_their_range_are_refused(delta, base, absent):
    with pytest.raises(ParameterError):
        DeltaDisclosurePrivacy("illness", delta, base, absent)
