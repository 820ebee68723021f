"""Whether an ask for totals is well formed, decided from the ask and the names of the columns, before a row is read."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError, SchemaError
from sfumato.numbers.exact import shown, written
from sfumato.summary.bounded import BoundedAsk, Comparison, Term
from sfumato.table.domain import Categories, Range

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.summary.bounded import Condition, Join, Keyed

ORDERS = frozenset((Comparison.LESS, Comparison.AT_MOST, Comparison.MORE, Comparison.AT_LEAST))
LISTS = frozenset((Comparison.IN, Comparison.NOT_IN))
MOST_CENTER = 2**53
"""Centers beyond it are no grid places."""


def check_ask(names: Sequence[str], ask: BoundedAsk) -> None:
    """Refuse an ask that has no meaning on a table with these columns, whatever its rows hold.

    Raises:
        SchemaError: a column that neither table has.
        ParameterError: anything else; the message says what.
    """
    ranges = dict(ask.ranges)
    if ask.join is not None:
        _check_join(names, ask.join)
    for column in private_columns(ask):
        check_column(names, column)
    for what, texts in public_texts(ask):
        _check_texts(what, texts)
    for column, domain in [*ask.ranges, *((k.column, k.domain) for k in ask.by if isinstance(k.domain, Range))]:
        _check_range(column, domain)
    for term in ask.terms:
        _check_term(term, ranges)
    for keyed in ask.by:
        _check_keyed(keyed)
    for condition in ask.where:
        _check_condition(condition, is_number=condition.column in ranges)


def private_columns(ask: BoundedAsk) -> list[str]:
    """Columns that the private table must have, sorted; those that a public table adds are not among them.

    Example:
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> private_columns(BoundedAsk(Unit(Neighbors.REPLACE, "who", 1, 1), (Term((("age", 0),)),)))
        ['age', 'who']
    """
    used = {column for term in ask.terms for column, _ in term.factors}
    used |= {*dict(ask.ranges), *dict(ask.categories), *ask.complete}
    used |= {*(c.column for c in ask.where), *(k.column for k in ask.by)}
    if ask.join is not None:
        used = (used - {*ask.join.columns}) | {ask.join.on}
    return sorted(used if ask.unit.person is None else {*used, ask.unit.person})


def public_texts(ask: BoundedAsk) -> Iterator[tuple[str, Sequence[str]]]:
    """Public texts that are compared with cells, and the column of each."""
    yield from ((condition.column, condition.values) for condition in ask.where)
    declared = [*ask.categories, *((keyed.column, keyed.domain) for keyed in ask.by)]
    yield from ((column, domain.values) for column, domain in declared if isinstance(domain, Categories))
    if ask.join is not None:
        for column, cells in zip(ask.join.columns, zip(*ask.join.table, strict=True), strict=False):
            yield column, [cell for cell in cells if cell is not None]


def check_column(names: Sequence[str], column: str) -> None:
    """A column must be there.

    Raises:
        SchemaError: it is not. Remedy: correct the name.
    """
    if column not in names:
        raise SchemaError(
            "Column {column!r} must be in the table; none of its {n_names} columns has this name.",
            "correct the name (blanks count); a CSV file without a header needs `dialect = {{ header = false }}`.",
            column=column,
            n_names=len(names),
        )


def check_places(ask: BoundedAsk, column: str) -> None:
    """Places are read of one declared range, in one group."""
    if ask.by:
        raise ParameterError("Places are read for one group at a time.", "select the group with a condition.")
    if column not in dict(ask.ranges):
        raise ParameterError(
            "Column {column!r} must have a declared range.", "declare low, high and step.", column=column
        )


def literal_number(text: str) -> float:
    """The double of a public number.

    Raises:
        ParameterError: no finite number.

    Example:
        >>> literal_number("1/4")
        0.25
    """
    try:
        return float(written(text))
    except (ValueError, OverflowError) as error:
        raise ParameterError(
            "A number must be compared with a finite number; got {shown}.", "write it in digits.", shown=shown(text)
        ) from error


def _check_texts(column: str, texts: Sequence[str]) -> None:
    """Every engine and every ledger can hold them."""
    together = "".join(texts)
    if together.isascii() and "\0" not in together:
        return
    for text in texts:
        if "\0" in text or (not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text)):
            raise ParameterError(
                "Public values of {column!r} must be texts without a NUL and without lone surrogates.",
                "leave these characters out: no table that is read as Unicode has them.",
                column=column,
            )


def _check_range(column: str, domain: Range) -> None:
    """The grid can be computed in doubles."""
    try:
        numbers = [float(domain.low), float(domain.high), float(domain.step), float(domain.high - domain.low)]
    except OverflowError:
        numbers = [math.inf]
    if not all(map(math.isfinite, numbers)) or numbers[2] == 0 or numbers[0] == numbers[1]:
        raise ParameterError(
            "The range of {column!r} must have bounds and a step that doubles can tell apart.",
            "declare the column in another unit.",
            column=column,
        )


def _check_term(term: Term, ranges: dict[str, Range]) -> None:
    """At most two factors, of declared ranges, with centers on or near the grid."""
    if len(term.factors) > 2:
        raise ParameterError(
            "A term has at most two factors; got {n_factors}.", "ask for several terms.", n_factors=len(term.factors)
        )
    for column, center in term.factors:
        if column not in ranges:
            raise ParameterError(
                "Column {column!r} must have a declared range to be added up.", "declare it.", column=column
            )
        if isinstance(center, bool) or not isinstance(center, int) or abs(center) > MOST_CENTER:
            raise ParameterError(
                "The center of {column!r} must be a whole number of at most 2^53; got {center!r}.",
                "center on a grid place.",
                column=column,
                center=center,
            )


def _check_keyed(keyed: Keyed) -> None:
    """Edges go with ranges and cover them."""
    if isinstance(keyed.domain, Range) != (keyed.edges is not None):
        raise ParameterError(
            "Groups by {column!r} need edges if, and only if, it has a declared range.",
            "give bin edges for a range, none for categories.",
            column=keyed.column,
        )
    if isinstance(keyed.domain, Range) and keyed.edges is not None:
        edges = keyed.edges
        increases = all(low < high for low, high in pairwise(edges))
        if len(edges) < 2 or edges[0] != 0 or edges[-1] != keyed.domain.size or not increases:
            raise ParameterError(
                "The edges of {column!r} must increase from 0 to {size}.",
                "give the first and the last edge too.",
                column=keyed.column,
                size=keyed.domain.size,
            )


def _check_condition(condition: Condition, *, is_number: bool) -> None:
    """One public value, or several for a list; only numbers have an order."""
    n = len(condition.values)
    if n == 0 or (n > 1 and condition.comparison not in LISTS):
        raise ParameterError(
            "The condition on {column!r} must have one value, or a list for IN; got {n}.",
            "give one value, or use IN.",
            column=condition.column,
            n=n,
        )
    if condition.comparison in ORDERS and not is_number:
        raise ParameterError(
            "{column!r} must have a declared range to be compared by order.",
            "use = or IN, or declare it.",
            column=condition.column,
        )
    if is_number:
        for value in condition.values:
            literal_number(value)


def _check_join(names: Sequence[str], join: Join) -> None:
    """The public table is rectangular, has one row for each key, and hides no private column."""
    if len(set(join.columns)) < len(join.columns) or join.on not in join.columns:
        raise ParameterError(
            "The public table must have distinct columns, {on!r} among them; got {columns}.",
            "rename them.",
            on=join.on,
            columns=list(join.columns),
        )
    if join.on not in names:
        raise SchemaError(
            "Column {on!r} must be in both tables; the private one has {names}.",
            "correct the name.",
            on=join.on,
            names=list(names),
        )
    hidden = sorted(set(join.columns) & set(names) - {join.on})
    if hidden:
        raise ParameterError(
            "Columns of the public table must be new; {hidden} are not.", "rename them.", hidden=hidden
        )
    if not all(
        len(row) == len(join.columns) and all(cell is None or isinstance(cell, str) for cell in row)
        for row in join.table
    ):
        raise ParameterError("Rows of the public table must be texts, one for each column.", "fill the rows.")
    on = join.columns.index(join.on)
    keys = [row[on] for row in join.table if row[on] is not None]
    if len(set(keys)) < len(keys):
        raise ParameterError(
            "The public table must have at most one row for each {on!r}; some have several.",
            "keep one row for each.",
            on=join.on,
        )


def declared_sizes(ask: BoundedAsk) -> tuple[int, ...] | None:
    """Groups of each grouping column; None where keys are read from the table."""
    sizes = []
    for keyed in ask.by:
        match keyed.domain:
            case Categories():
                sizes.append(keyed.domain.size)
            case Range() if keyed.edges is not None:
                sizes.append(len(keyed.edges) - 1)
            case _:
                return None
    return tuple(sizes)
