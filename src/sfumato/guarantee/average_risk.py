"""Average risk: how likely a right match of a published row is, on average over the rows."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee, Move, OfSizes, published_sizes
from sfumato.numbers.enclosure import round_up
from sfumato.numbers.exact import Exact, as_fraction, plain

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes


@dataclass(frozen=True, slots=True)
class AverageRisk(OfSizes):
    """The number of classes over the number of persons is at most the threshold.

    A person in a class of f is matched rightly with chance 1/f; the mean over persons is J/n for J
    classes. It is no mean over classes: classes of 1 and 99 persons give 0.02, not 0.505.

    Args:
        threshold: greatest average, in [0, 1].

    Raises:
        ParameterError: outside [0, 1]. Remedy: choose such as 0.05.

    Source:
        K. El Emam, "Guide to the De-Identification of Personal Health Information", 2013, chapter 16
        (prosecutor risk, average).

    Example:
        >>> import numpy as np
        >>> from sfumato.summary.classes import Classes
        >>> size = np.array([1, 99])
        >>> AverageRisk(0.05).measure(Classes(np.array([[0], [1]]), size, size))
        0.02
    """

    model: ClassVar[str] = "average-risk"
    monotone_in = Move.MERGE
    """Merging makes fewer classes of the same persons."""

    threshold: Exact

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", as_fraction("threshold", self.threshold, low=0, high=1))

    def holds_together(self, classes: Classes) -> bool:
        """Whether the average over all published persons is at most the threshold."""
        return _average(classes) <= Fraction(self.threshold)

    def measure(self, classes: Classes) -> float:
        """The average, rounded up; 0 when there is no class."""
        return round_up(_average(classes))

    def guarantee(self) -> Guarantee:
        """The promise of an average risk."""
        threshold = plain(self.threshold)
        return Guarantee(
            name="average risk",
            statement=(
                f"An intruder who matches every published row by its quasi-identifiers is right for a share of at most "
                f"{threshold} of them, on average."
            ),
            definition="Equivalence classes over persons: the mean over persons of 1/(size of their class).",
            parameters={"threshold": threshold},
            kind="checked",
            source="K. El Emam, Guide to the De-Identification of Personal Health Information, 2013, chapter 16",
            assumptions=(
                "An intruder knows nothing of a person but the declared quasi-identifiers.",
                "It is an average: single rows may be matched with certainty.",
            ),
        )


def _average(classes: Classes) -> Fraction:
    """Classes over persons; 0 when there is none."""
    sizes = published_sizes(classes)
    return Fraction(len(sizes), int(sizes.sum())) if len(sizes) else Fraction(0)
