"""What two written tables say, read again from where they were written, or by whoever received them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.errors import InternalError, SourceError
from sfumato.release.anatomy.choice import BUCKET, COUNT
from sfumato.release.binding import in_order
from sfumato.summary.ask import MarginalOf, Tuples
from sfumato.summary.pair import Pair, value_counts
from sfumato.table.attribute import Attribute, bind
from sfumato.table.schema import Column, Kind, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.base import Engine
    from sfumato.types import IntArray

T = TypeVar("T")


def pair_from(engine: Engine[T], first: T, second: T, attributes: Sequence[Attribute], sensitive: Attribute) -> Pair:
    """The two tables as arrays.

    Args:
        engine: where data live.
        first: the table of rows.
        second: the table of values.
        attributes: the quasi-identifiers.
        sensitive: the sensitive column; its leaves hold every value of the second table.

    Raises:
        SourceError: the tables do not belong together: a bucket has more or fewer rows than values.
    """
    buckets = _whole(engine, first, BUCKET)
    rows = engine.summarize(first, Tuples((buckets, *attributes)))
    again, counts = _whole(engine, second, BUCKET), _whole(engine, second, COUNT)
    values = engine.summarize(second, Tuples((again, sensitive, counts)))
    if buckets.hierarchy.labels[0] != again.hierarchy.labels[0]:
        raise SourceError("The two tables must hold the same buckets; these do not.", "take two tables of one release.")
    number = np.array([int(label or 0) for label in counts.hierarchy.labels[0]], np.int64)
    owner = values.codes[:, 0]
    pair = Pair(
        tuple(attributes),
        rows.codes[:, 1:],
        rows.codes[:, 0],
        rows.rows,
        value_counts(owner, values.codes[:, 1], number[values.codes[:, 2]] * values.rows, sensitive),
    )
    listed = np.bincount(owner, weights=number[values.codes[:, 2]] * values.rows, minlength=pair.n_buckets)
    if not np.array_equal(listed.astype(np.int64), pair.sizes):
        raise SourceError(
            "A bucket must have as many values as rows; some have not.",
            "take the two tables of one release, unchanged.",
        )
    return pair


def check_same(decided: Pair, written: Pair) -> None:
    """What was written must be what was decided, to the row.

    Raises:
        InternalError: it is not.
    """
    both: list[tuple[IntArray, IntArray]] = [
        (decided.bucket, written.bucket),
        (decided.codes, written.codes),
        (decided.rows, written.rows),
        (decided.values.owner, written.values.owner),
        (decided.values.value, written.values.value),
        (decided.values.count, written.values.count),
    ]
    if not all(np.array_equal(one, other) for one, other in both):
        raise InternalError("The two written tables differ from those decided; they must not be used.")


def columns_of(engine: Engine[T], table: T, columns: Sequence[Column]) -> tuple[Attribute, ...]:
    """Columns bound to the values of a table, in their order."""
    return tuple(bind(column, in_order(engine.summarize(table, MarginalOf(column.name)).values)) for column in columns)


def _whole(engine: Engine[T], table: T, name: str) -> Attribute:
    """A column of whole numbers of one of the two tables."""
    values = engine.summarize(table, MarginalOf(name)).values
    if None in values:
        raise SourceError(
            "{name!r} must be a whole number in every row; it is missing in some.", "use it unchanged.", name=name
        )
    return bind(Column(name, Role.QUASI_IDENTIFYING, Kind.INTEGER), in_order(values))
