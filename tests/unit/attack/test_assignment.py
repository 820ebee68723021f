"""Original rows matched with released ones: row by row with an assignment solver, and hits by all permutations."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from tests.unit.attack.tables import attributes, counted, meaning, persons, release

from sfumato.attack import assignment
from sfumato.attack.assignment import distances, expected_hits, match_records
from sfumato.attack.scoring import likely_places
from sfumato.attack.singling_out import ANY, Persons, Predicates, of_classes
from sfumato.summary.published import published_at_levels


def grouped(codes):
    """Persons of equal codes together."""
    distinct, count = np.unique(codes, axis=0, return_counts=True)
    return Persons(distinct, np.full(len(distinct), ANY), count)


@pytest.mark.parametrize("seed", range(4))
def test_the_matching_is_as_near_as_that_of_single_rows(seed):
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(seed)
    table = release(rng, 40)
    known, groups = grouped(persons(rng, 40)), of_classes(table)
    found = match_records(table, known, groups)
    cost = distances(table, known, groups)
    rows = np.repeat(np.repeat(cost, known.count, axis=0), groups.count, axis=1)
    best = rows[optimize.linear_sum_assignment(rows)].sum()
    assert found.distance == pytest.approx(best, abs=1e-9)
    assert found.is_nearest
    assert (found.flow.sum(), found.unmatched) == (groups.count.sum(), 40 - groups.count.sum())
    assert np.all(np.bincount(found.person, found.flow, len(known.count)) <= known.count)
    assert np.all(np.bincount(found.group, found.flow, len(groups.count)) == groups.count)


@pytest.mark.parametrize("sizes", [(30, 45), (45, 30)])
def test_without_a_solver_everybody_who_can_be_is_matched(sizes, monkeypatch):
    monkeypatch.setattr(assignment, "find_spec", lambda name: None)
    rng = np.random.default_rng(sizes[0])
    table = release(rng, sizes[1])
    known, groups = grouped(persons(rng, sizes[0])), of_classes(table)
    quick = match_records(table, known, groups)
    assert quick.flow.sum() == min(sizes[0], groups.count.sum())
    assert quick.unmatched == sizes[0] - quick.flow.sum()
    cost = distances(table, known, groups)[quick.person, quick.group] @ quick.flow
    assert quick.distance == pytest.approx(cost)
    assert quick.distance >= quick.bound
    monkeypatch.undo()
    assert quick.distance >= match_records(table, known, groups).distance - 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_a_truthful_release_of_overlapping_labels_is_matched_without_distance(seed, monkeypatch):
    """Too large to be solved as a whole: every row still fits one that may be its own."""
    pytest.importorskip("scipy")
    monkeypatch.setattr(assignment, "EXACT", 0)
    rng = np.random.default_rng(seed)
    table = release(rng, 80)
    truth = [
        [rng.choice(sorted(meaning(table.labels[j][code], j) or {0})) for j, code in enumerate(row)]
        for row in np.repeat(table.classes.codes, table.classes.rows, axis=0)
        if meaning(table.labels[0][row[0]], 0)
    ]
    known, groups = grouped(np.array(truth)), of_classes(table)
    found = match_records(table, known, groups)
    assert (found.distance, found.unmatched) == (0, 0)
    assert found.is_nearest
    assert np.all(np.bincount(found.person, found.flow, len(known.count)) == known.count)
    assert np.all(np.bincount(found.group, found.flow, len(groups.count)) <= groups.count)
    assert distances(table, known, groups)[found.person, found.group].max() == 0


def test_the_distance_of_a_value_from_a_label():
    rng = np.random.default_rng(9)
    table = release(rng, 60)
    known, groups = grouped(persons(rng, 60)), of_classes(table)
    found = distances(table, known, groups)
    ages = [17, 20, 25, 37, 40, 61]
    for g, row in enumerate(groups.rows):
        for p, person in enumerate(known.codes):
            held = meaning(table.labels[0][row[0]], 0)
            near = min((abs(ages[person[0]] - ages[x]) for x in held), default=44) / 44
            town = 0.0 if person[1] in meaning(table.labels[1][row[1]], 1) else 1.0
            assert found[p, g] == pytest.approx(near + town)


def test_expected_hits_are_averaged_over_all_permutations():
    """Two persons of one kind and one of another, in classes of two and one rows: every bijection, counted."""
    kinds, rows = [0, 0, 1], [0, 1, 0]  # the true group of each person; the first two are equal
    known = Persons(np.array([[0], [1]]), np.full(2, ANY), np.array([2, 1]))
    groups = Predicates(np.array([[0], [1]]), np.full(2, ANY), np.array([2, 1]))
    own = (np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([1.0, 1.0, 1.0]))
    found = assignment.Matching(own[0], own[1], np.array([1, 1, 1]), 0.0, 0.0, 0)
    hits, ways = 0, 0
    for places in permutations(range(3)):  # person i is matched with row places[i]
        if sorted((kinds[i], rows[places[i]]) for i in range(3)) == [(0, 0), (0, 1), (1, 0)]:
            hits, ways = hits + sum(places[i] == i for i in range(3)), ways + 1
    assert expected_hits(found, known, groups, own=own) == pytest.approx(hits / ways)


def test_full_domain_gives_one_hit_for_each_class():
    """The marketer's risk: in a class of f rows a random bijection is right once."""
    rng = np.random.default_rng(2)
    finest = counted(persons(rng, 200), rng.integers(0, 3, 200))
    table = published_at_levels(attributes(), finest, [1, 0])
    known, groups = Persons(finest.codes, np.full(finest.n_classes, ANY), finest.rows), of_classes(table)
    found = match_records(table, known, groups)
    own = likely_places(table, known, groups)
    assert found.distance == 0
    assert expected_hits(found, known, groups, own=own) == pytest.approx(table.classes.n_classes)


def test_a_matching_that_does_not_look_hits_once():
    """The broken twin: one group of all rows. Whoever the intruder names, one of n is right."""
    rng = np.random.default_rng(3)
    known = grouped(persons(rng, 50))
    whole = Predicates(np.array([[ANY, ANY]]), np.array([ANY]), np.array([50]))
    pairs = (np.arange(len(known.count)), np.zeros(len(known.count), np.int64))
    blind = assignment.Matching(*pairs, known.count, 0.0, 0.0, 0)
    own = (*pairs, known.count.astype(float))
    assert expected_hits(blind, known, whole, own=own) == pytest.approx(1.0)
    assert replace(blind, distance=1.0).is_nearest is False
