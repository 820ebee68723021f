"""Classes at a node, counted from any finer table, equal those that `roll_up` makes."""

import numpy as np
import pytest

from sfumato.mechanism.recode.full_domain import table as module
from sfumato.mechanism.recode.full_domain.table import Table
from sfumato.summary.classes import Classes, distinct_rows, roll_up
from sfumato.table.attribute import Attribute
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Role

NODES = [(0, 0, 0), (1, 0, 2), (3, 0, 1), (3, 3, 3), (2, 1, 0)]


@pytest.fixture
def small():
    """200 rows of three attributes with eight leaves each; some tuples are known from the population only."""
    rng = np.random.default_rng(3)
    paths = [(str(v), f"a{v // 2}", f"b{v // 4}", "*") for v in range(8)]
    attributes = [
        Attribute(Column(f"q{j}", Role.QUASI_IDENTIFYING), Hierarchy.from_paths(f"q{j}", paths), None) for j in range(3)
    ]
    codes, member = distinct_rows(rng.integers(0, 8, (200, 3)))
    population = np.bincount(member)
    rows = np.where(np.arange(len(codes)) % 3 == 0, 0, population)
    return Classes(codes, rows, rows, population=population), attributes


@pytest.mark.parametrize("limits", [(1 << 14, 32, 2**62), (4, 32, 2**62), (4, 0, 2**62), (4, 0, 2)])
def test_every_way_of_counting_gives_the_same_classes(small, monkeypatch, limits):
    """Large and small blocks; dense and sorted; keys that fit and keys that do not."""
    for name, value in zip(("BLOCK", "DENSE", "KEY_LIMIT"), limits, strict=True):
        monkeypatch.setattr(module, name, value)
    finest, attributes = small
    for levels in NODES:
        expected, _ = roll_up(finest, attributes, levels)
        got = Table(finest, (0, 0, 0), attributes).at(levels).classes
        for field in ("codes", "rows", "alone", "population"):
            assert getattr(got, field).tolist() == getattr(expected, field).tolist()


def test_a_coarser_table_serves_as_well_as_the_finest(small):
    finest, attributes = small
    base = Table(finest, (0, 0, 0), attributes).at((1, 0, 1)).classes
    got = Table(base, (1, 0, 1), attributes).at((3, 1, 1)).classes
    expected, _ = roll_up(finest, attributes, (3, 1, 1))
    assert got.codes.tolist() == expected.codes.tolist()
    assert got.rows.tolist() == expected.rows.tolist()
