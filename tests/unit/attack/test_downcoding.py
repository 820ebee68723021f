"""Finer values behind labels: right on minimal labels, no better than luck on others."""

import numpy as np
import pytest
from tests.unit.attack.tables import AGES, attributes, counted, fits, persons, release

from sfumato.attack import downcoding, pairs
from sfumato.attack.downcoding import Claims, chance_if_drawn, claims, right
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.mechanism.recode.mondrian.mondrian import Mondrian
from sfumato.summary.classes import Classes
from sfumato.summary.published import SuppressedMark, published_at_levels, read_published
from sfumato.table.attribute import Attribute, bind
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Kind, Role


def test_ends_of_ranges_and_sets_are_claimed():
    table = release(np.random.default_rng(0), 300)
    made = claims(table)
    for j, names in ((0, {"[17, 25]": {0, 2}, "[20, 37]": {1, 3}, ">= 37": {3, 5}, "{17, 61}": {0, 5}}),
                     (1, {"{Blois, Tours}": {0, 3}, "{Bourges, Lyon}": {1, 2}})):  # fmt: skip
        for text, ends in names.items():
            label = table.labels[j].index(text)
            for c in np.flatnonzero(table.classes.codes[:, j] == label):
                assert set(made.node[(made.owner == c) & (made.column == j)].tolist()) == ends
    assert not np.any(np.isin(table.classes.codes[made.owner, made.column], [0, 1]) & (made.column == 0))


def test_nodes_claim_two_children():
    paths = [("a", "ab", "*"), ("b", "ab", "*"), ("c", "cde", "*"), ("d", "cde", "*"), ("e", "cde", "*")]
    column = Attribute(Column("x", Role.QUASI_IDENTIFYING), Hierarchy.from_paths("x", paths), None)
    classes = Classes(np.arange(3)[:, None], rows=np.full(3, 5), alone=np.full(3, 5))
    made = claims(read_published([column], [["ab", "cde", "*"]], classes, suppressed=SuppressedMark.NONE))
    told = [(c, level, node) for c, level, node in zip(made.owner, made.level, made.node, strict=True)]
    assert told == [(0, 0, 0), (0, 0, 1), (1, 0, 2), (1, 0, 3), (2, 1, 0), (2, 1, 1)]


@pytest.mark.parametrize("way", ["looked up", "compared"])
def test_claims_are_checked_cell_by_cell(monkeypatch, way):
    looked_up = downcoding.rarest_first
    monkeypatch.setattr(pairs, "PER_LOOKED_AT", 1)
    monkeypatch.setattr(downcoding, "rarest_first", lambda *told: looked_up(*told) if way == "looked up" else None)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        table, people = release(rng, 80), persons(rng, 12)
        made = claims(table)
        assert way == "compared" or downcoding.rarest_first(table, table.classes.codes[made.owner], people) is not None
        slow = [
            any(fits(table, table.classes.codes[c], person) and person[j] == node for person in people)
            for c, j, node in zip(made.owner, made.column, made.node, strict=True)
        ]
        assert right(table, made, people).tolist() == slow


def test_every_end_of_a_minimal_cover_is_there():
    """Mondrian publishes exactly what a class holds, so its ends are all true: the original values, given away."""
    rng = np.random.default_rng(2)
    age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), [str(a) for a in range(1000)])
    codes, rows = np.unique(rng.integers(0, 1000, 400), return_counts=True)
    finest = Classes(codes[:, None], rows=rows, alone=rows)
    labels = Mondrian((KAnonymity(5),)).decide(finest, (age,)).step
    member = np.asarray(labels.member)
    names = list(dict.fromkeys(labels.labels[0]))
    of = np.array([names.index(text) for text in labels.labels[0]])[member]
    sizes = np.bincount(of, weights=rows).astype(np.int64)
    table = read_published([age], [names], Classes(np.arange(len(names))[:, None], rows=sizes, alone=sizes))
    made = claims(table)
    assert len(made.owner) > 20
    assert right(table, made, codes[:, None]).all()
    assert chance_if_drawn(table, made, codes[:, None], rows).mean() < 0.8


def test_chances_are_those_of_drawn_rows():
    """Classes filled at random from what their labels allow; five standard deviations around the formula."""
    rng = np.random.default_rng(3)
    table, people = release(rng, 60), persons(rng, 500)
    made = claims(table)
    chance = chance_if_drawn(table, made, people, np.ones(500, np.int64))
    runs = 400
    for q in rng.permutation(len(made.owner))[:10]:
        c, j = made.owner[q], made.column[q]
        row = np.where(np.arange(2) == j, table.classes.codes[c], -1)
        allowed = np.array([person[j] for person in people if fits(table, row, person)])
        drawn = rng.choice(allowed, (runs, table.classes.rows[c]))
        seen = np.count_nonzero((drawn == made.node[q]).any(axis=1))
        assert abs(seen - runs * chance[q]) <= 5 * np.sqrt(runs * chance[q] * (1 - chance[q])) + 1e-9


def test_full_domain_levels_betray_no_more_than_luck():
    """A level is chosen for the whole table. Claims on independent columns come true as often as drawn rows do."""
    rng = np.random.default_rng(4)
    codes = np.stack((rng.integers(0, 6, 4000), rng.integers(0, 4, 4000)), axis=1)
    finest = counted(codes, rng.integers(0, 3, 4000))
    pairs = Attribute(attributes()[0].column, Hierarchy.from_paths("age", [(a, "12"[i > 2], "*") for i, a in enumerate(AGES)]), None)  # fmt: skip
    table = published_at_levels([pairs, attributes()[1]], finest, [1, 0])
    made = claims(table)
    hits = np.count_nonzero(right(table, made, finest.codes))
    expected = chance_if_drawn(table, made, finest.codes, finest.rows)
    assert abs(hits - expected.sum()) <= 5 * np.sqrt((expected * (1 - expected)).sum()) + 1e-6


def test_a_claim_that_ignores_the_label_is_caught():
    """The broken twin names any value of the column: it is wrong where labels are narrow."""
    rng = np.random.default_rng(5)
    table, people = release(rng, 200), persons(rng, 500)
    made = claims(table)
    blind = Claims(made.owner, made.column, made.level, rng.integers(0, 4, len(made.owner)))
    assert right(table, made, people).mean() > right(table, blind, people).mean() + 0.2


def test_some_claims_are_drawn():
    made = claims(release(np.random.default_rng(6), 200))
    some = made.some(7, rng=np.random.default_rng(0))
    assert len(some.owner) == 7
    assert some.owner.tolist() == sorted(some.owner.tolist())
    assert len(made.some(10_000, rng=np.random.default_rng(0)).owner) == len(made.owner)


@pytest.mark.parametrize("labels", [["17", "20"], ["nonsense"]])
def test_labels_of_one_value_claim_nothing(labels):
    classes = Classes(np.arange(len(labels))[:, None], rows=np.full(len(labels), 3), alone=np.full(len(labels), 3))
    assert len(claims(read_published(attributes()[:1], [labels], classes)).owner) == 0
