"""What is to be believed of every moment: against the sum over all ways that a person can have gone."""

from itertools import pairwise, product

import numpy as np
import pytest

from sfumato.attack.traces.tracking import MovementModel, Tracking, beliefs, model_of
from sfumato.errors import ParameterError


def slow(view, model):
    """(t, k) by all k^t ways."""
    t, k = view.shape
    out = np.zeros((t, k))
    for way in product(range(k), repeat=t):
        chance = model.first[way[0]] * np.prod([model.moves[a, b] for a, b in pairwise(way)])
        chance *= np.exp(sum(view[i, at] for i, at in enumerate(way)))
        out[range(t), way] += chance
    return out / out.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("seed", range(5))
def test_beliefs_are_the_sum_over_all_ways(seed):
    rng = np.random.default_rng(seed)
    k, t = 3, 5
    model = MovementModel(rng.dirichlet(np.ones(k)), rng.dirichlet(np.ones(k), k))
    view = rng.normal(0, 3, (4, t, k))
    found = beliefs(view, model)
    for i in range(4):
        assert found[i] == pytest.approx(slow(view[i], model), abs=1e-12)
    assert np.array_equal(Tracking().guess(view, model, rng), found.argmax(axis=2))


def test_a_model_is_the_counts_of_moves_and_even_where_nothing_was_seen():
    model = model_of(np.array([[0, 0, 1], [0, 1, 1]]), 3)
    share = np.array([4, 4, 1]) / 9
    assert model.first == pytest.approx(share)
    assert model.moves[0] == pytest.approx((np.array([1, 2, 0]) + share) / 4)
    assert model.moves[2] == pytest.approx(share)
    with pytest.raises(ParameterError, match=r"cells are in 0 … 1"):
        model_of(np.array([[0, 2]]), 2)


def test_long_traces_stay_finite():
    """3,000 reports that contradict the model: no chance underflows to nothing."""
    model = MovementModel(np.full(2, 0.5), np.array([[1 - 1e-12, 1e-12], [1e-12, 1 - 1e-12]]))
    view = np.zeros((1, 3000, 2))
    view[0, ::2, 0] = view[0, 1::2, 1] = 40.0
    found = beliefs(view, model)
    assert np.isfinite(found).all()
    assert found.sum(axis=2) == pytest.approx(1.0)
