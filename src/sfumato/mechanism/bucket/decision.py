"""What a bucket method decides: which rows share a bucket, and the two tables that follow from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.summary.pair import Pair, value_counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.noise.bits import Bits
    from sfumato.recipe.steps import Splits
    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class BucketDecision:
    """The outcome of a bucket method, before any row is touched.

    Args:
        splits: rows of each joint tuple by bucket; what an engine deals by, and what an attack is judged
            by. It holds the secret and is not published.
        pair: the two tables.
        tried: numbers of buckets that were looked at.
        statement: one sentence: how the number of buckets was found.
    """

    splits: Splits
    pair: Pair
    tried: int
    statement: str


class BucketMethod(Protocol):
    """Joint tuples in, buckets out."""

    def decide(self, joint: Classes, attributes: Sequence[Attribute], *, bits: Bits) -> BucketDecision:
        """Deal the rows into buckets.

        Args:
            joint: the distinct tuples of the quasi-identifiers and, last, the sensitive column.
            attributes: the quasi-identifiers, then the sensitive column.
            bits: secure chance: which rows of a value go where.

        Raises:
            NoSolution: no number of buckets keeps every promise.
        """
        ...


def pair_of(joint: Classes, attributes: Sequence[Attribute], splits: Splits) -> Pair:
    """The two tables that a dealing of rows publishes.

    Args:
        joint: the distinct tuples; the last code is that of the sensitive column.
        attributes: the quasi-identifiers, then the sensitive column.
        splits: rows of each tuple by bucket.
    """
    plain = without_last(joint)
    first = np.flatnonzero(np.diff(plain, prepend=-1))
    width = max(len(first), 1)
    keys, where = np.unique(splits.member * width + plain[splits.tuple_], return_inverse=True)
    rows = np.bincount(where, weights=splits.rows, minlength=len(keys)).astype(np.int64)
    values = value_counts(splits.member, joint.codes[splits.tuple_, -1], splits.rows, attributes[-1])
    return Pair(tuple(attributes[:-1]), joint.codes[first[keys % width], :-1], keys // width, rows, values)


def without_last(joint: Classes) -> IntArray:
    """(n_tuples,) int64: number of the quasi-identifiers of each tuple, 0, 1, … in their order; tuples are sorted.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> two = np.array([[0, 0], [0, 1], [3, 0]])
        >>> without_last(Classes(two, np.ones(3, int), np.ones(3, int))).tolist()
        [0, 0, 1]
    """
    others = joint.codes[:, :-1]
    new = np.ones(len(others), np.int64)
    new[1:] = (others[1:] != others[:-1]).any(axis=1)
    return np.cumsum(new) - 1


def missing_leaf(attribute: Attribute) -> int:
    """Code of the missing value; -1 where the column misses none.

    Example:
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> missing_leaf(bind(Column("illness", Role.SENSITIVE), ["flu", None]))
        1
    """
    labels = attribute.hierarchy.labels[0]
    return labels.index(None) if None in labels else -1


def check_one_row_each(joint: Classes) -> None:
    """Buckets promise something of rows, so a person must not have several.

    Raises:
        ParameterError: some person has several rows. Remedy: one row a person.
    """
    if joint.spread is not None or int(joint.alone.sum()) != joint.n_rows:
        raise ParameterError(
            "Buckets hold one row a person; some person of this table has several.",
            "publish one row a person, or choose a recoding method, which counts persons.",
        )
