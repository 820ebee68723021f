"""All statistics of a list: their price, their errors before anything is paid, and their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.account.accountant import compare
from sfumato.errors import ParameterError
from sfumato.mechanism.central.additive import each_confidence
from sfumato.release.mobility.how import composed
from sfumato.release.mobility.unit import seen_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sfumato.account.accountant import Reading
    from sfumato.account.event import Event
    from sfumato.noise.bits import Bits
    from sfumato.release.answer.answer import Answer
    from sfumato.release.mobility.how import Forecast, Prepared, Statistic
    from sfumato.release.mobility.unit import TraceUnit, Weights
    from sfumato.table.traces import Traces


def prepared(statistics: Sequence[Statistic], unit: TraceUnit) -> tuple[Prepared, ...]:
    """The mechanisms of each statistic.

    Raises:
        ParameterError: no statistic, or one that cannot be made private as it is declared. Remedy: in the message.
    """
    if not statistics:
        raise ParameterError("At least one statistic must be asked for.", "such as `Visits` or `Flows`.")
    return tuple(one.prepared(unit) for one in statistics)


def event_of(statistics: Sequence[Statistic], unit: TraceUnit) -> Event:
    """What all statistics cost together, fixed before anything is read."""
    return composed(tuple(event for one in prepared(statistics, unit) for event in one.events))


def readings_of(statistics: Sequence[Statistic], unit: TraceUnit, delta: str | float | Fraction) -> tuple[Reading, ...]:
    """The true ε of all statistics together at a δ, as each accountant counts it; the smallest is true.

    Args:
        statistics: all that are answered.
        unit: whom they protect.
        delta: in (0, 1).
    """
    return compare([event_of(statistics, unit)], delta)


def forecast(
    statistics: Sequence[Statistic], unit: TraceUnit, *, confidence: float = 0.95, expected: int | None = None
) -> tuple[Forecast, ...]:
    """How wrong each number will be, from public numbers alone: nothing is read, and nothing is paid.

    Args:
        statistics: what would be asked.
        unit: whom the answers would protect.
        confidence: of the greatest error.
        expected: about how many trips count in all, for means and quantiles of their lengths; None: nobody knows, and no
            error of these is told.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.release.mobility.how import How
        >>> from sfumato.release.mobility.movement import ByGap, Flows
        >>> from sfumato.release.mobility.unit import TraceUnit
        >>> from sfumato.table.plane import Plane, Region
        >>> from sfumato.table.unit import Neighbors
        >>> grid = Region(Plane(45.70, 4.78), 1000, rows=12, columns=10)
        >>> flows = Flows(grid, ByGap(1200), How(PureDP(Fraction(1)), most=5, once=False))
        >>> (line,) = forecast([flows], TraceUnit(Neighbors.ADD_REMOVE, weekly=False))
        >>> line.groups, line.l1, round(line.mean_error, 2), line.bad_error
        (14400, 5, 4.97, 15)
    """
    each_confidence(confidence, 1)
    return tuple(line for one in prepared(statistics, unit) for line in one.forecast(confidence, expected))


def answers(
    traces: Traces,
    statistics: Sequence[Statistic],
    unit: TraceUnit,
    *,
    weights: Weights | None = None,
    confidence: float = 0.95,
    bits: Bits,
) -> tuple[Answer, ...]:
    """The answers of all statistics; whoever calls has paid for them.

    Args:
        traces: of persons.
        statistics: what is asked.
        unit: whom each answer protects.
        weights: of persons, by name.
        confidence: of each interval by itself, in (0, 1).
        bits: source of chance.

    Returns:
        One for each statistic, and one for each of its margins after it.
    """
    each_confidence(confidence, 1)
    ready = prepared(statistics, unit)
    seen = seen_of(traces, unit, weights)
    return tuple(answer for one in ready for answer in one.run(seen, confidence, bits))
