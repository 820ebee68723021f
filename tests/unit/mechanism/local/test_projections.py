"""Raw estimates made into shares."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.mechanism.local import projections as p
from sfumato.mechanism.local.oracle import Support

raw = st.lists(st.floats(-2, 2), min_size=1, max_size=12).map(np.array)


@given(raw)
def test_the_simplex_projection_is_the_fixed_point_of_norm_sub(values):
    """The slow twin: clip, take the excess off the positive ones, until nothing changes."""
    alive = np.ones(len(values), bool)
    while True:
        shift = (values[alive].sum() - 1) / alive.sum()
        still = alive & (values - shift > 0)
        if np.array_equal(still, alive):
            break
        alive = still
    slow = np.where(alive, values - shift, 0)
    np.testing.assert_allclose(p.norm_sub(values), slow, atol=1e-12)


@given(raw)
def test_projections_onto_shares_are_shares(values):
    for project in (p.clip_and_renormalize, p.project_simplex):
        shares = project(values)
        assert shares.min() >= 0
        assert shares.sum() == pytest.approx(1)


@given(raw)
def test_no_projection_touches_the_raw_estimates(values):
    before = values.copy()
    for project in p.PROJECTIONS.values():
        project(values)
    p.isotonic(values, increasing=False)
    assert np.array_equal(before, values)


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=9))
def test_true_shares_stay_what_they_are(weights):
    shares = np.array(weights) / np.sum(weights)
    for project in (p.base_pos, p.norm, p.clip_and_renormalize, p.project_simplex, p.norm_sub):
        np.testing.assert_allclose(project(shares), shares, atol=1e-12)


@given(raw)
def test_norm_cut_keeps_the_largest_within_one(values):
    out = p.norm_cut(values)
    assert out.sum() <= 1
    assert all(kept in (0.0, given) for kept, given in zip(out, values, strict=True))


@given(raw, st.booleans())
def test_isotonic_regression_is_monotone_keeps_the_sum_and_is_idempotent(values, increasing):
    out = p.isotonic(values, increasing=increasing)
    assert np.all(np.diff(out) >= -1e-12) if increasing else np.all(np.diff(out) <= 1e-12)
    assert out.sum() == pytest.approx(values.sum(), abs=1e-9)
    np.testing.assert_allclose(p.isotonic(out, increasing=increasing), out, atol=1e-12)


def test_isotonic_regression_is_the_min_max_formula():
    values = np.array([3.0, 1.0, 2.0, 5.0, 4.0])
    slow = [max(min(values[i : j + 1].mean() for j in range(x, 5)) for i in range(x + 1)) for x in range(5)]
    np.testing.assert_allclose(p.isotonic(values, increasing=True), slow)


def test_nothing_positive_becomes_equal_shares():
    assert p.clip_and_renormalize(np.array([-1.0, -2.0])).tolist() == [0.5, 0.5]


def test_base_cut_leaves_what_is_beyond_doubt():
    assert p.base_cut(np.array([0.9, 0.02]), 10_000, Support(0.75, 0.25), confidence=0.99).tolist() == [0.9, 0.0]


@pytest.mark.parametrize("level", [0, 1, -1, 2])
def test_levels_outside_their_range_are_refused(level):
    with pytest.raises(ParameterError):
        p.base_cut(np.array([0.9]), 10, Support(0.75, 0.25), confidence=level)


@pytest.mark.parametrize("wrong", [[], [[0.5]], [np.nan], [np.inf]])
def test_what_is_no_estimate_is_refused(wrong):
    with pytest.raises(ParameterError):
        p.project_simplex(np.array(wrong))
