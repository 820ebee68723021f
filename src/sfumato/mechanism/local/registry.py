"""Which frequency oracles are there, by the name that a plan, a command or a wire form gives them?"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sfumato.errors import ParameterError
from sfumato.mechanism.local.blh import BLH
from sfumato.mechanism.local.grr import GRR
from sfumato.mechanism.local.hadamard import HadamardResponse
from sfumato.mechanism.local.olh import OLH
from sfumato.mechanism.local.oue import OUE
from sfumato.mechanism.local.projective_geometry import ProjectiveGeometryResponse
from sfumato.mechanism.local.subset_selection import SubsetSelection
from sfumato.mechanism.local.sue import SUE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.mechanism.local.oracle import FrequencyOracle

ORACLES: Mapping[str, Callable[[float, int], FrequencyOracle[Any]]] = MappingProxyType(
    {
        oracle.name: oracle
        for oracle in (GRR, SUE, OUE, BLH, OLH, SubsetSelection, HadamardResponse, ProjectiveGeometryResponse)
    }
)
"""Constructors by name; each takes epsilon and the domain size."""


def oracle_named(name: str, epsilon: float, domain_size: int) -> FrequencyOracle[Any]:
    """The oracle of a name.

    Args:
        name: as in `ORACLES`.
        epsilon: asked, in nats.
        domain_size: number of values.

    Raises:
        ParameterError: unknown name, or parameters outside their range. Remedy: one of the names.

    Example:
        >>> oracle_named("GRR", 1.0, 16).domain_size
        16
    """
    if name not in ORACLES:
        raise ParameterError(
            "The oracle must be one of {oracles}; got {name!r}.",
            "choose one of these.",
            oracles=", ".join(ORACLES),
            name=name,
        )
    return ORACLES[name](epsilon, domain_size)
