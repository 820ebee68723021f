"""What a class of a document says of its keys beside their types, and what is read off it.

A class is a frozen dataclass. Its fields are the keys; the metadata of a field say what its type cannot. Where a table
is one of several classes, each of them has a `tag` (a key and the value that it has there) or a `form` (a key that only
this class has). The meaning of each key stands in the docstring, under `Args`.

[[promise]] of a plan is the one table whose classes stand elsewhere: its keys are those of the criteria of `guarantee`.
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import (
    Any,
    Literal,
    TypeAlias,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from sfumato.guarantee import registry
from sfumato.guarantee.base import Criterion, TableCriterion
from sfumato.numbers.exact import Exact

Class: TypeAlias = "type[Any]"
Hint: TypeAlias = "Any"
"""A class or an expression of types."""


def key(name: str = "", *, old: str = "", must: str = "", remedy: str = "") -> dict[str, str]:
    """The metadata of a field.

    Args:
        name: the key, where it is no name in Python (`from`).
        old: its name in documents of version 0.1.0.
        must: what its value must be, for messages, where the type says it badly.
        remedy: what to do then.
    """
    said = {"name": name, "old": old, "must": must, "remedy": remedy}
    return {what: text for what, text in said.items() if text}


def key_of(one: Field[Any]) -> str:
    """The key of a field."""
    return str(one.metadata.get("name", one.name))


def keys_of(cls: Class) -> tuple[str, ...]:
    """The keys of a table, in order; without the tag."""
    return tuple(key_of(one) for one in fields(cls))


def is_required(one: Field[Any]) -> bool:
    """Whether the key must be there."""
    return one.default is MISSING and one.default_factory is MISSING


def hints_of(cls: Class) -> Mapping[str, Hint]:
    """By key, its type; without the None of what may be absent."""
    return _hints_of(cast("Hint", cls))


@cache
def _hints_of(cls: Hint) -> Mapping[str, Hint]:
    found = get_type_hints(cls)
    return MappingProxyType({key_of(one): bare(found[one.name]) for one in fields(cls)})


def bare(hint: Hint) -> Hint:
    """A type without None.

    Example:
        >>> bare(int | None)
        <class 'int'>
    """
    members = tuple(member for member in get_args(hint) if member is not type(None))
    if not is_union(hint) or len(members) == len(get_args(hint)):
        return hint
    return members[0] if len(members) == 1 else Union[members]  # noqa: UP007


def is_union(hint: Hint) -> bool:
    """Whether several types are allowed."""
    origin: object = get_origin(hint)
    return origin is Union or origin is types.UnionType


def tables_of(hint: Hint) -> tuple[Class, ...]:
    """The classes of tables that a type allows; () where it allows none."""
    members = get_args(hint) if is_union(hint) else (hint,)
    return tuple(member for member in members if isinstance(member, type) and is_dataclass(member))


def words_in(hint: Hint) -> list[Any]:
    """The only words that a type allows; [] where it allows others.

    Example:
        >>> words_in(Literal["a", "b"]), words_in(str)
        (['a', 'b'], [])
    """
    if isinstance(hint, type) and issubclass(hint, Enum):
        return [member.value for member in hint]
    origin: object = get_origin(hint)
    return list(get_args(hint)) if origin is Literal else []


def is_table(hint: Hint) -> bool:
    """Whether a type allows tables only."""
    return len(tables_of(hint)) == (len(get_args(hint)) if is_union(hint) else 1)


def tag_of(cls: Class) -> tuple[str, str] | None:
    """The key and value that tell a class from the others of its kind."""
    found: tuple[str, str] | None = getattr(cls, "tag", None)
    return found


def form_of(cls: Class) -> str | None:
    """The key that tells a class from the others of its kind."""
    found: str | None = getattr(cls, "form", None)
    return found


_ARGUMENT = re.compile(r"^ {4,8}([a-z_0-9, ]+): (.*)$")


def meanings(cls: Class) -> dict[str, str]:
    """By key, its meaning: the lines under `Args` of the docstring."""
    names = {one.name: key_of(one) for one in fields(cls)}
    docs = [base.__doc__ or "" for base in reversed(cls.__mro__) if is_dataclass(base)]
    return {names[name]: text for doc in docs for name, text in _arguments(doc) if name in names}


def _arguments(doc: str) -> Iterator[tuple[str, str]]:
    """Names and texts under `Args`."""
    _, _, after = doc.partition("Args:\n")
    block, _, _ = after.partition("\n\n")
    said: list[tuple[str, str]] = []
    for line in block.splitlines():
        found = _ARGUMENT.match(line)
        if found:
            said += [(name.strip(), found[2]) for name in found[1].split(",")]
        elif said and line.strip():
            said[-1] = (said[-1][0], f"{said[-1][1]} {line.strip()}")
    yield from said


Promise: TypeAlias = Criterion | TableCriterion
"""One criterion; `model` tells which, and `kind` or `reference` where several share a model."""


def criteria() -> list[type[Any]]:
    """Every criterion that a plan can promise, by model and variant."""
    return sorted(registry.criteria(), key=lambda cls: (cls.model, sorted(getattr(cls, "variant", {}).values())))


def keys_of_criterion(cls: type[Any]) -> dict[str, Any]:
    """The keys of a criterion with their types; an exact number may be written as a number or a text."""
    hints = get_type_hints(cls, {**vars(import_module(cls.__module__)), "Exact": Exact})
    return {one.name: Fraction if Fraction in get_args(hints[one.name]) else hints[one.name] for one in fields(cls)}
