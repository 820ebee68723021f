"""A sample beside its table: counts of both in the same classes."""

from fractions import Fraction

import numpy as np
import pytest

from sfumato.document.plan import SampleTable
from sfumato.errors import PlanError
from sfumato.release.sampling import probability_from, with_population
from sfumato.summary.classes import Classes, Spread
from sfumato.summary.places import places


def counted(codes, persons=None):
    """Classes of the rows, one person each unless told."""
    distinct, member = np.unique(codes, axis=0, return_inverse=True)
    rows = np.bincount(member.ravel(), minlength=len(distinct))
    if persons is None:
        return Classes(distinct, rows, rows)
    pairs = np.unique(np.stack((member.ravel(), persons)), axis=1)
    return Classes(distinct, rows, np.zeros_like(rows), Spread(pairs[0], pairs[1]))


def test_each_class_has_the_rows_of_the_sample_and_the_persons_of_the_table():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 4, (300, 3))
    kept = rng.random(300) < 0.2
    found = with_population(counted(codes[kept]), counted(codes))
    for code, f, population in zip(found.codes, found.rows, found.population, strict=True):
        same = np.all(codes == code, axis=1)
        assert (f, population) == ((same & kept).sum(), same.sum())
    assert found.n_rows == kept.sum()


def test_persons_of_several_rows_count_once():
    codes, persons = np.array([[0], [0], [1], [2]]), np.array([7, 7, 7, 8])
    found = with_population(counted(codes[2:], persons[2:]), counted(codes, persons))
    assert found.persons.tolist() == [0, 1, 1]
    assert found.population.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("given", "exact"), [(0.1, Fraction(1, 10)), ("1/3", Fraction(1, 3)), ("0.25", Fraction(1, 4))]
)
def test_a_probability_is_read_exactly(given, exact):
    assert probability_from(SampleTable(probability=given)) == exact


@pytest.mark.parametrize("given", [0, 1, 1.5, "x", True, float("nan"), "1/0"])
def test_no_other_probability_is_read(given):
    with pytest.raises(PlanError, match=r"above 0 and below 1|must be finite"):
        probability_from(SampleTable(probability=given))


def test_places_agree_with_a_search_by_hand():
    rng = np.random.default_rng(2)
    among = np.unique(rng.integers(0, 5, (40, 2)), axis=0)
    codes = rng.integers(0, 7, (100, 2))
    for code, place in zip(codes, places(codes, among), strict=True):
        hits = np.flatnonzero(np.all(among == code, axis=1))
        assert place == (hits[0] if len(hits) else -1)
    assert places(np.zeros((0, 2), np.int64), among).shape == (0,)
    assert places(codes, among[:0]).tolist() == [-1] * 100
