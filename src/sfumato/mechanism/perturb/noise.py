"""Noise added to a column of a plan: whole steps of a declared grid, drawn exactly."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee
from sfumato.mechanism.perturb.column_method import ColumnDecision
from sfumato.mechanism.perturb.noise_law import NoiseLaw, NoiseName, scale_for
from sfumato.recipe.steps import Randomize
from sfumato.table.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.noise.bits import Bits
    from sfumato.table.attribute import Attribute
    from sfumato.types import FloatArray, IntArray

_FIRST_DAY = date(1970, 1, 1)
_LARGEST = 2**52
"""Steps beyond which a float no longer holds every whole number."""
_SOURCE = "C. Dwork, F. McSherry, K. Nissim, A. Smith, TCC 2006; A. Ghosh, T. Roughgarden, M. Sundararajan, STOC 2009"
_RHO_SOURCE = "C. Canonne, G. Kamath, T. Steinke, NeurIPS 2020, theorem 4; M. Bun, T. Steinke, TCC 2016"


@dataclass(frozen=True, slots=True)
class Written:
    """How a number of steps is written.

    Args:
        step: size of a step, > 0: what numbers are published as multiples of.
        decimal_comma: whether the column writes a comma.
        is_date: whether steps are days.
        format: strptime format of a date column; None: ISO 8601.

    Example:
        >>> Written(Decimal("0.25"), decimal_comma=True, is_date=False, format=None).texts([3, -10])
        ['0,75', '-2,50']
    """

    step: Decimal
    decimal_comma: bool
    is_date: bool
    format: str | None

    def texts(self, places: Sequence[int]) -> list[str]:
        """The text of each number of steps."""
        if self.is_date:
            return [self._day(place) for place in places]
        plain = [f"{place * self.step:f}" for place in places]
        return [text.replace(".", ",") for text in plain] if self.decimal_comma else plain

    def _day(self, place: int) -> str:
        """A day in the column's format; days before year 1 or after 9999 become the first or the last one."""
        number = min(max(place + _FIRST_DAY.toordinal(), 1), date.max.toordinal())
        day = _FIRST_DAY + timedelta(days=number - _FIRST_DAY.toordinal())
        return day.strftime(self.format) if self.format else day.isoformat()


@dataclass(frozen=True, slots=True, eq=False)
class NoisyDraw:
    """What is published in a cell: its number of steps, plus noise.

    Args:
        steps: (n_leaves,) int64, number of steps of each leaf (0 for the missing one, which is not drawn).
        law: of the noise.
        written: how the sum is written.
    """

    steps: IntArray
    law: NoiseLaw
    written: Written

    def draw(self, leaves: IntArray, *, bits: Bits) -> IntArray:
        """(n,) int64 sums, one for each of (n,) leaf codes."""
        return self.steps[leaves] + self.law.draw(len(leaves), bits=bits)

    def texts(self, places: Sequence[int]) -> list[str]:
        """The text of each sum."""
        return self.written.texts(places)


@dataclass(frozen=True, slots=True, eq=False)
class NoisyBlur:
    """Where the noisy value of each leaf may lie.

    Args:
        numbers: (m,) float64 original values, NaN where missing.
        steps: (m,) int64 number of steps to which noise is added.
        step: size of a step.
        law: of the noise.
    """

    numbers: FloatArray
    steps: IntArray
    step: float
    law: NoiseLaw

    def within(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """See `summary.blur.Blur.within`."""
        bottom, top = self._whole(np.ceil(self._below(low))), self._whole(np.floor(-self._below(-high)))
        inside = self.law.below(top - self.steps) - self.law.below(bottom - 1 - self.steps)
        return np.where(np.isfinite(self.numbers) & (high >= low), np.maximum(inside, 0.0), 0.0)

    def same(self, m: int) -> FloatArray:
        """See `summary.blur.Blur.same`: chance of the number itself, however it was written."""
        return self.within(self.numbers, self.numbers)[:m]

    def error(self) -> tuple[FloatArray, FloatArray]:
        """See `summary.blur.Blur.error`; where a value is first moved to the grid or a bound, at most this."""
        moved = np.abs(self.steps * self.step - self.numbers)
        absolute, squared = self.law.moments()
        return moved + absolute * self.step, moved**2 + squared * self.step**2

    def _below(self, values: FloatArray) -> FloatArray:
        """Values in steps, less what the division may have rounded."""
        steps = values / self.step
        return np.asarray(steps - 1e-9 - 1e-15 * np.abs(steps), np.float64)

    def _whole(self, steps: FloatArray) -> IntArray:
        """Numbers of steps as integers, those beyond all noise cut."""
        return np.clip(np.nan_to_num(steps), -(2.0**60), 2.0**60).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Noise:
    """Add exactly drawn noise to each number of a column.

    Args:
        name: the law.
        deviation: standard deviation of the noise, in units of the column (days for dates), > 0.
        step: numbers are rounded to multiples of it, and published as such, > 0.
        bounds: lowest and highest value; others become these before noise is added, which bounds what one cell gives
            away. None: nothing is promised.

    Raises:
        ParameterError: numbers outside their ranges.

    Source:
        R. Brand, "Microdata Protection through Noise Addition", Inference Control in Statistical Databases, 2002.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> age = bind(Column("age", Role.SENSITIVE, Kind.INTEGER), ["20", "30"])
        >>> noise = Noise(NoiseName.LAPLACE, Fraction(10), Decimal(1), (Fraction(0), Fraction(100)))
        >>> round(noise.decide(age, np.array([1, 1]), bits=SystemBits()).guarantee.parameters["epsilon"], 3)
        14.13
    """

    name: NoiseName
    deviation: Fraction
    step: Decimal
    bounds: tuple[Fraction, Fraction] | None

    def __post_init__(self) -> None:
        if not (self.deviation > 0 and self.step > 0 and Fraction(self.deviation) / Fraction(self.step) < _LARGEST):
            raise ParameterError(
                "Noise needs a standard deviation and a step > 0; got {deviation:g} and {step}.",
                "give the deviation in units of the column, and the step in which numbers are published.",
                deviation=float(self.deviation),
                step=self.step,
            )
        if self.bounds is not None and self.bounds[0] >= self.bounds[1]:
            raise ParameterError("`bounds` must be [lowest, highest].", "give two numbers in order.")

    def decide(self, attribute: Attribute, counts: IntArray, *, bits: Bits) -> ColumnDecision:
        """The noise of each cell, and what is promised of it. No chance is drawn yet.

        Raises:
            ParameterError: a column of text, or numbers too large for the step.
        """
        del counts, bits
        numbers = attribute.positions
        if numbers is None:
            raise ParameterError(
                "Noise is added to numbers and dates; {name!r} is text.",
                "declare its `kind`, or choose pram.",
                name=attribute.name,
            )
        law, steps = self._law(), self._steps(attribute.name, numbers)
        is_date = attribute.column.kind is Kind.DATE
        comma = any(label is not None and "," in label for label in attribute.hierarchy.labels[0])
        written = Written(self.step, decimal_comma=comma, is_date=is_date, format=attribute.column.format)
        return ColumnDecision(
            step=Randomize(attribute, NoisyDraw(steps, law, written)),
            guarantee=self._guarantee(attribute.name, law),
            worth=(),
            risk=(),
            blur=NoisyBlur(numbers, steps, float(self.step), law),
        )

    def _law(self) -> NoiseLaw:
        return NoiseLaw(self.name, scale_for(self.name, self.deviation / Fraction(self.step)))

    def _steps(self, column: str, numbers: FloatArray) -> IntArray:
        """(n_leaves,) int64: each value in steps, halves to even, inside the bounds."""
        steps = np.rint(np.nan_to_num(numbers) / float(self.step))
        if self.bounds is not None:
            low, high = self._ends()
            steps = np.clip(steps, low, high)
        if np.abs(steps).max(initial=0) >= _LARGEST:
            raise ParameterError(
                "The numbers of {column!r} are too large for this step.", "choose a larger `step`.", column=column
            )
        return np.asarray(steps, np.int64)

    def _ends(self) -> tuple[int, int]:
        """The bounds in whole steps, inside them."""
        low, high = self.bounds or (Fraction(0), Fraction(0))
        step = Fraction(self.step)
        return -int(-low // step), int(high // step)

    def _guarantee(self, column: str, law: NoiseLaw) -> Guarantee | None:
        """What one cell gives away, where the range is bounded: ε = range/t, or ρ = range²/2σ²."""
        if self.bounds is None:
            return None
        low, high = self._ends()
        width = high - low
        if law.name is NoiseName.LAPLACE:
            return _laplace(column, _up(width / law.scale), law)
        return _gaussian(column, _up(Fraction(width) ** 2 / (2 * law.scale**2)))


def _up(number: Fraction) -> float:
    """The float at or next above."""
    near = float(number)
    return near if Fraction(near) >= number else float(np.nextafter(near, np.inf))


def _laplace(column: str, epsilon: float, law: NoiseLaw) -> Guarantee:
    """The promise of Laplace noise on a bounded range."""
    return Guarantee(
        name="noise on a bounded range",
        statement=f"A published cell of {column!r} is at most e^{epsilon:.6g} times more likely under one original value than another.",
        definition="epsilon = (highest - lowest) / t for noise with probability proportional to e^(-|x|/t).",
        parameters={"column": column, "epsilon": epsilon, "scale_in_steps": float(law.scale)},
        kind="proved",
        source=_SOURCE,
        assumptions=_ASSUMPTIONS,
    )


def _gaussian(column: str, rho: float) -> Guarantee:
    """The promise of Gaussian noise on a bounded range."""
    return Guarantee(
        name="noise on a bounded range",
        statement=f"A published cell of {column!r} is {rho:.6g}-zero-concentrated differentially private for its original value.",
        definition="rho = (highest - lowest)² / (2 sigma²): the Rényi divergence of order a between the laws of two "
        "original values is at most rho a.",
        parameters={"column": column, "rho": rho},
        kind="proved",
        source=_RHO_SOURCE,
        assumptions=_ASSUMPTIONS,
    )


_ASSUMPTIONS = (
    "The bounds and the step were declared without looking at the table.",
    "That a cell is missing is published as it is.",
    "What several columns of one row, or several releases, give away adds up.",
)
