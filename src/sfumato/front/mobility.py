"""Statistics of traces under differential privacy: charged to a ledger, then answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.noise.bits import SystemBits
from sfumato.release.accounted import charge_to, settle_with
from sfumato.release.answer.query import digest_of
from sfumato.release.mobility.answering import answers, event_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.result.trace_statistics import ForecastResult
    from sfumato.noise.bits import Bits
    from sfumato.release.answer.answer import Answer
    from sfumato.release.mobility.how import Statistic
    from sfumato.release.mobility.unit import TraceUnit, Weights
    from sfumato.release.plan import AccountChoice, Plan
    from sfumato.table.traces import Traces


def foreseen(plan: Plan, expected: int | None = None, vertices: int | None = None) -> ForecastResult:
    """How wrong the statistics of a plan would be, and what they would cost: nothing private is read, and nothing paid.

    Args:
        plan: one with [[statistics]].
        expected: of traces about how many trips count in all, for means and quantiles of their lengths; of a graph about
            how many edges there are, for what depends on it; None: nobody knows.
        vertices: of a graph, where no public table lists them; None: nobody knows.

    Raises:
        PlanError: a plan of something else.
    """
    from sfumato.document.graph import GraphDocument
    from sfumato.document.traces import TracesDocument
    from sfumato.errors import PlanError
    from sfumato.release.traces.statistics import foretold

    said = plan.method.said
    if isinstance(said, GraphDocument):
        from sfumato.front.graph_forecasts import size_of
        from sfumato.release.graph import forecast

        return forecast.foretold(said, size_of(said.graph.vertices, plan.vertices, forecast.Size(vertices, expected)))
    if not isinstance(said, TracesDocument):
        raise PlanError("Errors are foretold of statistics; this plan has no [[statistics]].", "add one.")
    return foretold(said, expected)


def trace_statistics(  # noqa: PLR0913
    traces: Traces,
    statistics: Sequence[Statistic],
    unit: TraceUnit,
    *,
    weights: Weights | None = None,
    confidence: float = 0.95,
    account: AccountChoice | None = None,
    bits: Bits | None = None,
) -> tuple[Answer, ...]:
    """Visits, flows, stays, lengths and places of traces, with noise that protects a person or one week of a person.

    Everything is declared: region, hours, limits, prices. What all statistics cost is charged before the traces are looked
    at. How wrong the answers will be is told by `release.mobility.answering.forecast`, at no price.

    Args:
        traces: of persons (`read_traces`).
        statistics: what is asked (`release.mobility.places`, `movement`, `lengths`, `top`).
        unit: whom each answer protects.
        weights: how many people each person stands for, by name; used by statistics that declare a greatest weight.
        confidence: of each interval by itself, in (0, 1).
        account: who pays. None: nobody, and nobody adds up what is asked.
        bits: chance; None: the system's. Answers under another one say that they are seeded.

    Returns:
        One answer for each statistic, and one for each margin after it.

    Raises:
        BudgetExceeded: too little is left; nothing was charged and nothing was read.
        LedgerError: the request was answered before, or the ledger cannot be used.
        ParameterError: a statistic that cannot be made private as it is declared. Remedy: in the message.

    Example:
        >>> from fractions import Fraction
        >>> import numpy as np
        >>> from sfumato import Neighbors
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.release.mobility.how import How
        >>> from sfumato.release.mobility.movement import ByGap, Flows
        >>> from sfumato.release.mobility.unit import TraceUnit
        >>> from sfumato.table.plane import Plane, Region
        >>> from sfumato.table.traces import Traces
        >>> n = 1000  # persons who go a kilometre to the north
        >>> walk = Traces("UTC", tuple(map(str, range(n))), np.repeat(np.arange(n), 2), np.arange(2 * n) * 60_000,
        ...               np.tile([45.705, 45.715], n), np.full(2 * n, 4.785))
        >>> grid = Region(Plane(45.70, 4.78), 1000, rows=2, columns=1)
        >>> flows = Flows(grid, ByGap(1200), How(PureDP(Fraction(1)), most=1, once=True))
        >>> (answer,) = trace_statistics(walk, [flows], TraceUnit(Neighbors.ADD_REMOVE, weekly=False))
        >>> answer.keys, abs(answer.values[1][0] - 1000) < 40
        ((('0:0', '0:0'), ('0:0', '1:0'), ('1:0', '0:0'), ('1:0', '1:0')), True)
    """
    event = event_of(statistics, unit)
    chance = bits if bits is not None else SystemBits()
    if account is not None:
        meaning = digest_of({"statistics": [repr(one) for one in statistics], "unit": unit.sentence,
                             "confidence": str(confidence), "zone": traces.zone})  # fmt: skip
        charge_to(account, event, unit.of_ledger, question=meaning, note="statistics of traces")
    found = answers(traces, statistics, unit, weights=weights, confidence=confidence, bits=chance)
    if account is not None:
        settle_with(account, "statistics of traces", bits=chance)
    return found
