"""The declared bounds of a person's numbers, and the grid to which they are rounded."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.noise.bernoulli import bernoulli_many
from sfumato.numbers.check import whole

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray

Outside = Literal["refuse", "clamp"]

MOST_STEPS = 4096
"""Most steps of a grid: the exact epsilon of noise is read off all pairs of grid points."""

_LARGEST_INTEGER = 2**53
_SNAP = 1e-9
"""Share of a step within which a value stands on a grid point."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Points low + i·(high-low)/steps, i = 0 … steps, declared before any value is seen.

    Bounds read from the persons' values would leak them: declare what is possible, not what occurs.

    Args:
        low: least possible value.
        high: greatest possible value, > low.
        steps: number of steps between them, 1 … 4096; 2^k steps are a resolution of 2^-k of the width.
        outside: `refuse` a value outside the bounds, or `clamp` it to the nearest bound.

    Raises:
        ParameterError: bounds that are not finite, low >= high, steps outside their range, or points
            that floats cannot tell apart. Remedy: declare other bounds or fewer steps.

    Example:
        >>> Grid(0.0, 1.0, steps=4).points().tolist()
        [0.0, 0.25, 0.5, 0.75, 1.0]
    """

    low: float
    high: float
    steps: int
    outside: Outside = "refuse"

    def __post_init__(self) -> None:
        _check_bounds(self.low, self.high)
        object.__setattr__(self, "low", float(self.low))
        object.__setattr__(self, "high", float(self.high))
        object.__setattr__(self, "steps", whole(self.steps, "steps", 1, MOST_STEPS))
        if self.outside not in get_args(Outside):
            raise ParameterError(
                "outside must be refuse or clamp; got {outside!r}.", "choose one of them.", outside=self.outside
            )
        if not np.all(np.diff(self.points()) > 0):
            raise ParameterError(
                "Floats cannot tell {steps} steps between {low} and {high} apart.",
                "use fewer steps.",
                steps=self.steps,
                low=self.low,
                high=self.high,
            )

    @classmethod
    def integers(cls, low: int, high: int, *, outside: Outside = "refuse") -> Grid:
        """The whole numbers low … high: nothing is rounded.

        Raises:
            ParameterError: no whole numbers, or more than 4096 steps. Remedy: Grid(low, high, steps=…).

        Example:
            >>> Grid.integers(17, 90).steps
            73
        """
        least = whole(low, "low", -_LARGEST_INTEGER, _LARGEST_INTEGER)
        most = whole(high, "high", -_LARGEST_INTEGER, _LARGEST_INTEGER)
        return cls(float(least), float(most), most - least if most > least else 1, outside)

    @property
    def step(self) -> float:
        """Distance of two neighboring points."""
        return (self.high - self.low) / self.steps

    def points(self) -> FloatArray:
        """(steps+1,) float64, ascending, from low to high."""
        out = np.asarray(self.low + np.arange(self.steps + 1) * self.step, np.float64)
        out[-1] = self.high
        return out

    def positions(self, values: FloatArray | IntArray) -> FloatArray:
        """Values in steps above `low`: 0 … steps.

        Args:
            values: (n,) real numbers.

        Returns:
            (n,) float64 in [0, steps]; whole where a value stands on a point.

        Raises:
            ParameterError: a value that is no finite number, or outside the bounds where they refuse.
                Remedy: remove missing values; declare wider bounds or outside="clamp".
        """
        given = np.asarray(values)
        if given.ndim != 1 or given.dtype.kind not in "iuf":
            raise ParameterError("Values must be one row of real numbers.", "give an array of integers or floats.")
        numbers = given.astype(np.float64)
        if not np.all(np.isfinite(numbers)):
            raise ParameterError("Every value must be a finite number; one is not.", "leave out missing values.")
        if self.outside == "refuse" and not np.all((numbers >= self.low) & (numbers <= self.high)):
            raise ParameterError(
                "Every value must lie between {low} and {high}; one does not.",
                'declare wider bounds, or outside="clamp".',
                low=self.low,
                high=self.high,
            )
        inside = np.clip(numbers, self.low, self.high)
        at = np.clip((inside - self.low) * (self.steps / (self.high - self.low)), 0, self.steps)
        nearest = np.rint(at)
        return np.where(np.abs(at - nearest) < _SNAP, nearest, at)

    def codes(self, values: FloatArray | IntArray, *, bits: Bits) -> IntArray:
        """Values rounded to a neighboring point at random, without bias: E[point] = value.

        Between two points the upper one is chosen with probability the distance from the lower one,
        in steps. Rounding comes before the mechanism, so it cannot weaken the promise: the law of a
        report becomes a mixture of two rows of the mechanism's matrix, and ratios of mixtures are no
        larger than the largest ratio of rows.

        Args:
            values: (n,) real numbers.
            bits: source of chance.

        Returns:
            (n,) int64 in 0 … steps.

        Raises:
            ParameterError: see `positions`.

        Example:
            >>> from sfumato.noise.bits import SystemBits
            >>> import numpy as np
            >>> Grid(0.0, 1.0, steps=4).codes(np.array([0.0, 0.25, 1.0]), bits=SystemBits()).tolist()
            [0, 1, 4]
        """
        at = self.positions(values)
        below = np.floor(at)
        return (below + bernoulli_many(at - below, bits=bits)).astype(np.int64)


def _check_bounds(low: float, high: float) -> None:
    """Refuses bounds that are not finite or not in order."""
    numbers = all(isinstance(b, int | float | np.number) and not isinstance(b, bool) for b in (low, high))
    if not numbers or not (math.isfinite(low) and math.isfinite(high) and math.isfinite(high - low)) or low >= high:
        raise ParameterError(
            "Bounds must be finite with low < high; got {low!r} and {high!r}.",
            "declare the possible values.",
            low=low,
            high=high,
        )
