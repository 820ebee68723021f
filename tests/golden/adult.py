"""The Adult table with ARX's hierarchies, as attributes and classes; what golden tests start from."""

import csv
import gzip
import json
from functools import cache
from pathlib import Path

import numpy as np

from sfumato.summary.classes import Classes, distinct_rows
from sfumato.summary.histogram import Histogram
from sfumato.table.attribute import Attribute
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Kind, Role

NINE = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
)
"""All columns of Adult, in the order of the file: the nine quasi-identifiers of the reference."""


@cache
def columns(shared: Path) -> dict[str, np.ndarray]:
    """Each column of adult.csv as an array of text."""
    with gzip.open(_folder(shared) / "adult.csv.gz", "rt", newline="") as file:
        header, *rows = csv.reader(file, delimiter=";")
    return {name: np.array(cells) for name, cells in zip(header, zip(*rows, strict=True), strict=True)}


@cache
def reference(shared: Path) -> dict:
    """The recorded answers of ARX."""
    return json.loads((shared / "reference" / "arx_reference.json").read_text())


@cache
def hierarchy(shared: Path, name: str) -> Hierarchy:
    """The hierarchy that ARX ships for one column."""
    path = _folder(shared) / "hierarchies" / f"adult_hierarchy_{name}.csv"
    with path.open(newline="") as file:
        return Hierarchy.from_paths(name, [tuple(row) for row in csv.reader(file, delimiter=";") if row])


def attribute(shared: Path, name: str, *, weight: float = 1.0, role: Role = Role.QUASI_IDENTIFYING) -> Attribute:
    """One column of Adult bound to its hierarchy; ages have positions."""
    tree = hierarchy(shared, name)
    if name != "age":
        return Attribute(Column(name, role, weight=weight), tree, None)
    numbers = np.array([float(label) for label in tree.labels[0]])
    return Attribute(Column(name, role, Kind.INTEGER, weight=weight), tree, numbers)


def attributes(shared: Path, names=NINE, weights=None) -> tuple[Attribute, ...]:
    """Several columns of Adult as quasi-identifiers."""
    return tuple(attribute(shared, name, weight=(weights or {}).get(name, 1.0)) for name in names)


@cache
def leaf_codes(shared: Path, name: str) -> np.ndarray:
    """(30162,) int64, leaf code of each row."""
    index = {label: code for code, label in enumerate(hierarchy(shared, name).labels[0])}
    return np.array([index[value] for value in columns(shared)[name]], dtype=np.int64)


def classes(shared: Path, names=NINE, *, sensitive=(), subset: np.ndarray | None = None) -> Classes:
    """The finest classes of Adult; `subset` (30162,) bool marks the rows to be published of a population."""
    distinct, member = _finest(shared, tuple(names))
    n = len(distinct)
    everyone = np.bincount(member, minlength=n)
    inside = np.ones(len(member), bool) if subset is None else subset
    rows = np.bincount(member[inside], minlength=n)
    return Classes(
        distinct,
        rows=rows,
        alone=rows,
        population=None if subset is None else everyone,
        histograms=tuple(_histogram(shared, name, member, inside) for name in sensitive),
    )


@cache
def _finest(shared: Path, names: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Distinct tuples of some columns, and that of each row: most tests begin with them, and they are found once."""
    return distinct_rows(np.stack([leaf_codes(shared, name) for name in names], axis=1))


def _histogram(shared: Path, name: str, member: np.ndarray, inside: np.ndarray) -> Histogram:
    """Counts of the values of a sensitive column in each class; totals are of the published rows."""
    column = attribute(shared, name, role=Role.SENSITIVE)
    values = leaf_codes(shared, name)
    n_values = column.hierarchy.n_leaves
    key, count = np.unique(member[inside] * n_values + values[inside], return_counts=True)
    total = np.bincount(values[inside], minlength=n_values)
    return Histogram(column, key // n_values, key % n_values, count, total)


def every_tenth(shared: Path) -> np.ndarray:
    """(30162,) bool: rows 0, 10, 20, …: the research subset of the reference."""
    return np.arange(len(columns(shared)["sex"])) % 10 == 0


def _folder(shared: Path) -> Path:
    return shared / "data" / "adult_arx"
