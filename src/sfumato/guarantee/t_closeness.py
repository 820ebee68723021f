"""t-closeness: no class tells much more of the sensitive column than the whole table does.

`TCloseness` compares with the original table, which no later step changes. `TClosenessOfRelease`
compares with the released table, which changes with every suppressed row, so it can only be judged on
all published classes together. Missing values are left out.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, get_args

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee, Move, OfColumn
from sfumato.numbers.compare import compare, largest_quotient
from sfumato.numbers.enclosure import round_up
from sfumato.numbers.exact import Exact, as_fraction, plain
from sfumato.summary.distance import Ground, distances
from sfumato.summary.histogram import MISSING_RULE, distribution_of

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.types import BoolArray

_FORMULAS = {
    "equal": "equal distance: half of the sum of |p - q|",
    "ordered": "ordered distance: the sum of the differences of the cumulative shares over (m - 1), m values",
    "hierarchical": "hierarchical distance: height of the lowest common ancestor over the height of the hierarchy",
}


@dataclass(frozen=True, slots=True)
class TCloseness(OfColumn):
    """The distribution of the sensitive column in every class is within t of that of the original table.

    Args:
        column: sensitive column.
        t: greatest earth mover's distance, in [0, 1].
        distance: ground distance: "equal", "ordered" (numbers and dates by value, text in the order of
            the hierarchy's leaves) or "hierarchical" (along the column's hierarchy).

    Raises:
        ParameterError: t outside [0, 1], or an unknown distance. Remedy: correct it.

    Proof: the earth mover's distance to a fixed distribution is convex, and the distribution of a union
    is a mean of those of its parts, so classes that hold merge into classes that hold.

    Source:
        N. Li, T. Li, S. Venkatasubramanian, "t-Closeness", ICDE 2007, sections 3 and 4.

    Example:
        >>> TCloseness("pay", 0.2, "ordered").guarantee().parameters
        {'t': 0.2, 'distance': 'ordered', 'reference': 'original'}
    """

    model: ClassVar[str] = "t-closeness"
    variant: ClassVar[dict[str, str]] = {"reference": "original"}
    monotone_in = Move.MERGE
    """The distance is convex."""

    column: str
    t: Exact
    distance: Ground

    def __post_init__(self) -> None:
        object.__setattr__(self, "t", as_fraction("t", self.t, low=0, high=1))
        _check_distance(self.distance)

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: which classes lie within t."""
        d = distribution_of(classes, self.column)
        return np.asarray((compare(*distances(d, d.total, self.distance), Fraction(self.t)) <= 0) & (d.sizes > 0))

    def measure(self, classes: Classes) -> float:
        """The greatest distance of a class, rounded up; infinity when a class has no value."""
        return _greatest(classes, self.column, self.distance, released=False)

    def guarantee(self) -> Guarantee:
        """The promise of t-closeness against the original table."""
        return _promise(self.column, Fraction(self.t), self.distance, "original")


@dataclass(frozen=True, slots=True)
class TClosenessOfRelease(OfColumn):
    """The distribution of the sensitive column in every class is within t of that of the released table.

    Args:
        column: sensitive column.
        t: greatest earth mover's distance, in [0, 1].
        distance: ground distance, as for `TCloseness`.

    Raises:
        ParameterError: t outside [0, 1], or an unknown distance. Remedy: correct it.

    Proof: merging published classes leaves the released table's distribution as it is, and the distance
    to it is convex. Suppressing a class changes that distribution and may break it.

    Source:
        N. Li, T. Li, S. Venkatasubramanian, "t-Closeness", ICDE 2007, sections 3 and 4.

    Example:
        >>> TClosenessOfRelease("pay", "0.2", "equal").guarantee().parameters
        {'t': 0.2, 'distance': 'equal', 'reference': 'released'}
    """

    model: ClassVar[str] = "t-closeness"
    variant: ClassVar[dict[str, str]] = {"reference": "released"}
    monotone_in = Move.MERGE
    """Merging published classes changes no total."""

    column: str
    t: Exact
    distance: Ground

    def __post_init__(self) -> None:
        object.__setattr__(self, "t", as_fraction("t", self.t, low=0, high=1))
        _check_distance(self.distance)

    def holds_together(self, classes: Classes) -> bool:
        """Whether all published classes lie within t of their sum."""
        d = distribution_of(classes.select(classes.rows > 0), self.column)
        close = compare(*distances(d, d.released, self.distance), Fraction(self.t)) <= 0
        return bool((close & (d.sizes > 0)).all())

    def measure(self, classes: Classes) -> float:
        """The greatest distance of a class, rounded up; infinity when a class has no value."""
        return _greatest(classes, self.column, self.distance, released=True)

    def guarantee(self) -> Guarantee:
        """The promise of t-closeness against the released table."""
        return _promise(self.column, Fraction(self.t), self.distance, "released")


def _check_distance(distance: str) -> None:
    if distance not in get_args(Ground):
        raise ParameterError(
            "`distance` must be one of {get_args}; got {distance!r}.",
            'choose "ordered" for numbers, "hierarchical" where a hierarchy groups the values, else "equal".',
            get_args=list(get_args(Ground)),
            distance=distance,
        )


def _greatest(classes: Classes, column: str, ground: Ground, *, released: bool) -> float:
    """The greatest distance of a published class, rounded up."""
    d = distribution_of(classes.select(classes.rows > 0), column)
    if not (d.sizes > 0).all():
        return math.inf
    return round_up(largest_quotient(*distances(d, d.released if released else d.total, ground)))


def _promise(column: str, t: Fraction, ground: Ground, reference: str) -> Guarantee:
    return Guarantee(
        name="t-closeness",
        statement=(
            f"In the class of each published row {column!r} is distributed as in the whole {reference} table, "
            f"up to an earth mover's distance of {plain(t)} ({ground})."
        ),
        definition=(
            "The earth mover's distance between the sensitive column's distribution in each equivalence class and in "
            f"the {reference} table is at most t ({_FORMULAS[ground]})."
        ),
        parameters={"t": plain(t), "distance": ground, "reference": reference},
        kind="checked",
        source="N. Li, T. Li, S. Venkatasubramanian, ICDE 2007, sections 3 and 4",
        assumptions=(
            "What the distribution of the whole table tells is regarded as known and is not protected.",
            "It bounds a distance of distributions, not the chance of a right guess.",
            MISSING_RULE,
        ),
    )
