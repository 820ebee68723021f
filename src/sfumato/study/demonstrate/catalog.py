"""Which attacks can be watched?"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from sfumato.study.demonstrate import averaging, differencing, linkage, reconstruction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.study.reproduce.experiment import Experiment

DEMONSTRATIONS: Mapping[str, Experiment] = MappingProxyType(
    {
        one.name: one
        for one in (
            differencing.experiment(),
            averaging.experiment(),
            reconstruction.experiment(),
            linkage.experiment(),
        )
    }
)
"""The demonstrations by name."""
