"""What a survey can see before anybody has answered: widths of intervals, and the smallest difference between two groups.

Everything is in units of one: a share of the persons, or a number as a share of its range. The worst case over all answers
is taken, so what is promised holds whatever people answer.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.numeric.estimate import worst_variance
from sfumato.mechanism.local.survey.randomizer import Number
from sfumato.mechanism.local.survey.several_answers import OneBit
from sfumato.mechanism.local.survey.told import worst_error

if TYPE_CHECKING:
    from sfumato.mechanism.local.survey.randomizer import Choice, Coins
    from sfumato.mechanism.local.survey.remembered import Remembered
    from sfumato.mechanism.local.survey.several_answers import EveryBit


@dataclass(frozen=True, slots=True)
class Aim:
    """What a difference must be to count as seen.

    Args:
        significance: chance to see a difference where there is none, two-sided.
        power: chance to see a difference of the smallest size.

    Raises:
        ParameterError: a number outside (0, 1).
    """

    significance: float = 0.05
    power: float = 0.8

    def __post_init__(self) -> None:
        if not (0 < self.significance < 1 and 0 < self.power < 1):
            raise ParameterError(
                "`significance` and `power` must lie in (0, 1); got {significance} and {power}.",
                "choose such as 0.05 and 0.8.",
                significance=self.significance,
                power=self.power,
            )

    @property
    def reach(self) -> float:
        """Standard errors from no difference to the smallest one that is seen."""
        normal = NormalDist()
        return normal.inv_cdf(1 - self.significance / 2) + normal.inv_cdf(self.power)


def deviation(reports: Choice | Coins | Number | EveryBit | OneBit | Remembered) -> float:
    """Largest standard deviation of what one report says of a share or of the mean, persons drawn from a population.

    Args:
        reports: of the question.

    Example:
        >>> from sfumato.mechanism.local.grr import GRR
        >>> from sfumato.mechanism.local.survey.randomizer import Choice
        >>> round(deviation(Choice(GRR(1.0, 2))), 3)
        1.082
    """
    if isinstance(reports, Number):
        width = reports.mechanism.grid.high - reports.mechanism.grid.low
        return math.sqrt(worst_variance(reports.mechanism) + width**2 / 4) / width
    worst = max(worst_error(one, 1) for one in reports.supports)
    return worst * math.sqrt(reports.domain_size) if isinstance(reports, OneBit) else worst


def half_width(spread: float, n: float, confidence: float = 0.95) -> float:
    """Half of the width of an interval, at most.

    Args:
        spread: see `deviation`.
        n: reports, expected.
        confidence: of the interval.

    Example:
        >>> round(half_width(0.5, 1000), 3)
        0.031
    """
    return NormalDist().inv_cdf((1 + confidence) / 2) * spread / math.sqrt(n)


def needed(spread: float, width: float, confidence: float = 0.95) -> int:
    """The least number of reports with which the interval is at most so wide to each side.

    Example:
        >>> needed(0.5, 0.031), half_width(0.5, needed(0.5, 0.031)) <= 0.031
        (1000, True)
    """
    return math.ceil((NormalDist().inv_cdf((1 + confidence) / 2) * spread / width) ** 2)


def smallest_difference(spread: float, n: float, groups: int, aim: Aim) -> float:
    """The smallest difference between two groups that is seen.

    (z(1-α/2) + z(power)) · spread · sqrt(1/n₁ + 1/n₂), of two groups of n/groups each.

    Args:
        spread: see `deviation`.
        n: reports, expected, of all groups.
        groups: how many there are, >= 2.
        aim: what counts as seen.

    Source:
        J. Cohen, "Statistical Power Analysis for the Behavioral Sciences", 1988, section 2.4.

    Example:
        >>> round(smallest_difference(0.5, 1000, 2, Aim()), 3)
        0.089
    """
    return aim.reach * spread * math.sqrt(2 * groups / n)


def needed_to_see(spread: float, difference: float, groups: int, aim: Aim) -> int:
    """The least number of reports with which such a difference is seen.

    Example:
        >>> needed_to_see(0.5, 0.1, 2, Aim())
        785
    """
    return math.ceil(2 * groups * (aim.reach * spread / difference) ** 2)
