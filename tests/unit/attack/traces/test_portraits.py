"""Three attacks in one: ranks beside sorting, and persons without places."""

import numpy as np
import pytest

from sfumato.attack.traces.portraits import (
    PortraitLink,
    Sight,
    added_odds,
    added_ranks,
    apart,
    learned_odds,
    portraits_of,
    visited,
)
from sfumato.table.traces import Traces


def slow_rank(values, i):
    below = sum(v < values[i] for v in values)
    return below + (1 + sum(v == values[i] for v in values)) / 2


@pytest.mark.parametrize("seed", range(4))
def test_ranks_are_means_among_equal_ones(seed):
    rng = np.random.default_rng(seed)
    tables = {name: rng.integers(0, 4, (5, 6)).astype(float) for name in "ab"}
    tables["a"][0] = np.inf
    found = added_ranks(tables)
    for row in range(5):
        said = [t[row] for t in tables.values() if np.isfinite(t[row]).any()]
        assert found[row].tolist() == [sum(slow_rank(v, i) for v in said) for i in range(6)]
    assert np.isinf(added_ranks({"a": np.full((1, 2), np.inf)})).all()


def people(rng, n=12):
    """Persons who spend nights and days at two places of their own; the last one only drives."""
    home, work = rng.uniform(45, 45.3, (n, 2)), rng.uniform(45, 45.3, (n, 2))
    fixes = np.arange(40)
    at = np.where((fixes // 10 % 2 == 0)[None, :, None], home[:, None], work[:, None])
    at = at + rng.normal(0, 1e-4, at.shape)
    at[-1] = np.linspace([45, 45], [45.3, 45.3], 40)
    person = np.repeat(np.arange(n), 40)
    return [
        Traces("UTC", tuple(map(str, range(n))), person, np.tile(fixes * 300_000 + start, n), *at.reshape(-1, 2).T)
        for start in (0, 10**9)
    ]


def test_persons_are_found_by_each_attack_and_one_without_stays_by_the_map():
    first, second = people(np.random.default_rng(3))
    known, seen = portraits_of(first, Sight()), portraits_of(second, Sight())
    assert seen.placed.tolist() == list(range(11))
    distances = apart(seen, known)
    assert np.isinf(distances["places"][-1]).all()
    assert np.isinf(distances["Markov chain"][:, -1]).all()
    for found in distances.values():
        assert found[:-1].argmin(axis=1).tolist() == list(range(11))
    assert PortraitLink().guess(seen, known, np.random.default_rng(1)).tolist() == list(range(12))


def test_check_ins_are_places_by_cells():
    lat = np.array([45.0, 45.0001, 45.1])
    traces = Traces("UTC", ("a",), np.zeros(3, int), np.arange(3), lat, np.zeros(3))
    visits, point = visited(traces, Sight(search=None))
    assert visits.place.tolist() == [0, 0, 1]
    assert point.shape == (2, 3)
    assert portraits_of(traces, Sight(search=None)).chains.stationary.tolist() == pytest.approx([2 / 3, 1 / 3])


def test_an_attack_that_tells_nothing_has_no_say():
    """Of 64 persons one attack ranks the right one first, the other anywhere: the odds of the first are large, those of
    the second small, and the sum follows the first, where added ranks do not."""
    rng = np.random.default_rng(4)
    good, luck = 1 - np.eye(64) + rng.random((64, 64)) / 2, rng.random((64, 64))
    odds = learned_odds({"good": good, "luck": luck})
    assert odds["good"][0] > 3
    assert np.abs(odds["luck"]).max() < 2
    again = {"good": 1 - np.eye(64) + rng.random((64, 64)) / 2, "luck": rng.random((64, 64))}
    right = [(found.argmin(axis=1) == np.arange(64)).mean() for found in (added_odds(again, odds), added_ranks(again))]
    assert right[0] > right[1] + 0.3
    assert right[0] > 0.9


def test_odds_are_of_shares_that_add_up():
    """Over all ranks the chance of the right name's rank is 1; who cannot be compared is not counted."""
    apart_ = np.random.default_rng(5).random((9, 9))
    apart_[0] = np.inf
    odds = learned_odds({"a": apart_})["a"]
    assert np.exp(odds[:-1]).sum() / 9 == pytest.approx(1)
    assert odds[-1] == 0
