"""Persons found column by column, against every row read against every person."""

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.attack.tables import counted
from tests.unit.attack.test_cover import meant

from sfumato.attack import lookup
from sfumato.attack.lookup import Groups, Join, Lookup
from sfumato.attack.pairs import covering_pairs
from sfumato.summary.published import read_published
from sfumato.summary.span import Domain, spans_of_leaves
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role


def column(n):
    """So many whole numbers."""
    return bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), [str(i) for i in range(n)])


def spans_of(rng, n):
    """Random labels, some without a run, over a domain that lacks some of n leaves."""
    held = rng.random((int(rng.integers(1, 6)), n)) < rng.random()
    return spans_of_leaves(Domain.of(column(n), rng.random(n) < 0.8), *np.nonzero(held), len(held))


def unlike(seeds, join=Join):
    """Random rows, persons and keys of which some pairs are not those read one by one, and how many went each way."""
    wrong, ways = [], [0, 0]
    for seed in seeds:
        rng = np.random.default_rng(seed)
        q, n, m = (int(rng.integers(0, most)) for most in (20, 40, 4))
        spans = [spans_of(rng, int(rng.integers(1, 12))) for _ in range(m)]
        labels = [rng.integers(0, one.n_labels, q) for one in spans]
        leaves = [rng.integers(0, len(one.domain.rank), n) for one in spans]
        left, right = rng.integers(0, 3, q), rng.integers(-1, 3, n)
        hold = [[meant(one, label) for label in labels[j].tolist()] for j, one in enumerate(spans)]
        slow = [
            (i, k)
            for i in range(q)
            for k in range(n)
            if left[i] == right[k] and all(leaves[j][k] in hold[j][i] for j in range(m))
        ]
        groups = Groups.by(right)
        found = join({j: Lookup.of(*told) for j, told in enumerate(zip(spans, labels, leaves, strict=True))})
        parts = list(found.rarest_first(groups.same(left), groups, range(m)))
        pairs = sorted(pair for part in parts for pair in zip(part.row.tolist(), part.person.tolist(), strict=True))
        wrong += [seed] if pairs != slow else []
        ways[bool(groups._parts)] += bool(slow)
    return wrong, min(ways)


@pytest.mark.parametrize("at_once", [1 << 18, 7])
def test_rows_find_whom_their_labels_hold(monkeypatch, at_once):
    """Labels of several runs and of none, leaves outside the domain, keys of nobody, small parts: each pair once."""
    monkeypatch.setattr(lookup, "_AT_ONCE", at_once)
    wrong, either_way = unlike(range(200))
    assert not wrong
    assert either_way > 20


def test_runs_that_are_read_wrongly_are_noticed(monkeypatch):
    of = Lookup.of
    for broken in (
        lambda found: replace(found, stop=found.stop + 1),
        lambda found: replace(found, stop=np.maximum(found.stop - 1, found.start)),
        lambda found: replace(found, start=found.start + 1),
        lambda found: replace(found, place=np.maximum(found.place, 0)),
        lambda found: replace(found, ends=np.append(0, found.ends[:-1])),
    ):
        monkeypatch.setattr(Lookup, "of", lambda *told, broken=broken: broken(of(*told)))
        assert unlike(range(60))[0]


@pytest.mark.parametrize("wide", [1, 2])
def test_sets_that_overlap_are_looked_up_by_their_runs(monkeypatch, wide):
    """Of rows with sets of two of n values, and further columns that overlap, only whom a set holds is looked at."""
    n, looked = 3000, []
    rng = np.random.default_rng(0)
    sets, ranges = [f"{{{i}, {(i + 2) % n}}}" for i in range(n)], ["[0, 1]", "[1, 2]"]
    codes = np.column_stack((np.arange(n), *(rng.integers(0, 2, n) for _ in range(wide))))
    table = read_published([column(n), *[column(3)] * wide], [sets, *[ranges] * wide], counted(codes, np.zeros(n, int)))
    people = np.column_stack((rng.permutation(n), *(rng.integers(0, 3, n) for _ in range(wide))))
    part = lookup.Part
    monkeypatch.setattr(lookup, "Part", lambda n_looked, *told: looked.append(n_looked) or part(n_looked, *told))
    row, person = covering_pairs(table, table.classes.codes, people, range(1 + wide))
    here = np.argsort(people[:, 0])
    slow = [
        (c, k)
        for c, labels in enumerate(table.classes.codes.tolist())
        for k in (here[labels[0]], here[(labels[0] + 2) % n])
        if all(people[k, j] in (label, label + 1) for j, label in enumerate(labels) if j)
    ]
    assert sorted(zip(row.tolist(), person.tolist(), strict=True)) == sorted(slow)
    assert sum(looked) == 4 * n  # each set with two groups of one person, each of these with the person


def test_few_persons_are_compared_with_a_label_of_many_runs():
    n = 400
    odd, third = ("{" + ", ".join(str(i) for i in places) + "}" for places in (range(1, n, 2), range(0, n, 3)))
    spans = read_published([column(n)], [[odd, third]], counted(np.array([[0], [1]]), np.zeros(2, int))).spans[0]
    groups, join = Groups.by(np.zeros(3, np.int64)), Join({0: Lookup.of(spans, np.arange(2), np.array([1, 3, 5]))})
    looked, last = join.rarest_first((np.arange(2), np.zeros(2, np.int64)), groups, [0])
    assert looked.looked == 6
    assert list(zip(last.row.tolist(), last.person.tolist(), strict=True)) == [(0, 0), (0, 1), (0, 2), (1, 1)]
    assert not groups.is_parted(0)
