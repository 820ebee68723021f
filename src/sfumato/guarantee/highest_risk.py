"""Highest risk: how likely a right match of the published row that is easiest to match is."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee, Move, OfSizes, published_sizes
from sfumato.numbers.compare import compare
from sfumato.numbers.enclosure import round_up
from sfumato.numbers.exact import Exact, as_fraction, plain

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.types import BoolArray


@dataclass(frozen=True, slots=True)
class HighestRisk(OfSizes):
    """1/f is at most the threshold in every class of f persons.

    Args:
        threshold: greatest chance of a right match, in [0, 1].

    Raises:
        ParameterError: outside [0, 1]. Remedy: choose such as 0.2.

    Source:
        K. El Emam, "Guide to the De-Identification of Personal Health Information", 2013, chapter 16
        (prosecutor risk, maximum).

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> size = np.array([2, 10])
        >>> two = Classes(np.array([[0], [1]]), size, size)
        >>> HighestRisk(0.2).holds(two).tolist(), HighestRisk(0.2).measure(two)
        ([False, True], 0.5)
    """

    model: ClassVar[str] = "highest-risk"
    monotone_in = Move.MERGE | Move.ABSORB
    """A union is at least as large as its largest part."""

    threshold: Exact

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", as_fraction("threshold", self.threshold, low=0, high=1))

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: in which classes 1/f is at most the threshold."""
        persons = classes.persons
        within = compare(np.ones_like(persons), np.maximum(persons, 1), Fraction(self.threshold)) <= 0
        return np.asarray(within & (persons > 0))

    def measure(self, classes: Classes) -> float:
        """The highest chance, rounded up; 0 when there is no class."""
        sizes = published_sizes(classes)
        return round_up(Fraction(1, int(sizes.min()))) if len(sizes) else 0.0

    def guarantee(self) -> Guarantee:
        """The promise of a highest risk."""
        threshold = plain(self.threshold)
        return Guarantee(
            name="highest risk",
            statement=(
                f"An intruder who matches a person to a published row by the quasi-identifiers is right with a chance of "
                f"at most {threshold}."
            ),
            definition="1/(persons in the class) is at most the threshold in every equivalence class.",
            parameters={"threshold": threshold},
            kind="checked",
            source="K. El Emam, Guide to the De-Identification of Personal Health Information, 2013, chapter 16",
            assumptions=("An intruder knows nothing of a person but the declared quasi-identifiers.",),
        )
