import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.guarantee.frequency_diversity import FrequencyLDiversity
from sfumato.summary.histogram import distribution_of
from sfumato.testing.examples import classes_with_illness as table
from sfumato.testing.strategies import SENSITIVE, classes


@given(classes(), st.sampled_from([1, 2, 3]))
def test_each_value_is_counted_against_the_size(c, least):
    d = distribution_of(c, SENSITIVE)
    counts = d.owner.tolist(), d.count.tolist()
    wanted = [
        n > 0 and all(count * least <= n for owner, count in zip(*counts, strict=True) if owner == i)
        for i, n in enumerate(d.sizes.tolist())
    ]
    assert FrequencyLDiversity(SENSITIVE, least).holds(c).tolist() == wanted


def test_distinct_values_are_not_enough():
    assert FrequencyLDiversity("illness", 2).holds(table([[9, 1], [5, 5]])).tolist() == [False, True]


def test_the_share_is_measured_exactly():
    assert FrequencyLDiversity("illness", 1).measure(table([[1, 1, 1], [3, 2, 2]])) == pytest.approx(7 / 3)
    assert FrequencyLDiversity("illness", "7/3").holds(table([[3, 2, 2]])).all()
    assert not FrequencyLDiversity("illness", "2.33333333333333334").holds(table([[3, 2, 2]])).any()


@pytest.mark.parametrize("least", [0.5, "many"])
def test_parameters_outside_their_range_are_refused(least):
    with pytest.raises(ParameterError):
        FrequencyLDiversity("illness", least)
