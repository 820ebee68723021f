"""Frequency l-diversity: no sensitive value belongs to more than one row in l of a class.

This is the l-diversity of Anatomy, and the only one here that bounds the chance of the best guess.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee, Move, OfColumn
from sfumato.guarantee.diversity import top_and_tail
from sfumato.numbers.compare import compare, largest_quotient
from sfumato.numbers.enclosure import round_down
from sfumato.numbers.exact import Exact, as_fraction, plain
from sfumato.summary.histogram import MISSING_RULE, distribution_of

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.types import BoolArray


@dataclass(frozen=True, slots=True)
class FrequencyLDiversity(OfColumn):
    """In every class the most frequent value of the sensitive column belongs to at most 1/l of the persons.

    Args:
        column: sensitive column.
        l: at least 1; need not be whole.

    Raises:
        ParameterError: l < 1 or no number. Remedy: choose l >= 2.

    Proof: with c the count of a value and n the size, c/n <= 1/l. The share of a value in a union lies
    between its shares in the parts, so classes that hold merge into classes that hold.

    Source:
        X. Xiao, Y. Tao, "Anatomy: simple and effective privacy preservation", VLDB 2006, definition 2;
        with l = 1/alpha the frequency part of R. Wong et al., "(alpha, k)-anonymity", KDD 2006.

    Example:
        >>> from sfumato.testing.examples import classes_with_illness
        >>> three = classes_with_illness([[1, 1], [2, 1], [3, 3]])
        >>> FrequencyLDiversity("illness", 2).holds(three).tolist(), FrequencyLDiversity("illness", 2).measure(three)
        ([True, False, True], 1.5)
    """

    model: ClassVar[str] = "l-diversity"
    variant: ClassVar[dict[str, str]] = {"kind": "frequency"}
    monotone_in = Move.MERGE
    """A share in a union lies between the shares in its parts."""

    column: str
    l: Exact  # noqa: E741  the paper's own symbol

    def __post_init__(self) -> None:
        object.__setattr__(self, "l", as_fraction("l", self.l, low=1))

    @property
    def least(self) -> Fraction:
        """The parameter l as an exact number."""
        return Fraction(self.l)

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: in which classes no value has a share above 1/l."""
        d = distribution_of(classes, self.column)
        top, _ = top_and_tail(d, 1)
        return np.asarray((compare(top, np.maximum(d.sizes, 1), 1 / self.least) <= 0) & (d.sizes > 0))

    def measure(self, classes: Classes) -> float:
        """The largest l that all classes satisfy, rounded down; infinity when there is no class, 0 when one is empty."""
        d = distribution_of(classes.select(classes.rows > 0), self.column)
        if d.n_classes == 0:
            return float("inf")
        if not (d.sizes > 0).all():
            return 0.0
        top, _ = top_and_tail(d, 1)
        return round_down(1 / largest_quotient(top, d.sizes))

    def guarantee(self) -> Guarantee:
        """The promise of frequency l-diversity."""
        return Guarantee(
            name="frequency l-diversity",
            statement=(
                f"In the class of each published row no value of {self.column!r} belongs to more than one row in "
                f"{plain(self.l)}."
            ),
            definition="In every equivalence class each sensitive value has a share of at most 1/l.",
            parameters={"l": plain(self.l)},
            kind="checked",
            source="X. Xiao, Y. Tao, VLDB 2006, definition 2",
            assumptions=(
                "An intruder regards every row of a class as equally likely to have each of its values.",
                "Each value that an intruder can rule out for a person, or knows of others, makes the best guess better.",
                MISSING_RULE,
            ),
        )
