"""Every attribute reported, each at the full budget: what one-attribute neighbors allow."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import check_epsilon
from sfumato.mechanism.local.several.adaptive import BasicOracle, OracleName, Rule, oracles_for
from sfumato.mechanism.local.several.epsilon import Epsilons, sum_up
from sfumato.mechanism.local.several.independent import Independent
from sfumato.mechanism.local.several.scheme import check_domains


@dataclass(frozen=True, slots=True)
class EveryAttribute(Independent):
    """Every attribute is reported by an oracle at ε.

    The reports of the other attributes do not change when one attribute does, so nothing has to be divided
    under one-attribute neighbors; the whole record pays d times as much.

    Proof of ε: the reports are independent given the tuple, so likelihood ratios multiply: max ε_j for one
    attribute, Σ ε_j for the whole record.

    Args:
        epsilon: for one attribute, > 0.
        domain_sizes: number of values of each attribute, >= 2.
        choice: one oracle for all, or the rule that chooses one for each.

    Raises:
        ParameterError: a number outside its range. Remedy: give them inside.

    Source:
        Composition of local randomizers: S. Kasiviswanathan et al., SIAM J. Comput. 40(3), 2011.

    Example:
        >>> print(EveryAttribute(1.0, (2, 3, 4, 5), OracleName.GRR).epsilons)
        epsilon of the whole record 4; of one attribute 1
    """

    name: ClassVar[str] = "every attribute"

    epsilon: float
    domain_sizes: tuple[int, ...]
    choice: OracleName | Rule
    oracles: tuple[BasicOracle, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        epsilon, sizes = check_epsilon(self.epsilon), check_domains(self.domain_sizes)
        object.__setattr__(self, "epsilon", epsilon)
        object.__setattr__(self, "domain_sizes", sizes)
        object.__setattr__(self, "oracles", oracles_for(self.choice, epsilon, sizes))

    @property
    def epsilons(self) -> Epsilons:
        """What is promised, to which neighbors."""
        spent = [oracle.epsilon for oracle in self.oracles]
        return Epsilons(None, sum_up(spent), max(spent))
