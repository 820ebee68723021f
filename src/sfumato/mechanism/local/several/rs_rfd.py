"""RS+RFD: report one attribute, drawn uniformly, among fakes of all others that follow a prior."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import check_epsilon
from sfumato.mechanism.local.several import faked
from sfumato.mechanism.local.several.adaptive import make_oracle
from sfumato.mechanism.local.several.epsilon import Calibration, genuine_epsilon
from sfumato.mechanism.local.several.faked import Faked, Faking, Variant
from sfumato.mechanism.local.several.scheme import check_domains

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction


@dataclass(frozen=True, slots=True)
class RSRFD(Faking):
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


def _attributes(choice: Variant, spent: float, laws: Sequence[tuple[Fraction, ...]]) -> tuple[Faked, ...]:
    """All attributes at ε'; equal domains share one oracle."""
    oracles = {size: make_oracle(choice.oracle, spent, size) for size in {len(law) for law in laws}}
    return tuple(Faked(oracles[len(law)], law) for law in laws)
