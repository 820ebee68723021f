"""Sweeney's precision against its mean over cells."""

import pytest
from hypothesis import given
from tests.unit.utility.generalizations import cells, generalizations, release

from sfumato.summary.published import published_at_levels
from sfumato.utility.precision import precision


@given(generalizations())
def test_precision_is_one_less_the_mean_height(case):
    def height(attribute, level, leaf, stays, j):
        return level / attribute.hierarchy.height

    assert precision(release(case)) == pytest.approx(1 - cells(case, height).mean())


@given(generalizations())
def test_it_stays_within_its_range_and_the_original_loses_nothing(case):
    attributes, finest, *_ = case
    whole = published_at_levels(attributes, finest, [0, 0])
    assert precision(whole) == 1.0
    assert -1e-12 <= precision(release(case)) <= 1.0
