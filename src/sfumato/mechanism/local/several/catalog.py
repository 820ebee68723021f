"""The schemes by name: those of the papers, and reporting every attribute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import ParameterError
from sfumato.mechanism.local.several.adaptive import OracleName, Rule
from sfumato.mechanism.local.several.every_attribute import EveryAttribute
from sfumato.mechanism.local.several.faked import Variant
from sfumato.mechanism.local.several.rs_fd import RSFD
from sfumato.mechanism.local.several.rs_rfd import RSRFD
from sfumato.mechanism.local.several.smp import SMP
from sfumato.mechanism.local.several.spl import SPL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.local.several.epsilon import Calibration
    from sfumato.mechanism.local.several.simulate import AnyScheme

_ORACLES: dict[str, OracleName | Rule] = {
    **{name.value: name for name in OracleName},
    "ADP": Rule.RARE_VALUES,
    "ADP worst case": Rule.WORST_CASE,
}
_VARIANTS: dict[str, Variant | Rule] = {
    **{variant.value: variant for variant in Variant},
    "ADP": Rule.RARE_VALUES,
    "ADP worst case": Rule.WORST_CASE,
}
_REALISTIC = {variant.value: variant for variant in Variant if not variant.has_zeros}

LABELS: tuple[str, ...] = (
    *(f"SPL[{name}]" for name in _ORACLES),
    *(f"SMP[{name}]" for name in _ORACLES),
    *(f"every attribute[{name}]" for name in _ORACLES),
    *(f"RS+FD[{name}]" for name in _VARIANTS),
    *(f"RS+RFD[{name}]" for name in _REALISTIC),
)
"""Every name that `scheme_by_label` knows."""


def scheme_by_label(
    label: str,
    epsilon: float,
    domain_sizes: Sequence[int],
    *,
    calibration: Calibration,
    priors: Sequence[Sequence[float]] | None = None,
) -> AnyScheme:
    """A scheme by the name that papers and tables give it.

    Args:
        label: one of `LABELS`, such as "RS+FD[OUE-z]".
        epsilon: > 0.
        domain_sizes: number of values of each attribute, >= 2.
        calibration: what epsilon means where one attribute is sampled among fakes.
        priors: for RS+RFD, the shares that fakes follow.

    Raises:
        ParameterError: another name, or RS+RFD without priors. Remedy: the message lists the names.

    Example:
        >>> from sfumato.mechanism.local.several.epsilon import Calibration
        >>> scheme_by_label("SMP[GRR]", 1.0, (2, 3), calibration=Calibration.TUPLE_LEVEL).label
        'SMP[GRR]'
    """
    sizes, (family, _, choice) = tuple(domain_sizes), label.rstrip("]").partition("[")
    if label not in LABELS:
        raise ParameterError(
            "The scheme must be one that is known.", "choose one of: {labels}.", labels=", ".join(LABELS)
        )
    match family:
        case "SPL":
            return SPL(epsilon, sizes, _ORACLES[choice])
        case "SMP":
            return SMP(epsilon, sizes, _ORACLES[choice])
        case "every attribute":
            return EveryAttribute(epsilon, sizes, _ORACLES[choice])
        case "RS+FD":
            return RSFD(epsilon, sizes, _VARIANTS[choice], calibration)
    if priors is None or tuple(len(prior) for prior in priors) != sizes:
        raise ParameterError("RS+RFD needs a prior for each attribute's domain.", "give the priors, or take RS+FD.")
    return RSRFD(epsilon, tuple(tuple(prior) for prior in priors), _REALISTIC[choice], calibration)
