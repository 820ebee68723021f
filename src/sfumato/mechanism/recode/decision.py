"""What a recoding method decides: which published class each finest tuple goes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.recipe.steps import Assign, ColumnStep, Suppress
    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute


@dataclass(frozen=True, slots=True)
class Search:
    """What was looked at, so that nobody mistakes a good answer for the best one.

    Args:
        lattice_size: nodes of the lattice; None where there is no lattice.
        checked: nodes (or cuts) evaluated.
        optimal: whether no solution with less loss exists, proved.
        statement: one sentence: what was explored, pruned, and left.
    """

    lattice_size: int | None
    checked: int
    optimal: bool
    statement: str


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """The outcome of a recoding method, before any row is touched.

    Args:
        columns: steps on single columns (`Recode` for full-domain generalization, else ()).
        step: `Suppress` beside column steps, or `Assign`; None: nothing on several columns.
        published: the classes that will be published, suppressed rows left out.
        suppressed_rows: rows that belong to no published class.
        levels: level of each attribute, for full-domain generalization; else None.
        loss: value of the loss that was minimized; None where none was.
        search: what was explored.
        centers: columns whose published cells are centers of groups (means), no values, ranges or nodes.
        loss_at_least: proved: no classes that satisfy the criteria lose less, whatever was searched; None where nothing
            was proved.
    """

    columns: tuple[ColumnStep, ...]
    step: Assign | Suppress | None
    published: Classes
    suppressed_rows: int
    levels: tuple[int, ...] | None
    loss: float | None
    search: Search
    centers: tuple[str, ...] = ()
    loss_at_least: float | None = None


class Progress(Protocol):
    """Called now and then by long work; it may raise `Interrupted` to stop it."""

    def __call__(self, done: int, total: int | None, message: str) -> None:
        """`done` of `total` (None: unknown) steps, and a short text."""
        ...


class RecodeMethod(Protocol):
    """A recoding method: summary in, decision out. Deterministic."""

    def decide(self, finest: Classes, attributes: Sequence[Attribute]) -> Decision:
        """Choose what is published.

        Raises:
            NoSolution: no release within the limits satisfies the criteria.
        """
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a search may take.

    Args:
        seconds: wall-clock limit; None: none. The clock is passed in, so decisions stay testable.
        nodes: most nodes to evaluate; None: no limit.
    """

    seconds: float | None = None
    nodes: int | None = None


def silent(done: int, total: int | None, message: str) -> None:
    """Progress that nobody watches."""
