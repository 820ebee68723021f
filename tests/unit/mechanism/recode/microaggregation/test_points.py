"""Where rows lie: scales, hierarchies, missing values, and the share that groups lose."""

import numpy as np
import pytest
from tests.unit.mechanism.recode.microaggregation.dense import vectors
from tests.unit.mechanism.recode.raw_tables import attributes

from sfumato.mechanism.recode.microaggregation.points import points_of, share_lost
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role


def table(seed=3, n=60):
    """Tuples of age, town and job with rows."""
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(0, size, n) for size in (8, 6, 3)], axis=1)
    return codes, rng.integers(1, 5, n)


def test_every_attribute_has_a_variance_of_one():
    codes, rows = table()
    for j, attribute in enumerate(attributes()):
        points = points_of([attribute], codes[:, [j]], rows)
        dense = np.repeat(vectors(points), rows, axis=0)
        number = 0 if attribute.positions is None else 1
        one_hot = dense[:, number:].var(axis=0).sum()
        assert one_hot == pytest.approx(1.0)
        if number:
            there = np.repeat(~np.isnan(attribute.positions[codes[:, j]]), rows)
            assert dense[there, 0].std(ddof=1) == pytest.approx(1.0)


def test_weights_multiply_squared_distances():
    plain = bind(Column("x", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["1", "2", "5"])
    heavy = bind(Column("x", Role.QUASI_IDENTIFYING, Kind.INTEGER, weight=4.0), ["1", "2", "5"])
    codes, ones = np.arange(3)[:, None], np.ones(3, np.int64)
    assert points_of([heavy], codes, ones).numbers == pytest.approx(2 * points_of([plain], codes, ones).numbers)


def test_towns_of_one_region_are_nearer_than_others():
    town = attributes()[1]
    points = points_of([town], np.arange(6)[:, None], np.ones(6, np.int64))
    rows = vectors(points)
    blois, vierzon, lyon, villeurbanne = rows[0], rows[4], rows[1], rows[5]
    assert ((blois - vierzon) ** 2).sum() < ((blois - lyon) ** 2).sum()
    assert ((lyon - villeurbanne) ** 2).sum() == pytest.approx(((blois - vierzon) ** 2).sum())


def test_a_constant_attribute_adds_nothing():
    for kind, value in ((Kind.INTEGER, "7"), (Kind.TEXT, "a")):
        one = bind(Column("x", Role.QUASI_IDENTIFYING, kind), [value])
        points = points_of([one], np.zeros((3, 1), np.int64), np.ones(3, np.int64))
        assert not vectors(points).any()


def test_the_lost_share_is_that_of_dense_vectors():
    codes, rows = table()
    points = points_of(attributes(), codes, rows)
    member = np.random.default_rng(1).integers(0, 7, len(rows))
    member[:7] = np.arange(7)
    dense, group = np.repeat(vectors(points), rows, axis=0), np.repeat(member, rows)
    within = sum(((dense[group == g] - dense[group == g].mean(axis=0)) ** 2).sum() for g in range(7))
    whole = ((dense - dense.mean(axis=0)) ** 2).sum()
    assert share_lost(points, rows, member) == pytest.approx(within / whole)
