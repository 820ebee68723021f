"""RS+RFD: report one attribute, drawn uniformly, among fakes of all others that follow a prior."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import check_epsilon
from sfumato.mechanism.local.several import faked, independent
from sfumato.mechanism.local.several.adaptive import choice_label, make_oracle
from sfumato.mechanism.local.several.epsilon import (
    Calibration,
    Epsilons,
    epsilons_with_fakes,
    genuine_epsilon,
    guarantees_of,
)
from sfumato.mechanism.local.several.faked import Faked, Variant
from sfumato.mechanism.local.several.scheme import TupleCounts, check_domains
from sfumato.mechanism.local.wire import digest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    import numpy.typing as npt

    from sfumato.guarantee.base import Guarantee
    from sfumato.mechanism.local.several.adaptive import BasicOracle
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class RSRFD:
    """One attribute is reported by an oracle at ε', the others' places hold fakes drawn from public priors.

    Realistic fakes make the sampled attribute harder to guess, and the amplification that papers state even less
    true: with priors near the true shares one attribute is protected hardly better than the whole record.

    Args:
        epsilon: what is asked for, > 0.
        priors: for each attribute k shares >= 0, divided by their sum; sampled exactly.
        choice: GRR, SUE-r or OUE-r for all attributes.
        calibration: what `epsilon` means.

    Raises:
        ParameterError: a number outside its range, or fakes of zeros. Remedy: give them inside; take RS+FD
            for fakes of zeros.

    Source:
        H. Arcolezi, S. Gambs, J.-F. Couchot and C. Palamidessi, "On the Risks of Collecting Multidimensional
        Data Under Local Differential Privacy", VLDB 2023, equations 6 to 9.

    Example:
        >>> scheme = RSRFD(1.0, ((0.9, 0.1), (0.5, 0.25, 0.25)), Variant.GRR, Calibration.AS_PUBLISHED)
        >>> print(scheme.epsilons)
        epsilon of the whole record 1.49; of one attribute 1.372; as published 1, true of neither
    """

    name: ClassVar[str] = "RS+RFD"

    epsilon: float
    priors: tuple[tuple[float, ...], ...]
    choice: Variant
    calibration: Calibration
    attributes: tuple[Faked, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        epsilon, priors = check_epsilon(self.epsilon), tuple(tuple(float(s) for s in p) for p in self.priors)
        check_domains([len(prior) for prior in priors])
        if not isinstance(self.choice, Variant) or self.choice.has_zeros:
            raise ParameterError(
                "RS+RFD draws fake values: its variant must be GRR, SUE-r or OUE-r.", "take RS+FD for fakes of zeros."
            )
        laws = [faked.prior(prior) for prior in priors]
        spent = genuine_epsilon(
            epsilon,
            len(priors),
            self.calibration,
            lambda at: [a.coordinate for a in _attributes(self.choice, at, laws)],
        )
        object.__setattr__(self, "epsilon", epsilon)
        object.__setattr__(self, "priors", priors)
        object.__setattr__(self, "attributes", _attributes(self.choice, spent, laws))

    @property
    def domain_sizes(self) -> tuple[int, ...]:
        """Number of values of each attribute."""
        return tuple(len(prior) for prior in self.priors)

    @property
    def label(self) -> str:
        """How tables name it."""
        return f"{self.name}[{choice_label(self.choice)}]"

    @property
    def epsilons(self) -> Epsilons:
        """What is promised, to which neighbors."""
        return epsilons_with_fakes([attribute.coordinate for attribute in self.attributes])

    def __str__(self) -> str:
        return f"{self.label}: {self.epsilons}"

    def guarantees(self) -> tuple[Guarantee, Guarantee]:
        """The promises: of the whole record, and of one attribute."""
        return guarantees_of(self.label, self.epsilons)

    def randomize(self, values: IntArray, *, bits: Bits) -> tuple[npt.NDArray[Any], ...]:
        """One report array for each attribute, from (n, d) codes; the sampled attribute is forgotten."""
        return faked.randomize_faked(self.attributes, values, bits=bits)

    def count_support(self, reports: Sequence[npt.NDArray[Any]]) -> TupleCounts:
        """Support counts of each attribute, genuine and fake reports together."""
        return faked.count_faked(self.attributes, reports)

    def estimate(self, counts: TupleCounts) -> tuple[FloatArray, ...]:
        """Unbiased shares of each attribute."""
        return faked.estimate_all(self.attributes, counts)

    def persons(self, counts: TupleCounts) -> int:
        """Persons behind some counts: each reports every attribute, genuine or not."""
        return counts.reports[0]

    def variance(self, frequencies: Sequence[FloatArray], n: int) -> tuple[FloatArray, ...]:
        """Exact variances for a fixed table of n persons."""
        return faked.variance_all(self.attributes, frequencies, n)

    def _digest(self) -> bytes:
        """The digest of what the server must share: what was asked for, and what is sampled."""
        return digest(self.name, repr(self), repr(self._oracles))

    def to_bytes(self, reports: Sequence[npt.NDArray[Any]]) -> bytes:
        """The versioned wire form."""
        return independent.join_bytes(self.name, self._digest(), self._oracles, reports)

    def from_bytes(self, data: bytes) -> tuple[npt.NDArray[Any], ...]:
        """The reports of a wire form made by the same scheme."""
        return independent.split_bytes(self.name, self._digest(), self._oracles, data)

    @property
    def _oracles(self) -> list[BasicOracle]:
        return [attribute.oracle for attribute in self.attributes]


def _attributes(choice: Variant, spent: float, laws: Sequence[tuple[Fraction, ...]]) -> tuple[Faked, ...]:
    """All attributes at ε'; equal domains share one oracle."""
    oracles = {size: make_oracle(choice.oracle, spent, size) for size in {len(law) for law in laws}}
    return tuple(Faked(oracles[len(law)], law) for law in laws)
