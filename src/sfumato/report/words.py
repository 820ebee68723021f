"""Small words that several parts of a report share: sentences, figures, and the order of columns and keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from sfumato.report.number import exact

if TYPE_CHECKING:
    from sfumato.document.result.release import ReleaseResult

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """A figure as label, number, definition and source."""

    label: str
    value: str
    definition: str
    source: str


def sentence(text: str) -> str:
    """A phrase with a capital letter and without its final point.

    Example:
        >>> sentence("persons alone."), sentence("")
        ('Persons alone', '')
    """
    return text[:1].upper() + text[1:].rstrip(".")


def title_of(result: ReleaseResult) -> str:
    """The name of the page: which table was released."""
    path = result.source.path
    return f"Release of {path.replace(chr(92), '/').rsplit('/', 1)[-1]}" if path else "Release of a table"


def parameters_of(parameters: Mapping[str, object]) -> list[tuple[str, str]]:
    """Parameters as they were given, by name."""
    return [(name, exact(value)) for name, value in in_key_order(parameters).items()]


def in_table_order(by_column: Mapping[str, T], result: ReleaseResult) -> dict[str, T]:
    """The same entries in the order of the table's columns; unknown names last."""
    order = {column.name: i for i, column in enumerate(result.columns)}
    return dict(sorted(sorted(by_column.items()), key=lambda item: order.get(item[0], len(order))))


def in_key_order(value: Any) -> Any:
    """The same value with the keys of every object sorted, as a stored result has them.

    Example:
        >>> list(in_key_order({"b": [{"d": 1, "c": 2}], "a": 0}))
        ['a', 'b']
    """
    if isinstance(value, Mapping):
        return {key: in_key_order(value[key]) for key in sorted(value)}
    return [in_key_order(item) for item in value] if isinstance(value, (list, tuple)) else value
