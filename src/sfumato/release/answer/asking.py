"""How do Python's words become a question? Groups, bins and conditions as one would write them in a call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from numbers import Integral
from typing import TYPE_CHECKING, TypeAlias

from sfumato.errors import QueryError
from sfumato.release.answer.checked import MOST_GROUPS
from sfumato.summary.bounded import Comparison, Condition, Keyed
from sfumato.table.domain import Open, Range
from sfumato.table.written import written

if TYPE_CHECKING:
    from sfumato.table.domain import Domain

Groups: TypeAlias = "Sequence[str] | Mapping[str, Sequence[object] | None] | str"
"""Names of grouping columns; a mapping gives inner and outer bin edges to numbers: {"age": [0, 30, 60, 120]}."""
Conditions: TypeAlias = "Sequence[tuple[str, str, object]]"
"""(column, comparison, value or values): [("age", ">=", 18), ("sex", "in", ["F", "M"])]."""


def groups_of(by: Groups, columns: Mapping[str, Domain]) -> tuple[Keyed, ...]:
    """The grouping columns of a call.

    Raises:
        QueryError: edges that are no grid values of the column's range.

    Example:
        >>> groups_of({"age": [0, 60, 120]}, {"age": Range(0, 120, step=1)})[0].edges
        (0, 60, 121)
    """
    wanted = {by: None} if isinstance(by, str) else by if isinstance(by, Mapping) else dict.fromkeys(by)
    return tuple(_keyed(name, edges, columns.get(name)) for name, edges in wanted.items())


def bins_of(column: str, bins: int | Sequence[object], domain: Domain | None) -> Keyed:
    """A histogram's bins: so many of nearly equal width, or the given edges.

    Example:
        >>> bins_of("age", 3, Range(0, 120, step=1)).edges
        (0, 40, 81, 121)
    """
    if not isinstance(domain, Range):
        raise QueryError(f"A histogram of {column!r} needs declared bounds.", "declare it as a Range, or count by it.")
    if isinstance(bins, Iterable):
        return _keyed(column, bins, domain)
    if not isinstance(bins, Integral) or isinstance(bins, bool):
        raise QueryError(f"A histogram has a whole number of bins, or edges; got {bins!r}.", "give one of them.")
    bins = int(bins)
    most = min(domain.size, MOST_GROUPS)
    if not 1 <= bins <= most:
        raise QueryError(f"A histogram has 1 to {most} bins here; got {bins}.", "choose a number in that range.")
    return Keyed(column, domain, tuple((i * domain.size + bins // 2) // bins for i in range(bins + 1)))


def conditions_of(where: Conditions) -> tuple[Condition, ...]:
    """The conditions of a call.

    Raises:
        QueryError: no triple, or an unknown comparison.

    Example:
        >>> conditions_of([("age", ">=", 18)])
        (Condition(column='age', comparison=<Comparison.AT_LEAST: '>='>, values=('18',)),)
    """
    return tuple(_condition(one) for one in where)


def _keyed(name: str, edges: Sequence[object] | None, domain: Domain | None) -> Keyed:
    """One grouping column."""
    if edges is None:
        return Keyed(name, None if isinstance(domain, Open) else domain)
    if not isinstance(domain, Range):
        raise QueryError(f"Only numbers have bins; {name!r} is declared otherwise.", "group by it without edges.")
    places = [(_number(name, edge) - domain.low) / domain.step for edge in edges]
    if any(place.denominator != 1 for place in places):
        raise QueryError(f"Edges of {name!r} must be values of its grid.", f"use low plus a multiple of {domain.step}.")
    whole = [int(place) for place in places]
    return Keyed(name, domain, (*whole[:-1], whole[-1] + 1) if whole else ())


def _number(name: str, value: object) -> Fraction:
    """An edge as an exact number."""
    try:
        return written(value)
    except ValueError as error:
        raise QueryError(f"An edge of {name!r} must be a number.", "write it in digits.") from error


def _condition(one: object) -> Condition:
    """One (column, comparison, value)."""
    known = {comparison.value: comparison for comparison in Comparison}
    if not isinstance(one, Sequence) or isinstance(one, str) or len(one) != 3 or one[1] not in known:
        raise QueryError(
            f"A condition is (column, comparison, value) with a comparison among {sorted(known)}.",
            'write [("age", ">=", 18)], for example.',
        )
    column, comparison, value = one
    values = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    return Condition(str(column), known[comparison], tuple(str(v) for v in values))
