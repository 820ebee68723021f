"""Pseudonyms of weeks matched, beside all matchings."""

from itertools import permutations

import numpy as np
import pytest

from sfumato.attack import assignment
from sfumato.attack.traces.portraits import Sight, portraits_of
from sfumato.attack.traces.weeks import PseudonymLink
from sfumato.errors import ParameterError
from sfumato.table.traces import Traces

SUNDAY = 3 * 86_400_000


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (5, 3)])
def test_the_matching_has_the_least_sum_of_all(seed, shape):
    rng = np.random.default_rng(seed)
    cost = rng.random(shape) * 10.0 ** rng.integers(-3, 8)
    chosen = assignment.one_to_one(cost)
    rows = np.flatnonzero(chosen >= 0)
    assert len(rows) == len(set(chosen[rows].tolist())) == min(shape)
    wide = cost if shape[0] <= shape[1] else cost.T
    sums = [wide[np.arange(len(wide)), list(p)].sum() for p in permutations(range(wide.shape[1]), len(wide))]
    assert cost[rows, chosen[rows]].sum() == pytest.approx(min(sums))


def test_who_is_not_comparable_is_matched_with_nobody():
    inf = np.inf
    assert assignment.one_to_one(np.array([[inf, inf], [1.0, inf]])).tolist() == [-1, 0]
    assert assignment.one_to_one(np.array([[5.0, 1.0], [inf, 2.0]])).tolist() == [0, 1]
    assert assignment.one_to_one(np.full((2, 1), inf)).tolist() == [-1, -1]


def test_without_a_solver_the_cheapest_are_matched(monkeypatch):
    monkeypatch.setattr(assignment, "find_spec", lambda _: None)
    assert assignment.one_to_one(np.array([[1.0, 9.0], [2.0, 3.0]])).tolist() == [0, 1]
    assert assignment.one_to_one(np.array([[np.inf, np.inf], [2.0, 3.0]])).tolist() == [-1, 0]


def test_weeks_begin_on_monday_by_the_clock_of_the_place():
    """Sunday 23 hours UTC is Monday in Paris."""
    late = np.array([SUNDAY + 23 * 3_600_000])
    for zone, week in (("UTC", 0), ("Europe/Paris", 1)):
        assert Traces(zone, ("a",), np.zeros(1, int), late, np.zeros(1), np.zeros(1)).week.tolist() == [week]


def at_home(*north):
    """Persons who stay at a latitude for half an hour, so many metres north of one another."""
    n = len(north)
    lat = np.repeat(45 + np.array(north) / 111_195, 4)
    return Traces(
        "UTC", tuple("abc"[:n]), np.repeat(np.arange(n), 4), np.tile(np.arange(4) * 600_000, n), lat, np.zeros(4 * n)
    )


@pytest.mark.parametrize("by", ["places", "Markov chain"])
def test_a_name_taken_is_not_free(by):
    """Both are nearest to the first of the week before; together 100 + 2,000 m beat 1,000 + 2,900 m."""
    before, now = (portraits_of(at_home(*north), Sight()) for north in ((0, 3000), (1000, 100)))
    chosen = PseudonymLink(by).guess(now, before, np.random.default_rng(1)).tolist()
    assert chosen == [1, 0]


def test_another_word_is_refused():
    with pytest.raises(ParameterError, match="heat map"):
        PseudonymLink("names")
