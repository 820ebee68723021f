"""Beta-likeness: no sensitive value is much more frequent in a class than in the original table.

Unlike t-closeness it is relative, so rare values are protected as much as common ones. Missing values
are left out.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee, Move, OfColumn
from sfumato.numbers.compare import compare, largest_quotient, product
from sfumato.numbers.enclosure import round_up
from sfumato.numbers.exact import Exact, as_fraction, plain
from sfumato.numbers.logarithm import sign_of_logs
from sfumato.summary.histogram import MISSING_RULE, Distribution, distribution_of

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.types import BoolArray, IntArray

_SOURCE = "J. Cao, P. Karras, PVLDB 5(11), 2012"
_CLOSE = 1e-9
"""Gains this close to their limit are compared exactly."""


@dataclass(frozen=True, slots=True)
class BasicBetaLikeness(OfColumn):
    """For every value of a class, (q - p)/p <= beta with q its share there and p in the original table.

    Args:
        column: sensitive column.
        beta: greatest relative gain, >= 0.

    Raises:
        ParameterError: beta < 0. Remedy: choose beta > 0.

    Source:
        J. Cao, P. Karras, "Publishing microdata with a robust privacy guarantee", PVLDB 5(11), 2012,
        definition 2.

    Example:
        >>> BasicBetaLikeness("illness", 4).guarantee().parameters
        {'beta': 4}
    """

    model: ClassVar[str] = "beta-likeness"
    variant: ClassVar[dict[str, str]] = {"kind": "basic"}
    monotone_in = Move.MERGE
    """A share in a union lies between the shares in its parts."""

    column: str
    beta: Exact

    def __post_init__(self) -> None:
        object.__setattr__(self, "beta", as_fraction("beta", self.beta, low=0))

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: in which classes no value gains more than beta."""
        d = distribution_of(classes, self.column)
        return _all_of(d, compare(*ratios(d), 1 + Fraction(self.beta)) <= 0)

    def measure(self, classes: Classes) -> float:
        """The greatest relative gain, rounded up, at least 0; infinity when a class has no value."""
        d = distribution_of(classes.select(classes.rows > 0), self.column)
        return round_up(_greatest_gain(d)) if (d.sizes > 0).all() else math.inf

    def guarantee(self) -> Guarantee:
        """The promise of basic beta-likeness."""
        return _promise("basic", self.column, Fraction(self.beta), "beta", ", definition 2")


@dataclass(frozen=True, slots=True)
class EnhancedBetaLikeness(OfColumn):
    """For every value of a class, (q - p)/p <= min(beta, -ln p), so that frequent values are bounded too.

    Args:
        column: sensitive column.
        beta: greatest relative gain, >= 0.

    Raises:
        ParameterError: beta < 0. Remedy: choose beta > 0.

    Source:
        J. Cao, P. Karras, "Publishing microdata with a robust privacy guarantee", PVLDB 5(11), 2012,
        definition 3.

    Example:
        >>> EnhancedBetaLikeness("illness", 4).guarantee().parameters
        {'beta': 4}
    """

    model: ClassVar[str] = "beta-likeness"
    variant: ClassVar[dict[str, str]] = {"kind": "enhanced"}
    monotone_in = Move.MERGE
    """A share in a union lies between the shares in its parts; the limits are fixed by the table."""

    column: str
    beta: Exact

    def __post_init__(self) -> None:
        object.__setattr__(self, "beta", as_fraction("beta", self.beta, low=0))

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: in which classes no value gains more than min(beta, -ln p)."""
        d = distribution_of(classes, self.column)
        within = compare(*ratios(d), 1 + Fraction(self.beta)) <= 0
        return _all_of(d, within & _within_logarithm(d))

    def measure(self, classes: Classes) -> float:
        """The greatest relative gain, rounded up; infinity when one exceeds -ln p, which no beta allows."""
        d = distribution_of(classes.select(classes.rows > 0), self.column)
        possible = (d.sizes > 0).all() and _within_logarithm(d).all()
        return round_up(_greatest_gain(d)) if possible else math.inf

    def guarantee(self) -> Guarantee:
        """The promise of enhanced beta-likeness."""
        return _promise("enhanced", self.column, Fraction(self.beta), "min(beta, -ln p)", ", definition 3")


def ratios(d: Distribution) -> tuple[IntArray, IntArray]:
    """q/p of each entry as quotients of integers: c N over n T.

    Example:
        >>> from sfumato.testing.examples import illness
        >>> [part.tolist() for part in ratios(illness([[1, 1], [2, 0]]))]
        [[4, 4, 8], [6, 2, 6]]
    """
    return product(d.count, int(d.total.sum())), product(d.sizes[d.owner], d.total[d.value])


def _within_logarithm(d: Distribution) -> BoolArray:
    """(nnz,) bool: q/p - 1 <= -ln p, decided exactly where floating point is close."""
    top, bottom = ratios(d)
    whole = int(d.total.sum())
    gap = top.astype(np.float64) / bottom.astype(np.float64) - 1 + np.log(d.total[d.value] / whole)
    out = np.asarray(gap <= 0)
    for i in np.flatnonzero(np.abs(gap) <= _CLOSE):
        gain = Fraction(int(top[i]), int(bottom[i])) - 1
        out[i] = sign_of_logs([(1, int(d.total[d.value[i]])), (-1, whole)], gain) <= 0
    return out


def _greatest_gain(d: Distribution) -> Fraction:
    """The greatest (q - p)/p, at least 0."""
    return max(largest_quotient(*ratios(d)) - 1, Fraction(0))


def _all_of(d: Distribution, good: BoolArray) -> BoolArray:
    """(n_classes,) bool: classes that have a value and none that is not good."""
    return np.asarray((np.bincount(d.owner[~good], minlength=d.n_classes) == 0) & (d.sizes > 0))


def _promise(kind: str, column: str, beta: Fraction, limit: str, place: str) -> Guarantee:
    cap = "" if kind == "basic" else ", and by no more than -ln p where that is less"
    return Guarantee(
        name=f"{kind} beta-likeness",
        statement=(
            f"In the class of each published row no value of {column!r} is more than {plain(1 + beta)} times as "
            f"frequent as in the whole original table{cap}."
        ),
        definition=(
            f"(q - p)/p <= {limit} for every value of the sensitive column, with p its share in the original table and "
            "q in an equivalence class."
        ),
        parameters={"beta": plain(beta)},
        kind="checked",
        source=_SOURCE + place,
        assumptions=(
            "What the distribution of the whole table tells is regarded as known and is not protected.",
            "That a value is rarer in a class than in the table, or absent, is not bounded.",
            MISSING_RULE,
        ),
    )
