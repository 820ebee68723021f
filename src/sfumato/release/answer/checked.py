"""Questions that can be bounded under a declared schema; all others are refused, with the reason."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.errors import QueryError
from sfumato.numbers.exact import written
from sfumato.summary.bounded import Comparison
from sfumato.table.domain import Categories, Range, UnlistedText

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.release.answer.query import Aggregate, Query
    from sfumato.summary.bounded import Condition, Keyed
    from sfumato.table.domain import Domain
    from sfumato.table.unit import Unit

MOST_GROUPS = 10_000_000
"""A product of declared keys larger than this is refused: most groups would hold noise alone."""


def check_query(query: Query, columns: Mapping[str, Domain], unit: Unit) -> None:
    """Refuse a question whose sensitivity or shape would depend on the data.

    Args:
        query: the question.
        columns: declared domain of every column that may be used (a joined table's included).
        unit: persons and their limits.

    Raises:
        QueryError: with the reason and what can be asked instead.

    Example:
        >>> from sfumato.release.answer.moments import SUM
        >>> from sfumato.release.answer.query import Query
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> check_query(Query(SUM, ("pay",)), {}, Unit.row(Neighbors.ADD_REMOVE))
        Traceback (most recent call last):
        sfumato.errors.QueryError: Column 'pay' has no declared domain; declared: []. Remedy: declare its bounds or categories from knowledge, not from the data.
    """
    least, most = query.aggregate.columns
    if not least <= len(query.columns) <= most:
        raise QueryError(
            "{aggregate} takes {least} to {most} columns; got {n_columns}.",
            "name that many columns.",
            aggregate=query.aggregate.name,
            least=least,
            most=most,
            n_columns=len(query.columns),
        )
    if len(set(query.columns)) < len(query.columns):
        raise QueryError(
            "A {aggregate} needs different columns; got {columns}.",
            "name each once; of one column ask for the variance.",
            aggregate=query.aggregate.name,
            columns=list(query.columns),
        )
    for column in query.columns:
        _check_used(column, query.aggregate, _declared(column, columns))
    for keyed in query.by:
        _check_key(keyed, _declared(keyed.column, columns))
    for condition in query.where:
        _check_condition(condition, _declared(condition.column, columns))
    _check_shape(query, unit)
    if query.aggregate.counts_persons and unit.person is None:
        raise QueryError("Distinct persons need a person column.", "count rows, or declare `person` in the unit.")


def _declared(column: str, columns: Mapping[str, Domain]) -> Domain:
    if column not in columns:
        raise QueryError(
            "Column {column!r} has no declared domain; declared: {columns}.",
            "declare its bounds or categories from knowledge, not from the data.",
            column=column,
            columns=sorted(columns),
        )
    return columns[column]


def _check_used(column: str, aggregate: Aggregate, domain: Domain) -> None:
    """Numbers are added up; anything can be counted."""
    if aggregate.needs_bounds and not isinstance(domain, Range):
        raise QueryError(
            "{aggregate} of {column!r} needs declared bounds, without which one person could change it by any amount.",
            "declare {column!r} as Range(low, high, step).",
            aggregate=aggregate.name,
            column=column,
        )


def _check_key(keyed: Keyed, domain: Domain) -> None:
    """Group keys are declared, or selected by a mechanism."""
    if isinstance(domain, Range) and keyed.edges is None:
        raise QueryError(
            "Groups by the number {column!r} need declared bins.",
            "give edges, such as by={{'age': [0, 30, 60, 120]}}.",
            column=keyed.column,
        )
    if keyed.edges is not None and not isinstance(domain, Range):
        raise QueryError(
            "Only numbers have bins; {column!r} is declared otherwise.",
            "group by it without edges.",
            column=keyed.column,
        )
    if isinstance(domain, Range) and keyed.edges is not None:
        edges = keyed.edges
        ordered = all(low < high for low, high in pairwise(edges))
        if len(edges) < 2 or edges[0] != 0 or edges[-1] != domain.size or not ordered:
            raise QueryError(
                "Bins of {column!r} must increase from its low to its high.",
                "give increasing edges over the whole range.",
                column=keyed.column,
            )


def _check_condition(condition: Condition, domain: Domain) -> None:
    """Conditions compare like with like."""
    orders = {Comparison.LESS, Comparison.AT_MOST, Comparison.MORE, Comparison.AT_LEAST}
    if condition.comparison in orders and not isinstance(domain, Range):
        raise QueryError(
            "{column!r} is no declared number, so it has no order.",
            "compare with = or IN, or declare a Range.",
            column=condition.column,
        )
    declared = frozenset(domain.values) if isinstance(domain, Categories) else frozenset(condition.values)
    outside = [value for value in condition.values if value not in declared]
    if outside:
        raise QueryError(
            "{column!r} is compared with {outside}, which are not among its declared categories.",
            "correct the values: no row would meet the condition, or every one.",
            column=condition.column,
            outside=outside[:5],
        )
    if isinstance(domain, Range):
        for value in condition.values:
            try:
                written(value)
            except ValueError as error:
                raise QueryError(
                    "{column!r} is compared with something that is no number.",
                    "give a number.",
                    column=condition.column,
                ) from error
    single = condition.comparison not in {Comparison.IN, Comparison.NOT_IN}
    if not condition.values or (single and len(condition.values) != 1):
        raise QueryError(
            "The condition on {column!r} has the wrong number of values.",
            "give one, or use IN.",
            column=condition.column,
        )


def _check_shape(query: Query, unit: Unit) -> None:
    """The number of groups, the quantiles, and what cannot be grouped."""
    names = [keyed.column for keyed in query.by]
    if len(set(names)) < len(names):
        raise QueryError("A column groups once.", "name each grouping column once.")
    groups = 1
    for keyed in query.by:
        if isinstance(keyed.domain, Categories):
            groups *= keyed.domain.size
        elif keyed.edges is not None:
            groups *= len(keyed.edges) - 1
    if groups > MOST_GROUPS:
        raise QueryError(
            "{groups:,} groups are declared; at most {most_groups:,} are answered.",
            "group by fewer columns.",
            groups=groups,
            most_groups=MOST_GROUPS,
        )
    if any(isinstance(keyed.domain, UnlistedText) or keyed.domain is None for keyed in query.by):
        _check_selected(query, unit)
    if query.aggregate.takes_quantiles != bool(query.quantiles):
        raise QueryError(
            "Quantiles, and nothing else, take a list of quantiles.", "give quantiles such as ['1/4', '1/2']."
        )
    if any(not 0 < q < 1 for q in query.quantiles) or list(query.quantiles) != sorted(set(query.quantiles)):
        raise QueryError(
            "Quantiles must increase strictly inside (0, 1).", "leave out 0 and 1: they belong to single persons."
        )
    if query.aggregate.places is not None and query.by:
        raise QueryError(
            "{aggregate} are answered for one group at a time.",
            "ask once for each key, with a condition on it.",
            aggregate=query.aggregate.name.capitalize(),
        )


def _check_selected(query: Query, unit: Unit) -> None:
    """Keys that are read from the table come with the number of persons, and nothing else."""
    if not query.aggregate.selects_keys or query.columns or len(query.by) != 1:
        raise QueryError(
            "Keys that are read from the table can be selected for a count by that one column only.",
            "select the keys first with a count, then ask with those keys declared as Categories.",
        )
    if not query.aggregate.counts_persons and unit.person is not None:
        raise QueryError(
            "Keys that are read from the table come with their number of persons, not of rows.",
            "ask for COUNT(DISTINCT {person}) or `persons`, or declare the keys as Categories.",
            person=unit.person,
        )
