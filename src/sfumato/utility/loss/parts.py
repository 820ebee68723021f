"""What measures of loss are made of: weights, rows below each node, classes of a node, and one number of several attributes."""

from __future__ import annotations

from enum import Enum
from math import prod
from typing import TYPE_CHECKING, Generic, TypeVar, assert_never

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.summary.classes import distinct_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import FloatArray, IntArray

L = TypeVar("L")


@dataclass(frozen=True, slots=True)
class Factors:
    """Weights of the two ways to lose information, from one number `gs`.

    generalization = 1 up to gs = 0.5, then falls to 0 at gs = 1; suppression = 1 from gs = 0.5, and
    falls to 0 at gs = 0. So 0.5 treats both alike, 0 makes suppression free, 1 makes generalization
    free.

    Args:
        gs: balance, in [0, 1].

    Raises:
        ParameterError: gs outside [0, 1]. Remedy: 0.5 treats both alike.

    Source:
        F. Prasser et al., "Flexible data anonymization using ARX", Software: Practice and Experience
        50(7), 2020, on the parameterization of quality models.

    Example:
        >>> Factors(0.25).suppression, Factors(0.25).generalization, Factors(1.0).generalization
        (0.5, 1.0, 0.0)
    """

    gs: float

    def __post_init__(self) -> None:
        if not 0 <= self.gs <= 1:
            raise ParameterError("`gs` must lie in [0, 1]; got {gs}.", "0.5 treats both alike.", gs=self.gs)

    @property
    def generalization(self) -> float:
        """Weight of what a kept row loses, in [0, 1]."""
        return 1.0 if self.gs <= 0.5 else 1.0 - 2 * (self.gs - 0.5)

    @property
    def suppression(self) -> float:
        """Weight of what a suppressed row loses beyond its generalization, in [0, 1]."""
        return 2 * self.gs if self.gs < 0.5 else 1.0


@dataclass(frozen=True, slots=True)
class Balanced:
    """A measure of loss that weighs generalization against suppression.

    Args:
        gs: balance, in [0, 1] (see `Factors`).

    Raises:
        ParameterError: gs outside [0, 1]. Remedy: 0.5 treats both alike.
    """

    gs: float = 0.5

    def __post_init__(self) -> None:
        Factors(self.gs)

    @property
    def factors(self) -> Factors:
        """The weights of both."""
        return Factors(self.gs)


class Prepared(Generic[L]):
    """A measure of loss bound to a table: what all of them keep."""

    __slots__ = ("_attributes", "_finest", "_loss", "_n", "_weights")

    def __init__(self, loss: L, finest: Classes, attributes: Sequence[Attribute]) -> None:
        """Keep the measure, the finest classes, the attributes with their weights, and the number of rows."""
        self._loss, self._finest, self._attributes = loss, finest, tuple(attributes)
        self._n, self._weights = finest.n_rows, weights_of(attributes)


def rows_by_node(finest: Classes, attributes: Sequence[Attribute]) -> tuple[tuple[IntArray, ...], ...]:
    """Rows to publish below each node: out[j][level] is (n_nodes,) int64.

    Args:
        finest: classes of leaf codes.
        attributes: the m attributes.
    """
    out = []
    for j, attribute in enumerate(attributes):
        tree = attribute.hierarchy
        leaves = finest.rows_by_code(j, tree.n_leaves)
        out.append(
            tuple(
                np.bincount(codes, weights=leaves, minlength=len(names)).astype(np.int64)
                for codes, names in zip(tree.ancestors, tree.labels, strict=True)
            )
        )
    return tuple(out)


class Cheapest:
    """The least that s rows can cost when each row of node i costs `cost[i]`: a convex function of s."""

    __slots__ = ("_cost", "_rows")

    def __init__(self, rows: IntArray, cost: FloatArray) -> None:
        """Take `rows` (n_nodes,) rows of cost (n_nodes,) >= 0 each.

        Example:
            >>> Cheapest(np.array([2, 3]), np.array([5.0, 1.0]))(np.array([0, 3, 4])).tolist()
            [0.0, 3.0, 8.0]
        """
        order = np.argsort(cost, kind="stable")
        self._rows = np.concatenate([[0.0], np.cumsum(rows[order], dtype=np.float64)])
        self._cost = np.concatenate([[0.0], np.cumsum(rows[order] * cost[order])])

    def __call__(self, n_rows: IntArray) -> FloatArray:
        """(n,) float64: least cost of `n_rows` (n,) rows."""
        out: FloatArray = np.interp(n_rows, self._rows, self._cost)
        return out


DENSE = 4
"""A table of all keys is made where there are at most so many for each finest tuple; else keys are looked for."""

KEY_LIMIT = 2**62
"""Keys beyond this do not fit in int64."""


def most_classes(finest: Classes, attributes: Sequence[Attribute], levels: IntArray) -> FloatArray:
    """(n_nodes,) float64 >= 1: the combinations of labels, or the distinct tuples if they are fewer.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> sex = bind(Column("sex", Role.QUASI_IDENTIFYING), ["f", "m"])
        >>> finest = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> most_classes(finest, [sex], np.array([[0], [1]])).tolist()
        [2.0, 1.0]
    """
    out = np.ones(len(levels))
    for j, attribute in enumerate(attributes):
        n_labels = np.array([len(names) for names in attribute.hierarchy.labels], dtype=np.float64)
        out *= n_labels[levels[:, j]]
    present = max(int((finest.rows > 0).sum()), 1)
    bounded: FloatArray = np.minimum(out, present)
    return bounded


def members(finest: Classes, attributes: Sequence[Attribute], levels: IntArray, classes: Classes) -> IntArray:
    """(n_tuples,) int64: the class of each finest tuple; `classes` are at `levels`, sorted by code."""
    radices = [len(a.hierarchy.labels[level]) for a, level in zip(attributes, levels.tolist(), strict=True)]
    maps = [a.hierarchy.ancestors[level] for a, level in zip(attributes, levels.tolist(), strict=True)]
    if prod(radices) >= KEY_LIMIT:
        return distinct_rows(np.stack([m[finest.codes[:, j]] for j, m in enumerate(maps)], axis=1))[1]
    key = np.zeros(finest.n_classes, np.int64)
    known = np.zeros(classes.n_classes, np.int64)
    for j, (radix, to_node) in enumerate(zip(radices, maps, strict=True)):
        if radix > 1:
            key = key * radix + to_node[finest.codes[:, j]]
            known = known * radix + classes.codes[:, j]
    if prod(radices) > DENSE * finest.n_classes + 1024:
        return np.searchsorted(known, key)
    rank = np.zeros(prod(radices), np.int64)
    rank[known] = np.arange(len(known))
    return rank[key]


class Aggregate(Enum):
    """The aggregate functions of ARX. v: losses, w: weights, d: attributes."""

    GEOMETRIC_MEAN = "geometric mean"
    """prod (v w + 1)^(1/d) - 1: keeps one bad attribute from hiding behind good ones."""
    ARITHMETIC_MEAN = "arithmetic mean"
    """sum v w / d."""
    SUM = "sum"
    """sum v w."""
    MAXIMUM = "maximum"
    """max v w."""
    RANK = "rank"
    """v w sorted descending, compared entry by entry."""


def weights_of(attributes: Sequence[Attribute]) -> FloatArray:
    """(m,) float64: declared weights over the largest one; all 1 where every weight is 0."""
    weights = np.array([a.column.weight for a in attributes], dtype=np.float64)
    largest = weights.max(initial=0.0)
    return np.ones(len(weights)) if largest == 0 else weights / largest


def combine(losses: FloatArray, weights: FloatArray, aggregate: Aggregate) -> FloatArray:
    """Combine losses (n, m) of m attributes into (n,), or (n, m) for RANK.

    Every aggregate grows with every loss, so bounds of the parts bound the whole.

    Example:
        >>> combine(np.array([[0.0, 1.0]]), np.ones(2), Aggregate.ARITHMETIC_MEAN).tolist()
        [0.5]
    """
    weighted = losses * weights
    d = losses.shape[1]
    match aggregate:
        case Aggregate.GEOMETRIC_MEAN:
            out: FloatArray = np.prod((weighted + 1.0) ** (1.0 / d), axis=1) - 1.0
        case Aggregate.ARITHMETIC_MEAN:
            out = weighted.sum(axis=1) / d
        case Aggregate.SUM:
            out = weighted.sum(axis=1)
        case Aggregate.MAXIMUM:
            out = weighted.max(axis=1, initial=0.0)
        case Aggregate.RANK:
            out = -np.sort(-weighted, axis=1)
        case _:
            assert_never(aggregate)
    return out


def one(losses: FloatArray, weights: FloatArray, aggregate: Aggregate) -> float | tuple[float, ...]:
    """Combine the losses (m,) of one node; a tuple for RANK."""
    combined = combine(losses[None, :], weights, aggregate)[0]
    return tuple(combined.tolist()) if aggregate is Aggregate.RANK else float(combined)


DIGITS = 1e10
"""ARX cuts losses to ten decimals, so that equal losses compare equal."""


def cut(losses: FloatArray) -> FloatArray:
    """Losses >= 0 cut down to ten decimals.

    Example:
        >>> cut(np.array([0.12345678909])).tolist()
        [0.123456789]
    """
    return np.floor(losses * DIGITS) / DIGITS


def shaved(losses: FloatArray) -> FloatArray:
    """`cut`, made safe against rounding: 1e-12 less first, except at the ends 0 and 1, which are exact."""
    out: FloatArray = np.where(losses == 1.0, 1.0, np.maximum(cut(losses - 1e-12), 0.0))
    return out


def safe(bounds: FloatArray) -> FloatArray:
    """Bounds >= 0 of values that are not cut, made safe against rounding: a part in 10^11 less.

    Example:
        >>> safe(np.array([0.0])).tolist()
        [0.0]
    """
    out: FloatArray = bounds * (1 - 1e-11)
    return out
