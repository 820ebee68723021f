"""The contract of methods that recode or deal into buckets: one function for each duty, run on tiny tables."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InternalError, NoSolution
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Criterion
from sfumato.recipe.recipe import Recipe, RowOrder, Suppressed
from sfumato.recipe.steps import Bucket, Drop
from sfumato.release.anatomy.reread import check_same, pair_from
from sfumato.release.anatomy.run import value_columns
from sfumato.release.reread import published_of
from sfumato.summary.ask import Tuples
from sfumato.summary.centers import unread
from sfumato.summary.classes import group, merge, roll_up
from sfumato.summary.published import SuppressedMark
from sfumato.table.attribute import Attribute
from sfumato.table.source import FrameSink, FrameSource
from sfumato.testing.seeded_bits import SeededBits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pyarrow as pa

    from sfumato.engine.base import Engine
    from sfumato.guarantee.base import TableCriterion
    from sfumato.mechanism.bucket.decision import BucketDecision, BucketMethod
    from sfumato.mechanism.recode.decision import Decision, RecodeMethod
    from sfumato.summary.classes import Classes
    from sfumato.summary.loss import Loss
    from sfumato.summary.published import Published
    from sfumato.types import IntArray

    AnyCriterion = Criterion | TableCriterion
    Decide = Callable[["RecodeCase", "TinyTable"], "Decision | None"]

ROW = "row"
"""A column of the tiny tables that numbers their rows; no method sees it."""


@dataclass(frozen=True, eq=False)
class TinyTable:
    """A table as an engine reads it, with what its columns mean.

    Args:
        frame: an Arrow table of texts: the quasi-identifiers, the sensitive column, and `ROW`.
        attributes: the quasi-identifiers.
        sensitive: the sensitive column.
        engine: what reads it.
    """

    frame: pa.Table
    attributes: tuple[Attribute, ...]
    sensitive: Attribute
    engine: Engine[Any]

    @cached_property
    def finest(self) -> Classes:
        """The summary that a recoding method gets."""
        return self.engine.summarize(self.scanned, Tuples(self.attributes, (self.sensitive,)))

    @cached_property
    def joint(self) -> Classes:
        """The summary that a bucket method gets."""
        return self.engine.summarize(self.scanned, Tuples((*self.attributes, self.sensitive)))

    @cached_property
    def scanned(self) -> Any:
        """The table as the engine holds it."""
        return self.engine.scan(FrameSource(self.frame))

    def in_order(self, rows: Sequence[int]) -> TinyTable:
        """The same rows in another order."""
        return replace(self, frame=self.frame.take(rows))


@dataclass(frozen=True, slots=True)
class RecodeCase:
    """One recoding method under test.

    Args:
        make: the method, anew each time, so that one that draws chance draws the same.
        promises: what holds of every published class, or of all together.
        gives_up: whether `NoSolution` means that not even the whole table as one class keeps the promises.
        any_order: whether the order of the finest classes cannot matter; it does where equal rows may part.
        optimal: the loss of which it claims the least at all levels, and the most rows that it may suppress, as a share;
            None: it claims no optimum.
    """

    make: Callable[[], RecodeMethod]
    promises: tuple[AnyCriterion, ...]
    gives_up: bool = True
    any_order: bool = True
    optimal: tuple[Loss, float] | None = None


@dataclass(frozen=True, slots=True)
class BucketCase:
    """One bucket method under test, with what holds of every bucket."""

    method: BucketMethod
    promises: tuple[AnyCriterion, ...]


def decided(case: RecodeCase, table: TinyTable, finest: Classes | None = None) -> Decision | None:
    """The decision on the table's own summary, or on another; None where there is none."""
    try:
        return case.make().decide(table.finest if finest is None else finest, table.attributes)
    except NoSolution:
        return None


def dealt(case: BucketCase, table: TinyTable, *, seed: int) -> BucketDecision | None:
    """The same for buckets."""
    try:
        return case.method.decide(table.joint, (*table.attributes, table.sensitive), bits=SeededBits(seed))
    except NoSolution:
        return None


def plain(value: object) -> object:
    """A decision as nested tuples that can be compared."""
    if isinstance(value, np.ndarray):
        return (str(value.dtype), value.shape, tuple(value.ravel().tolist()))
    if isinstance(value, Attribute):
        return value.name
    if is_dataclass(value) and not isinstance(value, type):
        return (type(value).__name__, *(plain(getattr(value, field.name)) for field in fields(value) if field.compare))
    return tuple(plain(one) for one in value) if isinstance(value, tuple) else value


def decides_alike(case: RecodeCase, table: TinyTable, other: TinyTable, first: Decide = decided) -> bool:
    """Whether the same rows in another order give the same decision as that on the table, which `first` tells."""
    return plain(first(case, table)) == plain(decided(case, other))


def ignores_class_order(case: RecodeCase, table: TinyTable, order: IntArray, first: Decide = decided) -> bool:
    """Whether the same finest classes in another order, (n_classes,) int64, give classes of the same rows and values."""
    turned = merge(table.finest, np.argsort(order), table.finest.codes[order])
    one, two = first(case, table), decided(case, table, turned)
    if one is None or two is None:
        return one is two
    return _sizes(one.published) == _sizes(two.published)


def keeps(promises: Sequence[AnyCriterion], classes: Classes) -> bool:
    """Whether classes keep every promise."""
    return all(
        bool(one.holds(classes).all()) if isinstance(one, Criterion) else one.holds_together(classes)
        for one in promises
    )


def gives_up_rightly(case: RecodeCase, table: TinyTable) -> bool:
    """Whether the whole table as one class breaks a promise: no method can then help."""
    return not keeps(case.promises, group(table.finest, np.zeros_like(table.finest.codes))[0])


def applies(decision: Decision, table: TinyTable, *, suppressed: Suppressed = Suppressed.STAR) -> bool:
    """Whether the engine publishes the classes that were decided, and every label is true of its row.

    Values of a sensitive column are compared where the decision tells them, i.e. where equal rows do not part.
    """
    engine, stars = table.engine, decision.suppressed_rows > 0 and suppressed is Suppressed.STAR
    recipe = Recipe(columns=decision.columns, classes=decision.step, suppressed=suppressed)
    released = engine.apply(table.scanned, recipe, bits=SeededBits(1))
    mark = SuppressedMark.STAR if stars else SuppressedMark.NONE
    found = unread(
        published_of(engine, released, table.attributes, (table.sensitive,), suppressed=mark), decision.centers
    )
    counted = decision.published.n_rows + decision.suppressed_rows == table.frame.num_rows
    shown = found.classes if decision.published.histograms else replace(found.classes, histograms=())
    same = _sizes(shown) == _sizes(decision.published)
    gone = found.suppressed_rows == decision.suppressed_rows * stars
    return counted and same and gone and _true(decision, table, found, engine.write(released, FrameSink()).frame)


def _sizes(classes: Classes) -> list[tuple[int, ...]]:
    """Rows and counts of sensitive values of each class, sorted."""
    dense = [h.dense(classes.n_classes) for h in classes.histograms]
    return sorted(
        (int(rows), *(int(n) for one in dense for n in one[c])) for c, rows in enumerate(classes.rows.tolist())
    )


def _true(decision: Decision, table: TinyTable, found: Published, frame: Any) -> bool:
    """Whether each row that is published has labels that stand for its values; centers stand for none."""
    before = {row[ROW]: row for row in table.frame.to_pylist()}
    names = [a.name for a in table.attributes]
    return all(
        _stands_for(found, j, row[name], before[row[ROW]][name])
        for row in frame.to_pylist()
        for j, name in enumerate(names)
        if name not in decision.centers and {row[other] for other in names} != {"*"}
    )


def _stands_for(found: Published, j: int, label: str | None, value: str | None) -> bool:
    """Whether a label stands for a value, as the release is read."""
    spans, leaf = found.spans[j], found.attributes[j].hierarchy.labels[0].index(value)
    mine = spans.owner == found.labels[j].index(label)
    place = spans.domain.rank[leaf]
    return bool(((spans.start[mine] <= place) & (place < spans.stop[mine])).any())


def least_loss(case: RecodeCase, table: TinyTable) -> float | None:
    """The least loss of all levels at which the promises hold, classes that break one suppressed; None: none do."""
    if case.optimal is None:
        return None
    (loss, share), finest = case.optimal, table.finest
    prepared, losses = loss.prepare(finest, table.attributes), []
    for levels in product(*(range(a.hierarchy.height + 1) for a in table.attributes)):
        classes, _ = roll_up(finest, table.attributes, levels)
        kept = np.ones(classes.n_classes, np.bool_)
        for one in case.promises:
            if isinstance(one, Criterion):
                kept &= one.holds(classes)
        left = classes.select(kept)
        if left.n_rows and finest.n_rows - left.n_rows <= share * finest.n_rows and keeps(case.promises, left):
            value = prepared.value(np.array(levels), classes, kept)
            losses.append(float(value[0] if isinstance(value, tuple) else value))
    return min(losses, default=None)


def buckets_are_applied(decision: BucketDecision, table: TinyTable) -> bool:
    """Whether the two tables that the engine writes are those that were decided."""
    engine, both = table.engine, (*table.attributes, table.sensitive)
    step = Bucket("bucket", both, table.joint.codes, decision.splits)
    recipe = Recipe((Drop(table.sensitive.name), Drop(ROW)), step, row_order=RowOrder.SHUFFLED)
    first = engine.apply(table.scanned, recipe, bits=SeededBits(1))
    second = engine.make(value_columns(decision.pair, None))
    try:
        check_same(decision.pair, pair_from(engine, first, second, table.attributes, table.sensitive))
    except InternalError:
        return False
    return True
