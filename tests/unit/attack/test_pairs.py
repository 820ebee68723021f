"""Pairs of released rows and persons by a join, against every row compared with every person."""

import numpy as np
import pytest
from tests.unit.attack.tables import counted, persons, release

from sfumato.attack import join, lookup, pairs
from sfumato.attack.join import joined
from sfumato.attack.pairs import covering_pairs
from sfumato.summary.published import read_published
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role


def three_ways(monkeypatch, table, people, equal):
    """The pairs by the join, by comparing those near each other, and by comparing all."""
    sides, columns = (table.classes.codes, people), range(people.shape[1])
    found = [joined(table, sides, columns, equal)]
    for together in (4, 1 << 18):
        monkeypatch.setattr(pairs, "_TOGETHER", together)
        found.append(pairs._compared(table, sides, columns, equal))
    return [sorted(zip(row.tolist(), person.tolist(), strict=True)) for row, person in found]


@pytest.mark.parametrize("seed", range(60))
def test_the_join_finds_what_comparing_all_finds(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    table, people = release(rng, int(rng.integers(1, 60))), persons(rng, int(rng.integers(0, 40)))
    values = (rng.integers(-1, 2, table.classes.n_classes), rng.integers(-1, 2, len(people)))
    monkeypatch.setattr(lookup, "_AT_ONCE", int(rng.integers(20, 4000)))
    for equal in (None, values):
        by_join, near, compared = three_ways(monkeypatch, table, people, equal)
        assert by_join == compared
        assert near == compared


def test_rows_far_from_a_person_are_not_compared(monkeypatch):
    """Pairs that are compared grow with the rows, not with their square: each row holds one of as many values."""
    compared = []
    for n in (500, 1000):
        of = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), [str(i) for i in range(n)])
        labels = [f"[{i}, {min(i + 1, n - 1)}]" for i in range(n)]
        table = read_published([of], [labels], counted(np.arange(n)[:, None], np.ones(n, np.int64)))
        monkeypatch.setattr(pairs, "_TOGETHER", 256)
        reach = pairs._Reach.of(table, table.classes.codes, np.arange(n)[:, None], [0], None)
        compared.append(sum(len(rows) * len(persons) for rows, persons in reach.parts()))
        assert len(pairs._compared(table, (table.classes.codes, np.arange(n)[:, None]), [0], None)[0]) == 2 * n - 1
    assert compared[1] < 2.5 * compared[0] < 50_000


def test_pairs_that_would_be_too_many_to_look_up_are_compared(monkeypatch):
    rng = np.random.default_rng(3)
    table, people = release(rng, 60), persons(rng, 40)
    looked_up = covering_pairs(table, table.classes.codes, people, range(2))
    monkeypatch.setattr(join, "_LEAST", 0)
    assert joined(table, (table.classes.codes, people), range(2), None) is None
    compared = covering_pairs(table, table.classes.codes, people, range(2))
    assert [side.tolist() for side in compared] == [side.tolist() for side in looked_up]


def test_labels_that_hold_many_are_tried_before_all_are_compared(monkeypatch):
    """Each label holds half of the persons, all labels of a row one: what is looked at is bounded, then None is said."""
    of = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["0", "1", "2"])
    digits = np.array([[number >> j & 1 for j in range(9)] for number in range(512)])
    table = read_published([of] * 9, [["[0, 1]", "[1, 2]"]] * 9, counted(digits, np.zeros(512, int)))
    rows, people = table.classes.codes[:64], 2 * table.classes.codes
    found = list(pairs.rarest_first(table, rows, people))
    assert [np.concatenate(side).tolist() for side in zip(*found, strict=True)] == [list(range(64))] * 2
    monkeypatch.setattr(pairs, "_TRIED", 100)
    assert pairs.rarest_first(table, rows, people) is None
