"""Every attribute reported, each at the full budget: what one-attribute neighbors allow."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import check_epsilon
from sfumato.mechanism.local.several import independent
from sfumato.mechanism.local.several.adaptive import BasicOracle, OracleName, Rule, choice_label, oracles_for
from sfumato.mechanism.local.several.epsilon import Epsilons, guarantees_of, sum_up
from sfumato.mechanism.local.several.scheme import TupleCounts, check_domains
from sfumato.mechanism.local.wire import digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from sfumato.guarantee.base import Guarantee
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class EveryAttribute:
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
    def label(self) -> str:
        """How tables name it."""
        return f"{self.name}[{choice_label(self.choice)}]"

    @property
    def epsilons(self) -> Epsilons:
        """What is promised, to which neighbors."""
        spent = [oracle.epsilon for oracle in self.oracles]
        return Epsilons(None, sum_up(spent), max(spent))

    def __str__(self) -> str:
        return f"{self.label}: {self.epsilons}"

    def guarantees(self) -> tuple[Guarantee, Guarantee]:
        """The promises: of the whole record, and of one attribute."""
        return guarantees_of(self.label, self.epsilons)

    def randomize(self, values: IntArray, *, bits: Bits) -> tuple[npt.NDArray[Any], ...]:
        """One report array for each attribute, from (n, d) codes."""
        return independent.randomize_each(self.oracles, values, bits=bits)

    def count_support(self, reports: Sequence[npt.NDArray[Any]]) -> TupleCounts:
        """Support counts of each attribute."""
        return independent.count_each(self.oracles, reports)

    def estimate(self, counts: TupleCounts) -> tuple[FloatArray, ...]:
        """Unbiased shares of each attribute."""
        return independent.estimate_each(self.oracles, counts)

    def persons(self, counts: TupleCounts) -> int:
        """Persons behind some counts: each reports every attribute."""
        return counts.reports[0]

    def variance(self, frequencies: Sequence[FloatArray], n: int) -> tuple[FloatArray, ...]:
        """Exact variances for a fixed table of n persons."""
        return independent.variance_each(self.oracles, frequencies, n)

    def _digest(self) -> bytes:
        """The digest of what the server must share: what was asked for, and what is sampled."""
        return digest(self.name, repr(self), repr(self.oracles))

    def to_bytes(self, reports: Sequence[npt.NDArray[Any]]) -> bytes:
        """The versioned wire form."""
        return independent.join_bytes(self.name, self._digest(), self.oracles, reports)

    def from_bytes(self, data: bytes) -> tuple[npt.NDArray[Any], ...]:
        """The reports of a wire form made by the same scheme."""
        return independent.split_bytes(self.name, self._digest(), self.oracles, data)
