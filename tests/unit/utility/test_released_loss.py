"""ARX's loss of a released table."""

import numpy as np
import pytest
from hypothesis import given
from tests.unit.utility.generalizations import generalizations, release

from sfumato.summary.published import published_at_levels
from sfumato.utility.loss.arx_loss import ArxLoss
from sfumato.utility.released_loss import released_loss


@given(generalizations())
def test_the_loss_of_a_release_is_the_loss_its_search_minimized(case):
    attributes, finest, levels, classes, kept, _, _ = case
    searched = ArxLoss().prepare(finest, attributes).value(np.array(levels), classes, kept)
    assert released_loss(release(case)) == pytest.approx(searched, abs=2e-9)


@given(generalizations())
def test_it_stays_within_its_range_and_the_original_loses_nothing(case):
    attributes, finest, *_ = case
    whole = published_at_levels(attributes, finest, [0, 0])
    assert released_loss(whole) == 0.0
    assert 0.0 <= released_loss(release(case)) <= 1.0 + 1e-12
