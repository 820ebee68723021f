"""Shares of values, against looking at all of them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.table.share import mostly


@given(st.lists(st.sampled_from(["1", "x"]), max_size=40), st.integers(0, 4000), st.fractions(0, 1))
def test_the_answer_is_that_of_looking_at_all(few, more, share):
    """Over more than one block, with the rarer values in front and behind."""
    for values in ([*few, *["1"] * more], [*["x"] * more, *few]):
        found = sum(value.isdigit() for value in values)
        assert mostly(str.isdigit, values, share) is (found >= share * len(values))


@pytest.mark.parametrize("share", [0.3, 0.5, 0.8, 0.9])
def test_a_share_is_reached_at_its_edge(share):
    n = 10_000
    edge = int(Fraction(str(share)) * n)
    for found in (edge - 1, edge):
        assert mostly(bool, ["x"] * found + [""] * (n - found), share) is (found >= share * n)


def test_no_more_is_looked_at_than_decides():
    seen = []
    assert not mostly(seen.append, ["x"] * 100_000, 0.9)
    assert len(seen) < 12_000
