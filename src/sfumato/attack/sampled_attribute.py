"""Which attribute a person was asked about: the best guess, in closed form.

A collection with fake data hides the sampled attribute s among d. By Bayes with Pr[s = j] = 1/d,

    Pr[s = j | y] ∝ P_j(y_j) / F_j(y_j),   P_j(y) = Σ_v f_v M_j(y|v),

where f are the shares of the values, M_j the law of a genuine report and F_j that of a fake. No other
guess is right more often. The attack reads reports and public parameters; `sampled_boosting` holds the
learned attack that papers measure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.coordinate import Encoding
from sfumato.summary.interval import Interval, wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.guarantee.coordinate import Coordinate
    from sfumato.types import BoolArray, FloatArray, IntArray

    Report = IntArray | BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class Collected:
    """What a collection with fake data shows of each person.

    Args:
        reports: d arrays: (n,) int64 of values, or (n, k) bool of bits, each in the order of persons.
        coordinates: d public parameters.
    """

    reports: Sequence[Report]
    coordinates: Sequence[Coordinate]


@dataclass(frozen=True, slots=True)
class SampledAttribute:
    """The attribute that was most probably sampled, by Bayes' rule."""

    attack: ClassVar[str] = "sampled attribute"

    def guess(self, view: Collected, knowledge: Sequence[FloatArray], _rng: np.random.Generator, /) -> IntArray:
        """(n,) int64; `knowledge` holds d arrays (k,) of shares of the values."""
        return guess(view.reports, view.coordinates, knowledge)


@dataclass(frozen=True, slots=True)
class SampledAttributeScore:
    """How often an attack found the sampled attribute.

    Args:
        right: persons guessed rightly.
        n: persons.
        baseline: 1/d, what guessing blindly reaches.
        interval: Wilson's interval of the accuracy.
        confidence: of the interval.
    """

    right: int
    n: int
    baseline: float
    interval: Interval
    confidence: float

    @property
    def accuracy(self) -> float:
        """Share of persons guessed rightly."""
        return self.right / self.n


def evidence(
    reports: Sequence[Report], coordinates: Sequence[Coordinate], frequencies: Sequence[FloatArray]
) -> FloatArray:
    """Quotients P_j(y_j)/F_j(y_j): how much likelier each coordinate is genuine than fake.

    Args:
        reports: d arrays: (n,) int64 of values, or (n, k) bool of bits, each in the order of persons.
        coordinates: d public parameters.
        frequencies: d arrays (k,) float64 >= 0, shares of the values: known ones, or projected estimates.

    Returns:
        (n, d) float64 > 0; inf where no fake gives that report.

    Raises:
        ParameterError: shapes that disagree, or negative shares. Remedy: project the estimates first.

    Source:
        H. Arcolezi et al., "Random Sampling Plus Fake Data", CIKM 2021, for the protocols; the posterior is
        Bayes' rule.

    Example:
        >>> from fractions import Fraction as F
        >>> from sfumato.guarantee.coordinate import Coordinate
        >>> coordinate = Coordinate(Encoding.VALUE, 2, F(3, 4), F(1, 4), (F(1, 2), F(1, 2)))
        >>> evidence([np.array([0, 1])], [coordinate], [np.array([1.0, 0.0])]).tolist()
        [[1.5], [0.5]]
    """
    check_attack(reports, coordinates, frequencies)
    columns = [_evidence_of(*one) for one in zip(reports, coordinates, frequencies, strict=True)]
    return np.column_stack(columns)


def guess(reports: Sequence[Report], coordinates: Sequence[Coordinate], frequencies: Sequence[FloatArray]) -> IntArray:
    """(n,) int64: the attribute that was most probably sampled; the first among equals.

    Args and errors as of `evidence`.

    Example:
        >>> from fractions import Fraction as F
        >>> from sfumato.guarantee.coordinate import Coordinate
        >>> coordinate = Coordinate(Encoding.VALUE, 2, F(3, 4), F(1, 4), (F(1, 2), F(1, 2)))
        >>> reports, shares = [np.array([1]), np.array([0])], np.array([1.0, 0.0])
        >>> guess(reports, [coordinate] * 2, [shares] * 2).tolist()
        [1]
    """
    found: IntArray = np.argmax(evidence(reports, coordinates, frequencies), axis=1)
    return found


def score(guesses: IntArray, sampled: IntArray, d: int, *, confidence: float) -> SampledAttributeScore:
    """Compare guesses with the truth that only a judge knows.

    Args:
        guesses: (n,) int64, attribute guessed for each person, n >= 1.
        sampled: (n,) int64, attribute that was sampled.
        d: number of attributes.
        confidence: of the interval, in (0, 1).

    Returns:
        Accuracy with its interval and the baseline 1/d.

    Raises:
        ParameterError: lengths that differ, or nobody. Remedy: give one guess for each person.

    Example:
        >>> score(np.array([0, 1, 1, 0]), np.array([0, 1, 0, 0]), 2, confidence=0.95).accuracy
        0.75
    """
    if guesses.shape != sampled.shape or not len(guesses):
        raise ParameterError(
            "There must be one guess for each person; got {n_guesses} for {n_sampled}.",
            "guess for each report.",
            n_guesses=len(guesses),
            n_sampled=len(sampled),
        )
    right = int(np.count_nonzero(guesses == sampled))
    return SampledAttributeScore(right, len(guesses), 1 / d, wilson(right, len(guesses), confidence), confidence)


def _evidence_of(report: Report, coordinate: Coordinate, shares: FloatArray) -> FloatArray:
    """(n,) P(y)/F(y) of one attribute."""
    fakes = None if coordinate.fakes is None else np.array([float(share) for share in coordinate.fakes])
    if coordinate.encoding is Encoding.VALUE:
        p, q = float(coordinate.p), float(coordinate.q)
        with np.errstate(divide="ignore"):
            return np.asarray((shares * (p - q) + q * shares.sum()) / fakes)[report]
    one, zero = (float(quotient) for quotient in coordinate.bit_quotients)
    laws = shares[:, None] if fakes is None else np.column_stack([shares, fakes])
    quotients = report.astype(np.float64) @ laws * (one - zero) + zero * laws.sum(axis=0)
    return np.asarray(quotients[:, 0] if fakes is None else quotients[:, 0] / quotients[:, 1])


def check_attack(
    reports: Sequence[Report], coordinates: Sequence[Coordinate], frequencies: Sequence[FloatArray]
) -> None:
    """Refuse what does not belong together."""
    if not len(reports) == len(coordinates) == len(frequencies) > 0:
        raise ParameterError(
            "There must be one report array, one set of parameters and one row of shares for each attribute; "
            "got {n_reports}, {n_coordinates} and {n_frequencies}.",
            "give them in the same order.",
            n_reports=len(reports),
            n_coordinates=len(coordinates),
            n_frequencies=len(frequencies),
        )
    n = len(reports[0])
    for at, (report, coordinate, shares) in enumerate(zip(reports, coordinates, frequencies, strict=True)):
        k = coordinate.domain_size
        if report.shape != ((n,) if coordinate.encoding is Encoding.VALUE else (n, k)):
            raise ParameterError(
                "Reports of attribute {at} have the wrong shape.", "give {n} reports of {k} values.", at=at, n=n, k=k
            )
        if shares.shape != (k,) or not np.all(shares >= 0):
            raise ParameterError(
                "Attribute {at} must have {k} shares >= 0.",
                "project estimates onto shares before an attack.",
                at=at,
                k=k,
            )
        if coordinate.encoding is Encoding.VALUE and n and (report.min() < 0 or report.max() >= k):
            raise ParameterError(
                "A report of attribute {at} is outside its domain.", "values are 0 … {k}.", at=at, k=k - 1
            )
