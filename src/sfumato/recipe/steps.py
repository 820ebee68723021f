"""What can be done to a table? One frozen dataclass per operation; engines carry them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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


ColumnStep = Drop | Replace | Recode | TopBottom | Round


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
    labels: tuple[tuple[str | None, ...], ...]
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
