"""What can be done to a table: one frozen dataclass per operation; engines carry them out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class Drop:
    """Leave the column out of the release."""

    column: str


@dataclass(frozen=True, slots=True)
class Replace:
    """Write `label` in every cell of the column."""

    column: str
    label: str


@dataclass(frozen=True, slots=True, eq=False)
class Recode:
    """Write in each cell the label of its leaf: full-domain generalization at `level`.

    The published text of leaf v is `hierarchy.labels[level][hierarchy.ancestors[level][v]]`.
    """

    attribute: Attribute
    level: int


@dataclass(frozen=True, slots=True)
class TopBottom:
    """Write `low_label` below `low` and `high_label` above `high`; numbers otherwise unchanged."""

    column: str
    low: float | None
    low_label: str
    high: float | None
    high_label: str


@dataclass(frozen=True, slots=True)
class Round:
    """Round each number to the nearest multiple of `base`, halves away from zero."""

    column: str
    base: float


class Draw(Protocol):
    """What is published in a cell, drawn from its leaf alone: rows do not know each other.

    It is pickled and sent to other machines: a frozen dataclass of plain data.
    """

    def draw(self, leaves: IntArray, *, bits: Bits) -> IntArray:
        """(n,) int64 places, one for each of (n,) leaf codes, independent given the leaves."""
        ...

    def texts(self, places: Sequence[int]) -> list[str]:
        """The published text of each of some distinct places."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Randomize:
    """Publish in each cell what `draw` draws for its leaf, drawn once. A missing cell stays as it was written; the
    column becomes text.
    """

    attribute: Attribute
    draw: Draw


class Naming(Protocol):
    """A function of the cell's text, the same for every row (pseudonyms). A frozen dataclass of plain data."""

    def texts(self, cells: Sequence[str]) -> list[str]:
        """The published text of each of some distinct texts."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Rewrite:
    """Publish in each cell the name of its text. A missing cell stays as it was written; the column becomes text."""

    column: str
    naming: Naming


@dataclass(frozen=True, slots=True, eq=False)
class Deal:
    """Deal out texts over the rows of each value: swapping, ranking, and whatever else must know all rows.

    Args:
        attribute: the column.
        splits: `tuple_` are leaf codes, `member` index `labels` and are never -1. Every value of the table is listed,
            with as many rows as it has.
        labels: published texts, None where missing is published (such a cell stays as it was written).
    """

    attribute: Attribute
    splits: Splits
    labels: tuple[str | None, ...]


ColumnStep = Drop | Replace | Recode | TopBottom | Round | Randomize | Rewrite | Deal


def column_of(step: ColumnStep) -> str:
    """Name of the column that a step changes."""
    return step.attribute.name if isinstance(step, (Recode, Randomize, Deal)) else step.column


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """Give each row the labels of its class; several attributes at once.

    Args:
        attributes: the m quasi-identifiers.
        codes: (n_tuples, m) int64, leaf codes of each finest tuple.
        member: (n_tuples,) int64, published class of each tuple; -1: the row is suppressed.
        labels: for each attribute the (n_classes,) published texts, None where missing is published.
        splits: rows of one tuple that go to different classes (relaxed Mondrian); None: none do.
    """

    attributes: tuple[Attribute, ...]
    codes: IntArray
    member: IntArray
    labels: tuple[Sequence[str | None], ...]
    splits: Splits | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Splits:
    """Of the rows of tuple `tuple_[i]`, in table order, `rows[i]` go to class `member[i]`.

    Entries of one tuple follow each other; their rows add up to the rows of the tuple. A tuple that
    is listed here ignores `Assign.member`.
    """

    tuple_: IntArray
    rows: IntArray
    member: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Bucket:
    """Publish the number of each row's bucket in a new first column; the attributes stay as they are.

    Steps on single columns may drop or change the attributes all the same (Anatomy drops the sensitive one).

    Args:
        column: name of the new column, which the table must not have.
        attributes: what the bucket is decided by, quasi-identifying and sensitive.
        codes: (n_tuples, m) int64, leaf codes of each distinct tuple of the attributes.
        splits: `tuple_` index `codes`, `member` are bucket numbers from 0, never -1; every tuple is listed, with as
            many rows as it has. Numbers are published as they are, in decimal digits, as BIGINT.
    """

    column: str
    attributes: tuple[Attribute, ...]
    codes: IntArray
    splits: Splits


@dataclass(frozen=True, slots=True, eq=False)
class Suppress:
    """Suppress all quasi-identifiers of the rows whose finest tuple is listed.

    Used beside `Recode` steps, which hold the labels of the rows that stay.

    Args:
        attributes: the m quasi-identifiers.
        levels: the m levels at which `codes` are given.
        codes: (n, m) int64, codes at those levels of the classes to suppress.
    """

    attributes: tuple[Attribute, ...]
    levels: tuple[int, ...]
    codes: IntArray
