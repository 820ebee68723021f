"""Which classes could hold a person: bit sets against reading each label."""

import numpy as np
import pytest
from tests.unit.attack.tables import fits, meaning, persons, release

from sfumato.attack import cover
from sfumato.attack.cover import covered
from sfumato.attack.pairs import matches


@pytest.mark.parametrize("seed", range(4))
def test_matches_are_those_found_cell_by_cell(seed):
    rng = np.random.default_rng(seed)
    table, people = release(rng), persons(rng)
    found = matches(table, people)
    slow = [
        (i, c)
        for i, person in enumerate(people)
        for c, row in enumerate(table.classes.codes)
        if fits(table, row, person)
    ]
    assert list(zip(found.target.tolist(), found.owner.tolist(), strict=True)) == slow
    sizes = [[len(meaning(table.labels[j][code], j)) for j, code in enumerate(table.classes.codes[c])] for _, c in slow]
    assert found.chance.tolist() == pytest.approx([1 / (a * b) for a, b in sizes])


def test_one_known_column_leaves_more_classes():
    rng = np.random.default_rng(5)
    table, people = release(rng), persons(rng)
    assert len(matches(table, people, [0]).owner) > len(matches(table, people).owner)


def test_blocks_do_not_change_the_answer(monkeypatch):
    rng = np.random.default_rng(6)
    table, people = release(rng), persons(rng, 100)
    whole = matches(table, people)
    monkeypatch.setattr(cover, "_CELLS", 300)
    parts = matches(table, people)
    assert np.array_equal(whole.target, parts.target)
    assert np.array_equal(whole.owner, parts.owner)


def test_weights_of_predicates_that_leave_columns_open():
    rng = np.random.default_rng(7)
    table, people = release(rng), persons(rng)
    rows = np.where(rng.random(table.classes.codes.shape) < 0.5, -1, table.classes.codes)
    weights = rng.random(len(people))
    slow = [sum(w for person, w in zip(people, weights, strict=True) if fits(table, row, person)) for row in rows]
    assert covered(table, rows, people, weights).tolist() == pytest.approx(slow)


def test_the_starts_of_persons_without_a_class():
    table = release(np.random.default_rng(8), 3)
    found = matches(table, persons(np.random.default_rng(8)))
    assert found.starts[-1] == len(found.owner)
    assert np.all(np.diff(found.starts) == np.bincount(found.target, minlength=found.n))


def test_holds_compares_the_labels_that_are_asked_about_only():
    """Equal to reading every run against every leaf, whatever is asked: wide labels, unread ones, -1, none, twice."""
    for seed in range(300):
        rng = np.random.default_rng(seed)
        table = release(rng)
        spans = table.spans[int(rng.integers(len(table.spans)))]
        labels = rng.integers(-1, spans.n_labels, int(rng.integers(0, 6)))
        leaves = rng.integers(0, len(spans.domain.rank), int(rng.integers(0, 12)))
        slow = [[label < 0 or leaf in meant(spans, label) for leaf in leaves.tolist()] for label in labels.tolist()]
        found = cover.holds(spans, labels, leaves)
        assert (seed, found.shape) == (seed, (len(labels), len(leaves)))
        assert (seed, found.tolist()) == (seed, slow)


def meant(spans, label):
    """The leaves that one label stands for, run by run."""
    runs = [(a, b) for owner, a, b in zip(spans.owner, spans.start, spans.stop, strict=True) if owner == label]
    return {int(spans.domain.order[place]) for a, b in runs for place in range(a, b)}
