"""One measured number, with everything a reader needs to understand it."""

from __future__ import annotations

from typing import Literal

from sfumato.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A named number with its definition; what reports, scripts and comparisons show.

    Args:
        name: stable identifier for scripts ("prosecutor_highest").
        label: for people ("Highest prosecutor risk").
        value: the number; None: it could not be computed, `definition` then says why.
        definition: one sentence with formula and denominator.
        source: paper and section.
        better: the direction in which it improves.
    """

    name: str
    label: str
    value: float | None
    definition: str
    source: str
    better: Literal["lower", "higher"] = "lower"
