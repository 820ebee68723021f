"""Whom does differential privacy protect? Neighbors, the privacy unit, and how much one person may contribute."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sfumato.errors import ParameterError


class Neighbors(Enum):
    """Which two tables must give nearly the same answers."""

    ADD_REMOVE = "add or remove"
    """One has all rows of one person more. The number of persons is protected."""
    REPLACE = "replace"
    """The rows of one person are exchanged for other rows. The number of persons is public."""

    @property
    def sides(self) -> int:
        """How often one person's contribution is counted in a difference: once, or taken and given."""
        return 1 if self is Neighbors.ADD_REMOVE else 2


@dataclass(frozen=True, slots=True)
class Unit:
    """One person, and the most that one person may contribute to one answer.

    Rows beyond the limits are left out by a rule that looks only at that person's rows, so the limits hold
    for every table. `rows` and `keys` of `Unit.row` are 1 by nature: a row is a person.

    Args:
        neighbors: which tables are neighbors.
        person: name of the column that identifies a person; None: each row is one person.
        rows: most rows of a person in one group, >= 1.
        keys: most groups (distinct keys) in which a person counts, >= 1.

    Raises:
        ParameterError: limits below 1, or above 1 without a person column. Remedy: name the column.

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
        if self.person is None and (self.rows, self.keys) != (1, 1):
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

    @property
    def sentence(self) -> str:
        """The unit in words, for answers and reports."""
        who = "a row" if self.person is None else f"a person (column {self.person!r})"
        most = "" if self.person is None else f", with at most {self.rows} rows in each of at most {self.keys} groups"
        verb = "adding or removing" if self.neighbors is Neighbors.ADD_REMOVE else "replacing"
        return f"{verb} {who}{most}"
