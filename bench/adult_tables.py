"""Adult, and larger tables drawn from it, as the benches of recoding read them."""

from __future__ import annotations

import csv
import gzip
from typing import TYPE_CHECKING

import numpy as np

from sfumato.summary.classes import Classes, distinct_rows
from sfumato.table.attribute import Attribute
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Kind, Role

if TYPE_CHECKING:
    from pathlib import Path


def texts(shared: Path) -> dict[str, list[str]]:
    """The columns as they stand in the file."""
    with gzip.open(shared / "data" / "adult_arx" / "adult.csv.gz", "rt", newline="") as file:
        header, *rows = csv.reader(file, delimiter=";")
    return {name: list(cells) for name, cells in zip(header, zip(*rows, strict=True), strict=True)}


def attributes(shared: Path, names: list[str]) -> list[Attribute]:
    """Columns bound to ARX's hierarchies; ages are numbers."""
    out = []
    for name in names:
        path = shared / "data" / "adult_arx" / "hierarchies" / f"adult_hierarchy_{name}.csv"
        with path.open(newline="") as file:
            tree = Hierarchy.from_paths(name, [tuple(row) for row in csv.reader(file, delimiter=";") if row])
        kind = Kind.INTEGER if name == "age" else Kind.TEXT
        numbers = np.array([float(v) for v in tree.labels[0]]) if name == "age" else None
        out.append(Attribute(Column(name, Role.QUASI_IDENTIFYING, kind), tree, numbers))
    return out


def codes(shared: Path, columns: list[Attribute]) -> np.ndarray:
    """(30162, m) int64 leaf codes."""
    table = texts(shared)
    index = [{label: code for code, label in enumerate(a.hierarchy.labels[0])} for a in columns]
    return np.array([[i[v] for v in table[a.name]] for a, i in zip(columns, index, strict=True)]).T


def classes(rows: np.ndarray) -> Classes:
    """The distinct tuples with their counts."""
    distinct, member = distinct_rows(rows)
    counts = np.bincount(member, minlength=len(distinct))
    return Classes(distinct, rows=counts, alone=counts)


def independent(rows: np.ndarray, n: int, seed: int) -> np.ndarray:
    """n rows whose columns are drawn independently: very many distinct tuples."""
    rng = np.random.default_rng(seed)
    return np.stack([rows[rng.integers(0, len(rows), n), j] for j in range(rows.shape[1])], axis=1)


def altered(rows: np.ndarray, n: int, seed: int) -> np.ndarray:
    """n rows of the table, 8 % of three columns drawn anew: as many distinct tuples as a large census has."""
    rng = np.random.default_rng(seed)
    out = rows[rng.integers(0, len(rows), n)]
    for j in (1, 4, 7):
        some = np.flatnonzero(rng.random(n) < 0.08)
        out[some, j] = rows[rng.integers(0, len(rows), len(some)), j]
    return out
