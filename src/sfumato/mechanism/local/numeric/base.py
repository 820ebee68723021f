"""The joint of all numeric mechanisms: a grid of inputs, a finite set of reports, a matrix between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from sfumato.mechanism.local.numeric.grid import Grid
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray


@runtime_checkable
class NumericMechanism(Protocol):
    """A randomizer of one number; reports are codes 0 … n_outputs-1, the same set for every value."""

    @property
    def grid(self) -> Grid:
        """Bounds and resolution of the values."""
        ...

    @property
    def epsilon(self) -> float:
        """What is promised, in nats: at least `exact_epsilon`."""
        ...

    @property
    def exact_epsilon(self) -> float:
        """The maximum over reports and pairs of values of ln(P[y|x]/P[y|x']) as sampled, rounded up."""
        ...

    @property
    def n_outputs(self) -> int:
        """Number of reports."""
        ...

    def outputs(self) -> FloatArray:
        """(n_outputs,) float64: the number that each report publishes, in the values' unit."""
        ...

    def matrix(self) -> FloatArray:
        """(steps+1, n_outputs) float64: P[report | grid point]; rows sum to 1."""
        ...

    def decode(self) -> FloatArray:
        """(n_outputs,) float64 h with E[h(report) | value] = value."""
        ...

    def randomize(self, values: FloatArray | IntArray, *, bits: Bits) -> IntArray:
        """(n,) int64 reports of n persons; values outside the bounds are refused before any bit is drawn."""
        ...


def check_reports(mechanism: NumericMechanism, reports: IntArray) -> IntArray:
    """The reports as int64, if each can come from the mechanism.

    Args:
        mechanism: what made them.
        reports: (n,) integers in 0 … n_outputs-1, n >= 1.

    Raises:
        ParameterError: no report, no integers, or one that the mechanism cannot make. Remedy: read them
            with the parameters they were made with.
    """
    given = np.asarray(reports)
    if given.ndim != 1 or given.dtype.kind not in "iu" or not len(given):
        raise ParameterError("Reports must be one row of integers, at least one.", "give what `randomize` returned.")
    if given.min() < 0 or given.max() >= mechanism.n_outputs:
        raise ParameterError(
            f"A report must lie in 0 … {mechanism.n_outputs - 1}; one does not.",
            "read reports with the mechanism and parameters that made them.",
        )
    return given.astype(np.int64)


def publish(mechanism: NumericMechanism, reports: IntArray) -> FloatArray:
    """The numbers that reports publish.

    Args:
        mechanism: what made them.
        reports: (n,) int64.

    Returns:
        (n,) float64, each one of `mechanism.outputs()`.

    Raises:
        ParameterError: see `check_reports`.
    """
    return mechanism.outputs()[check_reports(mechanism, reports)]
