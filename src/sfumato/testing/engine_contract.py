"""What every engine must do, the contract suite: one function for each duty, run on random tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from sfumato.frozen import dataclass
from sfumato.noise.bits import SystemBits
from sfumato.recipe.recipe import Recipe, RowOrder
from sfumato.recipe.steps import Bucket, Randomize, column_of
from sfumato.summary.ask import Counting, FirstRows, MarginalOf, Marginals, TupleEstimate
from sfumato.summary.classes import merge
from sfumato.summary.fixes import Fixes, FixesOf
from sfumato.table.clock import Stamps
from sfumato.table.source import FrameSink, FrameSource
from sfumato.testing.engine_twin import MISSING, slow_classes, slow_release, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.base import Engine
    from sfumato.noise.bits import Bits
    from sfumato.summary.ask import Tuples
    from sfumato.summary.classes import Classes
    from sfumato.testing.tables import Case
    from sfumato.types import IntArray

_TYPES = {
    "zip": pa.string(),
    "age": pa.int32(),
    "born": pa.date32(),
    "smokes": pa.bool_(),
    "illness": pa.string(),
    "ward": pa.string(),
    "person": pa.int64(),
    "wish": pa.int64(),
    "mark": pa.bool_(),
}
COLUMNS = tuple(_TYPES)
"""The columns of a case."""


def as_source(case: Case) -> FrameSource:
    """The rows of a case as an Arrow table."""
    columns = {name: pa.array([row[name] for row in case.rows], kind) for name, kind in _TYPES.items()}
    return FrameSource(pa.table(columns), missing=(MISSING,))


def finds_the_marginals(engine: Engine[Any], case: Case, alone: Sequence[str]) -> None:
    """`Marginals` lists each canonical text of each column once, missing as None, with its rows; of some, `MarginalOf` too."""
    table = engine.scan(as_source(case))
    together = engine.summarize(table, Marginals(COLUMNS))
    assert tuple(together) == COLUMNS  # noqa: S101
    for name, found in together.items():
        expected = Counter(text_of(row[name]) for row in case.rows)
        assert dict(zip(found.values, found.counts.tolist(), strict=True)) == expected  # noqa: S101
    for name in alone:
        found = engine.summarize(table, MarginalOf(name))
        assert found.values == together[name].values  # noqa: S101
        assert found.counts.tolist() == together[name].counts.tolist()  # noqa: S101


def shows_the_first_rows(engine: Engine[Any], case: Case, most: int) -> None:
    """`FirstRows` gives canonical texts in table order, missing as None, and no row more than was asked."""
    names = ("wish", "zip", "smokes", "born")
    found = engine.summarize(engine.scan(as_source(case)), FirstRows(names, most))
    assert found == tuple(tuple(text_of(row[name]) for name in names) for row in case.rows[:most])  # noqa: S101


def reads_the_fixes(engine: Engine[Any], case: Case) -> None:
    """`FixesOf` gives every row once: canonical texts, and numbers as doubles, NaN where there is none."""
    read = engine.summarize(engine.scan(as_source(case)), FixesOf("zip", "born", "wish", "illness"))
    persons, times = [*read.persons, None], _times(read)
    found = zip(read.person.tolist(), times, read.latitude.tolist(), read.longitude.tolist(), strict=True)
    rows = Counter((persons[p], t, None if np.isnan(y) else y) for p, t, y, _ in found)
    assert rows == Counter((text_of(r["zip"]), text_of(r["born"]), r["wish"]) for r in case.rows)  # noqa: S101
    assert np.isnan(read.longitude).all()  # noqa: S101  an illness is no number


def _times(read: Fixes) -> list[str | None]:
    """The text of each row's time; days that are all there come as milliseconds."""
    if not isinstance(read.times, Stamps):
        return [[*read.times, None][t] for t in read.time.tolist()]
    assert read.times.form == "clocks"  # noqa: S101
    days = (read.times.value // 86_400_000).astype("datetime64[D]").astype(str).tolist()
    return [day if has else None for day, has in zip(days, read.times.is_there.tolist(), strict=True)]


def estimates_the_tuples(engine: Engine[Any], case: Case) -> None:
    """`TupleEstimate` is near the number of distinct tuples: exact on small tables but for a sketch's collisions."""
    table = engine.scan(as_source(case))
    names = ["zip", "age", "smokes"]
    exact = len({tuple(text_of(row[name]) for name in names) for row in case.rows})
    assert abs(engine.summarize(table, TupleEstimate(tuple(names))) - exact) <= 1 + exact / 5  # noqa: S101


def counts_the_classes(engine: Engine[Any], case: Case, ask: Tuples, parts: int) -> None:
    """`summarize` counts what the definition counts: sorted tuples, rows, persons, wishes, values.

    When its classes merge into so many parts, persons and values are still counted once.
    """
    found = engine.summarize(engine.scan(as_source(case)), ask)
    keys = [tuple(row) for row in found.codes.tolist()]
    assert keys == sorted(set(keys))  # noqa: S101
    assert found.codes.dtype == found.rows.dtype == found.persons.dtype == np.int64  # noqa: S101
    slow = slow_classes(case.rows, ask)
    _same(found, keys, slow)
    _counts_merged_classes(found, case, ask, parts)
    if found.population is None or ask.person is None:
        return
    upper = [slow.population[key] for key in keys]
    assert all(found.persons <= found.population)  # noqa: S101
    assert all(found.population <= upper)  # noqa: S101


def _counts_merged_classes(fine: Classes, case: Case, ask: Tuples, parts: int) -> None:
    """Merge every so many classes."""
    membership = np.arange(fine.n_classes) % parts
    n_new = min(parts, fine.n_classes)
    coarse = merge(fine, membership, np.arange(n_new)[:, None])
    group = {tuple(row): (int(new),) for row, new in zip(fine.codes.tolist(), membership, strict=True)}
    _same(coarse, [(i,) for i in range(n_new)], slow_classes(case.rows, ask, group))


def _same(found: Classes, keys: list[tuple[int, ...]], slow: Any) -> None:
    """Compare counts class by class."""
    assert dict(zip(keys, found.rows.tolist(), strict=True)) == slow.rows  # noqa: S101
    assert dict(zip(keys, found.persons.tolist(), strict=True)) == slow.persons  # noqa: S101
    if found.personal_k is not None:
        assert dict(zip(keys, found.personal_k.tolist(), strict=True)) == slow.personal_k  # noqa: S101
    for histogram, counts, totals in zip(found.histograms, slow.histograms, slow.totals, strict=True):
        entries = zip(histogram.owner.tolist(), histogram.value.tolist(), strict=True)
        seen = [(keys[owner], value) for owner, value in entries]
        assert dict(zip(seen, histogram.count.tolist(), strict=True)) == counts  # noqa: S101
        assert seen == sorted(seen)  # noqa: S101
        assert {v: int(c) for v, c in enumerate(histogram.total) if c} == totals  # noqa: S101


def publishes_the_rows(engine: Engine[Any], case: Case, recipe: Recipe) -> None:
    """`apply` and `write` publish the rows of the definition: columns, their types, and rows in order."""
    table = engine.scan(as_source(case))
    released = engine.apply(table, recipe, bits=SystemBits())
    receipt = engine.write(released, FrameSink("arrow"))
    frame: Any = receipt.frame
    expected = slow_release(case.rows, recipe)
    assert _texts(frame) == expected  # noqa: S101
    header = engine.header(released)
    assert receipt.n_rows == header.n_rows == len(expected)  # noqa: S101
    assert tuple(frame.column_names) == header.names  # noqa: S101
    if expected:
        assert frame.column_names == list(expected[0])  # noqa: S101
    _keeps_native_types(frame, recipe)


def _keeps_native_types(frame: Any, recipe: Recipe) -> None:
    """A column that no step touches has its source type; any other has it or is text."""
    for field in frame.schema:
        touched = field.name in _touched(recipe)
        own = pa.int64() if field.name == "bucket" else _TYPES.get(field.name, pa.bool_())
        allowed = [own, *([pa.string()] if touched else [])]
        assert field.type in allowed, f"{field.name} has type {field.type}"  # noqa: S101


def _touched(recipe: Recipe) -> set[str]:
    """Names of the columns that a recipe may change."""
    single = {column_of(step) for step in recipe.columns}
    together = () if recipe.classes is None or isinstance(recipe.classes, Bucket) else recipe.classes.attributes
    return single | {a.name for a in together}


@dataclass(frozen=True, slots=True)
class _Coin:
    """A draw that is hardly the same twice."""

    def draw(self, leaves: IntArray, *, bits: Bits) -> IntArray:
        """A whole number below 2⁶²."""
        return (bits.words(len(leaves)) >> np.uint64(2)).astype(np.int64)

    def texts(self, places: Sequence[int]) -> list[str]:
        """Its digits."""
        return [str(place) for place in places]


def draws_once(engine: Engine[Any], case: Case) -> None:
    """A release that rests on chance is drawn once: whoever reads it twice reads the same; rows are kept in order."""
    source = as_source(case)
    recipe = Recipe((Randomize(case.attributes["ward"], _Coin()),), keep=Fraction(1, 2))
    released = engine.apply(engine.scan(source), recipe, bits=SystemBits())
    first, second = (_texts(engine.write(released, FrameSink("arrow")).frame) for _ in range(2))
    assert first == second  # noqa: S101
    assert len(first) == engine.header(released).n_rows  # noqa: S101
    rest = iter([{name: _written(cell) for name, cell in row.items() if name != "ward"} for row in case.rows])
    assert all({n: c for n, c in row.items() if n != "ward"} in rest for row in first)  # noqa: S101
    wards = [row["ward"] for row in first]
    assert len(set(wards)) == len(wards)  # noqa: S101


def keeps_all_or_none(engine: Engine[Any], case: Case) -> None:
    """A coin that always or never wins keeps all or no rows."""
    table = engine.scan(as_source(case))
    for chance in (0, 1):
        released = engine.apply(table, Recipe(keep=Fraction(chance)), bits=SystemBits())
        assert engine.header(released).n_rows == chance * len(case.rows)  # noqa: S101


@dataclass(frozen=True, slots=True)
class _Lengths:
    """Rows, and texts of each length from 0 to 19."""

    def __call__(self, cells: Sequence[Sequence[str | None]]) -> IntArray:
        """The counts of some rows."""
        lengths = [len(text) for column in cells for text in column if text is not None]
        return np.concatenate(([len(cells[0])], np.bincount(np.array(lengths, np.int64), minlength=20)))


def adds_up_rows(engine: Engine[Any], case: Case) -> None:
    """`Counting` adds up what parts of the table count."""
    asked = Counting(("zip", "age"), 21, _Lengths())
    found = engine.summarize(engine.scan(as_source(case)), asked)
    cells = [[_written(row[name]) for row in case.rows] for name in asked.columns]
    assert found.tolist() == asked.count(cells).tolist()  # noqa: S101


def makes_a_table(engine: Engine[Any]) -> None:
    """`make` gives a table with the columns in order."""
    frame: Any = engine.write(engine.make({"bucket": [0, 1], "value": ["é", None]}), FrameSink("arrow")).frame
    assert _texts(frame) == [{"bucket": "0", "value": "é"}, {"bucket": "1", "value": None}]  # noqa: S101


def shuffles_whole_rows(engine: Engine[Any], case: Case, recipe: Recipe) -> None:
    """A shuffled release holds the same rows."""
    shuffled = replace(recipe, row_order=RowOrder.SHUFFLED)
    released = engine.apply(engine.scan(as_source(case)), shuffled, bits=SystemBits())
    frame: Any = engine.write(released, FrameSink("arrow")).frame
    expected = Counter(tuple(row.items()) for row in slow_release(case.rows, recipe))
    assert Counter(tuple(row.items()) for row in _texts(frame)) == expected  # noqa: S101


def _written(cell: object) -> str | None:
    """The canonical text of a cell."""
    return None if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell)


def _texts(frame: Any) -> list[dict[str, str | None]]:
    """The rows of an Arrow table, each cell as canonical text."""
    columns = {
        name: [_written(cell) for cell in column.to_pylist()]
        for name, column in zip(frame.column_names, frame.columns, strict=True)
    }
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
