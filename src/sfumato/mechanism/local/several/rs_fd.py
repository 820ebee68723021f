"""RS+FD: report one attribute, drawn uniformly, among fakes of all others."""

from __future__ import annotations

from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import check_epsilon
from sfumato.mechanism.local.several import faked
from sfumato.mechanism.local.several.adaptive import Rule
from sfumato.mechanism.local.several.epsilon import Calibration, genuine_epsilon
from sfumato.mechanism.local.several.faked import Faking
from sfumato.mechanism.local.several.scheme import check_domains

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.guarantee.coordinate import Coordinate
    from sfumato.mechanism.local.several.faked import Faked, Variant

_MOST_ROUNDS = 2


@dataclass(frozen=True, slots=True)
class RSFD(Faking):
    """One attribute is reported by an oracle at ε', the others' places hold uniform fakes or perturbed zeros.

    The papers spend ε' = ln(d(e^ε - 1) + 1) and state ε. That is true neither of the whole record, whose
    epsilon is ε' itself, nor in general of one attribute; `epsilons` holds all three numbers, and
    `calibration` says which of them `epsilon` bounds.

    Args:
        epsilon: what is asked for, > 0.
        domain_sizes: number of values of each attribute, >= 2.
        choice: a variant for all attributes, or the rule that chooses one for each.
        calibration: what `epsilon` means.

    Raises:
        ParameterError: a number outside its range. Remedy: give them inside.

    Source:
        H. Arcolezi, J.-F. Couchot, B. Al Bouna and X. Xiao, "Random Sampling Plus Fake Data:
        Multidimensional Frequency Estimates With Local Differential Privacy", CIKM 2021, algorithm 1; what it promises: `docs/proofs/fake-data.md`.

    Example:
        >>> from sfumato.mechanism.local.several.faked import Variant
        >>> scheme = RSFD(1.0, (2, 3, 4), Variant.OUE_Z, Calibration.AS_PUBLISHED)
        >>> print(scheme.epsilons)
        epsilon of the whole record 1.818; of one attribute 1; as published 1, true of one attribute only
        >>> print(RSFD(1.0, (2, 3, 4), Variant.OUE_Z, Calibration.TUPLE_LEVEL).epsilons)
        epsilon of the whole record 1; of one attribute 0.4529; as published 0.4529, true of one attribute only
    """

    name: ClassVar[str] = "RS+FD"

    epsilon: float
    domain_sizes: tuple[int, ...]
    choice: Variant | Rule
    calibration: Calibration
    attributes: tuple[Faked, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        epsilon, sizes = check_epsilon(self.epsilon), check_domains(self.domain_sizes)
        object.__setattr__(self, "epsilon", epsilon)
        object.__setattr__(self, "domain_sizes", sizes)
        object.__setattr__(self, "attributes", _settle(self.choice, epsilon, sizes, self.calibration))


def _settle(
    choice: Variant | Rule, epsilon: float, sizes: Sequence[int], calibration: Calibration
) -> tuple[Faked, ...]:
    """Variants and ε': chosen at the published ε', then at the ε' that those allow, until nothing changes."""
    variants = _variants(choice, genuine_epsilon(epsilon, len(sizes), Calibration.AS_PUBLISHED, lambda _: []), sizes)
    for _ in range(_MOST_ROUNDS):
        spent = genuine_epsilon(epsilon, len(sizes), calibration, partial(_coordinates, variants, sizes))
        better = _variants(choice, spent, sizes)
        if better == variants:
            return _attributes(variants, sizes, spent)
        variants = better
    spent = genuine_epsilon(epsilon, len(sizes), calibration, partial(_coordinates, variants, sizes))
    return _attributes(variants, sizes, spent)


def _variants(choice: Variant | Rule, spent: float, sizes: Sequence[int]) -> tuple[Variant, ...]:
    """The variant of each attribute; equal domains have one."""
    if isinstance(choice, faked.Variant):
        return (choice,) * len(sizes)
    if not isinstance(choice, Rule):
        raise ParameterError("The choice must be a Variant or a Rule.", "give, for example, Variant.GRR.")
    by_size = {size: faked.choose_variant(choice, spent, faked.uniform(size), len(sizes)) for size in set(sizes)}
    return tuple(by_size[size] for size in sizes)


def _attributes(variants: Sequence[Variant], sizes: Sequence[int], spent: float) -> tuple[Faked, ...]:
    """All attributes at ε'; equal domains share one oracle."""
    by_size = {
        size: faked.faked_attribute(variant, spent, faked.uniform(size))
        for size, variant in set(zip(sizes, variants, strict=True))
    }
    return tuple(by_size[size] for size in sizes)


def _coordinates(variants: Sequence[Variant], sizes: Sequence[int], spent: float) -> list[Coordinate]:
    """Public parameters at ε'."""
    return [attribute.coordinate for attribute in _attributes(variants, sizes, spent)]
