"""What each column means: role, kind, hierarchy, and who counts as one person."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from sfumato.errors import SchemaError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.hierarchy.tree import Hierarchy


class Role(Enum):
    """How a column could harm the persons in the table."""

    IDENTIFYING = "identifying"
    """Names a person by itself (name, number): never published as it is."""
    QUASI_IDENTIFYING = "quasi-identifying"
    """Known to an intruder from elsewhere, identifying in combination."""
    SENSITIVE = "sensitive"
    """What an intruder must not learn; published unchanged."""
    INSENSITIVE = "insensitive"
    """Neither known elsewhere nor harmful; published unchanged."""


class Kind(Enum):
    """How the text of a cell is to be understood. The text itself is always kept."""

    TEXT = "text"
    INTEGER = "integer"
    DECIMAL = "decimal"
    DATE = "date"

    @property
    def is_ordered(self) -> bool:
        """Numbers and dates have an order that ranges can use; text has none."""
        return self is not Kind.TEXT


class HierarchySpec(Protocol):
    """A declared way to build the hierarchy of a column once its values are known."""

    def build(self, column: Column, values: Sequence[str | None]) -> Hierarchy:
        """Build the tree whose leaves include every one of `values` (None: missing)."""
        ...


@runtime_checkable
class Worded(Protocol):
    """A hierarchy that says itself what it is."""

    @property
    def words(self) -> str:
        """It in a few words, without values of the table."""


def describe(spec: HierarchySpec) -> str:
    """A declared hierarchy in a few words, without values of the table; one that has none is called by its class.

    Example:
        >>> from sfumato.table.hierarchy.dates import Dates, Unit
        >>> from sfumato.table.hierarchy.masking import Masking
        >>> describe(Dates((Unit.MONTH, Unit.YEAR))), describe(Masking("right"))
        ('dates by month, then year', 'characters hidden from the right')
    """
    return spec.words if isinstance(spec, Worded) else type(spec).__name__


def chained(words: Sequence[str]) -> str:
    """A first word, then the others.

    Example:
        >>> chained(["month"]), chained(["month", "year", "decade"])
        ('month', 'month, then year, decade')
    """
    return words[0] + (", then " + ", ".join(words[1:]) if len(words) > 1 else "")


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a person's table.

    Args:
        name: exact name in the source, spaces included.
        role: how it could harm.
        kind: how its text is understood.
        hierarchy: how its values generalize; None: only to `*`.
        bounds: declared lowest and highest value of an ordered column, for loss measures; None: as
            observed.
        format: strptime format of a date column; None: ISO 8601.
        weight: how much the loss of this column counts, >= 0 (1: as any other).
        pivot: latest year that a two-digit year (`%y`) can mean, so that 42 is 1942 where it is 2026; None: 1969 to
            2068.
    """

    name: str
    role: Role
    kind: Kind = Kind.TEXT
    hierarchy: HierarchySpec | None = None
    bounds: tuple[float, float] | None = None
    format: str | None = None
    weight: float = 1.0
    pivot: int | None = None


@dataclass(frozen=True, slots=True)
class Schema:
    """Every column of the table, in order, and the privacy unit.

    Args:
        columns: all columns of the source; an undeclared one blocks the release.
        person: name of the column that identifies a person who may have several rows; None: one row
            is one person.
    """

    columns: tuple[Column, ...]
    person: str | None = None

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise SchemaError(
                "Each column must be declared once; declared twice: {twice}.",
                "keep one declaration of each.",
                twice=twice,
            )
        if self.person is not None and self.person not in names:
            raise SchemaError(
                "The privacy unit must be a column of the table; {person!r} is not declared.",
                "declare that column (its role is usually `identifying`).",
                person=self.person,
            )

    def __getitem__(self, name: str) -> Column:
        """The column of that name."""
        for column in self.columns:
            if column.name == name:
                return column
        raise SchemaError(
            "Column {name!r} is not declared; declared: {columns}.",
            "correct the name or declare the column.",
            name=name,
            columns=[c.name for c in self.columns],
        )

    def with_role(self, role: Role) -> tuple[Column, ...]:
        """The columns of that role, in table order."""
        return tuple(column for column in self.columns if column.role is role)

    @property
    def quasi_identifiers(self) -> tuple[Column, ...]:
        """The quasi-identifying columns, in table order."""
        return self.with_role(Role.QUASI_IDENTIFYING)

    @property
    def sensitive(self) -> tuple[Column, ...]:
        """The sensitive columns, in table order."""
        return self.with_role(Role.SENSITIVE)

    def check_covers(self, names: Sequence[str]) -> None:
        """Refuse a table with columns that nobody declared, or that lacks declared ones."""
        declared = {column.name for column in self.columns}
        undeclared = [name for name in names if name not in declared]
        absent = sorted(declared - set(names))
        if names and len(undeclared) == len(names):  # perhaps the cells of a first row: they are not shown
            raise SchemaError(
                "The columns of the table must be those that are declared; none of the {n_names} is.",
                "correct the names; a CSV file without a header needs `dialect = {{ header = false }}`.",
                n_names=len(names),
            ).below("columns")
        if undeclared:
            raise SchemaError(
                "Every column must have a role before anything is published; undeclared: {undeclared}.",
                'add each under [columns] with its role, or `role = "identifying"` to leave it out.',
                undeclared=undeclared,
            ).below("columns")
        if absent:
            raise SchemaError(
                "Every declared column must be in the table; absent: {absent}.",
                "correct the names (they are compared exactly, blanks included) or remove them.",
                absent=absent,
            ).below("columns", absent[0])
