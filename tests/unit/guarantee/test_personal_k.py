import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.guarantee.personal_k import PersonalK
from sfumato.summary.classes import Classes


def asked(persons, largest):
    size = np.array(persons)
    return Classes(np.arange(len(size))[:, None], size, size, personal_k=np.array(largest))


def test_one_who_asks_for_more_makes_the_whole_class_invalid():
    """Members who ask (2, 2, 5) in a group of 3; without the last, two remain and two are asked."""
    assert not PersonalK("k").holds(asked([3], [5])).any()
    assert PersonalK("k").holds(asked([2], [2])).all()


def test_the_measure_is_the_least_share_of_what_was_asked():
    assert PersonalK("k").measure(asked([3, 8], [5, 2])) == 0.6


def test_nobody_who_asks_is_content():
    assert PersonalK("k").measure(asked([1], [0])) == float("inf")


def test_without_the_column_the_remedy_is_said():
    size = np.array([2])
    with pytest.raises(ParameterError, match="needs the k of each person"):
        PersonalK("k").holds(Classes(np.array([[0]]), size, size))
