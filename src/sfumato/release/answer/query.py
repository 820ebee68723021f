"""A question to a private table as plain data, the same from Python and from SQL, and the digest of all that it means."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.account.ledger.chain import canonical
from sfumato.errors import InternalError
from sfumato.release.answer.aggregate import Aggregate
from sfumato.table.domain import Categories, Range

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from sfumato.summary.bounded import Condition, Keyed
    from sfumato.table.domain import Domain

_WRITTEN = {"UnlistedText": "Open"}
"""Names of kinds in digests, which stay where a class is renamed."""


@dataclass(frozen=True, slots=True)
class Query:
    """One question.

    Args:
        aggregate: what is computed.
        columns: of which columns; () for a count, or one that must not be missing.
        by: grouping columns, in order.
        where: public conditions, all of which a row must meet.
        quantiles: increasing, in (0, 1); only where the aggregate takes them.
        method: name of the quantile method; "": chosen by a rule that does not read the data.
        expected: declared guess of the number of rows, for choices made before reading; None: no guess.
        join: name of the public table that is joined first; None: none.
        inner: whether rows without a public row are left out (INNER JOIN); else what it adds is missing there (LEFT JOIN).
    """

    aggregate: Aggregate
    columns: tuple[str, ...] = ()
    by: tuple[Keyed, ...] = ()
    where: tuple[Condition, ...] = ()
    quantiles: tuple[Fraction, ...] = ()
    method: str = ""
    expected: int | None = None
    join: str | None = None
    inner: bool = False

    @property
    def sentence(self) -> str:
        """The question in one canonical line: equal questions have equal lines.

        Example:
            >>> from sfumato.release.answer.moments import MEAN
            >>> from sfumato.summary.bounded import Comparison, Condition
            >>> Query(MEAN, ("age",), where=(Condition("sex", Comparison.EQUAL, ("F",)),)).sentence
            "mean(age) where sex = 'F'"
        """
        inside = [*self.columns, *(str(q) for q in self.quantiles)]
        parts = [f"{self.aggregate.name}({', '.join(inside)})"]
        if self.method:
            parts.append(f"method {self.method}")
        if self.expected is not None:
            parts.append(f"expecting {self.expected} rows")
        if self.join is not None:
            parts.append(f"{'inner ' if self.inner else ''}join {self.join}")
        if self.by:
            parts.append("by " + ", ".join(_group(keyed) for keyed in self.by))
        if self.where:
            parts.append("where " + " and ".join(_condition(one) for one in self.where))
        return " ".join(parts)


def meaning_of(query: Query, columns: Mapping[str, Domain], **more: object) -> str:
    """The digest of a question.

    The whole structure is written down, not its sentence: two questions with one digest are equal in every part.

    Args:
        query: the question.
        columns: declared domains of all columns; those that it uses are part of its meaning.
        more: what else decides the answer: price, unit, confidence, event, version of the data, a joined table.

    Example:
        >>> from sfumato.release.answer.moments import MEAN
        >>> one, other = ({"age": Range(0, high, step=1)} for high in (10, 100))
        >>> asked = Query(MEAN, ("age",))
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


def _group(keyed: Keyed) -> str:
    """A grouping column with its declared groups."""
    if isinstance(keyed.domain, Range):
        edges = "" if keyed.edges is None else f" at {', '.join(str(keyed.domain.value(e)) for e in keyed.edges)}"
        return f"{keyed.column}{edges}"
    if isinstance(keyed.domain, Categories):
        return f"{keyed.column} in {list(keyed.domain.values)}"
    return f"{keyed.column} (keys from the table)"


def _condition(condition: Condition) -> str:
    """A condition with its public values."""
    values = ["'" + value.replace("'", "''") + "'" for value in condition.values]
    right = values[0] if len(values) == 1 else f"({', '.join(values)})"
    return f"{condition.column} {condition.comparison.value} {right}"


def _plain(value: object) -> object:
    """The structure as JSON in which each kind of value is told from every other."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Aggregate | Enum):
        return {type(value).__name__: value.key if isinstance(value, Aggregate) else value.name}
    if isinstance(value, Fraction | float):
        return {type(value).__name__: repr(value)}
    if isinstance(value, Mapping):
        return {"mapping": [[_plain(key), _plain(item)] for key, item in value.items()]}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        name = type(value).__name__
        return {_WRITTEN.get(name, name): _parts(value)}
    raise InternalError("A question holds a {kind}, which no digest can hold.", kind=type(value).__name__)


def _parts(value: DataclassInstance) -> dict[str, object]:
    """All fields of a dataclass."""
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
