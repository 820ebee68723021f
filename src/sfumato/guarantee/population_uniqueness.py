"""Population uniqueness: the share of the population that is estimated to be alone with its quasi-identifiers."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, get_args

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee, Move, OfSizes, published_sizes
from sfumato.numbers.check import as_whole
from sfumato.numbers.exact import Exact, as_fraction, plain
from sfumato.summary.uniqueness import Estimator, estimate_uniqueness

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes


@dataclass(frozen=True, slots=True)
class PopulationUniqueness(OfSizes):
    """The estimated share of unique persons in the population is at most the threshold.

    The estimate is a statistical model in floating point, so it is compared as it comes out. A table
    on which the estimator has no solution does not satisfy the criterion.

    Args:
        threshold: greatest share of unique persons, in [0, 1].
        population: persons in the population, at least those in the table.
        estimator: "pitman", "zayatz", "snb" or "dankar".

    Raises:
        ParameterError: a number outside its range, or an unknown estimator. Remedy: correct it.

    Source:
        F. Dankar et al., "Estimating the re-identification risk of clinical data sets", BMC Medical
        Informatics and Decision Making 12:66, 2012, and the sources of each estimator.

    Example:
        >>> import numpy as np
        >>> from sfumato.summary.classes import Classes
        >>> size = np.array([1, 1, 2, 4])
        >>> PopulationUniqueness(0.01, 8, "zayatz").measure(Classes(np.arange(4)[:, None], size, size))
        0.25
    """

    model: ClassVar[str] = "population-uniqueness"
    monotone_in = Move.NONE
    """An estimate may rise when classes merge."""

    threshold: Exact
    population: int
    estimator: Estimator

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", as_fraction("threshold", self.threshold, low=0, high=1))
        as_whole("population", self.population, low=1)
        if self.estimator not in get_args(Estimator):
            raise ParameterError(
                "`estimator` must be one of {get_args}; got {estimator!r}.",
                'choose "dankar", which chooses by the sampling fraction.',
                get_args=list(get_args(Estimator)),
                estimator=self.estimator,
            )

    def holds_together(self, classes: Classes) -> bool:
        """Whether the estimate is at most the threshold."""
        return Fraction(repr(self._estimate(classes))) <= Fraction(self.threshold)

    def measure(self, classes: Classes) -> float:
        """The estimate; 0 when there is no class, 1 when the estimator has no solution."""
        return self._estimate(classes)

    def _estimate(self, classes: Classes) -> float:
        """The estimated share; 1 when there is no estimate."""
        sizes = published_sizes(classes)
        if len(sizes) == 0:
            return 0.0
        estimate = estimate_uniqueness(sizes, self.population, self.estimator)
        return 1.0 if estimate is None or math.isnan(estimate) else estimate

    def guarantee(self) -> Guarantee:
        """The promise of few population uniques, by estimate."""
        threshold = plain(self.threshold)
        return Guarantee(
            name="population uniqueness",
            statement=(
                f"By the {self.estimator} estimate at most {threshold} of the {self.population} persons of the population "
                "(as a share) are alone with their quasi-identifiers."
            ),
            definition="Estimated persons of the population who share their quasi-identifiers with nobody, over its size.",
            parameters={"threshold": threshold, "population": self.population, "estimator": self.estimator},
            kind="idealized",
            source="F. Dankar et al., BMC Medical Informatics and Decision Making 12:66, 2012",
            assumptions=(
                "The table is a simple random sample of the population, and class sizes follow the estimator's model.",
                "It is an estimate with an error that is not stated.",
                "An intruder knows nothing of a person but the declared quasi-identifiers.",
            ),
        )
