"""The small tables from which examples in docstrings start."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.summary.classes import Classes
from sfumato.summary.histogram import Histogram, distribution_of
from sfumato.summary.published import read_published
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.histogram import Distribution
    from sfumato.summary.published import Published
    from sfumato.types import IntArray


def classes_with_illness(counts: Sequence[Sequence[int]]) -> Classes:
    """Classes whose sensitive column "illness" has the given counts (n_classes, n_values).

    Example:
        >>> classes_with_illness([[3, 0], [1, 1]]).persons.tolist()
        [3, 2]
    """
    dense = np.array(counts, np.int64)
    owner, value = np.nonzero(dense)
    illness = bind(Column("illness", Role.SENSITIVE), [chr(ord("a") + i) for i in range(dense.shape[1])])
    histogram = Histogram(illness, owner, value, dense[owner, value], dense.sum(axis=0))
    persons = dense.sum(axis=1)
    return Classes(np.arange(len(dense))[:, None], rows=persons, alone=persons, histograms=(histogram,))


def asking(table: Classes, column: str, asks: Sequence[int]) -> Classes:
    """The same classes, in each of which one person asks for so much in a column that is not published.

    Example:
        >>> asking(classes_with_illness([[3, 0], [1, 1]]), "wish", [2, 0]).beside[0].count.tolist()
        [1, 1]
    """
    values = sorted(set(asks))
    wishes = bind(Column(column, Role.IDENTIFYING, Kind.INTEGER), [str(value) for value in values])
    value = np.array([values.index(one) for one in asks], np.int64)
    ones = np.ones(len(value), np.int64)
    total = np.bincount(value, minlength=max(len(values), 1))
    return replace(table, beside=(Histogram(wishes, np.arange(len(value)), value, ones, total),))


def illness(counts: Sequence[Sequence[int]]) -> Distribution:
    """The distribution of that column.

    Example:
        >>> illness([[3, 0], [1, 1]]).sizes.tolist()
        [3, 2]
    """
    return distribution_of(classes_with_illness(counts), "illness")


def release_by_age(labels: Sequence[str], rows: Sequence[int]) -> Published:
    """A release of one column of the ages 17, 20 and 37, with one class for each label.

    Example:
        >>> release_by_age(["17", "[20, 37]"], [1, 2]).spans[0].n_leaves.tolist()
        [1, 2]
    """
    age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["17", "20", "37"])
    return read_published([age], [labels], _counted(np.arange(len(rows))[:, None], rows))


def release_of_pairs(cells: Sequence[tuple[str, str]], rows: Sequence[int]) -> Published:
    """A release of two text columns, with one class for each pair of distinct values.

    Example:
        >>> release_of_pairs([("a", "x"), ("b", "x")], [2, 1]).labels
        (('a', 'b'), ('x',))
    """
    columns = [sorted(set(column)) for column in zip(*cells, strict=True)]
    attributes = [bind(Column(f"c{j}", Role.QUASI_IDENTIFYING), values) for j, values in enumerate(columns)]
    codes = np.array([[values.index(cell) for values, cell in zip(columns, row, strict=True)] for row in cells])
    return read_published(attributes, columns, _counted(codes, rows))


def _counted(codes: IntArray, rows: Sequence[int]) -> Classes:
    """Classes of so many rows, each of one person."""
    return Classes(codes, rows=np.array(rows, np.int64), alone=np.array(rows, np.int64))
