"""Tuples of a public domain: true ones are kept, others inserted, each by its own coin."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import PureDP
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.rare_places import LARGEST_SIZE, LEAST_CHANCE, rare_places
from sfumato.noise.bernoulli import bernoulli
from sfumato.numbers.check import whole
from sfumato.numbers.distinct import distinct
from sfumato.numbers.enclosure import exp_between, log_between

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

MOST_INSERTED = 2**27
"""More inserted tuples are not expected: they must fit in memory."""
_PLACES = 10**12
_MOST_EPSILON = 32
"""Above it, β would be too small for the sampler, and nothing would be protected."""


@dataclass(frozen=True, slots=True)
class TupleInsertion:
    """The α-β algorithm: a tuple of the table is published with probability α + β, any other one of the domain with β.

    Two tables that differ in one tuple (added or removed) are told apart by at most
    ε = ln max((α + β)/β, (1 - β)/(1 - α - β)), which is reached. That is a promise for a person who has one
    tuple; with c tuples, or replaced by another person, a person is protected by c or two times ε.
    The table is a set: equal rows count once, of one person or of several.

    The domain is declared, never read off the table. A row outside it is left out, without a word: an error would tell.

    Tuples that are not in the table are never listed: the places that would be inserted are found by exact skips
    over the whole domain, and those that hit the table are ignored.

    Args:
        sizes: number of values of each attribute, public; their product at most 2⁵⁰.
        alpha: α > 0, exact.
        beta: β > 0, exact, with α + β < 1.

    Raises:
        ParameterError: a number outside its range, or more than 2²⁷ expected insertions. Remedy: in the message.

    Source:
        V. Rastogi, D. Suciu, S. Hong, "The Boundary Between Privacy and Utility in Data Publishing", VLDB 2007,
        section 3; ε for one tuple: ours.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> method = TupleInsertion((10, 10), alpha=Fraction(4, 5), beta=Fraction(1, 10))
        >>> method.odds
        Fraction(9, 1)
        >>> published = method.decide(np.array([[0, 0], [3, 4]]), bits=SystemBits())
        >>> published.shape[1]
        2
    """

    sizes: tuple[int, ...]
    alpha: Fraction
    beta: Fraction

    def __post_init__(self) -> None:
        for size in self.sizes:
            whole(size, "size", 1, LARGEST_SIZE)
        whole(prod(self.sizes), "number of tuples of the domain", 1, LARGEST_SIZE)
        exact = all(isinstance(x, Fraction) and x > 0 for x in (self.alpha, self.beta)) and self.beta >= LEAST_CHANCE
        if not exact or self.alpha + self.beta >= 1 or not self.sizes:
            raise ParameterError(
                "`alpha` and `beta` must be exact fractions above 0 (beta at least 2^-50) with a sum below 1, for some attribute.",
                "give for example Fraction(1, 2) and Fraction(1, 4), or use `for_epsilon`.",
            )
        if self.beta * self.domain_size > MOST_INSERTED:
            raise ParameterError(
                "At most 2^27 inserted tuples may be expected; beta times the domain is {beta:.3g}.",
                "choose a smaller beta, or a coarser domain.",
                beta=float(self.beta * self.domain_size),
            )

    @classmethod
    def for_epsilon(cls, sizes: tuple[int, ...], epsilon: Fraction, *, most_inserted: int) -> TupleInsertion:
        """The α and β of least variance at ε, with at most so many insertions expected.

        Variance falls as β grows up to 1/(1 + e^ε), where α = (e^ε - 1)/(e^ε + 1), and grows beyond, whatever is in
        the table. So β is the least of that and most_inserted/|D|, and α the greatest that ε allows, both
        rounded down to 12 digits.

        Args:
            sizes: as above.
            epsilon: > 0, at most 32.
            most_inserted: expected insertions, at most 2²⁷.

        Raises:
            ParameterError: a number outside its range; an ε so small that α would be 0. Remedy: in the message.

        Example:
            >>> method = TupleInsertion.for_epsilon((1000, 1000, 1000), Fraction(5), most_inserted=10**6)
            >>> float(method.beta), method.event.epsilon <= 5
            (0.001, True)
        """
        if not isinstance(epsilon, Fraction) or not 0 < epsilon <= _MOST_EPSILON:
            raise ParameterError("`epsilon` must be an exact fraction above 0, at most 32.", "give Fraction(1), say.")
        low, high = exp_between(epsilon)
        most = Fraction(whole(most_inserted, "most_inserted", 1, MOST_INSERTED), max(1, prod(sizes)))
        finest = _PLACES * max(1, (1 / most).__ceil__(), high.__ceil__())
        beta = Fraction((min(1 / (1 + high), most) * finest).__floor__(), finest)
        return cls(sizes, Fraction((beta * (low - 1) * finest).__floor__(), finest), beta)

    @property
    def name(self) -> str:
        """What it is called."""
        return "α-β algorithm"

    @property
    def domain_size(self) -> int:
        """|D|, the number of tuples that the domain has."""
        return prod(self.sizes)

    @property
    def odds(self) -> Fraction:
        """e^ε, exactly."""
        p, q = self.alpha + self.beta, self.beta
        return max(p / q, (1 - q) / (1 - p))

    @property
    def event(self) -> PureDP:
        """The price for one tuple, rounded up in the 60th digit."""
        return PureDP(log_between(self.odds)[1])

    @property
    def argument(self) -> str:
        """Why it is private."""
        return (
            "Every tuple of the domain is published by a coin of its own, so neighbors (one tuple added or removed) "
            "differ in the chance of one coin."
        )

    def keeps_prior(self, prior: Fraction, posterior: Fraction) -> bool:
        """Whether it is (d, γ)-private: who gives each tuple independently a chance of at most d beforehand
        gives it at most γ afterwards, and at least d/γ of what it was.

        Args:
            prior: d.
            posterior: γ, 0 < d < γ < 1.

        Raises:
            ParameterError: numbers in another order. Remedy: 0 < d < γ < 1.

        Source:
            Rastogi et al., 2007, definition 2.2 and theorem 3.1; derived again from Bayes' rule.

        Example:
            >>> TupleInsertion((100,), Fraction(1, 2), Fraction(1, 4)).keeps_prior(Fraction(1, 10), Fraction(1, 2))
            True
        """
        if not 0 < prior < posterior < 1:
            raise ParameterError("The chances must satisfy 0 < prior < posterior < 1.", "give them in that order.")
        p, q = self.alpha + self.beta, self.beta
        rises = p / q <= posterior * (1 - prior) / (prior * (1 - posterior))
        return rises and (1 - p) / (1 - q) >= prior / posterior

    def decide(self, tuples: IntArray, *, bits: Bits) -> IntArray:
        """The published tuples, each once, in the order of the domain.

        Args:
            tuples: (n, attributes) whole numbers, column j in [0, sizes[j]); repeated rows count once, others not.
            bits: source of chance.

        Returns:
            (published, attributes) int64.

        Raises:
            ParameterError: another shape, or no whole numbers. Remedy: number the values of each attribute from 0.
        """
        table = distinct(self._places(tuples))
        inserted = rare_places(self.domain_size, self.beta, bits=bits)
        others = inserted[~np.isin(inserted, table, assume_unique=True)]
        kept = table[bernoulli(len(table), self.alpha + self.beta, bits=bits)]
        found = np.sort(np.concatenate([kept, others]))
        return np.stack(np.unravel_index(found, self.sizes), axis=1).astype(np.int64)

    def estimate(self, published: int, domain: int) -> TupleCount:
        """How many tuples of the table have a property, from how many published ones have it.

        Q = (published - β·domain)/α, which is right on average. Its variance is
        (n_I p(1 - p) + (domain - n_I) β(1 - β))/α², p = α + β, n_I the true number; with Q for n_I it is unbiased too.

        Args:
            published: published tuples with the property, >= 0.
            domain: tuples of the domain with the property, >= published.

        Raises:
            ParameterError: a number outside its range. Remedy: count both with the same property.

        Example:
            >>> TupleInsertion((100,), Fraction(1, 2), Fraction(1, 4)).estimate(30, 100).value
            10.0
        """
        whole(domain, "domain", 0, self.domain_size)
        whole(published, "published", 0, domain)
        value = (published - self.beta * domain) / self.alpha
        return TupleCount(float(value), max(float(self.variance(value, domain)), 0.0))

    def variance(self, matching: Fraction | int, domain: int) -> Fraction:
        """The exact variance of the estimate if so many tuples of the table have the property.

        Example:
            >>> TupleInsertion((100,), Fraction(1, 2), Fraction(1, 4)).variance(10, 100)
            Fraction(75, 1)
        """
        p, q = self.alpha + self.beta, self.beta
        return (matching * p * (1 - p) + (domain - matching) * q * (1 - q)) / self.alpha**2

    def _places(self, tuples: IntArray) -> IntArray:
        """Places in the domain of the tuples inside it, the last attribute running fastest."""
        given = np.asarray(tuples)
        if given.ndim != 2 or given.shape[1] != len(self.sizes) or given.dtype.kind not in "iu":
            raise ParameterError(
                "Tuples must be whole numbers, {n_sizes} to a row.",
                "number the values of each attribute from 0.",
                n_sizes=len(self.sizes),
            )
        inside = given[np.all((given >= 0) & (given < np.array(self.sizes)), axis=1)].astype(np.int64)
        return np.asarray(np.ravel_multi_index(tuple(inside.T), self.sizes), np.int64)


@dataclass(frozen=True, slots=True)
class TupleCount:
    """An estimated number of tuples, and the estimated variance of it (noise alone)."""

    value: float
    variance: float
