"""Every kind of document by name, with its JSON Schema."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sfumato.document import header
from sfumato.document.schema import schema_of
from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from sfumato.document.header import Header

_WRITTEN_BY_PEOPLE = {
    "plan": ("plan", "PlanDocument", header.PLAN),
    "data": ("data", "WrittenData", header.DATA),
}
"""Name → module, class, first line."""


def names() -> list[str]:
    """The documents that have a schema.

    Example:
        >>> "plan" in names()
        True
    """
    return list(_WRITTEN_BY_PEOPLE)


def schema_named(name: str) -> dict[str, Any]:
    """The JSON Schema of a kind of document.

    Raises:
        ParameterError: no such kind.
    """
    if name not in names():
        raise ParameterError("A document is one of {names}; got {name!r}.", "choose one.", names=names(), name=name)
    cls, first = class_named(name)
    return schema_of(cls, first)


def class_named(name: str) -> tuple[type[Any], Header]:
    """The class of a kind of document, and what its first line says."""
    module, cls, first = _WRITTEN_BY_PEOPLE[name]
    return getattr(import_module(f"sfumato.document.{module}"), cls), first
