"""Records at risk: the share of the published persons that is matched with more than a given chance."""

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


@dataclass(frozen=True, slots=True)
class RecordsAtRisk(OfSizes):
    """At most a share of the persons stands in classes of f with 1/f above the threshold.

    Args:
        threshold: chance of a right match from which on a person is at risk, exclusive, in [0, 1].
        share: greatest share of persons at risk, in [0, 1].

    Raises:
        ParameterError: a number outside [0, 1]. Remedy: correct it.

    Source:
        K. El Emam, "Guide to the De-Identification of Personal Health Information", 2013, chapter 16
        (proportion of records at risk).

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> size = np.array([1, 5, 14])
        >>> RecordsAtRisk(0.2, share=0.1).measure(Classes(np.arange(3)[:, None], size, size))
        0.05
    """

    model: ClassVar[str] = "records-at-risk"
    monotone_in = Move.MERGE
    """Merging makes nobody's class smaller."""

    threshold: Exact
    share: Exact

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", as_fraction("threshold", self.threshold, low=0, high=1))
        object.__setattr__(self, "share", as_fraction("share", self.share, low=0, high=1))

    def holds_together(self, classes: Classes) -> bool:
        """Whether the share of persons at risk is small enough."""
        return self._at_risk(classes) <= Fraction(self.share)

    def measure(self, classes: Classes) -> float:
        """The share of persons at risk, rounded up; 0 when there is no class."""
        return round_up(self._at_risk(classes))

    def _at_risk(self, classes: Classes) -> Fraction:
        """Persons at risk over persons; 0 when there is none."""
        sizes = published_sizes(classes)
        if len(sizes) == 0:
            return Fraction(0)
        risky = compare(np.ones_like(sizes), sizes, Fraction(self.threshold)) > 0
        return Fraction(int(sizes[risky].sum()), int(sizes.sum()))

    def guarantee(self) -> Guarantee:
        """The promise of few records at risk."""
        threshold, share = plain(self.threshold), plain(self.share)
        return Guarantee(
            name="records at risk",
            statement=(
                f"At most {share} of the persons published (as a share) are matched by their quasi-identifiers with a "
                f"chance above {threshold}."
            ),
            definition="Persons in equivalence classes with 1/(persons in the class) > threshold, over all persons.",
            parameters={"threshold": threshold, "share": share},
            kind="checked",
            source="K. El Emam, Guide to the De-Identification of Personal Health Information, 2013, chapter 16",
            assumptions=("An intruder knows nothing of a person but the declared quasi-identifiers.",),
        )
