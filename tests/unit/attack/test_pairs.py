"""Pairs of released rows and persons by a join, against every row compared with every person."""

import numpy as np
import pytest
from tests.unit.attack.tables import TOWN_LABELS, attributes, counted, persons, release

from sfumato.attack import pairs
from sfumato.attack.pairs import covering_pairs
from sfumato.summary.published import read_published


def both_ways(monkeypatch, table, people, equal):
    """The pairs by the join, and by comparing all."""
    rows, columns = table.classes.codes, range(people.shape[1])
    found = []
    for least in (0, len(rows) + 1):
        monkeypatch.setattr(pairs, "_PER_KIND", least)
        found.append(covering_pairs(table, rows, people, columns, equal=equal))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_the_join_finds_what_comparing_all_finds(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    table, people = release(rng, int(rng.integers(1, 60))), persons(rng, int(rng.integers(0, 40)))
    values = (rng.integers(-1, 2, table.classes.n_classes), rng.integers(-1, 2, len(people)))
    monkeypatch.setattr(pairs, "_AT_ONCE", int(rng.integers(20, 4000)))
    for equal in (None, values):
        joined, compared = both_ways(monkeypatch, table, people, equal)
        assert [side.tolist() for side in joined] == [side.tolist() for side in compared]


def test_rows_whose_labels_exclude_each_other_are_never_compared_with_everybody(monkeypatch):
    rng = np.random.default_rng(3)
    apart = ["17", "20", "{17, 61}"]
    codes = np.stack((rng.integers(0, 2, 300), rng.integers(0, len(TOWN_LABELS) - 3, 300)), axis=1)
    table = read_published(attributes(), [apart, TOWN_LABELS], counted(codes, rng.integers(0, 3, 300)))
    monkeypatch.setattr(pairs, "_PER_KIND", 0)
    monkeypatch.setattr(pairs, "_compared", None)
    row, person = covering_pairs(table, table.classes.codes, persons(rng, 200), range(2))
    assert len(row) == len(person) > 0
