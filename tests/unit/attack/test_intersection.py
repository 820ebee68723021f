"""Intersections of releases against sets and products over single rows."""

from collections import Counter
from math import prod

import numpy as np
import pytest

from sfumato.attack.intersection import Known, left
from sfumato.attack.pairs import matches
from sfumato.attack.possible import Support, intersect, supports
from sfumato.summary.classes import Classes
from sfumato.summary.histogram import Histogram
from sfumato.summary.published import read_published
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role

AGES = ["1", "2", "3", "4", "5", "6"]
ILLNESS = bind(Column("illness", Role.SENSITIVE), ["a", "b", "c"])
TRUTH = [(0, 0), (1, 1), (2, 0), (3, 2), (4, 1), (5, 0)]
"""Person i has age i + 1 and one illness."""
ONE, TWO = [(0, 2), (3, 5)], [(0, 1), (2, 3), (4, 5)]
"""Each release publishes these ranges of ages; both hold every person."""


def released(ranges):
    """A release of the six persons by ranges of ages."""
    age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), AGES)
    labels = [f"[{low + 1}, {high + 1}]" for low, high in ranges]
    dense = np.zeros((len(ranges), 3), np.int64)
    for person, value in TRUTH:
        dense[[low <= person <= high for low, high in ranges].index(True), value] += 1
    owner, value = np.nonzero(dense)
    histogram = Histogram(ILLNESS, owner, value, dense[owner, value], dense.sum(axis=0))
    rows = dense.sum(axis=1)
    classes = Classes(np.arange(len(ranges))[:, None], rows, rows, histograms=(histogram,))
    return read_published([age], [labels], classes)


def tables(*releases):
    codes = np.arange(6)[:, None]
    return [supports(matches(one, codes), one.classes.histograms[0]) for one in map(released, releases)]


def twin(*releases):
    """For each person the values with their least count, and the likeliest value's chance of being right."""
    out = []
    for person, value in TRUTH:
        counts = []
        for ranges in releases:
            low, high = next((a, b) for a, b in ranges if a <= person <= b)
            counts.append(Counter(v for p, v in TRUTH if low <= p <= high))
        least = {v: n for v in range(3) if (n := min(count[v] for count in counts))}
        chance = {v: prod(count[v] / count.total() for count in counts) for v in least}
        top = [v for v in least if np.isclose(chance[v], max(chance.values()))]
        out.append((least, (value in top) / len(top), least.keys() == {value}))
    return out


@pytest.mark.parametrize("releases", [(ONE,), (TWO,), (ONE, TWO)])
def test_what_is_left_is_what_each_release_leaves(releases):
    known = Known(np.arange(6)[:, None], np.arange(6), np.array([v for _, v in TRUTH]), np.ones(6, np.int64))
    found, expected = left(intersect(tables(*releases)), known), twin(*releases)
    assert found.fewest_values == min(len(least) for least, _, _ in expected)
    assert found.mean_values == pytest.approx(np.mean([len(least) for least, _, _ in expected]))
    assert found.mean_rows == pytest.approx(np.mean([sum(least.values()) for least, _, _ in expected]))
    assert found.fewest_rows == min(sum(least.values()) for least, _, _ in expected)
    assert found.guessed == pytest.approx(np.mean([hit for _, hit, _ in expected]))
    assert found.determined == pytest.approx(np.mean([sure for _, _, sure in expected]))
    assert found.ruled_out == 0


def test_two_releases_tell_what_neither_tells():
    known = Known(np.arange(6)[:, None], np.arange(6), np.array([v for _, v in TRUTH]), np.ones(6, np.int64))
    alone = [left(intersect([table]), known).determined for table in tables(ONE, TWO)]
    assert alone == [0, 0]
    assert left(intersect(tables(ONE, TWO)), known).determined == pytest.approx(1 / 6)


def test_a_release_that_does_not_hold_a_person_says_nothing_of_the_person():
    one, nothing = (Support.of_table(np.array([rows])) for rows in ([2, 1, 0], [0, 0, 0]))
    found, both = intersect([one, nothing]), intersect([nothing, nothing])
    assert found.dense(found.rows).tolist() == [[2, 1, 0]]
    assert both.dense(both.rows).tolist() == both.dense(both.belief).tolist() == [[0, 0, 0]]
    known = Known(np.array([[0]]), np.array([0]), np.array([0]), np.array([1]))
    found = left(intersect([nothing]), known)
    assert (found.fewest_values, found.guessed, found.ruled_out) == (0, 0, 0)


def test_a_value_that_changed_is_ruled_out():
    known = Known(np.array([[0]]), np.array([0, 0]), np.array([0, 2]), np.array([3, 1]))
    found = left(intersect([Support.of_table(np.array([rows])) for rows in ([2, 1, 0], [1, 1, 0])]), known)
    assert found.ruled_out == 0.25
    assert found.guessed == 0.75
    assert found.determined == 0
