"""What commands tell of experiments and demonstrations: a list of them, and what one measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.table.values import Table

from typing import ClassVar

from sfumato.document.result.codec import Document
from sfumato.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedExperiment:
    """What can be run.

    Args:
        name: of the command line.
        what: is measured.
        origin: who published it.
        duration: of a full run on two cores, about.
        runs: of a full run; null: nothing is random.
        unit: what a run is; null: nothing is random.
        data: the public table that it needs; null: none.
    """

    name: str
    what: str
    origin: str
    duration: str
    runs: int | None
    unit: str | None
    data: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentsResult(Document):
    """What can be run.

    Args:
        experiments: in the order of the documentation.
    """

    tag: ClassVar = ("format", "sfumato.experiments/1")
    experiments: tuple[ListedExperiment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How an experiment was run.

    Args:
        runs: how often each cell was measured; null: nothing is random.
        quick: whether the coarser version was run.
        seed: of all chance.
    """

    runs: int | None
    quick: bool
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedTable:
    """The public table that an experiment read.

    Args:
        file: its name.
        rows: rows that were used.
        left_out: rows left out for a missing value.
    """

    file: str
    rows: int
    left_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredColumn:
    """One column of the table that an experiment gives.

    Args:
        key: name of the column.
        label: its short title, in the language of the terminal where the experiment speaks it; "": none.
        meaning: one sentence, in the same language.
    """

    key: str
    label: str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentResult(Document):
    """What an experiment measured.

    Args:
        sfumato: version of Sfumato.
        experiment: its name.
        what: is measured.
        origin: who published it.
        settings: how it was run.
        data: the table that it read; null: none.
        columns: of the table.
        rows: cells by the keys of the columns.
        notes: sentences that a reader of the table needs.
    """

    tag: ClassVar = ("format", "sfumato.experiment/1")
    sfumato: str
    experiment: str
    what: str
    origin: str
    settings: Settings
    data: UsedTable | None
    columns: tuple[MeasuredColumn, ...]
    rows: tuple[Table, ...]
    notes: tuple[str, ...]
