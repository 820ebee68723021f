"""The digest of a question: equal for equal structures only."""

from dataclasses import fields, replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.account.event import PureDP
from sfumato.errors import InternalError, ParameterError
from sfumato.release.answer.counts import COUNT
from sfumato.release.answer.moments import MEAN
from sfumato.release.answer.price import price_of
from sfumato.release.answer.query import Query, digest_of, meaning_of
from sfumato.release.answer.ranks import QUANTILES
from sfumato.summary.bounded import Comparison, Condition, Keyed
from sfumato.table.domain import Categories, Range, UnlistedText

AGE = Range(0, 120, step=1)
COLUMNS = {"age": AGE, "sex": Categories(("F", "M"))}
FULL = Query(
    QUANTILES, ("age",), (Keyed("age", AGE, (0, 60, 121)),), (Condition("sex", Comparison.IN, ("F", "M")),),
    (Fraction(1, 2),), "tree", 100, "r",
)  # fmt: skip
OTHER = {
    "aggregate": MEAN, "columns": ("pay",), "by": (Keyed("age", AGE, (0, 61, 121)),),
    "where": (Condition("sex", Comparison.IN, ("F, M",)),), "quantiles": (Fraction(1, 3),), "method": "", "expected": None,
    "join": None,
}  # fmt: skip


def test_every_part_of_a_question_is_part_of_its_digest():
    """Fields that are added later must come in too: all of them are changed here, one by one."""
    for field in fields(Query):
        before = getattr(FULL, field.name)
        other = OTHER.get(field.name, not before)
        assert other != before
        assert meaning_of(replace(FULL, **{field.name: other}), COLUMNS) != meaning_of(FULL, COLUMNS), field.name


STRUCTURES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab',", max_size=3) | st.fractions(0, 1, max_denominator=3)
    | st.sampled_from(Comparison),
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.dictionaries(st.text("ab", max_size=1), inner, max_size=2),
    max_leaves=5,
)  # fmt: skip


def told(value):
    """A structure in which 1, True and Fraction(1) differ, and orders of a mapping do."""
    if isinstance(value, dict):
        return ("dict", tuple((key, told(item)) for key, item in value.items()))
    return tuple(map(told, value)) if isinstance(value, tuple) else (type(value).__name__, value)


@given(STRUCTURES, STRUCTURES)
def test_digests_are_equal_just_where_structures_are(one, other):
    assert (digest_of(one) == digest_of(other)) is (told(one) == told(other))


def test_prices_that_look_alike_are_told_apart():
    near = [
        PureDP(Fraction(1, 10**6)),
        PureDP(Fraction(10001, 10**10)),
        PureDP(Fraction(1, 10**6) + Fraction(1, 10**30)),
    ]
    assert len({meaning_of(FULL, COLUMNS, price=price) for price in near}) == 3


def test_what_has_no_plain_form_is_no_part_of_a_question():
    with pytest.raises(InternalError, match="no digest"):
        digest_of(object())


@pytest.mark.parametrize(
    "terms", [("1/" + "7" * 61, None, None), (1, "1e-61", None), (None, None, Fraction(1, 10**61))]
)
def test_an_offer_of_endless_digits_is_refused(terms):
    with pytest.raises(ParameterError, match="60 digits"):
        price_of(*terms)


def test_the_digest_of_a_question_is_that_of_version_0_1_0():
    """A ledger finds a stored answer by it: another digest would charge the same question again."""
    columns = COLUMNS | {"town": UnlistedText()}
    assert meaning_of(FULL, columns).startswith("824296208e98d63c")
    assert meaning_of(Query(COUNT, (), (Keyed("town", None),)), columns).startswith("7ee479b748269ef7")
