"""What is kept of statistics of traces: part of `sfumato.release/1`. Nothing in it was not paid for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.table.values import Table

from typing import ClassVar

from sfumato.document.result.codec import Document
from sfumato.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseTold:
    """The noise of some numbers, known before anything was read.

    Args:
        statistic: which one.
        number: what is counted.
        groups: how many numbers there are; null: as many as were selected.
        mechanism: name of what was done.
        l1: by how much one person moves all numbers together; null: noise is not added to numbers.
        mean_error: the mean absolute error of one number; null: not known beforehand.
        bad_error: what the absolute error of one number does not exceed, with the confidence; null: not known beforehand.
        threshold: groups with fewer noisy persons are not shown; null: all are.
        tried: whether the errors are those of trials on public random graphs of a guessed size, not of the law of noise.
    """

    statistic: str
    number: str
    groups: int | None = None
    mechanism: str
    l1: int | None = None
    mean_error: float | None = None
    bad_error: float | None = None
    threshold: int | None = None
    tried: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticTold:
    """One table of noisy numbers: what it is, and the groups with the greatest ones.

    Args:
        title: what it is.
        by: what groups differ by.
        cells: what the numbers of a group are.
        shown: groups that the table holds.
        mechanism: name of what was done.
        price: what the statistic cost, in words.
        cost: the event; a margin is paid with its statistic.
        sensitivity: why the noise suffices, in a sentence.
        confidence: chance, over the noise alone, that each single interval covers; null: no interval is proven.
        keys: of the greatest groups, in the order of `by`.
        values: their noisy numbers.
        low: lower ends of the intervals of the totals of what counts.
        high: upper ends.
        notes: what a reader should know.
    """

    title: str
    by: tuple[str, ...]
    cells: tuple[str, ...]
    shown: int
    mechanism: str
    price: str
    cost: Table
    sensitivity: str
    confidence: float | None = None
    keys: tuple[tuple[str, ...], ...] = ()
    values: tuple[tuple[float | None, ...], ...] = ()
    low: tuple[tuple[float | None, ...], ...] = ()
    high: tuple[tuple[float | None, ...], ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingTold:
    """The epsilon of all statistics together, as one accountant counts it.

    Args:
        accountant: its name.
        epsilon: rounded up; null: it cannot count these.
        note: how it counts, or why it cannot.
    """

    accountant: str
    epsilon: float | None = None
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ForecastResult(Document):
    """How wrong statistics of a plan would be; nothing was read, and nothing paid.

    Args:
        unit: whom each answer would protect.
        confidence: of the greatest errors.
        cost: the event that would be charged.
        noises: how wrong numbers would be.
        accountants: the epsilon of all together; empty where the plan names no delta.
    """

    tag: ClassVar = ("format", "sfumato.forecast/1")
    unit: str
    confidence: float
    cost: Table
    noises: tuple[NoiseTold, ...] = ()
    accountants: tuple[ReadingTold, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsFound:
    """Statistics of traces.

    Args:
        zone: time zone of the persons.
        latitude: of the region's south-west corner.
        longitude: of the region's south-west corner.
        metres: side of a cell.
        rows: cells from south to north.
        columns: cells from west to east.
        unit: whom each answer protects.
        noises: how wrong numbers are.
        tables: what was released, in the order of the files.
        accountants: the epsilon of all together; empty where it is the sum of pure ones.
    """

    zone: str
    latitude: float
    longitude: float
    metres: float
    rows: int
    columns: int
    unit: str
    noises: tuple[NoiseTold, ...] = ()
    tables: tuple[StatisticTold, ...] = ()
    accountants: tuple[ReadingTold, ...] = ()
