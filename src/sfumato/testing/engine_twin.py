"""What an engine should find and publish, the slow, obvious way: row by row in plain Python.

A table is a list of dicts from column name to cell. Nothing here is fast; engines are compared to it.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.frozen import dataclass
from sfumato.noise.bits import SystemBits
from sfumato.recipe.recipe import Suppressed
from sfumato.recipe.steps import Assign, Bucket, Deal, Drop, Randomize, Recode, Replace, Rewrite, Suppress, column_of
from sfumato.table.hierarchy.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.recipe.recipe import Recipe
    from sfumato.recipe.steps import ColumnStep, Splits
    from sfumato.summary.ask import Tuples
    from sfumato.table.attribute import Attribute

Cell: TypeAlias = str | int | bool | date | None
Row: TypeAlias = dict[str, Cell]
Tuple_: TypeAlias = tuple[int, ...]

MISSING = "?"
"""The code that means missing in every table of the contract."""


def text_of(cell: Cell) -> str | None:
    """Canonical text of a cell, None for a missing one.

    Example:
        >>> text_of(True), text_of(date(2020, 1, 31)), text_of("?"), text_of(7)
        ('true', '2020-01-31', None, '7')
    """
    if cell is None or cell == MISSING:
        return None
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def leaf_of(attribute: Attribute, row: Row) -> int:
    """Leaf code of a row's cell."""
    return attribute.hierarchy.labels[0].index(text_of(row[attribute.name]))


def tuple_of(attributes: Sequence[Attribute], row: Row) -> Tuple_:
    """Leaf codes of a row."""
    return tuple(leaf_of(attribute, row) for attribute in attributes)


@dataclass(frozen=True, slots=True)
class SlowClasses:
    """The classes of a table under any grouping of its finest tuples.

    Args:
        rows: published rows of each class.
        persons: published persons of each class.
        population: persons of each class, published or not.
        personal_k: largest wish of a published row; 0 without any.
        histograms: for each sensitive attribute, persons by (class, leaf).
        totals: for each sensitive attribute, persons by leaf in the whole published table.
    """

    rows: dict[Tuple_, int]
    persons: dict[Tuple_, int]
    population: dict[Tuple_, int]
    personal_k: dict[Tuple_, int]
    histograms: tuple[dict[tuple[Tuple_, int], int], ...]
    totals: tuple[dict[int, int], ...]


def slow_classes(table: Sequence[Row], ask: Tuples, group: Mapping[Tuple_, Tuple_] | None = None) -> SlowClasses:
    """Count by definition. `group` names the class of each finest tuple; None: the tuple itself."""
    keyed = []
    for i, row in enumerate(table):
        finest = tuple_of(ask.quasi_identifiers, row)
        person = i if ask.person is None else row[ask.person]
        here = ask.subset is None or text_of(row[ask.subset]) in ("true", "1")
        keyed.append((finest if group is None else group[finest], person, here, row))
    every = {key: 0 for key, _, _, _ in keyed}
    published = [(key, person, row) for key, person, here, row in keyed if here]
    wishes = [(key, int(text_of(row[ask.personal_k]) or 0)) for key, _, row in published] if ask.personal_k else []
    values = [[(k, p, leaf_of(a, row)) for k, p, row in published] for a in ask.sensitive]
    return SlowClasses(
        rows=every | Counter(key for key, _, _ in published),
        persons=every | Counter(key for key, _ in {(key, person) for key, person, _ in published}),
        population=dict(Counter(key for key, _ in {(key, person) for key, person, _, _ in keyed})),
        personal_k={key: max((w for k, w in wishes if k == key), default=0) for key in every},
        histograms=tuple(dict(Counter((k, v) for k, _, v in set(of))) for of in values),
        totals=tuple(dict(Counter(v for _, v in {(p, v) for _, p, v in of})) for of in values),
    )


def slow_release(table: Sequence[Row], recipe: Recipe) -> list[dict[str, str | None]]:
    """The published rows in source order; every cell as text, None for null."""
    seen: Counter[Tuple_] = Counter()
    dealt: Counter[tuple[str, int]] = Counter()
    out = []
    for row in table:
        if recipe.subset is not None and text_of(row[recipe.subset]) not in ("true", "1"):
            continue
        new: dict[str, str | None] = {n: None if c is None else _as_written(c) for n, c in row.items()}
        for step in recipe.columns:
            name = column_of(step)
            if isinstance(step, Drop):
                del new[name]
            elif (text := _text(step, row, dealt)) is not None:
                new[name] = text
        if isinstance(recipe.classes, Bucket):
            new = _bucketed(row, new, recipe.classes, seen)
        gone = _classify(row, new, recipe.classes, seen)
        if gone and recipe.suppressed is Suppressed.DROP:
            continue
        if gone and recipe.classes is not None:
            star = ROOT if recipe.suppressed is Suppressed.STAR else None
            new |= {a.name: star for a in recipe.classes.attributes if a.name in new}
        out.append(_marked(new, recipe, gone=gone))
    return out


def _text(step: ColumnStep, row: Row, dealt: Counter[tuple[str, int]]) -> str | None:
    """What a step publishes in a cell; None: the cell as it was written."""
    match step:
        case Replace(label=label):
            return label
        case Recode(attribute=a, level=level):
            label_: str | None = a.hierarchy.labels[level][a.hierarchy.ancestors[level][leaf_of(a, row)]]
            return label_
        case Randomize(attribute=a, draw=draw) if text_of(row[a.name]) is not None:
            return draw.texts(draw.draw(np.array([leaf_of(a, row)]), bits=SystemBits()).tolist())[0]
        case Rewrite(column=name, naming=naming) if (text := text_of(row[name])) is not None:
            return naming.texts([text])[0]
        case Deal(attribute=a, splits=splits, labels=labels):
            leaf = leaf_of(a, row)
            dealt[a.name, leaf] += 1
            return labels[_dealt(splits, leaf, dealt[a.name, leaf] - 1)]
    return None


def _marked(new: dict[str, str | None], recipe: Recipe, *, gone: bool) -> dict[str, str | None]:
    """The row, with its mark where suppressed rows are published as nulls."""
    return new | {"suppressed": str(gone).lower()} if recipe.suppressed is Suppressed.NULL else new


def _bucketed(row: Row, new: dict[str, str | None], step: Bucket, seen: Counter[Tuple_]) -> dict[str, str | None]:
    finest = tuple_of(step.attributes, row)
    nth = seen[finest]
    seen[finest] += 1
    return {step.column: str(_dealt(step.splits, step.codes.tolist().index(list(finest)), nth))} | new


def _dealt(splits: Splits, index: int, nth: int) -> int:
    """What the nth row of a tuple (or value) gets."""
    entries = zip(splits.tuple_, splits.rows, splits.member, strict=True)
    return [int(member) for of, rows, member in entries if of == index for _ in range(int(rows))][nth]


def _as_written(cell: Cell) -> str:
    """The text of a cell that is not null, declared codes included."""
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def _classify(
    row: Row, new: dict[str, str | None], step: Assign | Bucket | Suppress | None, seen: Counter[Tuple_]
) -> bool:
    """Write the labels of the row's class into `new`; whether the row is suppressed."""
    if step is None or isinstance(step, Bucket):
        return False
    finest = tuple_of(step.attributes, row)
    if isinstance(step, Suppress):
        trees = [a.hierarchy for a in step.attributes]
        coarse = [t.ancestors[level][leaf] for t, level, leaf in zip(trees, step.levels, finest, strict=True)]
        return [int(code) for code in coarse] in step.codes.tolist()
    member = _member(step, finest, seen)
    if member < 0:
        return True
    for attribute, labels in zip(step.attributes, step.labels, strict=True):
        label = labels[member]
        new[attribute.name] = new[attribute.name] if label is None else label
    return False


def _member(step: Assign, finest: Tuple_, seen: Counter[Tuple_]) -> int:
    """The class of the next row with this tuple."""
    index = step.codes.tolist().index(list(finest))
    nth = seen[finest]
    seen[finest] += 1
    if step.splits is None or index not in step.splits.tuple_:
        return int(step.member[index])
    return _dealt(step.splits, index, nth)
