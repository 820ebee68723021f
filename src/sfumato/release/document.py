"""A table of a TOML document read so that every error names its key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, TypeVar, cast

from sfumato.errors import PlanError, SourceError
from sfumato.table.contents import read_bytes
from sfumato.table.values import check_values, parsed_toml

if TYPE_CHECKING:
    from pathlib import Path

E = TypeVar("E", bound=Enum)
T = TypeVar("T")

_WORDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false", dict: "a table", list: "a list"}


def load_toml(path: Path, what: str) -> dict[str, object]:
    """The tables of a TOML file.

    Args:
        path: the file, in UTF-8 with or without a byte order mark.
        what: what the file is called in messages ("plan").

    Raises:
        PlanError: the file cannot be read, or is no TOML.
    """
    try:
        return parsed_toml(read_bytes(path, f"The {what}").decode("utf-8-sig"), f"The {what} {path.name!r}")
    except SourceError as error:
        raise PlanError.of(error) from None
    except UnicodeDecodeError as error:
        raise PlanError(
            "The {what} {name!r} must be TOML in UTF-8; {error}.",
            "correct that place.",
            what=what,
            name=path.name,
            error=error,
        ) from error


class Section:
    """One table of a document, read key by key; what is left at the end is unknown and refused.

    Args:
        where: the name of the table in messages, such as `[source]`.
        items: its keys and values.

    Example:
        >>> section = Section("[method]", {"name": "mondrian", "depth": 3})
        >>> section.required("name", str)
        'mondrian'
        >>> section.finish()
        Traceback (most recent call last):
        sfumato.errors.PlanError: [method] must hold known keys only; unknown: ['depth']; known here: ['name']. Remedy: correct or remove them.
    """

    def __init__(self, where: str, items: object) -> None:
        if not isinstance(items, Mapping):
            raise PlanError(
                "{where} must be a table of keys and values.", "write `{where}` and its keys below it.", where=where
            )
        for key, value in items.items():
            check_values("a key", key)
            check_values(str(key), value)
        self.where = where
        self._items = dict(items)
        self._known: list[str] = []

    def optional(self, key: str, kind: type[T]) -> T | None:
        """The value of a key, or None where it is absent."""
        self._known.append(key)
        value = self._items.pop(key, None)
        return None if value is None else self._checked(key, value, kind)

    def required(self, key: str, kind: type[T]) -> T:
        """The value of a key that must be there."""
        value = self.optional(key, kind)
        if value is None:
            raise PlanError(
                "{where} must say `{key}`.",
                "add `{key} = …` ({get}).",
                where=self.where,
                key=key,
                get=_WORDS.get(kind, kind.__name__),
            )
        return value

    def default(self, key: str, kind: type[T], value: T) -> T:
        """The value of a key, or `value` where it is absent."""
        found = self.optional(key, kind)
        return value if found is None else found

    def choice(self, key: str, kind: type[E], default: E | None = None) -> E:
        """A member of an Enum by its value."""
        text = self.required(key, str) if default is None else self.default(key, str, default.value)
        for member in kind:
            if member.value == text:
                return member
        raise PlanError(
            "`{key}` in {where} must be one of {kind}; got {text!r}.",
            "choose one of them.",
            key=key,
            where=self.where,
            kind=[m.value for m in kind],
            text=text,
        )

    def one_of(self, key: str, words: Sequence[str]) -> str | None:
        """One of several words; None if it is absent."""
        value = self.optional(key, str)
        if value is not None and value not in words:
            raise PlanError(
                "`{key}` in {where} must be one of {words}; got {value!r}.",
                "choose one of them.",
                key=key,
                where=self.where,
                words=list(words),
                value=value,
            )
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; () where it is absent."""
        values = self.default(key, list, [])
        if not all(isinstance(value, str) for value in values):
            raise PlanError(
                "`{key}` in {where} must be a list of texts.", "put each value in quotes.", key=key, where=self.where
            )
        return tuple(cast("Sequence[str]", values))

    def table(self, key: str) -> Section:
        """A nested table; empty where it is absent."""
        return Section(f"{self.where} {key}", self.default(key, dict, {}))

    def known(self) -> list[str]:
        """Every key that was asked for, whether it is there or not."""
        return sorted(set(self._known))

    def rest(self) -> dict[str, object]:
        """Every key not read so far, for readers that know their own keys."""
        items, self._items = self._items, {}
        return items

    def finish(self) -> None:
        """Refuse keys that nobody read."""
        if self._items:
            raise PlanError(
                "{where} must hold known keys only; unknown: {items}; known here: {known}.",
                "correct or remove them.",
                where=self.where,
                items=sorted(self._items),
                known=sorted(self._known),
            )

    def _checked(self, key: str, value: object, kind: type[T]) -> T:
        """The value if it has the type; whole numbers pass as numbers."""
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            return cast("T", float(value))
        if not isinstance(value, kind) or (kind in (int, float) and isinstance(value, bool)):
            raise PlanError(
                "`{key}` in {where} must be {get}; got {kind}.",
                "correct the value.",
                key=key,
                where=self.where,
                get=_WORDS.get(kind, kind.__name__),
                kind=type(value).__name__,
            )
        return value
