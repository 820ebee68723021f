"""Non-uniform entropy against the original values."""

import numpy as np
import pytest
from hypothesis import given
from tests.unit.utility.generalizations import cells, generalizations, members, release

from sfumato.summary.published import published_at_levels
from sfumato.utility.loss.non_uniform_entropy import non_uniform_entropy, share_of_bits_lost


@given(generalizations())
def test_bits_lost_are_those_of_the_original_value_given_the_label(case):
    """Without suppression: -sum over rows of log2 P(original | label)."""
    attributes, finest, levels, classes, _, rows, _ = case
    everything = (attributes, finest, levels, classes, np.ones(classes.n_classes, bool), rows, np.ones(len(rows), bool))

    def bits(attribute, level, leaf, stays, j):
        under = np.isin(rows[:, j], members(attribute, level, leaf)).sum()
        return -np.log2((rows[:, j] == leaf).sum() / under)

    assert non_uniform_entropy(release(everything), finest) == pytest.approx(cells(everything, bits), abs=1e-9)


@given(generalizations())
def test_it_stays_within_its_range_and_the_original_loses_nothing(case):
    attributes, finest, *_ = case
    whole = published_at_levels(attributes, finest, [0, 0])
    assert share_of_bits_lost(whole, finest) == 0.0
    assert 0.0 <= share_of_bits_lost(release(case), finest) <= 1.0 + 1e-12
