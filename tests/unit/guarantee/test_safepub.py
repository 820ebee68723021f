"""The promise of SafePub: its numbers, its price, and what it asks of the classes."""

from fractions import Fraction

import numpy as np
import pytest

from sfumato.account.event import ApproxDP, Composed, PureDP
from sfumato.errors import ParameterError
from sfumato.guarantee.registry import criterion_from, criterion_to
from sfumato.guarantee.safepub import SafePub
from sfumato.release.method.safepub import event_of
from sfumato.summary.classes import Classes

MICRO = Fraction(1, 10**6)


def test_k_and_beta_follow_from_what_the_search_leaves():
    given, searched = SafePub(1, "1e-6", 0), SafePub(2, "1e-6", 1)
    assert (given.k, given.beta) == (searched.k, searched.beta) == (74, Fraction(632120558828, 10**12))


def test_the_price_is_the_search_and_the_sampling():
    assert event_of(SafePub(1, "1e-6", 0)) == ApproxDP(Fraction(1), MICRO)
    half = Fraction(1, 2)
    assert event_of(SafePub("1.5", "1e-6", "0.5")) == Composed((PureDP(half), ApproxDP(Fraction(1), MICRO)))


def test_it_holds_where_every_class_has_k_rows():
    promise = SafePub(1, "1e-6", 0)
    rows = np.array([73, 74, 900])
    classes = Classes(np.arange(3)[:, None], rows, rows)
    assert promise.holds(classes).tolist() == [False, True, True]
    assert promise.measure(classes) == 73


def test_the_guarantee_says_all_its_numbers():
    found = SafePub(2, "1e-6", 1).guarantee()
    assert found.kind == "proved"
    assert found.parameters["epsilon"] == 2
    assert found.parameters["k"] == 74
    assert 6.0e-8 < found.parameters["delta_reached"] < 6.1e-8
    assert 8.9e-7 < found.parameters["delta_bound"] < 1e-6
    assert "e^2 = 7.39" in found.statement


def test_a_plan_holds_it():
    promise = SafePub(1, "1e-6", "0.25")
    assert criterion_from(criterion_to(promise)) == promise
    assert criterion_to(promise)["kind"] == "safepub"


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ((1, "1e-6", 1), "must be below `epsilon`"),
        ((1, "1e-6", "0.995"), "from 1/100 to 8"),
        ((9, "1e-6", 0), "from 1/100 to 8"),
        ((1, 0, 0), "`delta` must be"),
        ((1, 1, 0), "`delta` must be"),
        ((-1, "1e-6", 0), "`epsilon` must be"),
    ],
)
def test_numbers_out_of_range_are_refused(numbers, message):
    with pytest.raises(ParameterError, match=message):
        SafePub(*numbers)
