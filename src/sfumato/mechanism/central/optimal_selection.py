"""Groups that may be named when no numbers about them are published: the best chances that (ε, δ) allows."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.partition_selection import Selected, checked_selection_price
from sfumato.mechanism.central.sensitivity import checked_neighbors
from sfumato.numbers.enclosure import exp_between

if TYPE_CHECKING:
    from sfumato.account.event import ApproxDP
    from sfumato.noise.bits import Bits
    from sfumato.table.unit import Unit
    from sfumato.types import IntArray

_LARGEST_TABLE = 2**17
"""So many numbers of persons at most get a probability of their own."""
_ONE = 1 << 64
_FINE = 1 << 128


@dataclass(frozen=True, slots=True)
class OptimalSelection:
    """Each group is named with the largest probability that (ε, δ) allows for its number of persons; no counts.

    For a person in one group, with π(0) = 0:

        π(n + 1) = min(e^ε π(n) + δ, 1 - e^(-ε)(1 - π(n) - δ), 1).

    Each value is rounded down to a multiple of 2⁻⁶⁴ before the next, with e^ε rounded down and e^(-ε) up, so every
    inequality still holds, and the coins are exact. For a person in k groups each group has ε/k and δ/k.

    Args:
        unit: persons, and in how many groups they count.
        price: epsilon > 0 and delta in (0, 1).

    Raises:
        ParameterError: a price without δ, or an ε so small that more than 2¹⁷ probabilities would be needed. Remedy:
            use `ThresholdSelection`.

    Source:
        D. Desfontaines, J. Voss, B. Gipson, C. Mandayam, "Differentially private partition selection", PoPETs
        2022(1), theorem 1.

    Example:
        >>> from sfumato.account.event import ApproxDP
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> best = OptimalSelection(Unit.row(Neighbors.ADD_REMOVE), ApproxDP(Fraction(1), Fraction(1, 10**6)))
        >>> [round(best.chance(n), 6) for n in (0, 1, 14, 40)]
        [0.0, 1e-06, 0.699887, 1.0]
    """

    unit: Unit
    price: ApproxDP
    chances: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        checked_selection_price(self.price)
        groups = self.unit.keys * checked_neighbors(self.unit.neighbors).sides
        chances = optimal_chances(self.price.epsilon / groups, self.price.delta / groups)
        object.__setattr__(self, "chances", chances)

    @property
    def name(self) -> str:
        """What it is called."""
        return "optimal partition selection"

    @property
    def event(self) -> ApproxDP:
        """The price."""
        return self.price

    @property
    def argument(self) -> str:
        """Why it is private."""
        groups = self.unit.keys * checked_neighbors(self.unit.neighbors).sides
        return f"One person changes the number of persons of at most {groups} group(s) by 1; each has its share of the price."

    def chance(self, persons: int) -> float:
        """Probability that a group with so many persons is named."""
        return self.chances[persons] / _ONE if persons < len(self.chances) else 1.0

    def decide(self, persons: IntArray, *, bits: Bits) -> Selected:
        """The groups that are kept.

        Args:
            persons: (n,) int64 persons in each group; each person in at most `keys` of them.
            bits: source of chance.
        """
        counts = np.asarray(persons, np.int64)
        certain = counts >= len(self.chances)
        below = np.array([*self.chances, 0], np.uint64)
        kept = certain | (bits.words(len(counts)) < below[np.where(certain, len(self.chances), counts)])
        return Selected(np.flatnonzero(kept), None)


def optimal_chances(epsilon: Fraction, delta: Fraction) -> tuple[int, ...]:
    """The probabilities π(0), π(1), … in units of 2⁻⁶⁴, up to the last below 1.

    Raises:
        ParameterError: more than 2¹⁷ of them. Remedy: use `ThresholdSelection`.

    Example:
        >>> [chance / 2**64 for chance in optimal_chances(Fraction(1), Fraction(1, 4))][:2]
        [0.0, 0.25]
    """
    factor, inverse = _growth(epsilon)
    step = int(delta * _ONE)
    chances, now = [], 0
    while now < _ONE:
        chances.append(now)
        if len(chances) > _LARGEST_TABLE or step == 0:
            raise ParameterError(
                "Optimal selection with such a small epsilon or delta needs too many probabilities.",
                "use ThresholdSelection.",
            )
        rest = _ONE - now - step
        lost = -(-rest * inverse.numerator // inverse.denominator) if rest > 0 else 0
        now = min(now * factor.numerator // factor.denominator + step, _ONE - lost)
    return tuple(chances)


def _growth(epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """e^ε rounded down and e^(-ε) rounded up, as short binary fractions."""
    low, high = exp_between(epsilon)[0], exp_between(-epsilon)[1]
    return Fraction(int(low * _FINE), _FINE), Fraction(int(high * _FINE) + 1, _FINE)
