"""All that one person may contribute on tiny domains, added up slowly, and what mechanisms add noise to."""

from itertools import combinations_with_replacement, product

import numpy as np

from sfumato.mechanism.central.additive import AdditiveNoise
from sfumato.table.unit import Neighbors, Unit

UNITS = [
    Unit.row(Neighbors.ADD_REMOVE),
    Unit.row(Neighbors.REPLACE),
    Unit(Neighbors.ADD_REMOVE, "who", rows=2, keys=2),
    Unit(Neighbors.REPLACE, "who", rows=2, keys=2),
    Unit(Neighbors.REPLACE, "who", rows=1, keys=2),
]


def persons(unit, groups, cells):
    """Every multiset of rows (group, cell, …) within the unit's limits; a person without rows too."""
    found = []
    bags = [bag for n in range(unit.rows + 1) for bag in combinations_with_replacement(cells, n)]
    for bag_of in product(bags, repeat=groups):
        if sum(bool(bag) for bag in bag_of) <= unit.keys:
            found.append([(group, cell) for group, bag in enumerate(bag_of) for cell in bag])
    return found


def totals(terms, columns, groups, rows):
    """(n_terms, groups) by a loop over rows (group, cell); a cell is a tuple of one place for each column, or None."""
    out = np.zeros((len(terms), groups), np.int64)
    for group, cell in rows:
        if cell is None:
            continue
        for i, term in enumerate(terms):
            value = 1
            for column, center in term.factors:
                value *= cell[columns.index(column)] - center
            out[i, group] += value
    return out


def differences(neighbors, contributions):
    """How two neighboring tables differ: in one person's contribution, or in those of two."""
    vectors = np.unique(np.array([c.ravel() for c in contributions]), axis=0)
    if neighbors is Neighbors.ADD_REMOVE:
        return vectors
    return (vectors[:, np.newaxis] - vectors[np.newaxis]).reshape(-1, vectors.shape[1])


def watched(monkeypatch):
    """From now on no noise is added; what it would have been added to is kept in the list."""
    seen = []

    def add(self, numbers, *, bits):
        seen.append(np.array(numbers))
        return numbers

    monkeypatch.setattr(AdditiveNoise, "add", add)
    return seen


def vectors(monkeypatch, mechanism, columns, groups, tables):
    """The whole numbers to which the mechanism adds noise, for each table."""
    seen = watched(monkeypatch)
    out = []
    for rows in tables:
        seen.clear()
        mechanism.decide(totals(mechanism.terms, columns, groups, rows), confidence=0.9, bits=None)
        out.append([np.atleast_2d(part) for part in seen])
    return out
