"""The global certainty penalty against its mean over cells."""

import numpy as np
import pytest
from hypothesis import given
from tests.unit.utility.generalizations import cells, generalizations, members, release

from sfumato.summary.published import published_at_levels
from sfumato.summary.span import Ncp
from sfumato.utility.gcp import gcp, ncp_by_attribute


@given(generalizations())
def test_gcp_is_the_mean_penalty_of_all_cells(case):
    def by_leaves(attribute, level, leaf, stays, j):
        n = len(members(attribute, level, leaf))
        return 1.0 if not stays else 0.0 if n == 1 else n / attribute.hierarchy.n_leaves

    def by_width(attribute, level, leaf, stays, j):
        if attribute.positions is None or not stays:
            return by_leaves(attribute, level, leaf, stays, j)
        inside, width = attribute.positions[members(attribute, level, leaf)], np.ptp(attribute.positions)
        return np.ptp(inside) / width if width else 0.0

    assert ncp_by_attribute(release(case), Ncp.LEAVES) == pytest.approx(cells(case, by_leaves))
    assert ncp_by_attribute(release(case), Ncp.WIDTH) == pytest.approx(cells(case, by_width))
    assert gcp(release(case), Ncp.NODE) == pytest.approx(cells(case, by_width).mean())


@given(generalizations())
def test_it_stays_within_its_range_and_the_original_loses_nothing(case):
    attributes, finest, *_ = case
    whole = published_at_levels(attributes, finest, [0, 0])
    for convention in Ncp:
        assert gcp(whole, convention) == 0.0
        assert 0.0 <= gcp(release(case), convention) <= 1.0 + 1e-12
