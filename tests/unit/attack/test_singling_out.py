"""Descriptions that fit one person, and the luck that some have."""

import numpy as np
import pytest
from tests.unit.attack.tables import counted, fits, persons, release

from sfumato.attack import lookup, pairs
from sfumato.attack.singling_out import (
    ANY,
    Persons,
    Predicates,
    luck,
    of_classes,
    of_labels,
    of_values,
    satisfied_by,
    weight_if_independent,
)
from sfumato.summary.histogram import distribution_of
from sfumato.testing.examples import release_of_pairs


def people(rng, n=60):
    classes = counted(persons(rng, n), rng.integers(0, 3, n))
    d = distribution_of(classes, "illness")
    return Persons(classes.codes[d.owner], d.value, d.count)


@pytest.mark.parametrize("seed", range(3))
def test_persons_who_fit_are_those_counted_cell_by_cell(seed):
    rng = np.random.default_rng(seed)
    table, known = release(rng), people(rng)
    d = distribution_of(table.classes, "illness")
    for predicates in (of_labels(table), of_classes(table), of_values(table, d)):
        slow = [
            sum(
                int(count)
                for person, value, count in zip(known.codes, known.value, known.count, strict=True)
                if fits(table, row, person) and asked in {ANY, value}
            )
            for row, asked in zip(predicates.rows, predicates.value, strict=True)
        ]
        assert satisfied_by(table, predicates, known).tolist() == slow


@pytest.mark.parametrize("seed", range(60))
def test_looking_at_whom_the_rarest_label_holds_finds_all_who_fit(seed, monkeypatch):
    """Whatever columns are asked about, also none, in small parts, for everybody's table: as cell by cell."""
    rng = np.random.default_rng(seed)
    monkeypatch.setattr(pairs, "PER_LOOKED_AT", 1)
    monkeypatch.setattr(lookup, "_AT_ONCE", int(rng.integers(1, 60)))
    table, known = release(rng), people(rng, int(rng.integers(1, 60)))
    codes = table.classes.codes
    rows = np.where(rng.random(codes.shape) < rng.random(), ANY, codes)
    value = rng.integers(ANY, 3, len(rows))
    said = Predicates(rows, value, np.ones(len(rows), np.int64))
    slow = [
        sum(
            int(count)
            for person, had, count in zip(known.codes, known.value, known.count, strict=True)
            if fits(table, row, person) and asked in {ANY, had}
        )
        for row, asked in zip(rows, value, strict=True)
    ]
    assert pairs.rarest_first(table, rows, known.codes) is not None
    assert satisfied_by(table, said, known).tolist() == slow


def test_a_label_of_thousands_is_compared_with_those_whom_it_holds(monkeypatch):
    """Two columns of n and three labels, n descriptions, n persons: n pairs are looked at, not n squared."""
    n, looked = 2000, []
    table = release_of_pairs([(f"{i:04}", "abc"[i % 3]) for i in range(n)], [1] * n)
    part = lookup.Part
    monkeypatch.setattr(lookup, "Part", lambda n_looked, *told: looked.append(n_looked) or part(n_looked, *told))
    known = Persons(table.classes.codes, np.full(n, ANY), np.ones(n, np.int64))
    assert satisfied_by(table, of_classes(table), known).tolist() == [1] * n
    assert sum(looked) == 2 * n  # each label with the one group that it holds, each of these with one person


def test_counts_of_predicates_are_read_off_the_release():
    table = release(np.random.default_rng(3))
    assert of_labels(table).count.sum() == 2 * table.classes.n_rows
    assert of_classes(table).count.sum() == table.classes.n_rows
    assert of_values(table, distribution_of(table.classes, "illness")).count.sum() == table.classes.n_rows


def test_the_rarest_come_first_and_equals_by_chance():
    table = release(np.random.default_rng(4))
    every = of_classes(table)
    kept = every.rarest(5, rng=np.random.default_rng(0))
    assert kept.count.tolist() == sorted(every.count)[:5]
    other = every.rarest(5, rng=np.random.default_rng(1))
    assert not np.array_equal(kept.rows, other.rows)


def test_weights_multiply_the_shares_of_columns_and_value():
    rng = np.random.default_rng(5)
    table, known = release(rng), people(rng)
    predicates = of_values(table, distribution_of(table.classes, "illness"))
    n = known.count.sum()

    def alone(j):
        rows = np.full_like(predicates.rows, ANY)
        rows[:, j] = predicates.rows[:, j]
        return satisfied_by(table, Predicates(rows, np.full(len(rows), ANY), predicates.count), known) / n

    value = np.array([known.count[known.value == v].sum() / n for v in predicates.value])
    assert weight_if_independent(table, predicates, known) == pytest.approx(alone(0) * alone(1) * value)


def test_luck_is_how_often_one_of_n_persons_fits():
    """20,000 fresh tables; five standard deviations: a false alarm in 2 million runs."""
    rng, n, w, runs = np.random.default_rng(6), 50, 0.03, 20_000
    seen = np.count_nonzero(rng.binomial(n, w, runs) == 1)
    p = float(luck(np.array([w]), n)[0])
    assert abs(seen - runs * p) < 5 * np.sqrt(runs * p * (1 - p))
    assert luck(np.array([1 / n]), n)[0] == pytest.approx(np.exp(-1), rel=0.02)
