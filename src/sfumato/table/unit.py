"""Whom differential privacy protects: neighbors, the privacy unit, and how much one person may contribute."""

from __future__ import annotations

from enum import Enum

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass


class Neighbors(Enum):
    """Which two tables, or graphs, must give nearly the same answers.

    A graph is a table of edges. Who may have drawn an edge is hidden by `EDGE`; `NODE` hides whether somebody is there at
    all, and costs more: a node takes its edges along.
    """

    ADD_REMOVE = "add or remove"
    """One has all rows of one person more. The number of persons is protected."""
    REPLACE = "replace"
    """The rows of one person are exchanged for other rows. The number of persons is public."""
    EDGE = "edge"
    """One graph has one edge more, between nodes that are public."""
    NODE = "node"
    """One graph has one node more, with all its edges."""

    @property
    def sides(self) -> int:
        """How often one contribution is counted in a difference: once, or taken and given."""
        return 2 if self is Neighbors.REPLACE else 1

    @property
    def are_graphs(self) -> bool:
        """Whether they differ in an edge or a node, not in the rows of a person."""
        return self in {Neighbors.EDGE, Neighbors.NODE}


UNBOUNDED = 2**31 - 1
"""Stands for limits that each answer sets for itself."""
OF_TABLES = (Neighbors.ADD_REMOVE, Neighbors.REPLACE)
"""Neighbors that differ in the rows of a person."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One person, edge or node, and the most that it may contribute to one answer.

    Rows beyond the limits are left out by a rule that looks only at that person's rows, so the limits hold
    for every table. `rows` and `keys` of `Unit.row` are 1 by nature: a row is a person; so are those of `Unit.edge`.

    Args:
        neighbors: which tables are neighbors.
        person: name of the column that identifies a person; None: each row is one person, or an edge.
        rows: most rows of a person (edges of a node) in one group, >= 1.
        keys: most groups (distinct keys) in which a person or a node counts, >= 1.

    Raises:
        ParameterError: limits below 1, above 1 for a row or an edge, or a person column of a graph. Remedy: name the
            column of persons; use `Unit.edge` or `Unit.node`.

    Source:
        R. Wilson et al., "Differentially Private SQL with Bounded User Contribution", PoPETs 2020(2), section 3.

    Example:
        >>> visits = Unit(Neighbors.ADD_REMOVE, person="patient", rows=3, keys=2)
        >>> visits.sentence
        "adding or removing a person (column 'patient'), with at most 3 rows in each of at most 2 groups"
    """

    neighbors: Neighbors
    person: str | None
    rows: int
    keys: int

    def __post_init__(self) -> None:
        for name, value in (("rows", self.rows), ("keys", self.keys)):
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value < 2**31:
                raise ParameterError(
                    "`{name}` of a unit must be a whole number from 1 to 2^31 - 1; got {value!r}.",
                    "give the most that one person may contribute.",
                    name=name,
                    value=value,
                )
        if self.neighbors.are_graphs and self.person is not None:
            raise ParameterError(
                "A graph protects an edge or a node, not the persons of a column.", "use `Unit.edge` or `Unit.node`."
            )
        if self.is_one_row and (self.rows, self.keys) != (1, 1):
            raise ParameterError(
                "Without a person column each row is a person and counts once.",
                "name the person column, or use `Unit.row`.",
            )

    @classmethod
    def row(cls, neighbors: Neighbors) -> Unit:
        """Each row is one person.

        Example:
            >>> Unit.row(Neighbors.REPLACE).neighbors.sides
            2
        """
        return cls(neighbors, None, 1, 1)

    @classmethod
    def edge(cls) -> Unit:
        """Each row is an edge between two public nodes.

        Example:
            >>> Unit.edge().sentence
            'adding or removing an edge'
        """
        return cls(Neighbors.EDGE, None, 1, 1)

    @classmethod
    def node(cls, *, edges: int, groups: int) -> Unit:
        """A node with all its edges, which are counted up to a limit.

        Args:
            edges: most edges of a node in one group, >= 1.
            groups: most groups in which a node has edges, >= 1.

        Example:
            >>> Unit.node(edges=10, groups=1).sentence
            'adding or removing a node with its edges, at most 10 in each of at most 1 groups'
        """
        return cls(Neighbors.NODE, None, edges, groups)

    @property
    def is_one_row(self) -> bool:
        """Whether what is protected is a single row, and so in one part of the table by nature."""
        return self.person is None and self.neighbors is not Neighbors.NODE

    @property
    def sentence(self) -> str:
        """The unit in words, for answers and reports."""
        if self.neighbors is Neighbors.EDGE:
            return "adding or removing an edge"
        if self.neighbors is Neighbors.NODE:
            return (
                f"adding or removing a node with its edges, at most {self.rows} in each of at most {self.keys} groups"
            )
        who = "a row" if self.person is None else f"a person (column {self.person!r})"
        if UNBOUNDED in (self.rows, self.keys):
            most = ", of whom each answer bounds what counts"
        else:
            most = (
                "" if self.person is None else f", with at most {self.rows} rows in each of at most {self.keys} groups"
            )
        verb = "adding or removing" if self.neighbors is Neighbors.ADD_REMOVE else "replacing"
        return f"{verb} {who}{most}"
