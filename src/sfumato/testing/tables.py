"""How do engine tests get random tables, questions and recipes? Hypothesis strategies over small domains.

Needs Hypothesis, which is a dependency of the tests only.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from sfumato.recipe.recipe import Recipe, Suppressed
from sfumato.recipe.steps import Assign, Recode, Replace, Splits, Suppress
from sfumato.recipe.steps import Drop as DropColumn
from sfumato.summary.ask import Ask
from sfumato.table.attribute import Attribute
from sfumato.table.hierarchy.tree import ROOT, Hierarchy
from sfumato.table.schema import Column, Role
from sfumato.testing.engine_twin import Cell, Row, text_of, tuple_of

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    picked = draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n))
    columns: dict[str, Sequence[Cell]] = {name: [row[j] for row in picked] for j, name in enumerate(_CELLS)}
    for name in SENSITIVE:
        columns[name] = draw(st.lists(st.sampled_from(_CELLS[name]), min_size=n, max_size=n))
    columns["person"] = draw(st.lists(st.integers(1, 4), min_size=n, max_size=n))
    columns["wish"] = draw(st.lists(st.sampled_from([1, 2, 5, None]), min_size=n, max_size=n))
    columns["mark"] = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    rows = [{name: cells[i] for name, cells in columns.items()} for i in range(n)]
    return Case(rows, {name: draw(_attributes(name, cells)) for name, cells in _CELLS.items()})


@st.composite
def _attributes(draw: st.DrawFn, name: str, cells: tuple[Cell, ...]) -> Attribute:
    """A column with a random tree of height two over its possible values and one more."""
    values = draw(st.permutations(sorted({t for c in cells if (t := text_of(c)) is not None} | {"10"})))
    groups = draw(st.lists(st.sampled_from("pq"), min_size=len(values), max_size=len(values)))
    tree = Hierarchy.from_paths(name, [(v, g, ROOT) for v, g in zip(values, groups, strict=True)])
    return Attribute(Column(name, Role.QUASI_IDENTIFYING), tree.with_missing(), None)


@st.composite
def asks(draw: st.DrawFn, case: Case) -> Ask:
    """A question about a case."""
    some = draw(st.lists(st.sampled_from(QUASI_IDENTIFIERS), unique=True))
    sensitive = draw(st.lists(st.sampled_from(SENSITIVE), unique=True))
    return Ask(
        quasi_identifiers=tuple(case.attributes[name] for name in some),
        sensitive=tuple(case.attributes[name] for name in sensitive),
        person=draw(st.sampled_from([None, "person"])),
        personal_k=draw(st.sampled_from([None, "wish"])),
        subset=draw(st.sampled_from([None, "mark"])),
    )


@st.composite
def recipes(draw: st.DrawFn, case: Case) -> Recipe:
    """A recipe for a case: full-domain with suppression, or classes assigned, some of them split."""
    others = [draw(st.sampled_from([None, DropColumn("person"), Replace("person", "x"), Replace("person", 'é, "1"')]))]
    columns = tuple(step for step in others if step is not None)
    mode = draw(st.sampled_from(Suppressed))
    subset = draw(st.sampled_from([None, "mark"]))
    if draw(st.booleans()):
        published = [row for row in case.rows if subset is None or row["mark"]]
        return Recipe(columns, draw(_assigns(Case(published, case.attributes))), mode, subset=subset)
    levels = tuple(draw(st.integers(0, a.hierarchy.height)) for a in case.quasi_identifiers)
    recodes = tuple(Recode(a, level) for a, level in zip(case.quasi_identifiers, levels, strict=True))
    suppress = draw(st.sampled_from([None, draw(_suppressions(case, levels))]))
    return Recipe((*columns, *recodes, Recode(case.attributes["ward"], 1)), suppress, mode, subset=subset)


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
    member = draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n))
    label = st.sampled_from(["[1, 2]", "{a, b}", "*", None, "7", "01000"])
    labels = tuple(tuple(draw(st.lists(label, min_size=3, max_size=3))) for _ in attributes)
    parts = []
    for index in draw(st.lists(st.integers(0, n - 1), unique=True)) if n else []:
        size = sum(tuple_of(attributes, row) == tuples[index] for row in case.rows)
        cut = draw(st.integers(0, size))
        parts += [(index, rows, draw(st.integers(-1, 2))) for rows in (cut, size - cut) if rows]
    arrays = np.array(parts, np.int64).reshape(len(parts), 3).T
    splits = Splits(arrays[0], arrays[1], arrays[2]) if parts else None
    codes = np.array(tuples, np.int64).reshape(n, len(attributes))
    return Assign(attributes, codes, np.array(member, np.int64), labels, splits)
