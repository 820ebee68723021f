"""Persons found by key and run, against every row read against every person."""

import numpy as np
import pytest
from tests.unit.attack.tables import counted
from tests.unit.attack.test_cover import meant

from sfumato.attack import join
from sfumato.attack.join import within_runs
from sfumato.attack.pairs import covering_pairs
from sfumato.summary.published import read_published
from sfumato.summary.span import Domain, spans_of_leaves
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role


def column(n):
    """So many whole numbers."""
    return bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), [str(i) for i in range(n)])


def unlike(within, seeds):
    """Seeds of random labels, leaves and keys for which some pairs are not those read one by one."""
    wrong = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        n, n_labels = int(rng.integers(1, 12)), int(rng.integers(1, 6))
        domain = Domain.of(column(n), rng.random(n) < 0.8)
        held = rng.random((n_labels, n)) < rng.random()  # also labels without a run
        spans = spans_of_leaves(domain, *np.nonzero(held), n_labels)
        labels, leaves = (rng.integers(0, most, int(rng.integers(0, 30))) for most in (n_labels, n))
        keys = rng.integers(0, 3, len(labels)), rng.integers(-1, 3, len(leaves))
        for told in (None, keys):
            left, right = told or (np.zeros(len(labels)), np.zeros(len(leaves)))
            slow = sorted(
                (i, k)
                for i, label in enumerate(labels.tolist())
                for k, leaf in enumerate(leaves.tolist())
                if left[i] == right[k] and leaf in meant(spans, label)
            )
            parts = [pair for part in within(spans, labels, leaves, told) for pair in part.pairs()]
            found = sorted((i, k) for row, person in parts for i, k in zip(row.tolist(), person.tolist(), strict=True))
            wrong += [seed] if found != slow else []
    return wrong


def test_runs_hold_whom_their_labels_hold(monkeypatch):
    """Labels of several runs and of none, leaves outside the domain, keys of nobody, in small parts: each pair once."""
    assert not unlike(within_runs, range(150))
    monkeypatch.setattr(join, "AT_ONCE", 3)
    assert not unlike(within_runs, range(150, 300))


def test_runs_that_are_read_wrongly_are_noticed():
    def without_keys(spans, labels, leaves, _keys):
        return within_runs(spans, labels, leaves)

    def one_further(spans, labels, leaves, keys):
        for part in within_runs(spans, labels, leaves, keys):
            yield join.Ranges(part.row, part.first, np.minimum(part.last + 1, len(leaves)), part.order)

    def narrower(spans, labels, leaves, keys):
        for part in within_runs(spans, labels, leaves, keys):
            yield join.Ranges(part.row, part.first, np.maximum(part.last - 1, part.first), part.order)

    for broken in (without_keys, one_further, narrower):
        assert unlike(broken, range(20))


@pytest.mark.parametrize("wide", [1, 2])
def test_sets_that_overlap_are_looked_up_by_their_runs(monkeypatch, wide):
    """Of rows with sets of two of n values, and `wide` columns more that overlap, just the pairs that a set holds are compared."""
    n, compared = 3000, []
    rng = np.random.default_rng(0)
    sets = [f"{{{i}, {(i + 2) % n}}}" for i in range(n)]
    ranges = ["[0, 1]", "[1, 2]"]
    codes = np.column_stack((np.arange(n), *(rng.integers(0, 2, n) for _ in range(wide))))
    table = read_published([column(n), *[column(3)] * wide], [sets, *[ranges] * wide], counted(codes, np.zeros(n, int)))
    people = np.column_stack((rng.permutation(n), *(rng.integers(0, 3, n) for _ in range(wide))))
    holds = join._holds
    monkeypatch.setattr(join, "_holds", lambda *told: compared.append(len(told[1])) or holds(*told))
    row, person = covering_pairs(table, table.classes.codes, people, range(1 + wide))
    here = np.argsort(people[:, 0])
    slow = [
        (c, p)
        for c, labels in enumerate(table.classes.codes.tolist())
        for p in sorted((here[labels[0]], here[(labels[0] + 2) % n]))
        if all(people[p, j] in (label, label + 1) for j, label in enumerate(labels) if j)
    ]
    assert sorted(zip(row.tolist(), person.tolist(), strict=True)) == sorted(slow)
    assert sum(compared) <= 2 * n * wide


def test_a_label_of_more_runs_than_persons_is_compared_with_them(monkeypatch):
    n = 400
    odd, third = ("{" + ", ".join(str(i) for i in places) + "}" for places in (range(1, n, 2), range(0, n, 3)))
    table = read_published([column(n)], [[odd, third]], counted(np.array([[0], [1]]), np.zeros(2, int)))
    monkeypatch.setattr(join, "within_runs", None)
    row, person = join.joined(table, (table.classes.codes, np.array([[1], [3], [5]])), [0], None, [np.arange(2)])
    assert sorted(zip(row.tolist(), person.tolist(), strict=True)) == [(0, 0), (0, 1), (0, 2), (1, 1)]
