"""What a full-domain search saw of its lattice: `sfumato.lattice/1`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.table.values import Table

from typing import ClassVar

from sfumato.document.result.codec import Document
from sfumato.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LatticeColumn:
    """A quasi-identifier.

    Args:
        name: of the column.
        lowest: its finest level here; above 0 where the table was generalized before it was counted.
        highest: its coarsest level.
    """

    name: str
    lowest: int
    highest: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LatticeNode:
    """A node that was judged: one level for each column.

    Args:
        levels: in the order of the columns.
        anonymous: whether every promise holds there with no more rows suppressed than the plan allows.
        suppressed_rows: rows that are suppressed there; null: it is not anonymous.
        loss: what it loses; null: it is not anonymous.
        loss_at_least: no release at these levels that keeps the promises loses less.
        settles: whether it says the same of others that nobody need judge: of every coarser node if it is anonymous, else
            of every finer one.
    """

    levels: tuple[int, ...]
    anonymous: bool
    suppressed_rows: int | None
    loss: float | None
    loss_at_least: float
    settles: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LatticeResult(Document):
    """The solution space of a full-domain search.

    Args:
        sfumato: version of the program that wrote it.
        plan: the plan as it was read.
        loss: name of the loss.
        rows: of the table as it was counted.
        suppression_limit: most rows that may be suppressed.
        columns: the quasi-identifiers.
        size: nodes of the lattice.
        nodes: every judged node, in the order of judging.
        settled_anonymous: nodes that are anonymous because a finer one is; null: the lattice is too large to count them.
        settled_not: nodes that are not because a coarser one is not; null: the same.
        optimum: levels of the node that the search chose; null: it found none.
        proved: whether no other node loses less, proved; where there is no optimum, whether there is none, proved.
        statement: what was explored, in a sentence.
    """

    tag: ClassVar = ("format", "sfumato.lattice/1")
    sfumato: str
    plan: Table
    loss: str
    rows: int
    suppression_limit: int
    columns: tuple[LatticeColumn, ...]
    size: int
    nodes: tuple[LatticeNode, ...]
    settled_anonymous: int | None
    settled_not: int | None
    optimum: tuple[int, ...] | None
    proved: bool
    statement: str
