"""What classes tell of a value: beliefs, guesses, certainty, and the control without one's own row."""

from itertools import pairwise

import numpy as np
import pytest
from tests.unit.attack.tables import attributes, counted, fits, illness, meaning, persons, release

from sfumato.attack import inference
from sfumato.attack.base import Seen
from sfumato.attack.inference import beliefs, determined, infer, windows
from sfumato.attack.pairs import matches
from sfumato.summary.histogram import distribution_of
from sfumato.summary.published import published_at_levels
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role


@pytest.mark.parametrize("seed", range(3))
def test_beliefs_are_those_summed_row_by_row(seed):
    rng = np.random.default_rng(seed)
    table, people = release(rng), persons(rng, 10)
    d = distribution_of(table.classes, "illness")
    found = beliefs(matches(table, people), d)
    slow = np.zeros((10, 3))
    for i, person in enumerate(people):
        for c, value, count in zip(d.owner, d.value, d.count, strict=True):
            row = table.classes.codes[c]
            if fits(table, row, person):
                slow[i, value] += count / np.prod([len(meaning(table.labels[j][x], j)) for j, x in enumerate(row)])
    assert found == pytest.approx(slow)


def test_without_ones_own_row_is_the_release_of_the_others():
    """Exact where labels are disjoint: the table without person i, recoded alike, gives the same beliefs."""
    rng = np.random.default_rng(4)
    codes, values = persons(rng, 40), rng.integers(0, 3, 40)
    everybody = published_at_levels(attributes(), counted(codes, values), [1, 0])
    left_out = beliefs(matches(everybody, codes), distribution_of(everybody.classes, "illness"), without=values)
    for i in range(40):
        others = np.arange(40) != i
        table = published_at_levels(attributes(), counted(codes[others], values[others]), [1, 0])
        alone = beliefs(matches(table, codes[i : i + 1]), distribution_of(table.classes, "illness"))
        assert left_out[i] == pytest.approx(alone[0])


def test_overlapping_classes_lose_one_row_together():
    rng = np.random.default_rng(5)
    table, people = release(rng, 60), persons(rng, 20)
    d, found = distribution_of(table.classes, "illness"), matches(table, people)
    truth = beliefs(found, d).argmax(axis=1)
    lost = beliefs(found, d) - beliefs(found, d, without=truth)
    assert np.all(lost >= -1e-12)
    assert np.all(lost[np.arange(20), truth] <= 1 + 1e-12)
    others = np.ones_like(lost, bool)
    others[np.arange(20), truth] = False
    assert np.all(lost[others] == 0)


@pytest.mark.parametrize("cells", [1, 7, 1 << 22])
def test_persons_are_looked_at_a_few_at_a_time_with_the_same_guesses(monkeypatch, cells):
    rng = np.random.default_rng(6)
    table, people = release(rng, 60), persons(rng, 20)
    truth, d = rng.integers(0, 3, 20), distribution_of(table.classes, "illness")
    support = beliefs(matches(table, people), d, without=truth)
    near = windows(d.attribute, 0.0)
    at_once = infer(support, d.released.astype(np.float64), near, rng=np.random.default_rng(7))
    monkeypatch.setattr(inference, "_CELLS", cells)
    found = inference.Inference("illness", 0.0).guess(Seen(table, truth), people, np.random.default_rng(7))
    assert found.value.tolist() == at_once.tolist()
    assert np.array_equal(found.possible, support > 0)


@pytest.mark.parametrize("within", [0.0, 0.05, 0.3])
def test_windows_are_the_rule_written_out(within):
    texts = ["-200", "-100", "-95", "0", "1", "90", "95", "100", "105", "120", None]
    pay = bind(Column("pay", Role.SENSITIVE, Kind.INTEGER), texts)
    near, at = windows(pay, within), pay.positions
    n = len(texts)
    hits = np.array([[near.hits(np.array([g]), np.array([t]))[0] for t in range(n)] for g in range(n)])
    told = np.isfinite(at)
    slow = np.abs(at[:, None] - at) <= within * np.abs(at) + 1e-9
    assert np.array_equal(hits[np.ix_(told, told)], slow[np.ix_(told, told)])
    missing = int(np.flatnonzero(~told)[0])
    assert hits[missing].tolist() == (np.arange(n) == missing).tolist()
    belief = np.random.default_rng(0).random((4, n))
    assert near.mass(belief) == pytest.approx(belief @ hits.T.astype(float))


def test_swapping_signs_changes_nothing():
    up = bind(Column("x", Role.SENSITIVE, Kind.INTEGER), ["90", "95", "100", "120"])
    down = bind(Column("x", Role.SENSITIVE, Kind.INTEGER), ["-90", "-95", "-100", "-120"])
    for g in range(4):
        for t in range(4):
            sides = []
            for column in (up, down):
                order = np.argsort(np.abs(column.positions))
                sides.append(windows(column, 0.06).hits(order[[g]], order[[t]])[0])
            assert sides[0] == sides[1]


def test_dates_and_text_must_be_named_themselves():
    day = bind(Column("day", Role.SENSITIVE, Kind.DATE), ["2001-01-01", "2001-01-02"])
    assert not windows(day, 0.05).hits(np.array([0]), np.array([1]))[0]
    assert not windows(illness(), 0.05).hits(np.array([0]), np.array([1]))[0]


def test_the_nearest_crowd_of_numbers_is_guessed():
    """No value has more than 40 % of the belief, but three near ones have 60 %."""
    pay = bind(Column("pay", Role.SENSITIVE, Kind.INTEGER), ["10", "98", "100", "102"])
    guess = infer(np.array([[0.4, 0.2, 0.2, 0.2]]), np.ones(4), windows(pay, 0.05), rng=np.random.default_rng(0))
    assert guess.tolist() in ([1], [2], [3])


def test_certainty_needs_the_true_value_to_be_possible():
    assert not determined(np.array([[0.0, 3.0]]), np.array([0]), 0)[0]
    assert determined(np.array([[0.0, 3.0]]), np.array([1]), 0)[0]
    assert not determined(np.zeros((1, 2)), np.array([1]), 5)[0]


def test_more_exclusions_never_make_an_intruder_less_certain():
    rng = np.random.default_rng(6)
    support, truth = rng.integers(0, 2, (50, 6)).astype(float), rng.integers(0, 6, 50)
    certain = [determined(support, truth, j) for j in range(6)]
    assert all(np.all(a <= b) for a, b in pairwise(certain))
