"""What exactly was asked? A digest of all that a question means, so that no other question can pass for it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.account.ledger.chain import canonical
from sfumato.errors import InternalError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from sfumato.release.answer.query import Query
    from sfumato.table.domain import Domain


def meaning_of(query: Query, columns: Mapping[str, Domain], **more: object) -> str:
    """The digest of a question.

    The whole structure is written down, not its sentence: two questions with one digest are equal in every part.

    Args:
        query: the question.
        columns: declared domains of all columns; those that it uses are part of its meaning.
        more: what else decides the answer: price, unit, confidence, event, version of the data, a joined table.

    Example:
        >>> from sfumato.release.answer.query import Aggregate, Query
        >>> from sfumato.table.domain import Range
        >>> one, other = ({"age": Range(0, high, step=1)} for high in (10, 100))
        >>> asked = Query(Aggregate.MEAN, ("age",))
        >>> meaning_of(asked, one) == meaning_of(asked, one), meaning_of(asked, one) == meaning_of(asked, other)
        (True, False)
    """
    used = {*query.columns, *(c.column for c in query.where), *(keyed.column for keyed in query.by)}
    domains = {name: columns[name] for name in sorted(used & set(columns))}
    return digest_of({"query": query, "domains": domains, **more})


def digest_of(value: object) -> str:
    """SHA-256 of a structure of frozen dataclasses, mappings, sequences, texts and exact numbers.

    Example:
        >>> digest_of(("a", "b")) == digest_of(("a, b",)), digest_of(1) == digest_of("1"), len(digest_of(None))
        (False, False, 64)
    """
    return hashlib.sha256(canonical({"meaning": _plain(value)}).encode()).hexdigest()


def _plain(value: object) -> object:
    """The structure as JSON in which each kind of value is told from every other."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Enum):
        return {type(value).__name__: value.name}
    if isinstance(value, Fraction | float):
        return {type(value).__name__: repr(value)}
    if isinstance(value, Mapping):
        return {"mapping": [[_plain(key), _plain(item)] for key, item in value.items()]}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {type(value).__name__: _parts(value)}
    raise InternalError("A question holds a {kind}, which no digest can hold.", kind=type(value).__name__)


def _parts(value: DataclassInstance) -> dict[str, object]:
    """All fields of a dataclass."""
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
