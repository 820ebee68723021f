"""What a run is handed from outside: secure chance, the clock, who is told of progress, where keys may stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.mechanism.recode.decision import Progress
    from sfumato.noise.bits import Bits


@dataclass(frozen=True, slots=True)
class Tools:
    """What a method is handed beside its options.

    Args:
        bits: secure chance, for those whose promise rests on it.
        clock: seconds from any fixed moment, for time limits.
        progress: called now and then.
        environment: where keys may stand, by name; empty: only in files.
    """

    bits: Bits
    clock: Callable[[], float]
    progress: Progress
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
