"""How are the keys of a declared hierarchy read, so that every error names column and key?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from typing import TYPE_CHECKING, TypeVar

from sfumato.errors import PlanError

if TYPE_CHECKING:
    from sfumato.table.hierarchy.edges import Edge

E = TypeVar("E", bound=Enum)

_LARGEST = 1e300
"""Numbers below this have a width and a sum."""


class Keys:
    """One inline table, read key by key; what is left at the end is unknown and refused.

    Args:
        column: name of the column, for messages.
        form: key that tells the form, for messages.
        items: the table.

    Example:
        >>> keys = Keys("age", "width", {"width": 5, "than": [10]})
        >>> keys.number("width"), keys.numbers("then")
        (5, [])
        >>> keys.finish()
        Traceback (most recent call last):
        sfumato.errors.PlanError: The hierarchy of 'age' (form `width`) has the unknown key 'than'; known here: ['then', 'width']. Remedy: correct or remove it.
    """

    def __init__(self, column: str, form: str, items: Mapping[str, object]) -> None:
        self.column = column
        self.form = form
        self._items = dict(items)
        self._known: set[str] = set()

    def finish(self) -> None:
        """Refuse keys that nobody read."""
        unknown = sorted(set(self._items) - self._known)
        if unknown:
            raise PlanError(
                "The hierarchy of {column!r} (form `{form}`) has the unknown key {unknown!r}; known here: {known}.",
                "correct or remove it.",
                column=self.column,
                form=self.form,
                unknown=unknown[0],
                known=sorted(self._known),
            )

    def wrong(self, key: str, expected: str) -> PlanError:
        """The error for a value of the wrong kind."""
        return PlanError(
            "`{key}` in the hierarchy of {column!r} (form `{form}`) must be {expected}.",
            "correct the plan.",
            key=key,
            column=self.column,
            form=self.form,
            expected=expected,
        )

    def inner(self, key: str, item: object) -> Keys:
        """The keys of a table inside this one."""
        if not isinstance(item, Mapping):
            raise self.wrong(key, "made of items of one kind")
        return Keys(self.column, key, item)

    def maybe_text(self, key: str) -> str | None:
        """A text, or None where the key is absent."""
        value = self._take(key)
        if value is not None and not isinstance(value, str):
            raise self.wrong(key, "a text")
        return value

    def text(self, key: str) -> str:
        """A text that must be there."""
        value = self.maybe_text(key)
        if value is None:
            raise self.wrong(key, "given, as a text")
        return value

    def maybe_number(self, key: str) -> float | None:
        """A number, or None where the key is absent."""
        value = self._take(key)
        return None if value is None else self._number(key, value)

    def number(self, key: str) -> float:
        """A number that must be there."""
        value = self.maybe_number(key)
        if value is None:
            raise self.wrong(key, "given, as a number")
        return value

    def numbers(self, key: str) -> list[float]:
        """A list of numbers; [] where it is absent."""
        return [self._number(key, value) for value in self._list(key, self._take(key) or [])]

    def maybe_whole(self, key: str) -> int | None:
        """A whole number, or None where the key is absent."""
        value = self._take(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise self.wrong(key, "a whole number")
        return value

    def whole(self, key: str) -> int:
        """A whole number that must be there."""
        value = self.maybe_whole(key)
        if value is None:
            raise self.wrong(key, "given, as a whole number")
        return value

    def wholes(self, key: str) -> list[int] | None:
        """A list of whole numbers, or None where the key is absent."""
        value = self._take(key)
        numbers = [] if value is None else self._list(key, value)
        whole = [number for number in numbers if isinstance(number, int) and not isinstance(number, bool)]
        if len(whole) < len(numbers):
            raise self.wrong(key, "a list of whole numbers")
        return None if value is None else whole

    def flag(self, key: str) -> bool:
        """True or false; false where the key is absent."""
        value = self._take(key)
        if value is not None and not isinstance(value, bool):
            raise self.wrong(key, "true or false")
        return bool(value)

    def choice(self, key: str, default: E) -> E:
        """A member of the default's Enum by its value."""
        value = self._take(key)
        return default if value is None else self._member(key, value, type(default))

    def choices(self, key: str, kind: type[E]) -> list[E]:
        """A list of members of an Enum by their values."""
        return [self._member(key, value, kind) for value in self._list(key, self._take(key))]

    def items(self, key: str) -> list[object]:
        """A list of anything."""
        return self._list(key, self._take(key))

    def lists(self, key: str) -> list[list[object]]:
        """A list of lists."""
        return [self._list(key, value) for value in self.items(key)]

    def table(self, key: str) -> Mapping[str, object]:
        """A table."""
        value = self._take(key)
        if not isinstance(value, Mapping):
            raise self.wrong(key, "a table")
        return value

    def maybe_edge(self, key: str) -> Edge | None:
        """A number or a date, or None where the key is absent."""
        value = self._take(key)
        return None if value is None else self.edge(value, key)

    def edge(self, value: object, key: str | None = None) -> Edge:
        """A number or a date."""
        if isinstance(value, date) and not isinstance(value, datetime):
            return date(value.year, value.month, value.day)
        return self._number(key or self.form, value, "numbers or dates")

    def _take(self, key: str) -> object:
        self._known.add(key)
        return self._items.get(key)

    def _list(self, key: str, value: object) -> list[object]:
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise self.wrong(key, "a list")
        return list(value)

    def _number(self, key: str, value: object, expected: str = "a number") -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _LARGEST:
            raise self.wrong(key, expected)
        return int(value) if isinstance(value, int) else float(value)

    def _member(self, key: str, value: object, kind: type[E]) -> E:
        for member in kind:
            if member.value == value:
                return member
        raise self.wrong(key, f"one of {[member.value for member in kind]}")
