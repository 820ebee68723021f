"""An experiment, what it is given and what comes out: plain data for tables and pictures."""

from __future__ import annotations

import hashlib
from dataclasses import field
from typing import TYPE_CHECKING, Literal

import numpy as np

from sfumato.errors import InternalError, ParameterError
from sfumato.frozen import dataclass
from sfumato.noise.bits import KeyedBits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.mechanism.recode.decision import Progress
    from sfumato.noise.bits import Bits
    from sfumato.study.reproduce.data import Dataset, PublicTable

Cell = str | int | float | None
Form = Literal["text", "count", "number", "scientific", "percent", "sigma"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the table that an experiment gives.

    Args:
        key: name in CSV and JSON.
        title: short head for a terminal; empty: not shown there.
        meaning: one sentence.
        form: how a number is written for people.
    """

    key: str
    title: str
    meaning: str
    form: Form = "number"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a picture.

    Args:
        name: for the legend.
        values: one for each point; None: nothing to draw.
        spread: half the height of a band around each value; None: no band.
        kind: `measured` here (a line), `reference` measured elsewhere (hollow marks), or a `level`.
        like: name of the line whose color it shares; empty: a color of its own.
    """

    name: str
    values: tuple[float | None, ...]
    spread: tuple[float, ...] | None = None
    kind: Literal["measured", "reference", "level"] = "measured"
    like: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """What a picture shows, before it is drawn.

    Args:
        name: end of the file's name.
        title: the text alternative.
        axes: what the horizontal and the vertical axis measure.
        points: horizontal positions, rising.
        lines: each with a value for each point.
        log: whether the horizontal and the vertical axis are logarithmic.
        marks: labels of points; empty: the numbers.
    """

    name: str
    title: str
    axes: tuple[str, str]
    points: tuple[float, ...]
    lines: tuple[Line, ...]
    log: tuple[bool, bool] = (False, False)
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an experiment measured.

    Args:
        columns: of the table.
        rows: cells by column key.
        figures: what to draw.
        notes: sentences that a reader of the table needs.
        french: the same in French; empty: they are told in English.
    """

    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Cell], ...]
    figures: tuple[Figure, ...]
    notes: tuple[str, ...]
    french: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Order:
    """How an experiment shall be run.

    Args:
        runs: how often each cell is measured, >= 1.
        quick: whether a coarser version is enough.
        seed: of all chance, >= 0: the same seed gives the same table. The data are public, so nobody is protected.
        progress: called between cells; it may raise `Interrupted`.
        table: the data; None where none are needed.
    """

    runs: int
    quick: bool
    seed: int
    progress: Progress
    table: PublicTable | None = None

    def public_table(self) -> PublicTable:
        """The data of an experiment that needs some."""
        if self.table is None:
            raise InternalError("An experiment that needs data was started without them.")
        return self.table

    def rng(self) -> np.random.Generator:
        """Chance of simulations, from the start."""
        return np.random.default_rng(self.seed)

    def bits(self) -> Bits:
        """Chance of mechanisms, from the start: a stream that anybody can repeat."""
        key = hashlib.blake2b(str(self.seed).encode(), digest_size=32, person=b"sfumato.repeat").digest()
        return KeyedBits(key, is_secure=False)


@dataclass(frozen=True, slots=True)
class Experiment:
    """A published experiment that can be run again.

    Args:
        name: of the command line.
        what: is measured.
        origin: who published it.
        duration: of a full run on two cores, about.
        run: measures.
        data: the public table it needs; None: none.
        runs: of a full and of a quick version; None: nothing is random.
        unit: what a run is ("collections").
        least_runs: fewest that give a figure.
        french: French of what table and pictures say; empty: they speak English.
    """

    name: str
    what: str
    origin: str
    duration: str
    run: Callable[[Order], Outcome] = field(repr=False)
    data: Dataset | None = None
    runs: tuple[int, int] | None = None
    unit: str = ""
    least_runs: int = 1
    french: Mapping[str, str] = field(default_factory=dict, repr=False)

    def runs_for(self, asked: int | None, *, quick: bool) -> int:
        """The number of runs: as asked, else that of the full or the quick version.

        Raises:
            ParameterError: too few, or a number for an experiment without chance. Remedy: in the message.
        """
        if self.runs is None:
            if asked is not None:
                raise ParameterError(
                    "{name} is computed exactly and has no runs.", "leave the number out.", name=self.name
                )
            return 1
        if asked is not None and asked < self.least_runs:
            raise ParameterError(
                "{name} needs at least {least_runs} {unit}; got {asked}.",
                "ask for more.",
                name=self.name,
                least_runs=self.least_runs,
                unit=self.unit,
                asked=asked,
            )
        return self.runs[quick] if asked is None else asked
