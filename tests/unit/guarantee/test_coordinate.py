from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.mechanism.local.several.enumeration import ratios

from sfumato.errors import ParameterError
from sfumato.guarantee.coordinate import Coordinate, Encoding, one_attribute_ratio, tuple_ratio

SIZES = [(2, 2), (3, 3), (2, 6), (2, 2, 5), (2, 3, 3)]
KINDS = ["GRR", "SUE-z", "OUE-z", "SUE-r", "OUE-r"]


def coordinate(kind, k, odds, fakes):
    """A coordinate whose genuine report has the ratio `odds` (a square, so that SUE is rational)."""
    if kind == "GRR":
        q = Fraction(1) / (odds + k - 1)
        return Coordinate(Encoding.VALUE, k, odds * q, q, fakes)
    q = Fraction(1, 4) if kind.startswith("SUE") else Fraction(1) / (odds + 1)
    p = 1 - q if kind.startswith("SUE") else Fraction(1, 2)
    return Coordinate(Encoding.BITS, k, p, q, None if kind.endswith("z") else fakes)


def uniform(k):
    return (Fraction(1, k),) * k


def skewed(k):
    total = k * (k + 1) // 2
    return tuple(Fraction(v + 1, total) for v in range(k))


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("law", [uniform, skewed], ids=["uniform", "skewed"])
def test_closed_forms_equal_full_enumeration(sizes, kind, law):
    coordinates = [coordinate(kind, k, Fraction(9), law(k)) for k in sizes]
    assert (tuple_ratio(coordinates), one_attribute_ratio(coordinates)) == ratios(coordinates)


def test_closed_forms_equal_full_enumeration_where_variants_are_mixed():
    coordinates = [
        coordinate("GRR", 3, Fraction(9), skewed(3)),
        coordinate("OUE-z", 2, Fraction(9), None),
        coordinate("OUE-r", 3, Fraction(9), skewed(3)),
    ]
    assert (tuple_ratio(coordinates), one_attribute_ratio(coordinates)) == ratios(coordinates)


def test_a_prior_without_a_value_is_counted_exactly():
    coordinates = [
        coordinate("GRR", 3, Fraction(9), (Fraction(1, 2), Fraction(1, 2), Fraction(0))),
        coordinate("GRR", 2, Fraction(9), uniform(2)),
    ]
    positive = one_attribute_ratio(coordinates)
    assert positive == Fraction(9)


@given(st.integers(2, 50), st.fractions(min_value=2, max_value=1000), st.integers(1, 20))
def test_zeros_as_fakes_keep_the_published_epsilon_of_one_attribute(k, odds, d):
    coordinates = [coordinate("OUE-z", k, odds, None)] * d
    assert one_attribute_ratio(coordinates) == (odds + d - 1) / d


@given(st.integers(2, 50), st.fractions(min_value=2, max_value=1000), st.integers(1, 20))
def test_values_of_equal_domains_keep_the_published_epsilon_of_one_attribute(k, odds, d):
    coordinates = [coordinate("GRR", k, odds, uniform(k))] * d
    assert one_attribute_ratio(coordinates) == (odds + d - 1) / d


@given(st.lists(st.integers(2, 30), min_size=1, max_size=6), st.sampled_from(KINDS))
def test_one_attribute_is_protected_at_least_as_well_as_the_whole_record(sizes, kind):
    coordinates = [coordinate(kind, k, Fraction(9), skewed(k)) for k in sizes]
    assert one_attribute_ratio(coordinates) <= tuple_ratio(coordinates)


def test_a_report_that_shows_the_value_has_no_finite_ratio():
    coordinates = [Coordinate(Encoding.BITS, 2, Fraction(1), Fraction(1, 4), None)] * 2
    assert (tuple_ratio(coordinates), one_attribute_ratio(coordinates)) == (None, None)


@pytest.mark.parametrize(
    ("encoding", "k", "p", "q", "fakes"),
    [
        (Encoding.BITS, 1, Fraction(1, 2), Fraction(1, 4), None),
        (Encoding.BITS, 2, Fraction(1, 4), Fraction(1, 4), None),
        (Encoding.BITS, 2, Fraction(1, 2), Fraction(0), None),
        (Encoding.VALUE, 2, Fraction(3, 4), Fraction(1, 4), None),
        (Encoding.VALUE, 2, Fraction(3, 4), Fraction(1, 4), (Fraction(1, 2), Fraction(1, 4))),
        (Encoding.VALUE, 2, Fraction(3, 4), Fraction(1, 4), (Fraction(3, 2), Fraction(-1, 2))),
        (Encoding.VALUE, 2, Fraction(3, 4), Fraction(1, 4), (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))),
    ],
)
def test_contradicting_parameters_are_refused(encoding, k, p, q, fakes):
    with pytest.raises(ParameterError):
        Coordinate(encoding, k, p, q, fakes)
