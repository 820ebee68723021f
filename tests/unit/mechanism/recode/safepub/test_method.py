"""SafePub as a whole: what is published is a function of the tuple, large classes only, and honest about the rest."""

from dataclasses import replace
from fractions import Fraction
from math import comb, log

import numpy as np
import pytest

from sfumato.errors import ParameterError, PlanError
from sfumato.mechanism.recode.decision import silent
from sfumato.mechanism.recode.safepub.method import GivenLevels, SafePubMethod, Searched, sampled_rows
from sfumato.mechanism.recode.safepub.public import check_public
from sfumato.mechanism.recode.safepub.search import NodeSearch, Walk
from sfumato.summary.classes import Classes
from sfumato.table.attribute import bind
from sfumato.table.hierarchy.balanced import Balanced
from sfumato.table.hierarchy.groups import Group, Groups
from sfumato.table.hierarchy.masking import Masking
from sfumato.table.schema import Column, Role
from sfumato.testing.seeded_bits import SeededBits

HALF = Fraction(1, 2)


def attributes():
    spec = Groups((Group(("a", "b"), "low"), Group(("c", "d"), "high")))
    column = Column("x", Role.QUASI_IDENTIFYING, hierarchy=spec)
    return bind(column, ["a", "b", "c", "d"]), bind(Column("y", Role.QUASI_IDENTIFYING), ["0", "1"])


def table(seed=1, n=400):
    rng = np.random.default_rng(seed)
    codes, rows = np.unique(
        np.stack((rng.integers(0, 4, n), rng.integers(0, 2, n)), axis=1), axis=0, return_counts=True
    )
    return Classes(codes, rows, rows)


def decided(choice, *, k=30, seed=3, finest=None):
    return SafePubMethod(k, HALF, choice, SeededBits(seed), silent).decide(finest or table(), attributes())


def test_only_large_classes_of_sampled_rows_are_published():
    finest = table()
    found = decided(GivenLevels({"x": 1, "y": 0}))
    assert found.levels == (1, 0)
    assert (found.published.rows >= 30).all()
    assert found.suppressed_rows == finest.n_rows - found.published.n_rows
    step = found.step
    assert step.labels[0] == tuple(("low", "high")[c] for c in found.published.codes[:, 0])
    to = np.bincount(step.splits.member[step.splits.member >= 0], weights=step.splits.rows[step.splits.member >= 0])
    assert to.tolist() == found.published.rows.tolist()
    each = np.bincount(step.splits.tuple_, weights=step.splits.rows)
    assert each.tolist() == finest.rows.tolist()
    for tuple_, member in zip(step.splits.tuple_, step.splits.member, strict=True):
        if member >= 0:
            x, y = finest.codes[tuple_]
            assert found.published.codes[member].tolist() == [x // 2, y]


def test_where_no_class_is_large_nothing_is_published():
    found = decided(GivenLevels({"x": 0, "y": 0}), k=1000)
    assert found.published.n_rows == 0
    assert found.suppressed_rows == 400


def test_searched_levels_are_those_of_the_lattice():
    for walk, steps in ((Walk.WHOLE, None), (Walk.TOP_DOWN, 3)):
        found = decided(Searched(NodeSearch(walk, Fraction(1), steps), "precision", None))
        assert all(0 <= level <= top for level, top in zip(found.levels, (2, 1), strict=True))
        assert "nodes were scored" in found.search.statement
        assert not found.search.optimal


def test_a_target_is_one_of_the_columns():
    search = NodeSearch(Walk.WHOLE, Fraction(1), None)
    assert decided(Searched(search, "classification", "y")).levels is not None
    with pytest.raises(ParameterError, match="must be one of the quasi-identifiers"):
        decided(Searched(search, "classification", "z"))


@pytest.mark.parametrize("levels", [{"x": 1}, {"x": 3, "y": 0}, {"x": -1, "y": 0}])
def test_levels_must_be_there(levels):
    with pytest.raises(ParameterError, match="a level from 0 to"):
        decided(GivenLevels(levels))


def test_rows_are_sampled_one_by_one():
    """False alarm: 1e-6 in all, by Hoeffding for each count."""
    n, chance = 20_000, Fraction(1, 3)
    found = sampled_rows(np.full(n, 4), chance, bits=SeededBits(9))
    for j in range(5):
        law = comb(4, j) * (1 / 3) ** j * (2 / 3) ** (4 - j)
        assert abs(np.mean(found == j) - law) <= (log(1e7) / (2 * n)) ** 0.5


def test_what_leaves_depends_on_the_tuple_alone():
    """Populations, histograms and persons of the classes are not read."""
    plain = table()
    rich = replace(plain, population=plain.rows + 5, personal_k=plain.rows)
    search = Searched(NodeSearch(Walk.WHOLE, Fraction(1), None), "entropy", None)
    one, two = decided(search, finest=plain), decided(search, finest=rich)
    assert one.levels == two.levels
    assert one.published.rows.tolist() == two.published.rows.tolist()
    assert two.published.population is None


@pytest.mark.parametrize(
    ("spec", "with_shares", "message"),
    [
        (Balanced(2), False, "made from its frequencies"),
        (Masking("right"), False, "must have a declared width"),
        (Masking("right", 5), True, "all values that 'x' may have"),
        (None, True, "all values that 'x' may have"),
    ],
)
def test_hierarchies_that_the_table_has_a_say_in_are_refused(spec, with_shares, message):
    with pytest.raises(PlanError, match=message):
        check_public([Column("x", Role.QUASI_IDENTIFYING, hierarchy=spec)], with_shares=with_shares)


def test_declared_hierarchies_are_public():
    declared = Column("x", Role.QUASI_IDENTIFYING, hierarchy=Groups(("a", "b")))
    check_public([declared], with_shares=True)
    check_public([declared, Column("y", Role.QUASI_IDENTIFYING)], with_shares=False)
