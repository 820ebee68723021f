"""The joint of all numeric mechanisms: a grid of inputs, a finite set of reports, a matrix between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from sfumato.errors import ReportError
from sfumato.mechanism.local.check import check_reports
from sfumato.mechanism.local.wire import digest, pack_integers, seal, unpack_integers, unseal

if TYPE_CHECKING:
    from sfumato.guarantee.base import Guarantee
    from sfumato.mechanism.local.numeric.grid import Grid
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray


@runtime_checkable
class NumericMechanism(Protocol):
    """A randomizer of one number; reports are codes 0 … n_outputs-1, the same set for every value."""

    @property
    def name(self) -> str:
        """The field's name of the mechanism."""
        ...

    @property
    def grid(self) -> Grid:
        """Bounds and resolution of the values."""
        ...

    @property
    def epsilon(self) -> float:
        """The maximum over reports and pairs of values of ln(P[y|x]/P[y|x']) as sampled, in nats, rounded up."""
        ...

    @property
    def n_outputs(self) -> int:
        """Number of reports."""
        ...

    def guarantee(self) -> Guarantee:
        """The promise of one report."""
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


def check_numeric_reports(mechanism: NumericMechanism, reports: IntArray) -> IntArray:
    """The reports as int64, if each can come from the mechanism and there is one.

    Args:
        mechanism: what made them.
        reports: (n,) integers in 0 … n_outputs-1, n >= 1.

    Raises:
        ReportError: no report, no integers, or one that the mechanism cannot make. Remedy: read them
            with the parameters they were made with.
    """
    codes = check_reports(reports, mechanism.n_outputs, mechanism.name)
    if not len(codes):
        raise ReportError("An estimate needs at least one report.", "wait for reports.")
    return codes


def publish(mechanism: NumericMechanism, reports: IntArray) -> FloatArray:
    """The numbers that reports publish.

    Args:
        mechanism: what made them.
        reports: (n,) int64.

    Returns:
        (n,) float64, each one of `mechanism.outputs()`.

    Raises:
        ReportError: see `check_numeric_reports`.
    """
    return mechanism.outputs()[check_numeric_reports(mechanism, reports)]


def to_bytes(mechanism: NumericMechanism, reports: IntArray) -> bytes:
    """The wire form: ceil(log2 n_outputs) bits a report behind a header that names mechanism and parameters.

    Args:
        mechanism: what made them.
        reports: (n,) int64.

    Raises:
        ReportError: see `check_numeric_reports`.

    Example:
        >>> import numpy as np
        >>> from sfumato.mechanism.local.numeric.duchi import Duchi
        >>> from sfumato.mechanism.local.numeric.grid import Grid
        >>> mechanism = Duchi(Grid(0.0, 1.0, steps=1), epsilon=1.0)
        >>> from_bytes(mechanism, to_bytes(mechanism, np.array([0, 1, 1]))).tolist()
        [0, 1, 1]
    """
    codes = check_reports(reports, mechanism.n_outputs, mechanism.name)
    return seal(mechanism.name, _digest(mechanism), len(codes), pack_integers(codes, _width(mechanism)))


def from_bytes(mechanism: NumericMechanism, data: bytes) -> IntArray:
    """The reports of a wire form, checked.

    Args:
        mechanism: the server's, with the parameters of the devices.
        data: what came.

    Raises:
        ReportError: made by another mechanism, version or parameters, or damaged. Remedy: the same
            mechanism on both sides.
    """
    n, payload = unseal(mechanism.name, _digest(mechanism), data, _width(mechanism))
    return check_reports(unpack_integers(payload, n, _width(mechanism)), mechanism.n_outputs, mechanism.name)


def _width(mechanism: NumericMechanism) -> int:
    """Bits of a report."""
    return (mechanism.n_outputs - 1).bit_length()


def _digest(mechanism: NumericMechanism) -> bytes:
    """What devices and server must share: every parameter, as the frozen object prints them."""
    return digest(mechanism.name, repr(mechanism))
