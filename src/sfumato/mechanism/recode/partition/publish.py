"""What is written for each class: labels, the classes that readers will see, and their loss.

Classes whose labels are all equal are one class to a reader; they are published as one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.recode.decision import Decision
from sfumato.mechanism.recode.partition.axes import Publish
from sfumato.mechanism.recode.partition.covers import WORD
from sfumato.numbers.distinct import distinct
from sfumato.numbers.narrow import narrow
from sfumato.numbers.order import order_of
from sfumato.numbers.threads import in_threads, pieces, taken
from sfumato.recipe.labels import Labels
from sfumato.recipe.steps import Assign
from sfumato.summary.classes import distinct_rows, merge
from sfumato.table.hierarchy.tree import ROOT
from sfumato.table.label import format_value, item_of, join_ends, join_items

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.recode.decision import Search
    from sfumato.mechanism.recode.partition.covers import Covers
    from sfumato.mechanism.recode.partition.cuts import Table
    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray

AT_ONCE = 1 << 13
"""Classes whose tuples are put in order at once: what is computed on the way stays in the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """Classes with their labels, classes of equal labels made one.

    Args:
        member: (n_tuples,) int64, class of each finest tuple (or piece of one).
        codes: (n_classes, m) int64, number of the label of each attribute; rows distinct and sorted.
        texts: for each attribute the distinct labels that `codes` count.
        parts: the tuples part by part, before parts of equal labels were made one class, and the class of each part;
            None: they were not looked at so.
    """

    member: IntArray
    codes: IntArray
    texts: tuple[tuple[str | None, ...], ...]
    parts: tuple[Runs, IntArray] | None = None

    def labels(self, kept: BoolArray | None = None) -> tuple[Labels, ...]:
        """For each attribute the published texts of all classes, or of those marked in `kept`."""
        codes = self.codes if kept is None or kept.all() else self.codes[kept]
        return tuple(Labels(codes[:, j], texts) for j, texts in enumerate(self.texts))


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Tuples sorted by class.

    Args:
        order: (n,) int64, tuples, class by class.
        starts: (n_classes,) int64, where each class begins; none is empty.
    """

    order: IntArray
    starts: IntArray

    def take(self, classes: IntArray) -> Runs:
        """The listed classes, in the order of the list."""
        return runs_at(self.order, self.starts[classes], np.diff(self.starts, append=len(self.order))[classes])


def runs_at(order: IntArray, begins: IntArray, lengths: IntArray) -> Runs:
    """The runs of `order` that begin at some places and are so long, one after the other.

    Example:
        >>> runs_at(np.array([5, 6, 7, 8]), np.array([2, 0]), np.array([2, 1])).order.tolist()
        [7, 8, 5]
    """
    starts = np.cumsum(lengths) - lengths
    found = np.empty(int(lengths.sum()), order.dtype)

    def copy(piece: slice) -> None:
        own, first = lengths[piece], starts[piece]
        places = np.repeat(begins[piece] - first + first[0], own)
        places += np.arange(len(places))
        np.take(order, places, out=found[first[0] : first[0] + len(places)], mode="clip")

    in_threads(copy, pieces(len(starts), AT_ONCE), found.size)
    return Runs(found, starts)


def runs_of(member: IntArray) -> Runs:
    """Sort tuples by class; member (n,) is 0 … n_classes-1, none empty.

    Example:
        >>> runs_of(np.array([1, 0, 1])).order.tolist(), runs_of(np.array([1, 0, 1])).starts.tolist()
        ([1, 0, 2], [0, 1])
    """
    sizes = np.bincount(member)
    starts = np.cumsum(sizes) - sizes
    return Runs(order_of(member, len(sizes)), starts)


def label(
    member: IntArray, codes: IntArray, attributes: Sequence[Attribute], publish: Publish, runs: Runs | None = None
) -> Labelled:
    """Spell the covers of all classes.

    Args:
        member: (n,) int64, class of each tuple, 0 … n_classes-1, none empty.
        codes: (n, m) int64, leaf codes of the tuples.
        attributes: the m attributes.
        publish: minimal covers or hierarchy nodes.
        runs: the tuples class by class; None: they are sorted here.
    """
    order, starts = (found := runs or runs_of(member)).order, found.starts

    by_class = np.empty((len(attributes), len(starts)), np.int64).T

    def spell(j: int) -> tuple[str | None, ...]:
        leaves = narrow(codes[:, j], attributes[j].hierarchy.n_leaves).take(order)
        by_class[:, j], texts = _label_one(leaves, starts, attributes[j], publish)
        return texts

    texts = tuple(in_threads(spell, range(len(attributes)), codes.size))
    distinct, to_new = distinct_rows(by_class, in_place=True)
    return Labelled(taken(to_new, member), distinct, texts, (found, to_new))


def _label_one(
    leaves: IntArray, starts: IntArray, attribute: Attribute, publish: Publish
) -> tuple[IntArray, tuple[str | None, ...]]:
    """Number of the label of each class, and the distinct labels; `leaves` stand class by class."""
    if not len(starts):
        return starts, ()
    if publish is Publish.NODES:
        return lowest_nodes(leaves, starts, attribute)
    if attribute.positions is not None:
        return _ranges(leaves, starts, attribute)
    names = attribute.hierarchy.labels[0]
    if len(names) < WORD:
        bits = narrow(np.int64(1) << np.arange(len(names)), 1 << len(names))
        sets, number = distinct_rows(np.bitwise_or.reduceat(bits.take(leaves), starts).astype(np.int64)[:, None])
        owner, values = np.nonzero(sets >> np.arange(len(names)) & 1)
        return number, _set_texts(values, np.bincount(owner), names)
    wide, number = _wide_sets(leaves, starts)
    return number, _set_texts(np.concatenate(wide), np.array([len(values) for values in wide]), names)


def lowest_nodes(leaves: IntArray, starts: IntArray, attribute: Attribute) -> tuple[IntArray, tuple[str | None, ...]]:
    """The lowest node of the hierarchy that holds all values of each class.

    Args:
        leaves: (n,) int64, leaf codes, class by class.
        starts: (n_classes,) int64, where each class begins; none is empty.
        attribute: the attribute.

    Returns:
        (n_classes,) int64, number of the label of each class; and the distinct labels.
    """
    tree = attribute.hierarchy
    level, node = np.full(len(starts), -1, np.int64), np.zeros(len(starts), np.int64)
    for i in range(tree.height, -1, -1):
        here = tree.ancestors[i][leaves]
        low = np.minimum.reduceat(here, starts)
        one = low == np.maximum.reduceat(here, starts)
        level[one], node[one] = i, low[one]
    pairs, number = distinct_rows(np.stack((level, node), axis=1))
    return number, tuple(tree.labels[i][v] for i, v in pairs.tolist())


def _ranges(leaves: IntArray, starts: IntArray, attribute: Attribute) -> tuple[IntArray, tuple[str | None, ...]]:
    """The range from the lowest to the highest value; `*` where a missing value is among others."""
    where = np.zeros(0) if attribute.positions is None else attribute.positions
    order = np.argsort(where, kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    placed = narrow(rank, len(rank)).take(leaves)
    ends = [np.asarray(end.reduceat(placed, starts), np.int64) for end in (np.minimum, np.maximum)]
    low, high = ends
    low[(low < high) & np.isnan(where[order[high]])] = 0  # a missing value among others: one label whatever they are
    pairs, number = distinct_rows(np.stack(ends, axis=1))
    names = [attribute.hierarchy.labels[0][v] for v in order.tolist()]
    item = {v: item_of(names[v]) for v in distinct(pairs).tolist()}
    return number, tuple(
        _one_text(names[a]) if a == b else ROOT if names[b] is None else join_ends(item[a], item[b])
        for a, b in pairs.tolist()
    )


def _wide_sets(leaves: IntArray, starts: IntArray) -> tuple[list[IntArray], IntArray]:
    """Distinct sets of values, and which set each class has, for attributes of many values."""
    known: dict[bytes, int] = {}
    sets: list[IntArray] = []
    number = np.empty(len(starts), np.int64)
    for i, part in enumerate(np.split(leaves, starts[1:])):
        values = distinct(part)
        number[i] = known.setdefault(values.tobytes(), len(sets))
        if number[i] == len(sets):
            sets.append(values)
    return sets, number


def _set_texts(values: IntArray, lengths: IntArray, names: Sequence[str | None]) -> tuple[str | None, ...]:
    """Spell sets of values; `*` for all values of the column, nothing for a missing value alone.

    Args:
        values: (n,) int64, leaf codes, set by set, each once in its set.
        lengths: (n_sets,) int64, values of each set, >= 1.
        names: text of each leaf.
    """
    by_text = sorted(np.flatnonzero(np.bincount(values)).tolist(), key=lambda v: (names[v] is None, names[v] or ""))
    items = [item_of(names[v]) for v in by_text]
    place = np.zeros(len(names), np.int64)
    place[by_text] = np.arange(len(by_text))
    owner = np.repeat(np.arange(len(lengths)), lengths)
    ordered = (np.sort(owner * len(names) + place[values]) - owner * len(names)).tolist()
    spelled = [items[p] for p in ordered]
    ends = np.cumsum(lengths)
    texts: list[str | None] = []
    for begin, end in zip((ends - lengths).tolist(), ends.tolist(), strict=True):
        if end - begin == 1:
            texts.append(_one_text(names[by_text[ordered[begin]]]))
        else:
            texts.append(ROOT if end - begin == len(names) else join_items(spelled[begin:end]))
    return tuple(texts)


def _one_text(name: str | None) -> str | None:
    """Spell one value; nothing for the missing one."""
    return None if name is None else format_value(name)


def loss_of(table: Table, member: IntArray) -> float:
    """Global certainty penalty of a partition: the mean over rows and attributes of weight × NCP."""
    runs = runs_of(member)
    return _loss(
        table, table.layout.losses(_covers(table, runs)), np.add.reduceat(table.sizes.rows[runs.order], runs.starts)
    )


def loss_of_labelled(table: Table, labelled: Labelled) -> float:
    """The same of classes with their labels: what a class loses on an attribute is told by its label there.

    So one part with each label is looked at, and its tuples need not be sorted again.
    """
    if labelled.parts is None:
        return loss_of(table, labelled.member)
    parts, number = labelled.parts
    codes, part = labelled.codes, np.empty(len(labelled.codes), np.int64)
    part[number] = np.arange(len(number))
    shown = [np.empty(len(texts), np.int64) for texts in labelled.texts]
    for j, one in enumerate(shown):
        one[codes[:, j]] = part  # a part with each label
    looked_at = distinct(np.concatenate(shown))
    covers, losses = _covers(table, parts.take(looked_at)), np.zeros(len(codes))
    for j, one in enumerate(shown):
        losses += table.layout.loss(covers, j)[np.searchsorted(looked_at, one)].take(codes[:, j])
    rows = np.bincount(labelled.member, weights=table.sizes.rows, minlength=len(codes)).astype(np.int64)
    return _loss(table, losses, rows)


def _covers(table: Table, runs: Runs) -> Covers:
    """The cover of each class."""
    return table.layout.covers_of_runs(table.ranks, runs.order, runs.starts)


def _loss(table: Table, losses: FloatArray, rows: IntArray) -> float:
    """Global certainty penalty of classes with these losses and rows."""
    weight = sum(axis.weight for axis in table.layout.axes) * rows.sum()
    return float(rows @ losses / weight) if weight else 0.0


def decision(
    finest: Classes, attributes: Sequence[Attribute], labelled: Labelled, loss: float | None, search: Search
) -> Decision:
    """The outcome of a partition: no row is suppressed. Classes without rows are not published."""
    published = merge(finest, labelled.member, labelled.codes)
    there = published.rows > 0
    number = np.where(there, np.cumsum(there) - 1, -1)
    step = Assign(tuple(attributes), finest.codes, taken(number, labelled.member), labelled.labels(there))
    return Decision((), step, published if there.all() else published.select(there), 0, None, loss, search)
