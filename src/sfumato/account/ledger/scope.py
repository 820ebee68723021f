"""Which persons can an answer concern? Those whose value in one public column is among some keys."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.errors import ParameterError
from sfumato.table.domain import canonical


@dataclass(frozen=True, slots=True)
class Scope:
    """The rows whose `column` holds one of `keys`; answers over disjoint keys concern different rows.

    Keys are canonical values: texts that write one number are one key, whatever type the column has, since `5` and
    `5.0` are one cell in a column of floats. Two keys that are one can only raise what is counted.

    Args:
        column: a column with declared categories.
        keys: distinct declared categories, at least one; their order does not matter and is sorted.

    Raises:
        ParameterError: no column, no key, or a key twice. Remedy: name each key once.

    Example:
        >>> Scope("region", ("south", "north")) == Scope("region", ("north", "south"))
        True
        >>> Scope("size", ("5.0", "05", "1e3", "x")).keys
        ('1000', '5', 'x')
    """

    column: str
    keys: tuple[str, ...]

    def __post_init__(self) -> None:
        texts = isinstance(self.column, str) and self.column and all(isinstance(key, str) for key in self.keys)
        if not texts or not self.keys or len(set(self.keys)) != len(self.keys):
            raise ParameterError(
                "A scope must name a column and at least one key, none of them twice.", "name each key once."
            )
        object.__setattr__(self, "keys", tuple(sorted({canonical(key) for key in self.keys})))
