"""Pairs of released rows and persons by a join, against every row compared with every person."""

import numpy as np
import pytest
from tests.unit.attack.tables import TOWN_LABELS, attributes, counted, persons, release

from sfumato.attack import join, pairs
from sfumato.attack.pairs import covering_pairs
from sfumato.summary.published import read_published
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role


def three_ways(monkeypatch, table, people, equal):
    """The pairs by the join, by comparing those near each other, and by comparing all."""
    rows, columns = table.classes.codes, range(people.shape[1])
    found = []
    for least, together in ((0, 1), (len(rows) + 1, 4), (len(rows) + 1, 1 << 18)):
        monkeypatch.setattr(pairs, "_PER_KIND", least)
        monkeypatch.setattr(pairs, "_TOGETHER", together)
        found.append(covering_pairs(table, rows, people, columns, equal=equal))
    return found


@pytest.mark.parametrize("seed", range(60))
def test_the_join_finds_what_comparing_all_finds(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    table, people = release(rng, int(rng.integers(1, 60))), persons(rng, int(rng.integers(0, 40)))
    values = (rng.integers(-1, 2, table.classes.n_classes), rng.integers(-1, 2, len(people)))
    monkeypatch.setattr(join, "AT_ONCE", int(rng.integers(20, 4000)))
    for equal in (None, values):
        joined, near, compared = three_ways(monkeypatch, table, people, equal)
        assert [side.tolist() for side in joined] == [side.tolist() for side in compared]
        assert [side.tolist() for side in near] == [side.tolist() for side in compared]


def test_rows_whose_labels_exclude_each_other_are_never_compared_with_everybody(monkeypatch):
    rng = np.random.default_rng(3)
    apart = ["17", "20", "{17, 61}"]
    codes = np.stack((rng.integers(0, 2, 300), rng.integers(0, len(TOWN_LABELS) - 3, 300)), axis=1)
    table = read_published(attributes(), [apart, TOWN_LABELS], counted(codes, rng.integers(0, 3, 300)))
    monkeypatch.setattr(pairs, "_PER_KIND", 0)
    monkeypatch.setattr(pairs, "_compared", None)
    row, person = covering_pairs(table, table.classes.codes, persons(rng, 200), range(2))
    assert len(row) == len(person) > 0


def test_rows_far_from_a_person_are_not_compared(monkeypatch):
    """Pairs that are compared grow with the rows, not with their square: each row holds one of as many values."""
    compared = []
    for n in (500, 1000):
        of = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), [str(i) for i in range(n)])
        labels = [f"[{i}, {min(i + 1, n - 1)}]" for i in range(n)]
        table = read_published([of], [labels], counted(np.arange(n)[:, None], np.ones(n, np.int64)))
        monkeypatch.setattr(pairs, "_PER_KIND", n + 1)
        monkeypatch.setattr(pairs, "_TOGETHER", 256)
        reach = pairs._Reach.of(table, table.classes.codes, np.arange(n)[:, None], [0], None)
        compared.append(sum(len(rows) * len(persons) for rows, persons in reach.parts()))
        assert len(covering_pairs(table, table.classes.codes, np.arange(n)[:, None], [0])[0]) == 2 * n - 1
    assert compared[1] < 2.5 * compared[0] < 50_000
