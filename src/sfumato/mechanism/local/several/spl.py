"""SPL: split the budget, and report every attribute with its part."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from math import nextafter
from typing import ClassVar

from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import check_epsilon
from sfumato.mechanism.local.several.adaptive import BasicOracle, OracleName, Rule, oracles_for
from sfumato.mechanism.local.several.epsilon import Epsilons, sum_up
from sfumato.mechanism.local.several.independent import Independent
from sfumato.mechanism.local.several.scheme import check_domains


@dataclass(frozen=True, slots=True)
class SPL(Independent):
    """Every attribute is reported by an oracle at ε/d.

    Proof of ε: the reports are independent given the tuple, so likelihood ratios multiply: Σ ε_j for the
    whole record, max ε_j for one attribute.

    Args:
        epsilon: for the whole record, > 0.
        domain_sizes: number of values of each attribute, >= 2.
        choice: one oracle for all, or the rule that chooses one for each.

    Raises:
        ParameterError: a number outside its range. Remedy: give them inside.

    Source:
        H. Arcolezi, J.-F. Couchot, B. Al Bouna and X. Xiao, CIKM 2021 ("Spl").

    Example:
        >>> print(SPL(1.0, (2, 3, 4, 5), OracleName.GRR).epsilons)
        epsilon of the whole record 1; of one attribute 0.25; as published 1
    """

    name: ClassVar[str] = "SPL"

    epsilon: float
    domain_sizes: tuple[int, ...]
    choice: OracleName | Rule
    oracles: tuple[BasicOracle, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        epsilon, sizes = check_epsilon(self.epsilon), check_domains(self.domain_sizes)
        object.__setattr__(self, "epsilon", epsilon)
        object.__setattr__(self, "domain_sizes", sizes)
        object.__setattr__(self, "oracles", oracles_for(self.choice, part_of(epsilon, len(sizes)), sizes))

    @property
    def epsilons(self) -> Epsilons:
        """What is promised, to which neighbors."""
        spent = [oracle.epsilon for oracle in self.oracles]
        return Epsilons(self.epsilon, sum_up(spent), max(spent))


def part_of(epsilon: float, d: int) -> float:
    """The greatest float of which d make at most epsilon.

    Example:
        >>> part_of(1.0, 4)
        0.25
    """
    part, exact = epsilon / d, Fraction(epsilon) / d
    return part if Fraction(part) <= exact else nextafter(part, 0.0)
