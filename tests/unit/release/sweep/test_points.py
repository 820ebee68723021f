"""The Pareto front against its definition."""

import numpy as np

from sfumato.release.sweep.points import pareto_front


def slow(costs):
    """The definition, pair by pair."""
    return [
        not any(o[0] <= c[0] and o[1] <= c[1] and (o[0] < c[0] or o[1] < c[1]) for o in costs) for c in costs
    ]  # fmt: skip


def broken(costs):
    """A wrong twin: ties in one cost are kept."""
    return [not any(o[0] < c[0] and o[1] < c[1] for o in costs) for c in costs]


def tables():
    """Small random tables with many ties."""
    rng = np.random.default_rng(7)
    for n in range(30):
        for _ in range(20):
            yield [tuple(map(float, row)) for row in rng.integers(0, 6, (n, 2))]


def test_the_front_is_what_the_definition_says():
    assert all(pareto_front(costs) == slow(costs) for costs in tables())


def test_the_comparison_would_notice_a_wrong_front():
    assert any(pareto_front(costs) != broken(costs) for costs in tables())


def test_every_point_off_the_front_is_beaten_by_one_on_it():
    for costs in tables():
        front = [c for c, on in zip(costs, pareto_front(costs), strict=True) if on]
        off = [c for c, on in zip(costs, pareto_front(costs), strict=True) if not on]
        assert all(any(f[0] <= c[0] and f[1] <= c[1] and f != c for f in front) for c in off)
