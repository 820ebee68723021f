"""Two exact aggregates betray the one who joined."""

import numpy as np

from sfumato.attack.differencing import value_of_joiner


def test_the_example_of_the_course():
    assert value_of_joiner(100, 55_000, 101, 56_000) == 156_000


def test_any_table_betrays_its_newcomer():
    rng = np.random.default_rng(1)
    for _ in range(20):
        values = rng.integers(0, 10**6, rng.integers(1, 50)).astype(float)
        joined = float(rng.integers(0, 10**6))
        more = np.append(values, joined)
        assert round(value_of_joiner(len(values), values.mean(), len(more), more.mean())) == joined
