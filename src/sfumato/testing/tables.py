"""Random tables, questions and recipes for engine tests: Hypothesis strategies over small domains.

Needs Hypothesis, which is a dependency of the tests only.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from sfumato.frozen import dataclass
from sfumato.recipe.recipe import Recipe, Suppressed
from sfumato.recipe.steps import Assign, Bucket, Deal, Randomize, Recode, Replace, Rewrite, Splits, Suppress
from sfumato.recipe.steps import Drop as DropColumn
from sfumato.summary.ask import Tuples
from sfumato.table.attribute import Attribute
from sfumato.table.hierarchy.tree import ROOT, Hierarchy
from sfumato.table.schema import Column, Role
from sfumato.testing.engine_twin import Cell, Row, text_of, tuple_of
from sfumato.testing.strategies import picked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.noise.bits import Bits
    from sfumato.recipe.steps import ColumnStep
    from sfumato.types import IntArray

_CELLS: dict[str, tuple[Cell, ...]] = {
    "zip": ("01000", "1000", "", " a", 'say "x", y', "?", None),
    "age": (7, 5, -3, 40, None),
    "born": (date(1999, 12, 31), date(2000, 1, 1), date(1960, 2, 29), None),
    "smokes": (True, False, None),
    "illness": ("flu", "gout", "?", None, "Grippe, schwere"),
    "ward": ("a", "b"),
}
"""Cells of each column of a random table; some are spelled to be mistaken."""
SENSITIVE = ("illness", "ward")
QUASI_IDENTIFIERS = ("zip", "age", "born", "smokes")


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A random table and its attributes by name."""

    rows: list[Row]
    attributes: dict[str, Attribute]

    @property
    def quasi_identifiers(self) -> tuple[Attribute, ...]:
        """The quasi-identifiers."""
        return tuple(self.attributes[name] for name in QUASI_IDENTIFIERS)

    @property
    def tuples(self) -> list[tuple[int, ...]]:
        """The distinct finest tuples, sorted."""
        return sorted({tuple_of(self.quasi_identifiers, row) for row in self.rows})


@st.composite
def cases(draw: st.DrawFn, max_rows: int = 12) -> Case:
    """A random table with person, wish and mark columns, and a tree for each other column.

    Rows repeat a few tuples of quasi-identifiers, so that classes of several rows are usual.
    """
    n = draw(st.integers(0, max_rows))
    pool = draw(st.lists(st.tuples(*(st.sampled_from(cells) for cells in _CELLS.values())), min_size=1, max_size=4))
    tuples = draw(picked(pool, n))
    columns: dict[str, Sequence[Cell]] = {name: [row[j] for row in tuples] for j, name in enumerate(_CELLS)}
    for name in SENSITIVE:
        columns[name] = draw(picked(_CELLS[name], n))
    columns["person"] = draw(picked((1, 2, 3, 4), n))
    columns["wish"] = draw(picked((1, 2, 5, None), n))
    columns["mark"] = draw(picked((False, True), n))
    rows = [{name: cells[i] for name, cells in columns.items()} for i in range(n)]
    return Case(rows, {name: draw(_attributes(name, cells)) for name, cells in _CELLS.items()})


@st.composite
def _attributes(draw: st.DrawFn, name: str, cells: tuple[Cell, ...]) -> Attribute:
    """A column with a random tree of height two over its possible values and one more."""
    values = draw(st.permutations(sorted({t for c in cells if (t := text_of(c)) is not None} | {"10"})))
    groups = draw(picked("pq", len(values)))
    tree = Hierarchy.from_paths(name, [(v, g, ROOT) for v, g in zip(values, groups, strict=True)])
    return Attribute(Column(name, Role.QUASI_IDENTIFYING), tree.with_missing(), None)


@st.composite
def asks(draw: st.DrawFn, case: Case) -> Tuples:
    """A question about a case."""
    some = draw(st.lists(st.sampled_from(QUASI_IDENTIFIERS), unique=True))
    sensitive = draw(st.lists(st.sampled_from(SENSITIVE), unique=True))
    return Tuples(
        quasi_identifiers=tuple(case.attributes[name] for name in some),
        sensitive=tuple(case.attributes[name] for name in sensitive),
        person=draw(st.sampled_from([None, "person"])),
        personal_k=draw(st.sampled_from([None, "wish"])),
        subset=draw(st.sampled_from([None, "mark"])),
    )


@st.composite
def recipes(draw: st.DrawFn, case: Case) -> Recipe:
    """A recipe for a case: full-domain with suppression, classes assigned (some of them split), or buckets."""
    others = [draw(st.sampled_from([None, DropColumn("person"), Replace("person", "x"), Replace("person", 'é, "1"')]))]
    columns: tuple[ColumnStep, ...] = tuple(step for step in others if step is not None)
    mode = draw(st.sampled_from(Suppressed))
    subset = draw(st.sampled_from([None, "mark"]))
    published = Case([row for row in case.rows if subset is None or row["mark"]], case.attributes)
    columns += draw(_own_steps(published))
    match draw(st.sampled_from(["assign", "bucket", "levels", "levels"])):
        case "assign":
            return Recipe(columns, draw(_assigns(published)), mode, subset=subset)
        case "bucket":
            return Recipe(columns, draw(_buckets(published)), mode, subset=subset)
    levels = tuple(draw(st.integers(0, a.hierarchy.height)) for a in case.quasi_identifiers)
    recodes = tuple(Recode(a, level) for a, level in zip(case.quasi_identifiers, levels, strict=True))
    suppress = draw(st.sampled_from([None, draw(_suppressions(case, levels))]))
    return Recipe((*columns, *recodes), suppress, mode, subset=subset)


@dataclass(frozen=True, slots=True)
class NextLeaf:
    """A draw without chance: the text after the cell's own among the leaves."""

    leaves: tuple[str, ...]

    def draw(self, leaves: IntArray, *, bits: Bits) -> IntArray:
        """The next leaf."""
        del bits
        return (leaves + 1) % len(self.leaves)

    def texts(self, places: Sequence[int]) -> list[str]:
        """Its text."""
        return [self.leaves[place] for place in places]


@dataclass(frozen=True, slots=True)
class Backwards:
    """A naming: the text read backwards."""

    def texts(self, cells: Sequence[str]) -> list[str]:
        """The reversed texts."""
        return [cell[::-1] for cell in cells]


@st.composite
def _own_steps(draw: st.DrawFn, case: Case) -> tuple[ColumnStep, ...]:
    """A step on each of the columns that belong to no class."""
    ward, illness = case.attributes["ward"], case.attributes["illness"]
    leaves = tuple(text for text in illness.hierarchy.labels[0] if text is not None)
    for_ward: list[ColumnStep] = [Recode(ward, 1), Rewrite("ward", Backwards()), draw(_deals(case, "ward"))]
    for_illness: list[ColumnStep | None] = [
        None, Randomize(illness, NextLeaf(leaves)), Rewrite("illness", Backwards()), draw(_deals(case, "illness"))
    ]  # fmt: skip
    steps = (draw(st.sampled_from(for_ward)), draw(st.sampled_from(for_illness)))
    return tuple(step for step in steps if step is not None)


@st.composite
def _deals(draw: st.DrawFn, case: Case, name: str) -> Deal:
    """The rows of each value get texts in an arbitrary order."""
    attribute = case.attributes[name]
    labels = ("x", "0", 'q "', None)
    leaves = [tuple_of((attribute,), row)[0] for row in case.rows]
    return Deal(attribute, draw(_splits(leaves, len(labels))), labels)


@st.composite
def _buckets(draw: st.DrawFn, case: Case) -> Bucket:
    """Rows of a tuple of quasi-identifiers and the illness go to one of three buckets."""
    attributes = (*case.quasi_identifiers, case.attributes["illness"])
    tuples = sorted({tuple_of(attributes, row) for row in case.rows})
    index = [tuples.index(tuple_of(attributes, row)) for row in case.rows]
    codes = np.array(tuples, np.int64).reshape(len(tuples), len(attributes))
    return Bucket("bucket", attributes, codes, draw(_splits(index, 3)))


@st.composite
def _splits(draw: st.DrawFn, owner: list[int], n_members: int) -> Splits:
    member = draw(picked(range(n_members), len(owner)))
    return Splits(np.array(sorted(owner), np.int64), np.ones(len(owner), np.int64), np.array(member, np.int64))


@st.composite
def _suppressions(draw: st.DrawFn, case: Case, levels: tuple[int, ...]) -> Suppress:
    """Some of the classes at the given levels are suppressed."""
    trees = [a.hierarchy for a in case.quasi_identifiers]
    coarse = sorted(
        {tuple(int(t.ancestors[n][c]) for t, n, c in zip(trees, levels, row, strict=True)) for row in case.tuples}
    )
    some = draw(st.lists(st.sampled_from(coarse), unique=True)) if coarse else []
    return Suppress(case.quasi_identifiers, levels, np.array(some, np.int64).reshape(len(some), len(levels)))


@st.composite
def _assigns(draw: st.DrawFn, case: Case) -> Assign:
    """Every tuple goes to one of three classes or is suppressed; some tuples are split row by row."""
    tuples, attributes = case.tuples, case.quasi_identifiers
    n = len(tuples)
    member = draw(picked((0, 1, 2, -1), n))
    label = ("[1, 2]", "{a, b}", "*", None, "7", "01000")
    labels = tuple(tuple(draw(picked(label, 3))) for _ in attributes)
    parts = []
    for index in draw(st.lists(st.integers(0, n - 1), unique=True)) if n else []:
        size = sum(tuple_of(attributes, row) == tuples[index] for row in case.rows)
        cut = draw(st.integers(0, size))
        parts += [(index, rows, draw(st.integers(-1, 2))) for rows in (cut, size - cut) if rows]
    arrays = np.array(parts, np.int64).reshape(len(parts), 3).T
    splits = Splits(arrays[0], arrays[1], arrays[2]) if parts else None
    codes = np.array(tuples, np.int64).reshape(n, len(attributes))
    return Assign(attributes, codes, np.array(member, np.int64), labels, splits)
