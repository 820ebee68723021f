import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.summary.classes import Classes, Spread, distinct_rows


def classes_of(*columns):
    """Classes of rows given as columns of text; None is a value of its own."""
    codes = np.stack([np.unique([str(v) for v in column], return_inverse=True)[1] for column in columns], axis=1)
    distinct, member = distinct_rows(codes)
    rows = np.bincount(member)
    return Classes(distinct, rows, rows)


def test_a_missing_quasi_identifier_is_a_value_of_its_own_and_matches_nothing_else():
    """Users.md C1: the release is 2-anonymous only if the missing cell matched every value."""
    table = classes_of("AAAAA", ["Single", "Married", "Married", "Single", None])
    assert not KAnonymity(2).holds(table).all()
    assert KAnonymity(2).measure(table) == 1


def test_persons_are_counted_and_not_rows():
    """Five rows of one person are a crowd of one."""
    table = Classes(np.array([[0]]), rows=np.array([5]), alone=np.array([1]))
    assert KAnonymity(5).measure(table) == 1


def test_a_person_with_rows_in_several_finest_classes_counts_once_in_each():
    table = Classes(
        np.array([[0], [1]]),
        rows=np.array([3, 2]),
        alone=np.array([1, 0]),
        spread=Spread(np.array([0, 0, 1]), np.array([7, 8, 7])),
    )
    assert KAnonymity(3).holds(table).tolist() == [True, False]


def test_no_class_is_anonymous_for_every_k():
    none = classes_of("AB").select(np.zeros(2, bool))
    assert KAnonymity(2).measure(none) == float("inf")


@pytest.mark.parametrize("k", [0, -1, 2.5, "5", True])
def test_k_must_be_a_whole_number_from_one_on(k):
    with pytest.raises(ParameterError, match="`k` must be a whole number >= 1"):
        KAnonymity(k)


def test_the_promise_counts_the_others():
    assert "at least 5 persons" in KAnonymity(5).guarantee().statement
