"""Level vectors by rising loss."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.mechanism.recode.raw_tables import attributes, few, raws

from sfumato.mechanism.recode.local.vectors import cheapest, level_losses

rising = st.lists(st.integers(0, 9), min_size=1, max_size=4).map(lambda v: np.cumsum(v).astype(float))


@few
@given(st.lists(rising, min_size=1, max_size=4), st.integers(1, 40))
def test_they_are_the_cheapest_of_all(losses, most):
    every = sorted(
        sum(loss[v] for loss, v in zip(losses, vector, strict=True))
        for vector in itertools.product(*(range(len(x)) for x in losses))
    )
    found = [sum(loss[v] for loss, v in zip(losses, vector, strict=True)) for vector in cheapest(losses, most).tolist()]
    assert found == every[:most]


@few
@given(raws())
def test_the_loss_of_a_level_is_the_mean_over_rows(raw):
    town = attributes()[1].hierarchy
    finest = raw.classes()
    losses = level_losses(attributes(), finest.codes, finest.rows)[1]
    for level in range(1, town.height + 1):
        nodes = town.ancestors[level]
        shares = [(nodes == nodes[v]).sum() / 6 for v in raw.codes[:, 1]]
        shares = [0.0 if share == 1 / 6 else share for share in shares]
        assert losses[level] == pytest.approx(np.mean(shares))
    assert losses[0] == 0.0
