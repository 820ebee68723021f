"""What releases leave possible, against tables of all persons and all values."""

import tracemalloc

import numpy as np
import pytest

from sfumato.attack import possible
from sfumato.attack.pairs import matches
from sfumato.attack.possible import Support, intersect, supports
from sfumato.errors import ParameterError
from sfumato.summary.classes import Classes
from sfumato.summary.histogram import Histogram
from sfumato.summary.published import read_published
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role


def twin(tables):
    """Least rows and shares of every person and value, each in a place of its own."""
    least = np.full(tables[0].shape, np.iinfo(np.int64).max)
    belief, told = np.ones(tables[0].shape), np.zeros(len(least), bool)
    for table in tables:
        total = table.sum(axis=1)
        seen = total > 0
        told |= seen
        least[seen] = np.minimum(least[seen], table[seen])
        belief[seen] *= table[seen] / total[seen, None]
    least[~told], belief[~told] = 0, 0.0
    sums = belief.sum(axis=1, keepdims=True)
    return least, np.divide(belief, sums, out=np.zeros_like(belief), where=sums > 0), told


def released(ages, labels, held, n_values):
    """A release with these labels of ages; `held` has a row of counts for each."""
    age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ages)
    illness = bind(Column("illness", Role.SENSITIVE), [f"i{v}" for v in range(n_values)])
    owner, value = np.nonzero(held)
    histogram = Histogram(illness, owner, value, held[owner, value], held.sum(axis=0))
    rows = held.sum(axis=1)
    return read_published(
        [age], [labels], Classes(np.arange(len(labels))[:, None], rows, rows, histograms=(histogram,))
    )


@pytest.mark.parametrize("at_once", [1, 7, 1 << 22])
def test_only_what_there_is_gives_what_all_places_give(monkeypatch, at_once):
    monkeypatch.setattr(possible, "_CELLS", at_once)
    rng = np.random.default_rng(1)
    for _ in range(150):
        n, n_values = rng.integers(1, 7), rng.integers(1, 6)
        tables = [rng.poisson(0.7, (n, n_values)) for _ in range(rng.integers(1, 4))]
        rows, belief, told = twin(tables)
        found = intersect([Support.of_table(table) for table in tables])
        assert (found.dense(found.rows) == rows).all()
        assert found.dense(found.belief) == pytest.approx(belief)
        assert (found.told[found.kind] == told).all()


@pytest.mark.parametrize("at_once", [1, 7, 1 << 22])
def test_classes_that_overlap_add_up_for_each_person(monkeypatch, at_once):
    monkeypatch.setattr(possible, "_CELLS", at_once)
    rng = np.random.default_rng(2)
    ages = [str(age) for age in range(8)]
    for _ in range(60):
        ends = [sorted(rng.integers(0, 8, 2)) for _ in range(rng.integers(1, 6))]
        ends = list(dict.fromkeys((int(low), int(high)) for low, high in ends))
        held = rng.poisson(0.8, (len(ends), 4))
        labels = [f"[{low}, {high}]" if low < high else str(low) for low, high in ends]
        slow = np.array(
            [sum((held[c] for c, (a, b) in enumerate(ends) if a <= age <= b), np.zeros(4, int)) for age in range(8)]
        )
        release = released(ages, labels, held, 4)
        found = intersect([supports(matches(release, np.arange(8)[:, None]), release.classes.histograms[0])])
        assert (found.dense(found.rows) == slow).all()


def test_a_class_is_written_down_once_whatever_its_persons_and_the_values_of_others():
    """All ages in one class, each value once: as many entries as values, and no place for each person and value."""
    n = 2000
    release = released([str(age) for age in range(n)], [f"[0, {n - 1}]"], np.ones((1, n), np.int64), n)
    codes = np.arange(n)[:, None]
    tracemalloc.start()
    table = supports(matches(release, codes), release.classes.histograms[0])
    found = intersect([table, table, table])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(table.key) == len(found.key) == n
    assert peak < 8 * n * n / 4


def test_of_several_releases_the_class_with_the_fewest_values_decides_how_much_is_looked_up(monkeypatch):
    """A release of one class with all values beside one of small classes: only the values of the small ones are looked up."""
    n, met = 300, []
    ages = [str(age) for age in range(n)]
    whole = released(ages, [f"[0, {n - 1}]"], np.ones((1, n), np.int64), n)
    pairs = [f"[{age}, {age + 1}]" for age in range(0, n, 2)]
    small = released(ages, pairs, np.repeat(np.eye(n // 2, dtype=np.int64), 2, axis=1), n)
    codes = np.arange(n)[:, None]
    looked_up = possible.placed
    monkeypatch.setattr(possible, "placed", lambda keys, wanted: met.append(len(wanted)) or looked_up(keys, wanted))
    found = intersect([supports(matches(one, codes), one.classes.histograms[0]) for one in (whole, small)])
    assert met == [n, n]
    assert np.bincount(found.key // n).tolist() == [2] * (n // 2)


def test_nothing_is_intersected_where_nothing_is_released():
    with pytest.raises(ParameterError, match="got none"):
        intersect([])
