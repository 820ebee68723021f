"""Sample uniqueness: the share of the published persons that is alone in its class."""

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
class SampleUniqueness(OfSizes):
    """At most a share of the persons is alone in its class.

    Args:
        threshold: greatest share of unique persons, in [0, 1].

    Raises:
        ParameterError: outside [0, 1]. Remedy: choose such as 0.01.

    Source:
        J. Bethlehem, W. Keller, J. Pannekoek, "Disclosure control of microdata", JASA 85(409), 1990.

    Example:
        >>> import numpy as np
        >>> from sfumato.summary.classes import Classes
        >>> size = np.array([1, 1, 6])
        >>> SampleUniqueness(0.01).measure(Classes(np.arange(3)[:, None], size, size))
        0.25
    """

    model: ClassVar[str] = "sample-uniqueness"
    monotone_in = Move.MERGE
    """Merging makes nobody unique."""

    threshold: Exact

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", as_fraction("threshold", self.threshold, low=0, high=1))

    def holds_together(self, classes: Classes) -> bool:
        """Whether the share of unique persons is at most the threshold."""
        return _unique(classes) <= Fraction(self.threshold)

    def measure(self, classes: Classes) -> float:
        """The share of unique persons, rounded up; 0 when there is no class."""
        return round_up(_unique(classes))

    def guarantee(self) -> Guarantee:
        """The promise of few sample uniques."""
        threshold = plain(self.threshold)
        return Guarantee(
            name="sample uniqueness",
            statement=f"At most {threshold} of the persons published (as a share) are alone with their quasi-identifiers.",
            definition="Persons in equivalence classes of one person, over all persons.",
            parameters={"threshold": threshold},
            kind="checked",
            source="J. Bethlehem, W. Keller, J. Pannekoek, JASA 85(409), 1990",
            assumptions=(
                "An intruder knows nothing of a person but the declared quasi-identifiers.",
                "Persons in classes of two or more are not judged.",
            ),
        )


def _unique(classes: Classes) -> Fraction:
    """Unique persons over persons; 0 when there is none."""
    sizes = published_sizes(classes)
    return Fraction(int((sizes == 1).sum()), int(sizes.sum())) if len(sizes) else Fraction(0)
