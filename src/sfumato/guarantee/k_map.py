"""k-map: every published class matches at least k persons of the population from which the table comes.

`KMap` reads the population itself; `KMapEstimated` knows only its size and tests, class by class, whether
fewer than k members are plausible.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee, Move, Need, OfSizes, published_sizes, smallest
from sfumato.numbers.check import as_whole
from sfumato.numbers.exact import Exact, as_fraction, plain

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.types import BoolArray, IntArray

_QUASI_IDENTIFIERS = "An intruder knows nothing of a person but the declared quasi-identifiers."
_MEMBERSHIP = "An intruder does not know who of the population is in the table."


@dataclass(frozen=True, slots=True)
class KMap(OfSizes):
    """Every class matches at least k persons of the known population.

    Args:
        k: least number of persons of the population in a class, >= 1.

    Raises:
        ParameterError: k < 1. Remedy: choose k >= 2.

    Source:
        L. Sweeney, "Computational disclosure control", PhD thesis, MIT 2001, section on the k-map model.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> size = np.array([1, 2])
        >>> two = Classes(np.array([[0], [1]]), size, size, population=np.array([5, 2]))
        >>> KMap(3).holds(two).tolist(), KMap(3).measure(two)
        ([True, False], 2.0)
    """

    model: ClassVar[str] = "k-map"
    variant: ClassVar[dict[str, str]] = {"kind": "known"}
    needs = frozenset({Need.POPULATION})
    """The population of each class."""
    monotone_in = Move.MERGE | Move.ABSORB
    """A union matches everybody whom one of its parts matches."""

    k: int

    def __post_init__(self) -> None:
        as_whole("k", self.k, low=1)

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: which classes match at least k persons."""
        return population_of(classes) >= self.k

    def measure(self, classes: Classes) -> float:
        """Fewest persons of the population in a published class; infinity when there is no class."""
        return smallest(population_of(classes), classes)

    def guarantee(self) -> Guarantee:
        """The promise of k-map."""
        return Guarantee(
            name="k-map",
            statement=f"The quasi-identifiers of each published row match at least {self.k} persons of the population.",
            definition="Every published equivalence class holds at least k persons of the population.",
            parameters={"k": self.k},
            kind="checked",
            source="L. Sweeney, Computational disclosure control, MIT 2001",
            assumptions=(
                "The population table holds everybody whom an intruder could take for a person of the table.",
                _MEMBERSHIP,
                _QUASI_IDENTIFIERS,
            ),
        )


@dataclass(frozen=True, slots=True)
class KMapEstimated(OfSizes):
    """Every class is so large that fewer than k matching persons of the population can be ruled out.

    A class of k persons in the population shows X ~ Poisson(lambda) of them in the sample, lambda = k n/N.
    With the smallest x for which P(X <= x) >= 1 - significance, a class must hold x + 1 persons when X
    is truncated at zero, and x + 2 for the plain Poisson form, one more than the test needs (as ARX has
    it); never more than k.

    Args:
        k: least number of persons of the population in a class, >= 1.
        population: persons in the population, >= sample.
        sample: persons in the whole original table, >= 1; suppressed ones count.
        significance: greatest chance that a class of k persons shows so many, in (0, 1).
        estimator: "poisson" or "zero-truncated-poisson".

    Raises:
        ParameterError: a number outside its range, or more persons than `sample`. Remedy: correct it.

    Source:
        K. El Emam, F. Dankar, "Protecting privacy using k-anonymity", JAMIA 15(5), 2008, estimators D3
        and D4; J. Pannekoek, Statistica Neerlandica 53(1), 1999.

    Example:
        >>> KMapEstimated(100, 300_000, 30_162, 0.01, "zero-truncated-poisson").least_size
        19
    """

    model: ClassVar[str] = "k-map"
    variant: ClassVar[dict[str, str]] = {"kind": "estimated"}
    monotone_in = Move.MERGE | Move.ABSORB
    """It asks for a class size."""

    k: int
    population: int
    sample: int
    significance: Exact
    estimator: Literal["poisson", "zero-truncated-poisson"]

    def __post_init__(self) -> None:
        as_whole("k", self.k, low=1)
        as_whole("sample", self.sample, low=1)
        as_whole("population", self.population, low=self.sample)
        significance = as_fraction("significance", self.significance, low=0, high=1)
        object.__setattr__(self, "significance", significance)
        if significance in (0, 1):
            raise ParameterError(
                "`significance` must lie between 0 and 1; got {plain}.",
                "choose a small one, such as 0.01.",
                plain=plain(significance),
            )
        if self.estimator not in ("poisson", "zero-truncated-poisson"):
            raise ParameterError(
                '`estimator` must be "poisson" or "zero-truncated-poisson"; got {estimator!r}.',
                "choose one of the two.",
                estimator=self.estimator,
            )

    @property
    def least_size(self) -> int:
        """Persons that a class of the table must hold."""
        return _least_size(self.k, *self._odds)[0]

    @property
    def error(self) -> float:
        """The chance that a class of k persons of the population shows more than the tested count: at most the significance."""
        return _least_size(self.k, *self._odds)[1]

    @property
    def _odds(self) -> tuple[float, float, bool]:
        """Sampling fraction, significance, and whether zero is truncated."""
        return self.sample / self.population, float(self.significance), self.estimator != "poisson"

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: which classes are large enough."""
        self._check(classes)
        return classes.persons >= self.least_size

    def measure(self, classes: Classes) -> float:
        """The largest k that all classes satisfy; infinity when there is no class, 0 when there is no such k."""
        self._check(classes)
        sizes = published_sizes(classes)
        if len(sizes) == 0:
            return math.inf
        least, odds = int(sizes.min()), self._odds
        low, high = 0, math.ceil((least + 1) / odds[0]) + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if _least_size(middle, *odds)[0] <= least else (low, middle)
        return float(low)

    def _check(self, classes: Classes) -> None:
        """The table cannot hold more persons than it was said to."""
        if classes.alone.sum() > self.sample:
            raise ParameterError(
                "`sample` must be the number of persons in the original table; got {sample}, and there are more.",
                "count the persons of the table before anything is suppressed.",
                sample=self.sample,
            )

    def guarantee(self) -> Guarantee:
        """The promise of k-map by estimate."""
        form = "Poisson" if self.estimator == "poisson" else "zero-truncated Poisson"
        return Guarantee(
            name="k-map (estimated)",
            statement=(
                f"Each published row shares its quasi-identifiers with at least {self.least_size - 1} other persons of "
                f"the table; a class of {self.k} persons in the population would show so many with a chance of at most "
                f"{plain(self.significance)}."
            ),
            definition=(
                f"Every equivalence class is larger than the {form} quantile of the sample count of a class of k persons "
                "of the population."
            ),
            parameters={
                "k": self.k,
                "population": self.population,
                "sample": self.sample,
                "significance": plain(self.significance),
                "estimator": self.estimator,
                "least class size": self.least_size,
            },
            kind="idealized",
            source="K. El Emam, F. Dankar, JAMIA 15(5), 2008",
            assumptions=(
                "The table is a simple random sample of the population, and class counts follow the model.",
                "The chance of error holds for each class by itself, not for all classes together.",
                _MEMBERSHIP,
                _QUASI_IDENTIFIERS,
            ),
        )


def population_of(classes: Classes) -> IntArray:
    """(n_classes,) persons of the population in each class.

    Raises:
        ParameterError: no population is known. Remedy: name the column that marks the published rows.
    """
    if classes.population is None:
        raise ParameterError(
            "A criterion needs the population of each class, and no population is known.",
            "give a table of the whole population and name the `subset` column that marks the rows to publish.",
        )
    return classes.population


def _least_size(k: int, fraction: float, significance: float, truncated: bool) -> tuple[int, float]:
    """Least class size, and the chance left beyond the tested count."""
    mean = k * fraction
    start = 1 if truncated else 0
    highest = int(mean + 40 * math.sqrt(mean) + 200)
    counts = np.arange(start, highest + 1)
    log_factorials = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, highest + 1)))))[start:]
    chances = np.exp(counts * math.log(mean) - mean - log_factorials)
    below = np.cumsum(chances / (-math.expm1(-mean) if truncated else 1.0))
    tested = min(int(np.searchsorted(below, float(1 - Fraction(repr(significance))))), len(below) - 1)
    size = tested + start + (1 if truncated else 2)
    return min(size, k), max(0.0, 1 - float(below[tested]))
