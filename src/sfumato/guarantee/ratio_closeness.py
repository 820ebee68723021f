"""Ratio closeness: the share of every sensitive value in a class and in the table differ by a factor at most t.

It is t-closeness with the distance d(P, Q) = max over x of max(P(x)/Q(x), Q(x)/P(x)). With t = exp(eps/2)
it is the form that Domingo-Ferrer and Soria-Comas set beside differential privacy; what it gives, and
what not, is stated with the promise.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee, Move, OfColumn
from sfumato.guarantee.beta_likeness import ratios
from sfumato.numbers.compare import compare, largest_quotient
from sfumato.numbers.enclosure import round_up
from sfumato.numbers.exact import Exact, as_fraction, plain
from sfumato.numbers.logarithm import log_up
from sfumato.summary.histogram import MISSING_RULE, Distribution, distribution_of

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.types import BoolArray


@dataclass(frozen=True, slots=True)
class RatioCloseness(OfColumn):
    """For every value of the table, q/p and p/q <= t, with q its share in a class and p in the original table.

    A value of the table that a class lacks breaks it: the quotient p/q is then infinite.

    Args:
        column: sensitive column.
        t: greatest quotient, >= 1. For a bound eps of the shift of odds give exp(eps/2), rounded down.

    Raises:
        ParameterError: t < 1 or no number. Remedy: choose t > 1.

    Proof: let M be the list of values of a class of n persons, and let an intruder hold any prior pi about one
    of them, and about the others that each has an independent value with the table's shares p. The chance of
    M given that the person has x is multinomial, (n-1)!/(prod m_y!) * (prod p_y^m_y) * m_x/p_x, so the
    posterior is in proportion to pi(x) * q(x)/p(x), with q = m/n. Odds of x to y are multiplied by
    (q(x)/p(x)) / (q(y)/p(y)), which is at most t^2 = exp(eps). With pi = p the posterior is q itself, so
    the chance of every set of values changes by a factor of at most t = exp(eps/2).

    Source:
        J. Domingo-Ferrer, J. Soria-Comas, "From t-closeness to differential privacy and vice versa in data
        anonymization", Knowledge-Based Systems 74, 2015, section 4.

    Example:
        >>> from sfumato.testing.examples import classes_with_illness
        >>> RatioCloseness("illness", 2).measure(classes_with_illness([[2, 1], [1, 2]]))
        1.5
    """

    model: ClassVar[str] = "ratio-closeness"
    monotone_in = Move.MERGE
    """A share in a union lies between the shares in its parts."""

    column: str
    t: Exact

    def __post_init__(self) -> None:
        object.__setattr__(self, "t", as_fraction("t", self.t, low=1))

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: in which classes every quotient is at most t."""
        d = distribution_of(classes, self.column)
        top, bottom = ratios(d)
        far = (compare(top, bottom, Fraction(self.t)) > 0) | (compare(bottom, top, Fraction(self.t)) > 0)
        return np.asarray((np.bincount(d.owner[far], minlength=d.n_classes) == 0) & _complete(d))

    def measure(self, classes: Classes) -> float:
        """The greatest quotient, rounded up; infinity when a class lacks a value, 0 when there is no class."""
        d = distribution_of(classes.select(classes.rows > 0), self.column)
        if not _complete(d).all():
            return math.inf
        if d.n_classes == 0:
            return 0.0
        top, bottom = ratios(d)
        return round_up(max(largest_quotient(top, bottom), largest_quotient(bottom, top)))

    def guarantee(self) -> Guarantee:
        """The promise of ratio closeness."""
        t = Fraction(self.t)
        return Guarantee(
            name="ratio closeness",
            statement=(
                f"In the class of each published row every value of {self.column!r} is at most {plain(t)} times as "
                f"frequent, and at least 1/{plain(t)} as frequent, as in the whole original table; the release multiplies "
                f"the odds of one value of a person to another by at most {plain(t * t)}."
            ),
            definition=(
                "max(q/p, p/q) <= t for every value, with p its share in the original table and q in an equivalence class; "
                "t = exp(eps/2) bounds the factor on odds by exp(eps)."
            ),
            parameters={"t": plain(t), "epsilon": odds_epsilon(t)},
            kind="checked",
            source="J. Domingo-Ferrer, J. Soria-Comas, Knowledge-Based Systems 74, 2015, section 4",
            assumptions=(
                "An intruder may think anything of the person, but takes all others to be independent draws from the table.",
                "Whoever knows values of other rows of the class learns more.",
                "The shares of the whole table are regarded as known and are not protected.",
                "It is no differential privacy: who is in the table, and in which class, is decided by exact data.",
                MISSING_RULE,
            ),
        )


def odds_epsilon(t: Fraction) -> float:
    """The eps of which t is exp(eps/2), rounded up: 2 ln t.

    Example:
        >>> odds_epsilon(Fraction(1)), round(odds_epsilon(Fraction(2)), 6)
        (0.0, 1.386294)
    """
    return log_up(t * t)


def _complete(d: Distribution) -> BoolArray:
    """(n_classes,) bool: classes that have a value and lack none of the table."""
    return np.asarray((np.bincount(d.owner, minlength=d.n_classes) == np.count_nonzero(d.total)) & (d.sizes > 0))
