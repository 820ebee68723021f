"""delta-presence: how surely it can be told that a person of the population is in the table."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee, Move, Need, OfSizes
from sfumato.guarantee.k_map import population_of
from sfumato.numbers.compare import compare, largest_quotient
from sfumato.numbers.enclosure import round_up
from sfumato.numbers.exact import Exact, as_fraction, plain

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.types import BoolArray


@dataclass(frozen=True, slots=True)
class DeltaPresence(OfSizes):
    """In every class the published persons are between delta_min and delta_max of the population.

    Args:
        delta_min: least share, in [0, 1].
        delta_max: greatest share, in [delta_min, 1].

    Raises:
        ParameterError: not 0 <= delta_min <= delta_max <= 1. Remedy: correct them.

    Source:
        M. Nergiz, M. Atzori, C. Clifton, "Hiding the presence of individuals from shared databases",
        SIGMOD 2007, definition 2.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> size = np.array([1, 2])
        >>> two = Classes(np.array([[0], [1]]), size, size, population=np.array([5, 2]))
        >>> DeltaPresence(0, 0.2).holds(two).tolist()
        [True, False]
    """

    model: ClassVar[str] = "delta-presence"
    needs = frozenset({Need.POPULATION})
    """The population of each class."""
    monotone_in = Move.MERGE
    """The share in a union lies between the shares in its parts."""
    judges_absence: ClassVar[bool] = True
    """It also speaks of classes of the population in which nobody is published."""

    delta_min: Exact
    delta_max: Exact

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta_min", as_fraction("delta_min", self.delta_min, low=0, high=1))
        object.__setattr__(self, "delta_max", as_fraction("delta_max", self.delta_max, low=0, high=1))
        if Fraction(self.delta_min) > Fraction(self.delta_max):
            raise ParameterError(
                "`delta_min` must be at most `delta_max`; got {plain} and {plain2}.",
                "exchange the two.",
                plain=plain(self.delta_min),
                plain2=plain(self.delta_max),
            )

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: in which classes the share lies within both bounds."""
        persons, population = classes.persons, np.maximum(population_of(classes), 1)
        enough = compare(persons, population, Fraction(self.delta_min)) >= 0
        return np.asarray(enough & (compare(persons, population, Fraction(self.delta_max)) <= 0))

    def measure(self, classes: Classes) -> float:
        """The greatest share in a published class, rounded up; infinity when a share is below delta_min."""
        published = classes.select(classes.rows > 0)
        persons, population = published.persons, population_of(published)
        if (compare(persons, population, Fraction(self.delta_min)) < 0).any():
            return math.inf
        return round_up(largest_quotient(persons, population))

    def guarantee(self) -> Guarantee:
        """The promise of delta-presence."""
        low, high = plain(self.delta_min), plain(self.delta_max)
        return Guarantee(
            name="delta-presence",
            statement=(
                f"Of the persons of the population whose quasi-identifiers match a published row, at least {low} and at "
                f"most {high} (as shares) are in the release."
            ),
            definition=(
                "In every published equivalence class, persons in the release over persons in the population lies in "
                "[delta_min, delta_max]."
            ),
            parameters={"delta_min": low, "delta_max": high},
            kind="checked",
            source="M. Nergiz, M. Atzori, C. Clifton, SIGMOD 2007, definition 2",
            assumptions=(
                "The population table holds everybody whom an intruder could take for a person of the table.",
                "Persons of the population who match no published row are known to be absent from the release.",
            ),
        )
