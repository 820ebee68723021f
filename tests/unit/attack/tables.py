"""Small random releases whose labels overlap, and slow twins that read them cell by cell."""

import numpy as np

from sfumato.summary.classes import Classes, distinct_rows
from sfumato.summary.histogram import Histogram
from sfumato.summary.published import read_published
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role

AGES = ["17", "20", "25", "37", "40", "61"]
TOWNS = ["Blois", "Bourges", "Lyon", "Tours"]
AGE_LABELS = ["17", "20", "[17, 25]", "[20, 37]", ">= 37", "*", "{17, 61}", "nonsense"]
TOWN_LABELS = ["Blois", "Lyon", "{Blois, Tours}", "{Bourges, Lyon}", "*"]
MEANS = {
    "17": {0}, "20": {1}, "[17, 25]": {0, 1, 2}, "[20, 37]": {1, 2, 3}, ">= 37": {3, 4, 5}, "*": set(range(6)),
    "{17, 61}": {0, 5}, "nonsense": set(), "Blois": {0}, "Lyon": {2}, "{Blois, Tours}": {0, 3}, "{Bourges, Lyon}": {1, 2},
}  # fmt: skip


def meaning(label, column):
    """The leaf codes that a label stands for."""
    return MEANS[label] if (label, column) != ("*", 1) else set(range(4))


def attributes():
    """Age and town."""
    age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), AGES)
    return [age, bind(Column("town", Role.QUASI_IDENTIFYING), TOWNS)]


def illness(n_values=3):
    """The sensitive column."""
    return bind(Column("illness", Role.SENSITIVE), [chr(ord("a") + i) for i in range(n_values)])


def counted(codes, values, n_values=3):
    """Classes of single persons with a value each."""
    distinct, member = distinct_rows(np.asarray(codes))
    keys, count = np.unique(member * n_values + np.asarray(values), return_counts=True)
    rows = np.bincount(member, minlength=len(distinct))
    total = np.bincount(values, minlength=n_values)
    kept = Histogram(illness(n_values), keys // n_values, keys % n_values, count, total)
    return Classes(distinct, rows=rows, alone=rows, histograms=(kept,))


def release(rng, n_rows=40):
    """Random labels: no method would publish them, and no attack may rely on one that would."""
    codes = np.stack((rng.integers(0, len(AGE_LABELS), n_rows), rng.integers(0, len(TOWN_LABELS), n_rows)), axis=1)
    return read_published(attributes(), [AGE_LABELS, TOWN_LABELS], counted(codes, rng.integers(0, 3, n_rows)))


def persons(rng, n=30):
    """Leaf codes of random persons."""
    return np.stack((rng.integers(0, 6, n), rng.integers(0, 4, n)), axis=1)


def fits(published, row, person):
    """Whether labels stand for the values of a person, read from the texts."""
    return all(
        code == -1 or int(person[j]) in meaning(published.labels[j][code], j) for j, code in enumerate(row.tolist())
    )
