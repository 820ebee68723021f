"""Subsample and aggregate: any function of a table, when one person can reach only one of many blocks of it."""

from __future__ import annotations

import math
import warnings
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from sfumato.account.event import DiscreteLaplaceNoise, PureDP
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.estimate import Estimate
from sfumato.mechanism.central.quantiles.inverse_sensitivity import InverseSensitivity
from sfumato.mechanism.central.tail import laplace_half_width
from sfumato.noise.discrete_laplace import checked_scale, discrete_laplace
from sfumato.noise.integers import uniform_integers
from sfumato.numbers.check import checked_epsilon, whole
from sfumato.table.domain import MOST_STEPS, Range
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from sfumato.account.event import Event
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

    Function: TypeAlias = Callable[[npt.NDArray[Any]], Any]

MOST_BLOCKS = 2**20
_REAL = "biufO"
"""Kinds of arrays whose entries may be real numbers; objects are asked for a float."""


class Aggregate(Enum):
    """How the answers of the blocks become one."""

    MEAN = "mean"
    """Their noisy mean: little noise, but a few wild blocks pull it."""
    MEDIAN = "median"
    """Their private median: more noise, unmoved by a few wild blocks."""


@dataclass(frozen=True, slots=True)
class SubsampleAggregate:
    """Subsample and aggregate: a function that nothing is known of, applied to disjoint blocks of persons.

    Each person goes, with all rows, to one of m blocks by a secret uniform draw. The function is applied to each block;
    its answer is clamped to the declared range and rounded to its grid. The m answers are then averaged with noise, or
    their private median is taken. For every fixed draw of the others, one person is in one block only: whoever is added,
    removed or replaced, at most one of the m answers changes, from any place of the range to any other. So the sum has
    sensitivity high - low, and the median is that of m public records of which one is replaced.

    An answer that is not a finite number, and a function that fails, count as the middle of the range. The function must
    depend on its rows alone: one that remembers other blocks, writes or prints somewhere breaks the promise. How long it
    takes, or whether it ends at all, is not protected. Ctrl+C still stops it.

    The answer estimates what the function says of n/m persons, not of n. Nothing is proven on how near the two are.

    Args:
        blocks: m >= 1, public.
        domain: range of the function's answers, declared; m times its grid points is at most 2⁵².
        aggregate: mean or median.
        epsilon: > 0, for one person with all rows.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Source:
        K. Nissim, S. Raskhodnikova, A. Smith, "Smooth Sensitivity and Sampling in Private Data Analysis", STOC 2007,
        section 4 (there with another aggregate); A. Smith, STOC 2011 (mean of clamped answers).

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> method = SubsampleAggregate(100, Range(0, 10, "0.01"), Aggregate.MEAN, Fraction(1))
        >>> rows = np.random.default_rng(1).normal(4, 1, 10_000)
        >>> found = method.decide(rows, np.arange(10_000), np.median, confidence=0.99999, bits=SystemBits())
        >>> bool(2.5 < found.values[0] < 5.5)
        True
    """

    blocks: int
    domain: Range
    aggregate: Aggregate
    epsilon: Fraction

    def __post_init__(self) -> None:
        whole(self.blocks, "blocks", 1, MOST_BLOCKS)
        checked_epsilon(self.epsilon)
        if not isinstance(self.domain, Range) or not isinstance(self.aggregate, Aggregate):
            raise ParameterError(
                "It needs a declared Range and an Aggregate.", "give Range(0, 1, '0.001') and MEAN, say."
            )
        if self.domain.size * self.blocks > MOST_STEPS:
            raise ParameterError("Blocks times grid points must be at most 2^52.", "choose a coarser step.")
        if self.aggregate is Aggregate.MEAN:
            checked_scale(self._scale)
        else:
            self._median()

    @property
    def name(self) -> str:
        """What it is called."""
        return f"subsample and aggregate ({self.aggregate.value})"

    @property
    def event(self) -> Event:
        """The price, fixed before data are seen."""
        if self.aggregate is Aggregate.MEAN:
            return DiscreteLaplaceNoise(self._scale, Fraction(self.domain.size - 1))
        return PureDP(self.epsilon)

    @property
    def argument(self) -> str:
        """Why it is private."""
        return (
            f"A person is in one of {self.blocks} blocks, so that adding, removing or replacing a person changes one of "
            f"{self.blocks} answers, by at most {float(self.domain.high - self.domain.low):g}."
        )

    @property
    def _scale(self) -> Fraction:
        """Of the noise on the sum of places."""
        return (self.domain.size - 1) / self.epsilon

    def decide(
        self, rows: npt.NDArray[Any], persons: IntArray, function: Function, *, confidence: float, bits: Bits
    ) -> Estimate:
        """The aggregate of the function's answers; arrays have one entry.

        Args:
            rows: (n, …) what the function reads; it gets a read-only part of it, in the same order.
            persons: (n,) whose row each is, as whole numbers.
            function: from rows to one number.
            confidence: of the interval, in (0, 1).
            bits: source of chance.

        Returns:
            The mean with an interval for the mean of the m answers, clamped and rounded to the grid, over the noise
            and given the blocks. Of a median nothing short of the whole declared range is proven, which is its interval.

        Raises:
            ParameterError: shapes that do not fit. Remedy: one person for each row.
        """
        reach = laplace_half_width(self._scale, confidence)
        answers = self.answers(rows, assign(persons, len(rows), self.blocks, bits=bits), function)
        if self.aggregate is Aggregate.MEDIAN:
            found = self.domain.value(int(self._median().decide(answers, bits=bits)[0]))
            return self._estimate(found, self.domain.high - self.domain.low, confidence)
        noisy = int(answers.sum()) + int(discrete_laplace(1, self._scale, bits=bits)[0])
        unit = self.domain.step / self.blocks
        return self._estimate(self.domain.low + unit * noisy, unit * reach, confidence)

    def _estimate(self, value: Fraction, reach: Fraction, confidence: float) -> Estimate:
        """A number and the ends of its interval, within the range, rounded outwards."""
        ends = (math.nextafter(float(value + side * reach), side * math.inf) for side in (-1, 1))
        least, most = float(self.domain.low), float(self.domain.high)
        at, low, high = (np.array([min(max(number, least), most)]) for number in (float(value), *ends))
        return Estimate(at, low, high, confidence)

    def answers(self, rows: npt.NDArray[Any], block: IntArray, function: Function) -> IntArray:
        """The places of the function's answers, without any protection: for `decide`, tests and simulations.

        Args:
            rows: (n, …) what the function reads.
            block: (n,) in [0, m).
            function: from rows to one number.

        Returns:
            (m,) int64 places in the range.
        """
        order = np.argsort(block, kind="stable")
        parts = np.split(rows[order], np.cumsum(np.bincount(block, minlength=self.blocks))[:-1])
        return np.array([self._place(answer_of(function, part)) for part in parts], np.int64)

    def _place(self, answer: float) -> int:
        """The nearest place of the range; of what is no finite number, the middle one."""
        if not math.isfinite(answer):
            return (self.domain.size - 1) // 2
        return max(0, min(self.domain.size - 1, round((Fraction(answer) - self.domain.low) / self.domain.step)))

    def _median(self) -> InverseSensitivity:
        """The private median of m places, of which one is replaced."""
        return InverseSensitivity(
            (Fraction(1, 2),), self.epsilon, self.domain.size, Neighbors.REPLACE, rows=1, flip=True
        )


def assign(persons: IntArray, n: int, blocks: int, *, bits: Bits) -> IntArray:
    """(n,) the block of each row: uniform for each person, independent of all others, the same for all rows of one.

    So a person who comes or goes moves nobody else, which equal blocks could not promise.

    Raises:
        ParameterError: not one whole number for each row. Remedy: number the persons.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> block = assign(np.array([7, 8, 7]), 3, 10, bits=SystemBits())
        >>> bool(block[0] == block[2])
        True
    """
    given = np.asarray(persons)
    if given.shape != (n,) or given.dtype.kind not in "iu":
        raise ParameterError("There must be one person, a whole number, for each row.", "number the persons.")
    known, who = np.unique(given, return_inverse=True)
    return uniform_integers(len(known), blocks, bits=bits)[who]


def answer_of(function: Function, rows: npt.NDArray[Any]) -> float:
    """The function's answer as a float; NaN if it fails or gives no single real number (a text is none).

    No error or warning of it comes out. Only an interrupt by the user does.

    Example:
        >>> answer_of(lambda rows: 1 / 0, np.arange(3))
        nan
    """
    given = np.array(rows)
    given.flags.writeable = False
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            answer = np.asarray(function(given))
            return float(answer.item()) if answer.dtype.kind in _REAL else math.nan
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - an error tells of rows, whatever its kind
        return math.nan


def sensitivity_from_sample(read: Fraction, accurate: Fraction, error: Fraction) -> Fraction:
    """A bound 2σ of the sensitivity of a function that some sampling algorithm estimates well.

    If, on every table, the algorithm reads any given row with a chance of at most `read`, and is within σ of the
    function with a chance of at least `accurate` > (1 + read)/2, then a replaced row changes the function by at most 2σ:
    with a positive chance the algorithm does not read that row and is right on both tables with the same draws.
    The chances of what fails add up to at most read + 2(1 - accurate) < 1.

    Args:
        read: in [0, 1].
        accurate: in [0, 1].
        error: σ >= 0.

    Raises:
        ParameterError: an algorithm that is not accurate enough for the argument. Remedy: sample less, or more often.

    Source:
        C. Dwork, F. McSherry, K. Nissim, A. Smith, "Calibrating Noise to Sensitivity in Private Data Analysis", TCC
        2006 (functions with low sample complexity); that equality does not suffice: ours, a table of one bit that is
        read with chance `read` and guessed otherwise.

    Example:
        >>> sensitivity_from_sample(Fraction(1, 10), Fraction(3, 5), Fraction(2))
        Fraction(4, 1)
    """
    if not (0 <= read <= 1 and (1 + read) / 2 < accurate <= 1 and error >= 0):
        raise ParameterError(
            "The chance of being accurate must be above (1 + read)/2; got read {read} and accurate {accurate}.",
            "sample fewer rows, or allow a larger error.",
            read=read,
            accurate=accurate,
        )
    return 2 * error
