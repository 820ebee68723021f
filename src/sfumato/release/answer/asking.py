"""Python's words for a question: groups, bins and conditions as one would write them in a call."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, time
from fractions import Fraction
from numbers import Integral, Number
from typing import TYPE_CHECKING, TypeAlias

from sfumato.errors import QueryError
from sfumato.numbers.check import whole
from sfumato.numbers.exact import exact, written
from sfumato.release.answer.checked import MOST_GROUPS
from sfumato.release.answer.query import Query
from sfumato.summary.bounded import Comparison, Condition, Keyed
from sfumato.table.domain import Range, UnlistedText

if TYPE_CHECKING:
    from sfumato.release.answer.answer import Answer
    from sfumato.release.answer.price import Offer
    from sfumato.release.answer.query import Aggregate
    from sfumato.table.domain import Domain

Groups: TypeAlias = "Sequence[str] | Mapping[str, Sequence[object] | None] | str"
"""Names of grouping columns; a mapping gives inner and outer bin edges to numbers: {"age": [0, 30, 60, 120]}."""
Conditions: TypeAlias = "Sequence[tuple[str, str, object]]"
"""(column, comparison, value or values): [("age", ">=", 18), ("sex", "in", ["F", "M"])]."""


class Asking(ABC):
    """What asks questions in Python's words."""

    def _asked(
        self,
        aggregate: Aggregate,
        columns: Sequence[str],
        by: Groups,
        where: Conditions,
        join: str | None,
        offer: Offer,
    ) -> Answer:
        """A question in Python's words."""
        keyed = groups_of(by, self._domains(join))
        return self._offered(Query(aggregate, columns_of(columns), keyed, conditions_of(where), join=join), offer)

    @abstractmethod
    def _offered(self, query: Query, offer: Offer) -> Answer:
        """A question with what is offered for it."""

    @abstractmethod
    def _domains(self, join: str | None) -> Mapping[str, Domain]:
        """Declared domains, with those of a joined table."""


def groups_of(by: Groups, columns: Mapping[str, Domain]) -> tuple[Keyed, ...]:
    """The grouping columns of a call.

    Raises:
        QueryError: no names, or edges that are no grid values of the column's range.

    Example:
        >>> groups_of({"age": [0, 60, 120]}, {"age": Range(0, 120, step=1)})[0].edges
        (0, 60, 121)
    """
    if not isinstance(by, Iterable):
        raise QueryError(
            "Groups are names of columns; got {by!r}.",
            'write by="sex", by=["sex", "town"] or by={{"age": [0, 60, 120]}}.',
            by=by,
        )
    wanted = {by: None} if isinstance(by, str) else by if isinstance(by, Mapping) else dict.fromkeys(by)
    return tuple(_keyed(name, edges, columns.get(name)) for name, edges in wanted.items())


def columns_of(columns: object) -> tuple[str, ...]:
    """Names of columns, each a text.

    Raises:
        QueryError: something else. Remedy: give names.

    Example:
        >>> columns_of(["age", "income"])
        ('age', 'income')
    """
    names = tuple(columns) if isinstance(columns, Iterable) and not isinstance(columns, str) else (columns,)
    if not all(isinstance(name, str) for name in names):
        raise QueryError("A column is asked for by its name, a text; something else was given.", "give its name.")
    return tuple(str(name) for name in names)


def bins_of(column: str, bins: int | Sequence[object], domain: Domain | None) -> Keyed:
    """A histogram's bins: so many of nearly equal width, or the given edges.

    Example:
        >>> bins_of("age", 3, Range(0, 120, step=1)).edges
        (0, 40, 81, 121)
    """
    if not isinstance(domain, Range):
        raise QueryError(
            "A histogram of {column!r} needs declared bounds.", "declare it as a Range, or count by it.", column=column
        )
    if isinstance(bins, Iterable):
        return _keyed(column, bins, domain)
    if not isinstance(bins, Integral) or isinstance(bins, bool):
        raise QueryError(
            "A histogram has a whole number of bins, or edges; got {bins!r}.", "give one of them.", bins=bins
        )
    bins = int(bins)
    most = min(domain.size, MOST_GROUPS)
    if not 1 <= bins <= most:
        raise QueryError(
            "A histogram has 1 to {most} bins here; got {bins}.", "choose a number in that range.", most=most, bins=bins
        )
    return Keyed(column, domain, tuple((i * domain.size + bins // 2) // bins for i in range(bins + 1)))


def conditions_of(where: Conditions) -> tuple[Condition, ...]:
    """The conditions of a call.

    Raises:
        QueryError: no triples, an unknown comparison, or a value that no cell can say.

    Example:
        >>> conditions_of([("age", ">=", 18)])
        (Condition(column='age', comparison=<Comparison.AT_LEAST: '>='>, values=('18',)),)
    """
    if not isinstance(where, Iterable):
        raise QueryError(
            "Conditions are a list; got {where!r}.", 'write where=[("age", ">=", 18)], for example.', where=where
        )
    return tuple(_condition(one) for one in where)


def quantiles_of(quantiles: Sequence[str | float | Fraction]) -> tuple[Fraction, ...]:
    """The quantiles of a call.

    Raises:
        QueryError: no list. ParameterError: something in it is no number.

    Example:
        >>> quantiles_of([0.25, "1/2"])
        (Fraction(1, 4), Fraction(1, 2))
    """
    if isinstance(quantiles, str) or not isinstance(quantiles, Iterable):
        raise QueryError(
            "Quantiles are a list of numbers; got {quantiles!r}.",
            "write ['1/4', '1/2'], for example.",
            quantiles=quantiles,
        )
    return tuple(exact("quantile", q) for q in quantiles)


def expected_of(expected: int | None) -> int | None:
    """A public guess of the number of rows, of any integer type, as Python's own.

    Raises:
        ParameterError: no whole number from 0 to 2⁶².
    """
    return None if expected is None else whole(expected, "expected", 0, 2**62)


def _keyed(name: str, edges: Sequence[object] | None, domain: Domain | None) -> Keyed:
    if edges is None:
        return Keyed(name, None if isinstance(domain, UnlistedText) else domain)
    if not isinstance(domain, Range):
        raise QueryError(
            "Only numbers have bins; {name!r} is declared otherwise.", "group by it without edges.", name=name
        )
    if not isinstance(edges, Iterable):
        raise QueryError(
            "Bins of {name!r} are given by a list of edges; got {edges!r}.",
            "for so many bins ask `histogram`.",
            name=name,
            edges=edges,
        )
    places = [(_number(name, edge) - domain.low) / domain.step for edge in edges]
    if any(place.denominator != 1 for place in places):
        raise QueryError(
            "Edges of {name!r} must be values of its grid.",
            "use low plus a multiple of {step}.",
            name=name,
            step=domain.step,
        )
    whole = [int(place) for place in places]
    return Keyed(name, domain, (*whole[:-1], whole[-1] + 1) if whole else ())


def _number(name: str, value: object) -> Fraction:
    """An edge as an exact number."""
    try:
        return written(value)
    except ValueError as error:
        raise QueryError("An edge of {name!r} must be a number.", "write it in digits.", name=name) from error


def _condition(one: object) -> Condition:
    """One (column, comparison, value)."""
    known = {comparison.value: comparison for comparison in Comparison}
    if not isinstance(one, Sequence) or isinstance(one, str) or len(one) != 3 or one[1] not in known:
        raise QueryError(
            "A condition is (column, comparison, value) with a comparison among {known}.",
            'write [("age", ">=", 18)], for example.',
            known=sorted(known),
        )
    column, comparison, value = one
    return Condition(str(column), known[comparison], tuple(_public(str(column), each) for each in _listed(value)))


def _listed(value: object) -> Sequence[object]:
    """The values of a condition: one, or those of a list, a set, an array or a column of a frame."""
    plain = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(plain, AbstractSet):
        return sorted(plain, key=str)
    return plain if isinstance(plain, Sequence) and not isinstance(plain, str | bytes) else [plain]


def _public(column: str, value: object) -> str:
    """A public value as its text.

    Raises:
        QueryError: what no cell can say: nothing, bytes, or an object whose text is only what Python shows of it.
    """
    if not isinstance(value, str | bool | Number | date | time):
        raise QueryError(
            "{column!r} is compared with a {kind}; a value is a text, a number, a truth value, a date or a time.",
            "give such a value; missing cells meet no condition.",
            column=column,
            kind=type(value).__name__,
        )
    return str(value)
