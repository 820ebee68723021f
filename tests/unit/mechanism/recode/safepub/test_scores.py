"""Sensitivities of scores against all neighbors of all small tables, and the scores against sums over single rows."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.recode.full_domain.table import Table
from sfumato.mechanism.recode.safepub.public import UNITS, declared_shares
from sfumato.mechanism.recode.safepub.scores import SCORES, PreparedScore, Score
from sfumato.summary.classes import Classes
from sfumato.table.attribute import bind
from sfumato.table.hierarchy.groups import Groups
from sfumato.table.schema import Column, Role

TUPLES = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
NODES = [(0, 0), (0, 1), (1, 0), (1, 1)]


def attributes():
    spec = Groups(("a", "b"))
    column = Column("x", Role.QUASI_IDENTIFYING, hierarchy=spec)
    one = bind(column, ["a", "b"])
    return one, bind(replace(column, name="y"), ["a", "b"])


def table_of(counts):
    present = np.array(counts) > 0
    rows = np.array(counts)[present]
    return Classes(TUPLES[present], rows, rows)


def score_of(name, k):
    return Score(name, k, 1 if name == "classification" else None)


def values(name, k, counts, bound):
    """The score of every node, exactly."""
    finest = table_of(counts)
    prepared = PreparedScore(score_of(name, k), bound, finest.n_rows)
    table = Table(finest, (0, 0), bound)
    return [Fraction(prepared.value(node, table.at(node)), prepared.denominator) for node in NODES]


def largest_change(name, k, tables, bound):
    """The most by which one row changes any node's score."""
    most = Fraction(0)
    for counts in tables:
        before = values(name, k, counts, bound)
        for place in range(4):
            more = [n + (i == place) for i, n in enumerate(counts)]
            after = values(name, k, more, bound)
            most = max(most, *(abs(a - b) for a, b in zip(after, before, strict=True)))
    return most


def small_tables(k):
    return [counts for counts in product(range(4), repeat=4) if 0 < sum(counts) and max(counts) <= k + 1]


def long_tables(k):
    """Tables in which one class is about to be published beside none, one or two large ones."""
    return [(n, k - 1, m, rest) for n in (1, k, 200) for m in (0, k, 300) for rest in (0, k - 1)]


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("k", [2, 3])
def test_one_row_changes_a_score_by_no_more_than_its_sensitivity(name, k):
    found = largest_change(name, k, [*small_tables(k)[::6], *long_tables(k)], attributes())
    assert 0 < found <= score_of(name, k).sensitivity(2)


@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("classes", 1),
        ("precision", 1),
        ("classification", 1),
        ("discernibility", 0.95),
        ("entropy", 0.95),
        ("loss", 0.4),
    ],
)
def test_the_sensitivity_is_nearly_reached(name, share):
    k = 10
    reached = largest_change(name, k, long_tables(k), attributes())
    assert reached >= share * score_of(name, k).sensitivity(2)


def test_a_sensitivity_that_is_too_small_is_found_out():
    """The broken twin: k - 1 instead of k for discernibility."""
    k = 10
    assert largest_change("discernibility", k, long_tables(k), attributes()) > k - 1


@pytest.mark.parametrize("name", SCORES)
def test_scores_are_sums_over_single_rows(name):
    k, counts, bound = 3, (5, 2, 1, 4), attributes()
    rows = [tuple(TUPLES[i]) for i, n in enumerate(counts) for _ in range(n)]
    for node, found in zip(NODES, values(name, k, counts, bound), strict=True):
        coded = [tuple(0 if level else code for code, level in zip(row, node, strict=True)) for row in rows]
        published = [row for row in coded if coded.count(row) >= k]
        suppressed, n = len(rows) - len(published), len(rows)
        expected = {
            "classes": len(set(published)) + (suppressed > 0),
            "loss": -sum(1 if level else Fraction(1, 2) for _ in published for level in node) - 2 * suppressed,
            "precision": -sum(node) * len(published) - 2 * suppressed,
            "discernibility": -Fraction(sum(published.count(row) for row in published), n) - suppressed,
            "entropy": -sum(
                Fraction(sum([row[j] for row in published].count(row[j]) for row in published), n) + suppressed
                for j in range(2)
            ),
            "classification": sum(
                max(sum(row == (x, y) for row in published) for y in (0, 1)) for x in {row[0] for row in published}
            ),
        }[name]
        assert found == expected


def test_the_rate_is_epsilon_over_twice_the_sensitivity():
    prepared = PreparedScore(score_of("loss", 5), attributes(), 100)
    assert prepared.rate(Fraction(1)) == Fraction(1, 2 * 4 * 2 * UNITS)


def test_shares_do_not_depend_on_which_values_the_table_holds():
    column = Column("x", Role.QUASI_IDENTIFYING, hierarchy=Groups(("a", "b", "c")))
    full, missing = bind(column, ["a", "b", "c"]), bind(column, ["a", None])
    assert declared_shares(full, 0).tolist() == [349526] * 3
    assert declared_shares(missing, 0).tolist() == [349526] * 4
    assert declared_shares(missing, 1).tolist() == declared_shares(full, 1).tolist() == [UNITS]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("best", 5, None), "`score` must be one of"), (("loss", 1, None), "whole number from 2"), (("loss", 5, 0), "has a target"),
     (("classification", 5, None), "has a target")],
)  # fmt: skip
def test_wrong_scores_are_refused(arguments, message):
    with pytest.raises(ParameterError, match=message):
        Score(*arguments)
