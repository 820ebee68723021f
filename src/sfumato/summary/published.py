"""What a released table says, label by label, about the original columns.

The table may be ours or not: each published text is looked up among the values and nodes of the original
hierarchy, then read as a range, a set or `*`. What cannot be understood is counted, never guessed.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.summary.classes import roll_up
from sfumato.summary.label_reader import read_labels
from sfumato.summary.span import Domain, Spans, spans_of_leaves
from sfumato.table.hierarchy.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, IntArray


class SuppressedMark(Enum):
    """How a suppressed row is recognized in a released table."""

    STAR = "star"
    """All its quasi-identifiers are `*`."""
    STAR_OR_NULL = "star or null"
    """All are `*`, or each is missing or empty (a null that was written to a text file is an empty cell)."""
    NULL = "null"
    """Each is missing or empty; rows of `*` form a class like any other."""
    NONE = "none"
    """No row is taken for a suppressed one; rows of `*` form a class like any other."""


@dataclass(frozen=True, slots=True, eq=False)
class Published:
    """A released table: its classes, and what their labels stand for.

    Args:
        attributes: the m ORIGINAL quasi-identifiers.
        labels: for each attribute its distinct published texts; `classes.codes` index them.
        spans: for each attribute what its labels stand for.
        classes: classes of the published rows; suppressed rows belong to none.
        suppressed_rows: rows whose quasi-identifiers are all suppressed.
        suppressed_persons: persons of those rows.
    """

    attributes: tuple[Attribute, ...]
    labels: tuple[tuple[str | None, ...], ...]
    spans: tuple[Spans, ...]
    classes: Classes
    suppressed_rows: int = 0
    suppressed_persons: int = 0

    @property
    def n_rows(self) -> int:
        """Rows of the release, suppressed ones included."""
        return self.classes.n_rows + self.suppressed_rows

    def rows_by_label(self, j: int) -> IntArray:
        """(n_labels,) int64: rows of published classes with each label of attribute j."""
        return self.classes.rows_by_code(j, len(self.labels[j]))

    @property
    def not_understood(self) -> tuple[int, ...]:
        """For each attribute, how many labels of published classes could not be understood."""
        return tuple(self._not_understood(j) for j in range(len(self.spans)))

    def _not_understood(self, j: int) -> int:
        """The same for one attribute."""
        unread = self.spans[j].n_leaves == 0
        return int(np.count_nonzero(unread & (self.rows_by_label(j) > 0))) if unread.any() else 0

    @property
    def is_understood(self) -> bool:
        """Whether every label of a published class was understood."""
        return not any(self.not_understood)


def read_published(
    originals: Sequence[Attribute],
    labels: Sequence[Sequence[str | None]],
    classes: Classes,
    *,
    suppressed: SuppressedMark = SuppressedMark.STAR,
    observed: Classes | None = None,
) -> Published:
    """Read a released table against the original columns.

    A text is first a value or node of the original hierarchy, then the same number in another form, then
    a range, a set or `*`. A name that several nodes bear is read at the one level of which all texts of
    the column are nodes, else it stands for all those nodes. A missing cell is the missing value where
    the original has one, else a suppressed cell.

    Args:
        originals: the m original quasi-identifiers.
        labels: for each of them the distinct texts of the released column.
        classes: classes of the released table; codes (n, m) index `labels`.
        suppressed: how suppressed rows are recognized; they leave the classes and are counted.
        observed: finest classes of the original table, to take as domain the values it holds; None: all
            leaves of the hierarchies.

    Returns:
        The published table. Ask `is_understood` before trusting a measure of it.

    Raises:
        ParameterError: the number of columns differs. Remedy: pass the same quasi-identifiers.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Kind, Role
        >>> age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["17", "20", "37"])
        >>> two = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> table = read_published([age], [["[17, 20]", "*"]], two)
        >>> table.spans[0].n_leaves.tolist(), table.suppressed_rows, table.classes.n_classes
        ([2, 3], 1, 1)
    """
    if not len(originals) == len(labels) == classes.codes.shape[1]:
        raise ParameterError(
            "A release must be read with its own quasi-identifiers; got {n_originals} columns, "
            "{n_labels} lists of labels and {shape} columns of codes.",
            "pass the same quasi-identifiers, in the same order.",
            n_originals=len(originals),
            n_labels=len(labels),
            shape=classes.codes.shape[1],
        )
    domains = domains_of(originals, observed)
    spans = tuple(read_labels(domain, texts) for domain, texts in zip(domains, labels, strict=True))
    gone = suppressed_classes(labels, classes.codes, suppressed)
    table = Published(tuple(originals), tuple(tuple(texts) for texts in labels), spans, classes)
    return without(table, gone)


def published_at_levels(
    attributes: Sequence[Attribute],
    finest: Classes,
    levels: Sequence[int],
    kept: BoolArray | None = None,
    *,
    observed: bool = False,
) -> Published:
    """The released table of a full-domain generalization, read from levels instead of texts.

    Args:
        attributes: the m quasi-identifiers.
        finest: finest classes (leaf codes).
        levels: m levels.
        kept: (n_classes,) bool over the classes at `levels`; the others are suppressed; None: all kept.
        observed: whether the domain is the values that `finest` holds instead of all leaves.
    """
    classes, _ = roll_up(finest, attributes, levels)
    spans = []
    for domain, level in zip(domains_of(attributes, finest if observed else None), levels, strict=True):
        tree = domain.attribute.hierarchy
        node = spans_of_leaves(domain, tree.ancestors[level], tree.ancestors[0], len(tree.labels[level]))
        spans.append(replace(node, level=np.full(node.n_labels, level, np.int64)))
    labels = tuple(a.hierarchy.labels[level] for a, level in zip(attributes, levels, strict=True))
    table = Published(tuple(attributes), labels, tuple(spans), classes)
    return table if kept is None else without(table, ~kept)


def published_of_partition(
    attributes: Sequence[Attribute], finest: Classes, classes: Classes, member: IntArray, *, observed: bool = False
) -> Published:
    """The released table that publishes the minimal cover of each class: exactly the values it holds.

    Args:
        attributes: the m quasi-identifiers.
        finest: finest classes (leaf codes).
        classes: the published classes; their `codes` are replaced by the number of the class.
        member: (n_fine,) int64, published class of each finest one; -1: suppressed.
        observed: whether the domain is the values that `finest` holds instead of all leaves.
    """
    inside = member >= 0
    spans = tuple(
        spans_of_leaves(domain, member[inside], finest.codes[inside, j], classes.n_classes)
        for j, domain in enumerate(domains_of(attributes, finest if observed else None))
    )
    names = tuple(str(i) for i in range(classes.n_classes))
    codes = np.repeat(np.arange(classes.n_classes)[:, None], len(attributes), axis=1)
    gone = finest.select(~inside)
    return Published(
        tuple(attributes),
        (names,) * len(attributes),
        spans,
        replace(classes, codes=codes),
        gone.n_rows,
        int(gone.persons.sum()),
    )


def domains_of(attributes: Sequence[Attribute], observed: Classes | None = None) -> tuple[Domain, ...]:
    """The domain of each attribute: all leaves, or those that the finest classes `observed` hold."""
    out = []
    for j, attribute in enumerate(attributes):
        present = None
        if observed is not None:
            published = observed.codes[observed.rows > 0, j]
            present = np.bincount(published, minlength=attribute.hierarchy.n_leaves) > 0
        out.append(Domain.of(attribute, present))
    return tuple(out)


def suppressed_classes(labels: Sequence[Sequence[str | None]], codes: IntArray, mark: SuppressedMark) -> BoolArray:
    """(n_classes,) bool: the classes whose rows are suppressed ones.

    The rule: every quasi-identifier of the row is `*`, or each is missing or empty, as `mark` says. A
    row with `*` in some of its quasi-identifiers only is a generalized row.

    Example:
        >>> codes = np.array([[0, 0], [0, 1], [1, 1]])
        >>> suppressed_classes([["*", "a"], ["*", "b"]], codes, SuppressedMark.STAR).tolist()
        [True, False, False]
    """
    out = np.zeros(len(codes), np.bool_)
    if mark is SuppressedMark.NONE or not len(labels):
        return out
    star: frozenset[str | None] = frozenset({ROOT})
    empty: frozenset[str | None] = frozenset({None, ""})
    known: dict[SuppressedMark, list[frozenset[str | None]]] = {
        SuppressedMark.STAR: [star],
        SuppressedMark.NULL: [empty],
    }
    for signs in known.get(mark, [star, empty]):
        is_text = [np.fromiter((t in signs for t in texts), np.bool_, len(texts)) for texts in labels]
        out |= np.all([hits[codes[:, j]] for j, hits in enumerate(is_text)], axis=0)
    return out


def without(table: Published, gone: BoolArray) -> Published:
    """The same table with the classes where `gone` (n_classes,) is true counted as suppressed."""
    rows = int(table.classes.rows[gone].sum())
    persons = int(table.classes.persons[gone].sum())
    return replace(
        table,
        classes=table.classes.select(~gone),
        suppressed_rows=table.suppressed_rows + rows,
        suppressed_persons=table.suppressed_persons + persons,
    )
