"""COUNT and AVG from two tables with a bucket number, with what is certain and what is likely.

The first table is exact in the quasi-identifiers, the second in the sensitive values of each bucket; only the
pairing inside a bucket is unknown. So every answer has certain bounds, which hold whatever the pairing is,
and an expectation and a standard deviation over all pairings, each equally likely.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.utility.bucket_sides import Side, least_and_greatest

if TYPE_CHECKING:
    from sfumato.summary.pair import Pair
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray


_SLACK = 1e-12
"""Share of the greatest number by which bounds of an average are widened, above any rounding error of their sums."""


@dataclass(frozen=True, slots=True)
class Between:
    """Numbers or dates from `low` to `high`, both included; dates count days since 1970-01-01."""

    low: float
    high: float


Condition: TypeAlias = "Mapping[str, Collection[str | None] | Between]"
"""For some columns the accepted values (None: missing) or a range; all must hold."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer from the two tables.

    Args:
        value: expected value, every pairing in a bucket equally likely; NaN where no row satisfies the
            condition, or none of them has a number.
        low: least value that any pairing gives, rounded down.
        high: greatest value that any pairing gives, rounded up.
        deviation: standard deviation of the value over the pairings; NaN where it was not computed.
    """

    value: float
    low: float
    high: float
    deviation: float


def count(pair: Pair, condition: Condition) -> Answer:
    """COUNT(*) of the rows that satisfy a condition on quasi-identifiers, the sensitive column, or both.

    Of the s rows of a bucket, m satisfy the condition on the quasi-identifiers and c the one on the sensitive
    value. Both hold for between max(0, m+c-s) and min(m, c) rows; over the pairings the number is
    hypergeometric, with mean m c/s and variance m c (s-m)(s-c) / (s^2 (s-1)). Buckets add up.

    Args:
        pair: the two tables.
        condition: accepted values or a range, by column.

    Returns:
        Bounds that are certain, and the expectation, which leans to what independence of the two sides
        would give: a row's own value weighs only c/s.

    Raises:
        ParameterError: a column that the tables lack, or a range on text. Remedy: as the message says.

    Source:
        X. Xiao, Y. Tao, "Anatomy: simple and effective privacy preservation", VLDB 2006, section 3.2: the
        expectation. The bounds are those of M. Fréchet for a table with two known margins.

    Example:
        >>> from sfumato.testing.buckets import six_persons
        >>> answer = count(six_persons(), {"age": Between(20, 21), "use": {"50", "60"}})
        >>> round(answer.value, 2), answer.low, answer.high, round(answer.deviation, 2)
        (1.33, 1.0, 2.0, 0.47)
    """
    picked, accepted, sizes = _both_sides(pair, condition)
    mean = picked * accepted / np.maximum(sizes, 1)
    rest = (sizes - picked) * (sizes - accepted) / np.maximum(sizes * (sizes - 1.0), 1)
    low, high = np.maximum(picked + accepted - sizes, 0), np.minimum(picked, accepted)
    return Answer(float(mean.sum()), float(low.sum()), float(high.sum()), float(np.sqrt((mean * rest).sum())))


def average(pair: Pair, column: str, condition: Condition) -> Answer:
    """AVG of a numeric column of one table over the rows that satisfy a condition on the other.

    Of the s rows of a bucket, m satisfy the condition. The m smallest and the m greatest numbers of the
    bucket bound their sum; over the pairings it has mean m times the mean of the bucket and variance
    m (s-m)/(s-1) times the variance of the bucket. Sums add up and are divided by the sum of m, which is exact.

    Args:
        pair: the two tables.
        column: a numeric (or date) column.
        condition: on columns of the other table only: on quasi-identifiers for the average of the
            sensitive column, on the sensitive column for that of a quasi-identifier. {}: all rows.

    Returns:
        Where numbers are missing in the buckets concerned, rows without one take no part, the bounds are the
        least and greatest number there, and the deviation is NaN.

    Raises:
        ParameterError: no such column, no numbers, or a condition on the same table. Remedy: as the
            message says.

    Source:
        W. Cochran, "Sampling Techniques", 3rd edition 1977, theorem 2.2: a sample drawn without replacement.

    Example:
        >>> from sfumato.testing.buckets import six_persons
        >>> answer = average(six_persons(), "use", {"age": Between(20, 21)})
        >>> [round(number, 2) for number in (answer.value, answer.low, answer.high, answer.deviation)]
        [66.67, 55.0, 75.0, 8.5]
    """
    own, other = _sides_of(pair, column)
    mixed = [name for name in condition if (name == pair.sensitive.name) == (column == pair.sensitive.name)]
    if mixed:
        raise ParameterError(
            "An average of {column!r} takes conditions on the other table only; got one on {mixed!r}.",
            "leave that condition out, or count instead.",
            column=column,
            mixed=mixed[0],
        )
    picked = other.total(_accepted(other, condition))
    if own.has_gaps(picked):
        return _average_with_gaps(own, picked)
    n = int(picked.sum())
    if n == 0:
        return Answer(float("nan"), float("nan"), float("nan"), float("nan"))
    means, variances = own.moments()
    low, high = least_and_greatest(own, picked)
    chance = (picked * (own.sizes - picked) / np.maximum(own.sizes - 1, 1) * variances).sum()
    slack = _SLACK * float(np.nanmax(np.abs(np.asarray(own.numbers))))
    return Answer(
        float((picked * means).sum() / n), low / n - slack, high / n + slack, float(np.sqrt(max(chance, 0.0)) / n)
    )


def reconstruction_error(pair: Pair) -> float:
    """RCE: the squared distance between each row's value and the shares that its bucket leaves, summed over rows.

    A bucket of s rows with counts c of its values adds s - (sum of c^2)/s. With G buckets whose values are
    all different it is n - G.

    Args:
        pair: the two tables.

    Source:
        X. Xiao, Y. Tao, VLDB 2006, equations 11 and 12; on one point for each value.

    Example:
        >>> from sfumato.testing.buckets import six_persons
        >>> round(reconstruction_error(six_persons()), 3)
        3.333
    """
    squares = np.bincount(pair.values.owner, weights=pair.values.count**2.0, minlength=pair.n_buckets)
    return float(pair.n_rows - (squares / np.maximum(pair.sizes, 1)).sum())


def _both_sides(pair: Pair, condition: Condition) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(n_buckets,) float64 each: rows that satisfy the conditions of each table, and all rows."""
    left, right = Side.of_rows(pair, 0), Side.of_values(pair)
    known = [a.name for a in (*left.attributes, *right.attributes)]
    unknown = [name for name in condition if name not in known]
    if unknown:
        raise ParameterError(
            "A condition must name a column of the two tables, {known}; got {unknown!r}.",
            "correct it.",
            known=known,
            unknown=unknown[0],
        )
    here = {name: wanted for name, wanted in condition.items() if name != pair.sensitive.name}
    there = {name: wanted for name, wanted in condition.items() if name == pair.sensitive.name}
    return left.total(_accepted(left, here)), right.total(_accepted(right, there)), left.sizes


def _accepted(side: Side, condition: Condition) -> BoolArray:
    """(n_entries,) bool: which entries of one table satisfy the conditions on its columns."""
    out = np.ones(len(side.owner), bool)
    names = [attribute.name for attribute in side.attributes]
    for name, wanted in condition.items():
        if name not in names:
            raise ParameterError(
                "A condition must name a column of {names}; got {name!r}.", "correct the name.", names=names, name=name
            )
        j = names.index(name)
        out &= accepted_leaves(side.attributes[j], wanted)[side.codes[:, j]]
    return out


def accepted_leaves(attribute: Attribute, wanted: Collection[str | None] | Between) -> BoolArray:
    """(n_leaves,) bool: the leaves of a column that a condition accepts.

    Raises:
        ParameterError: a range on a column without numbers. Remedy: list its values.

    Example:
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Kind, Role
        >>> age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["20", "30", None])
        >>> accepted_leaves(age, Between(25, 40)).tolist(), accepted_leaves(age, {None}).tolist()
        ([False, True, False], [False, False, True])
    """
    if not isinstance(wanted, Between):
        return np.array([label in wanted for label in attribute.hierarchy.labels[0]], bool)
    if attribute.positions is None:
        raise ParameterError(
            "A range needs numbers or dates; {name!r} is text.",
            "list the accepted values instead.",
            name=attribute.name,
        )
    return np.asarray((attribute.positions >= wanted.low) & (attribute.positions <= wanted.high))


def _sides_of(pair: Pair, column: str) -> tuple[Side, Side]:
    """The table that holds a column, with its numbers, and the other one."""
    names = [attribute.name for attribute in pair.attributes]
    if column == pair.sensitive.name:
        own, other = Side.of_values(pair), Side.of_rows(pair, 0)
    elif column in names:
        own, other = Side.of_rows(pair, names.index(column)), Side.of_values(pair)
    else:
        raise ParameterError(
            "An average needs a column of the two tables; got {column!r}.", "correct the name.", column=column
        )
    if own.numbers is None:
        raise ParameterError(
            "An average needs numbers; {column!r} is text.", "declare its kind, or count instead.", column=column
        )
    return own, other


def _average_with_gaps(own: Side, picked: FloatArray) -> Answer:
    """The average where some rows of the buckets concerned have no number."""
    numbers = np.asarray(own.numbers)
    told = np.isfinite(numbers) & (picked[own.owner] > 0)
    weight = picked[own.owner[told]] * own.rows[told] / own.sizes[own.owner[told]]
    if not told.any():
        return Answer(float("nan"), float("nan"), float("nan"), float("nan"))
    value = float((weight * numbers[told]).sum() / weight.sum())
    return Answer(value, float(numbers[told].min()), float(numbers[told].max()), float("nan"))
