"""The questions of a SELECT, parsed by sqlglot as DuckDB's SQL; what is not read in full is refused, and why.

A statement passes four gates: it is one SELECT; the grammar lists every part of its tree (`sql_grammar`); the tree has every
word of the text (`sql_words`); its names (`sql_names`), conditions (`sql_where`) and aggregates have a meaning here. Only
then it is a question.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import QueryError
from sfumato.extras import Needs
from sfumato.release.answer.counts import COUNT, PERSONS
from sfumato.release.answer.query import Aggregate, Query
from sfumato.release.answer.questions import AGGREGATES
from sfumato.release.answer.sql_grammar import admit, refused
from sfumato.release.answer.sql_names import names_of
from sfumato.release.answer.sql_where import conditions, number_of
from sfumato.release.answer.sql_words import check_words
from sfumato.summary.bounded import Keyed
from sfumato.table.domain import UnlistedText

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlglot import exp

    from sfumato.release.answer.sql_names import Joinable, Names
    from sfumato.table.domain import Domain
    from sfumato.table.values import Item

MOST_LETTERS = 100_000
"""Of a statement."""

_READ = {function.node: (aggregate, function) for aggregate in AGGREGATES for function in aggregate.sql}

_Asked = tuple[Aggregate, tuple[str, ...], tuple[Fraction, ...]]


def queries_of(
    text: str, columns: Mapping[str, Domain], person: str | None, public: Mapping[str, Joinable]
) -> tuple[Query, ...]:
    """The questions of a SELECT, one for each aggregate in it, in order.

    Read are COUNT(*), COUNT(column), COUNT(DISTINCT person), SUM, AVG, VAR_POP, STDDEV_POP, COVAR_POP, MEDIAN,
    QUANTILE(column, q) and its kin; GROUP BY declared columns; WHERE with comparisons, IN and BETWEEN joined by AND; an
    inner or left JOIN of one public table. What is read means what it means in DuckDB. A name in SELECT (AS) is
    allowed and changes nothing: answers name themselves.

    Args:
        text: the statement.
        columns: declared domains of the private table.
        person: the person column, if any.
        public: the public tables that may be joined.

    Raises:
        QueryError: not one SELECT, or something whose effect on the answer cannot be bounded; the reason is named.

    Example:
        >>> from sfumato.table.domain import Range
        >>> found = queries_of("SELECT AVG(age) FROM t WHERE age >= 18", {"age": Range(0, 120, step=1)}, None, {})
        >>> [query.sentence for query in found]
        ["mean(age) where age >= '18'"]
    """
    select = parsed(text)
    admit(select)
    names = names_of(select, columns, person, public)
    check_words(text, select)
    domains = {**columns, **({} if names.public is None else public[names.public].columns)}
    group, where = select.args.get("group"), select.args.get("where")
    if group is not None and not group.expressions:
        raise refused("GROUP BY names the columns whose groups are answered; here it names none.")
    by = () if group is None else tuple(_key(names.column(item), domains) for item in group.expressions)
    kept = () if where is None else conditions(where.this, names, domains)
    found = []
    for item in select.expressions:
        inner = item.this if type(item).__name__ == "Alias" else item
        if type(inner).__name__ == "Column":
            _check_key(names.column(inner), by)
            continue
        aggregate, used, quantiles = _aggregate(inner, names, person)
        found.append(Query(aggregate, used, by, kept, quantiles, join=names.public, inner=names.inner))
    if not found:
        raise QueryError(
            "A SELECT must ask for at least one aggregate: single rows are never shown.",
            "add COUNT(*) or another aggregate.",
        )
    return tuple(found)


def parsed(text: str) -> exp.Select:
    """The one SELECT of a text."""
    with Needs("query", "Questions in SQL need the package sqlglot.", QueryError):
        import sqlglot
        from sqlglot import exp
    if len(text) > MOST_LETTERS:
        raise QueryError(
            "A statement has at most {most_letters:,} letters; got {n_text:,}.",
            "ask less in one.",
            most_letters=MOST_LETTERS,
            n_text=len(text),
        )
    try:
        statements = [one for one in sqlglot.parse(text, read="duckdb") if one is not None]
    except (sqlglot.errors.SqlglotError, RecursionError) as error:
        raise QueryError(
            "The text must be one SQL statement; it cannot be parsed{place}.",
            "correct its syntax.",
            place=_place(error),
        ) from error
    statements = [one for one in statements if not isinstance(one, exp.Semicolon)]
    if len(statements) != 1 or not isinstance(statements[0], exp.Select):
        raise QueryError(
            "Only one SELECT statement is answered: unions, subqueries, and changes are not.",
            "ask with one SELECT … FROM … .",
        )
    return statements[0]


def _place(error: Exception) -> str:
    """The words of the statement where the parser stopped."""
    found: dict[str, Item] = next(iter(getattr(error, "errors", None) or ()), {})
    words = f"{found.get('start_context') or ''}{found.get('highlight') or ''}".split()
    return f" near {' '.join(words[-2:])!r}" if words else ""


def _key(column: str, domains: Mapping[str, Domain]) -> Keyed:
    domain = domains.get(column)
    return Keyed(column, None if isinstance(domain, UnlistedText) else domain)


def _check_key(column: str, by: tuple[Keyed, ...]) -> None:
    """A column that is selected as it is must be grouped by."""
    if all(column != keyed.column for keyed in by):
        raise refused(
            f"The column {column!r} is selected as it is: single rows are never shown. Group by it or aggregate it."
        )


def _aggregate(node: exp.Expression, names: Names, person: str | None) -> _Asked:
    """The aggregate of one selected expression, its columns, and its quantiles."""
    kind = type(node).__name__
    if kind == "Count":
        return _count(node, names, person)
    if kind == "WithinGroup":
        return _ranked(node.expression.expressions, node.this, names)
    aggregate, function = _READ[kind]
    columns = [node.args.get(name) for name in function.columns]
    if isinstance(function.quantile, str):
        return _quantile(aggregate, columns[0], node.args.get(function.quantile), names)
    named = tuple(names.column(column) for column in columns)
    if len(set(named)) < len(named):
        raise refused(
            f"{function.words[0]} takes two different columns; of {named[0]!r} with itself it is {function.of_one}({named[0]})."
        )
    return aggregate, named, () if function.quantile is None else (function.quantile,)


def _ranked(order: list[exp.Expression], inner: exp.Expression, names: Names) -> _Asked:
    """PERCENTILE_CONT(q) WITHIN GROUP (ORDER BY column)."""
    if len(order) != 1 or inner.args.get("expression") is not None:
        raise refused("WITHIN GROUP ranks by one column, by one quantile.")
    return _quantile(_READ[type(inner).__name__][0], order[0].this, inner.this, names)


def _quantile(
    aggregate: Aggregate, column: exp.Expression | None, quantile: exp.Expression | None, names: Names
) -> _Asked:
    if type(column).__name__ != "Column" or quantile is None:
        raise refused("A quantile takes a column and a number between 0 and 1, such as QUANTILE(column, 0.25).")
    return aggregate, (names.column(column),), (Fraction(number_of(quantile)),)


def _count(node: exp.Expression, names: Names, person: str | None) -> _Asked:
    """COUNT(*), COUNT(1), COUNT(column), COUNT(DISTINCT person)."""
    inside = node.this
    kind = type(inside).__name__
    if kind == "Column":
        return COUNT, (names.column(inside),), ()
    if kind in {"Star", "Literal"}:
        return COUNT, (), ()
    columns = [] if inside is None else [names.column(one) for one in inside.expressions]
    if person is None or columns != [person]:
        raise refused(
            "COUNT(DISTINCT …) is answered for the person column only: other distinct values can be added without bound. COUNT takes *, a column, or DISTINCT and the person column."
        )
    return PERSONS, (), ()
