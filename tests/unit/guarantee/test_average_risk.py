import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.guarantee.average_risk import AverageRisk
from sfumato.guarantee.highest_risk import HighestRisk
from sfumato.guarantee.records_at_risk import RecordsAtRisk
from sfumato.guarantee.sample_uniqueness import SampleUniqueness
from sfumato.summary.classes import Classes

SHARES = [AverageRisk, HighestRisk, SampleUniqueness, lambda x: RecordsAtRisk(x, 0.1), lambda x: RecordsAtRisk(0.1, x)]


def sized(*sizes):
    size = np.array(sizes)
    return Classes(np.arange(len(size))[:, None], size, size)


def test_the_average_is_over_persons_and_not_over_classes():
    """Users.md E1: classes of 1 and 99 give 0.02; the mean over classes would be 0.505."""
    assert AverageRisk(1).measure(sized(1, 99)) == 0.02
    assert AverageRisk(0.02).holds_together(sized(1, 99))
    assert not AverageRisk("0.0199999").holds_together(sized(1, 99))


def test_a_class_of_five_is_at_one_fifth():
    assert HighestRisk(0.2).holds(sized(4, 5, 6)).tolist() == [False, True, True]
    assert HighestRisk(1).measure(sized(4, 5)) == 0.25


def test_a_class_of_three_is_above_the_decimal_of_one_third():
    assert not HighestRisk(0.3333333333333333).holds(sized(3)).any()
    assert HighestRisk("1/3").holds(sized(3)).all()


def test_records_are_at_risk_above_the_threshold_and_not_at_it():
    assert RecordsAtRisk(0.2, 0).measure(sized(5, 5)) == 0
    assert RecordsAtRisk("0.19", 0).measure(sized(5, 5)) == 1
    assert RecordsAtRisk(0.2, 0.4).holds_together(sized(4, 6))


def test_uniques_are_counted_over_persons():
    assert SampleUniqueness(0.2).holds_together(sized(1, 1, 8))
    assert not SampleUniqueness(0.19).holds_together(sized(1, 1, 8))


@pytest.mark.parametrize("make", SHARES)
@pytest.mark.parametrize("value", [-0.1, 1.1, "many", True])
def test_a_share_outside_zero_to_one_is_refused(make, value):
    with pytest.raises(ParameterError):
        make(value)
