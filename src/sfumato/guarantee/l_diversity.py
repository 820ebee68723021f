"""l-diversity: every class holds several well-represented values of the sensitive column.

Three readings of "well represented": distinct, entropy, recursive. Missing values are left out.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee, Move, OfColumn, smallest
from sfumato.guarantee.diversity import (
    entropy_decided,
    entropy_measured,
    grassberger_decided,
    grassberger_measured,
    top_and_tail,
)
from sfumato.numbers.check import as_whole
from sfumato.numbers.compare import compare, largest_quotient
from sfumato.numbers.enclosure import round_up
from sfumato.numbers.exact import Exact, as_fraction, plain
from sfumato.summary.histogram import MISSING_RULE, distribution_of

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.types import BoolArray

_KNOWLEDGE = "An intruder knows nothing of how the sensitive values of particular persons are distributed."
_SOURCE = "A. Machanavajjhala et al., TKDD 1(1), 2007"


@dataclass(frozen=True, slots=True)
class DistinctLDiversity(OfColumn):
    """Every class holds at least l different values of the sensitive column.

    Args:
        column: sensitive column.
        l: least number of different values, >= 1.

    Raises:
        ParameterError: l is no whole number >= 1. Remedy: choose l >= 2.

    Source:
        A. Machanavajjhala et al., "l-diversity: privacy beyond k-anonymity", TKDD 1(1), 2007, section 4.

    Example:
        >>> DistinctLDiversity("illness", 3).guarantee().parameters
        {'l': 3}
    """

    model: ClassVar[str] = "l-diversity"
    variant: ClassVar[dict[str, str]] = {"kind": "distinct"}
    monotone_in = Move.MERGE | Move.ABSORB
    """A union holds every value of its parts."""

    column: str
    l: int  # noqa: E741  the paper's own symbol

    def __post_init__(self) -> None:
        as_whole("l", self.l, low=1)

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: which classes hold at least l values."""
        d = distribution_of(classes, self.column)
        return np.bincount(d.owner, minlength=d.n_classes) >= self.l

    def measure(self, classes: Classes) -> float:
        """Fewest different values in a class; infinity when there is no class."""
        d = distribution_of(classes, self.column)
        return smallest(np.bincount(d.owner, minlength=d.n_classes), classes)

    def guarantee(self) -> Guarantee:
        """The promise of distinct l-diversity."""
        return Guarantee(
            name="distinct l-diversity",
            statement=(
                f"Each published row stands in a class in which at least {self.l} different values "
                f"of {self.column!r} occur."
            ),
            definition="Every equivalence class holds at least l different values of the sensitive column.",
            parameters={"l": self.l},
            kind="checked",
            source=_SOURCE + ", section 4",
            assumptions=(
                "It does not bound the chance of a right guess by 1/l: one value may be far more frequent than the others.",
                _KNOWLEDGE,
                MISSING_RULE,
            ),
        )


@dataclass(frozen=True, slots=True)
class EntropyLDiversity(OfColumn):
    """The entropy of the sensitive column in every class is at least ln l.

    Shannon's entropy of the class is decided exactly. Grassberger's estimate, which corrects the
    entropy of small samples upwards, is computed in floating point; what it cannot decide, fails. With
    it a class must also hold at least l different values.

    Args:
        column: sensitive column.
        l: least effective number of values exp(H), >= 1; need not be whole.
        estimator: "shannon" (the entropy of the class itself) or "grassberger".

    Raises:
        ParameterError: l < 1 or no number, or an unknown estimator. Remedy: correct it.

    Source:
        A. Machanavajjhala et al., "l-diversity: privacy beyond k-anonymity", TKDD 1(1), 2007,
        definition 4.1; P. Grassberger, "Entropy estimates from insufficient samplings",
        arXiv:physics/0307138, equations 28 to 35; S. Stammler et al., PSD 2016.

    Example:
        >>> EntropyLDiversity("illness", 2.5, "shannon").guarantee().parameters
        {'l': 2.5, 'estimator': 'shannon'}
    """

    model: ClassVar[str] = "l-diversity"
    variant: ClassVar[dict[str, str]] = {"kind": "entropy"}

    column: str
    l: Exact  # noqa: E741  the paper's own symbol
    estimator: Literal["shannon", "grassberger"]

    def __post_init__(self) -> None:
        object.__setattr__(self, "l", as_fraction("l", self.l, low=1))
        if self.estimator not in ("shannon", "grassberger"):
            raise ParameterError(
                '`estimator` must be "shannon" or "grassberger"; got {estimator!r}.',
                'choose "shannon".',
                estimator=self.estimator,
            )

    @property
    def monotone_in(self) -> Move:
        """Shannon's entropy is concave, so that of a union is at least the least of its parts."""
        return Move.MERGE if self.estimator == "shannon" else Move.NONE

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: which classes have an entropy of at least ln l."""
        d = distribution_of(classes, self.column)
        decided = entropy_decided if self.estimator == "shannon" else grassberger_decided
        return decided(d, Fraction(self.l))

    def measure(self, classes: Classes) -> float:
        """The largest l that all classes satisfy, rounded down; infinity when there is no class."""
        d = distribution_of(classes.select(classes.rows > 0), self.column)
        return entropy_measured(d) if self.estimator == "shannon" else grassberger_measured(d)

    def guarantee(self) -> Guarantee:
        """The promise of entropy l-diversity."""
        shannon = self.estimator == "shannon"
        estimate = "" if shannon else " as Grassberger estimates it"
        assumptions = (
            "It bounds an average, not the chance of the best guess: one value may be likelier than 1/l.",
            _KNOWLEDGE,
            MISSING_RULE,
        )
        corrected = ("The estimate exceeds the entropy of the class itself, most in small classes.",)
        return Guarantee(
            name="entropy l-diversity",
            statement=(
                f"In the class of each published row the entropy of {self.column!r}{estimate} is at least that of "
                f"{plain(self.l)} equally frequent values."
            ),
            definition="H = -sum p ln p of the sensitive column is at least ln l in every equivalence class.",
            parameters={"l": plain(self.l), "estimator": self.estimator},
            kind="checked" if shannon else "idealized",
            source=_SOURCE + ", definition 4.1" + ("" if shannon else "; P. Grassberger, arXiv:physics/0307138"),
            assumptions=assumptions if shannon else corrected + assumptions,
        )


@dataclass(frozen=True, slots=True)
class RecursiveLDiversity(OfColumn):
    """In every class r_1 < c (r_l + … + r_m), with the counts r in descending order.

    Args:
        column: sensitive column.
        c: how often the most frequent value may outnumber the rare ones, > 0.
        l: rank from which on values count as rare, >= 2; a class with fewer values fails.

    Raises:
        ParameterError: c < 0 or l < 2. Remedy: choose c >= 1 and l >= 2.

    Source:
        A. Machanavajjhala et al., "l-diversity: privacy beyond k-anonymity", TKDD 1(1), 2007,
        definition 4.2.

    Example:
        >>> RecursiveLDiversity("illness", c=3, l=2).guarantee().parameters
        {'c': 3, 'l': 2}
    """

    model: ClassVar[str] = "l-diversity"
    variant: ClassVar[dict[str, str]] = {"kind": "recursive"}
    monotone_in = Move.MERGE
    """Proved for unions of classes that satisfy it (the paper, theorem 4.2)."""

    column: str
    c: Exact
    l: int  # noqa: E741  the paper's own symbol

    def __post_init__(self) -> None:
        object.__setattr__(self, "c", as_fraction("c", self.c, low=0))
        as_whole("l", self.l, low=2)

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: which classes satisfy r_1 < c (r_l + … + r_m)."""
        top, tail = top_and_tail(distribution_of(classes, self.column), self.l)
        return (tail > 0) & (compare(top, np.maximum(tail, 1), Fraction(self.c)) < 0)

    def measure(self, classes: Classes) -> float:
        """The least c that all classes satisfy at this l, rounded up; infinity when none does."""
        top, tail = top_and_tail(distribution_of(classes.select(classes.rows > 0), self.column), self.l)
        if not (tail > 0).all():
            return math.inf
        return round_up(largest_quotient(top, tail), strictly=True) if len(tail) else 0.0

    def guarantee(self) -> Guarantee:
        """The promise of recursive (c, l)-diversity."""
        c = plain(self.c)
        return Guarantee(
            name="recursive (c,l)-diversity",
            statement=(
                f"In the class of each published row the most frequent value of {self.column!r} is less than {c} times "
                f"as frequent as all values of rank {self.l} and below taken together."
            ),
            definition="r_1 < c (r_l + … + r_m) in every equivalence class, with the counts r in descending order.",
            parameters={"c": c, "l": self.l},
            kind="checked",
            source=_SOURCE + ", definition 4.2",
            assumptions=(
                f"An intruder who can rule out more than {self.l - 2} values of a class may learn the value.",
                _KNOWLEDGE,
                MISSING_RULE,
            ),
        )
