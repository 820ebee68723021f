"""How wrong statistics of a graph would be, from public numbers alone: by the law of their noise, or tried on random graphs.

Where noise of one law is added, its error is known. Where it depends on the graph (ladders, fitted degrees, core numbers,
ratios), the statistic is tried on public random graphs of so many vertices and edges: hubs without groups, and groups without
hubs. The private graph stays closed.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from sfumato.account.event import PureDP, ZeroConcentratedDP, to_data
from sfumato.document.graph_statistics import CoresTable
from sfumato.document.result.answers import SimulatedQuestion
from sfumato.document.result.trace_statistics import ForecastResult, NoiseTold
from sfumato.document.trace_statistics import PriceTable
from sfumato.errors import ParameterError, PlanError, QueryError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.accuracy import least_price
from sfumato.mechanism.graph.cores.surrogate import SURROGATES
from sfumato.noise.bits import KeyedBits
from sfumato.numbers.check import whole
from sfumato.release.graph.plan import asked_of
from sfumato.release.graph.registry import statistics_of
from sfumato.release.graph.statistic import OfCores
from sfumato.summary.cores import core_numbers
from sfumato.table.named_graph import NamedGraph

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.account.event import Price
    from sfumato.document.graph import GraphDocument, GraphUnit
    from sfumato.document.graph_statistics import GraphStatisticTable
    from sfumato.mechanism.central.accuracy import Accuracy
    from sfumato.release.graph.question import Question
    from sfumato.release.graph.statistic import Statistic
    from sfumato.summary.edges import Vertices
    from sfumato.types import FloatArray

MOST = 2_000_000
"""Vertices and edges of a random graph at most."""
_WORK, _RUNS = 5_000_000, (10, 60)
"""Edges and vertices that are gone through for one statistic, and the fewest and most repetitions."""
_SILENT = PriceTable(epsilon=Fraction(10**6))
"""At this price noise is 0."""
_SEED = 20260102
Pair: TypeAlias = "tuple[Statistic, Statistic]"
"""A statistic at its price, and the same at one of no noise."""


@dataclass(frozen=True, slots=True)
class Size:
    """What is public, or guessed, of a graph.

    Args:
        vertices: how many; None: nobody knows.
        edges: about how many; None: nobody knows.
        listed: the public vertices; None: no table lists them.
    """

    vertices: int | None = None
    edges: int | None = None
    listed: Vertices | None = None

    def graphs(self) -> tuple[NamedGraph, ...]:
        """Public random graphs of the size, with the public attributes: the same every time; () where it is not known.

        Raises:
            ParameterError: too many vertices or edges. Remedy: guess fewer.
        """
        if self.vertices is None or self.edges is None:
            return ()
        n, m = whole(self.vertices, "vertices", 2, MOST), whole(self.edges, "edges", 1, MOST)
        rng = np.random.default_rng(_SEED)
        names = tuple(map(str, range(n))) if self.listed is None else self.listed.names
        attributes = {} if self.listed is None else self.listed.attributes
        return tuple(NamedGraph(make(n, m, rng), names, attributes) for make in SURROGATES)


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """Errors of one statistic on random graphs.

    Args:
        errors: (runs, numbers) absolute errors; NaN where a number has no meaning.
        covered: (runs, numbers) whether the interval held the exact number; NaN without intervals.
    """

    errors: FloatArray
    covered: FloatArray


def tried(pair: Pair, named: NamedGraph, runs: int, confidence: float, *, bits: KeyedBits) -> Tried:
    """A statistic, again and again, beside what it is without noise.

    Args:
        pair: the statistic at its price, and at one of no noise.
        named: a public graph.
        runs: repetitions.
        confidence: of its intervals.
        bits: simulated chance.
    """
    statistic, silent = pair
    exact = exact_of(silent, named, bits)
    found = [statistic.found(named, confidence=confidence, bits=bits) for _ in range(runs)]
    values, low, high = (np.array([getattr(one, part) for one in found]) for part in ("values", "low", "high"))
    inside = np.where(np.isfinite(low), (low <= exact) & (exact <= high), np.nan)
    return Tried(np.abs(values - exact), inside)


def exact_of(silent: Statistic, named: NamedGraph, bits: KeyedBits) -> FloatArray:
    """The numbers without noise: of the projected graph where vertices are protected.

    Args:
        silent: the statistic at a price of no noise.
        named: a public graph.
        bits: read, and of no effect.
    """
    if isinstance(silent.mechanism, OfCores):
        return core_numbers(named.graph).astype(np.float64)
    return silent.found(named, confidence=0.5, bits=bits).values


def pair_of(said: GraphStatisticTable, unit: GraphUnit) -> Pair:
    """A statistic at its price, and at one of no noise; core numbers without noise are counted, not asked."""
    silent = said if isinstance(said, CoresTable) else replace(said, price=_SILENT)
    one, other = statistics_of((said, silent), unit)
    return one, other


def foretold(said: GraphDocument, size: Size) -> ForecastResult:
    """How wrong the statistics of a plan would be, and what they would cost.

    Args:
        said: the plan.
        size: what is public or guessed of the graph.

    Raises:
        PlanError: a plan without statistics.
    """
    asked = asked_of(said)
    graphs, bits = size.graphs(), KeyedBits(bytes(32), is_secure=False)
    pairs = (pair_of(one, said.unit) for one in said.statistics)
    noises = tuple(_told(pair, size, graphs, said.answers.confidence, bits) for pair in pairs)
    return ForecastResult(
        unit=asked.unit.sentence, confidence=said.answers.confidence, cost=to_data(asked.event), noises=noises
    )


def _told(pair: Pair, size: Size, graphs: Sequence[NamedGraph], confidence: float, bits: KeyedBits) -> NoiseTold:
    """The noise of one statistic: by its law, else as it was tried."""
    statistic, mechanism = pair[0], cast("Any", pair[0].mechanism)
    mean, bad = getattr(mechanism, "mean_error", None), getattr(mechanism, "error", lambda _: None)(confidence)
    is_tried = mean is None and bool(graphs)
    if is_tried:
        errors = np.concatenate(
            [tried(pair, one, runs_of(one), confidence, bits=bits).errors.ravel() for one in graphs]
        )
        errors = errors[np.isfinite(errors)]
        mean, bad = (float(errors.mean()), float(np.quantile(errors, confidence))) if len(errors) else (None, None)
    return NoiseTold(
        statistic=statistic.title, number=statistic.number, groups=_numbers(statistic, size), mechanism=mechanism.name,
        mean_error=mean, bad_error=None if bad is None else float(bad), tried=is_tried,
    )  # fmt: skip


def _numbers(statistic: Statistic, size: Size) -> int | None:
    """How many numbers there will be; None: nobody knows."""
    known = {
        "listed": len(statistic.listed),
        "vertices": size.vertices,
        "counted": getattr(statistic.mechanism, "most", -1) + 1,
        "groups": _groups(statistic, size),
    }
    many = [known[of] for _, of in statistic.axes]
    return None if None in many else int(np.prod([one for one in many if one is not None], initial=1))


def _groups(statistic: Statistic, size: Size) -> int | None:
    """Groups of an attribute among the public vertices."""
    if statistic.attribute is None or size.listed is None:
        return None
    return len(set(size.listed.attributes[statistic.attribute]))


def runs_of(named: NamedGraph) -> int:
    """How often a statistic is tried on a graph of this size."""
    few, many = _RUNS
    return min(max(_WORK // (named.graph.vertices + len(named.graph.edges)), few), many)


def simulate(
    question: Question, unit: GraphUnit, size: Size, *, runs: int, confidence: float, rng: np.random.Generator
) -> SimulatedQuestion:
    """Errors of a question, tried on random graphs of the size.

    Args:
        question: at its price.
        unit: what is protected.
        size: with vertices and edges.
        runs: repetitions on each graph.
        confidence: of the intervals.
        rng: simulated chance.

    Raises:
        ParameterError: the size is not known, or too large.
    """
    graphs = size.graphs()
    if not graphs:
        raise ParameterError("A simulation needs a number of vertices; no table lists them.", "say --vertices.")
    bits, statistic = KeyedBits(rng.bytes(32), is_secure=False), question.statistic
    pair = pair_of(question.said, unit)
    found = [tried(pair, one, runs, confidence, bits=bits) for one in graphs]
    errors, covered = (np.concatenate([getattr(one, part).ravel() for one in found]) for part in ("errors", "covered"))
    errors, covered = errors[np.isfinite(errors)], covered[np.isfinite(covered)]
    typical, bad = np.quantile(errors, [0.5, 0.95]).tolist() if len(errors) else (None, None)
    return SimulatedQuestion(
        question=statistic.title, cells=(statistic.number,), rows=size.edges or 0, runs=runs, typical=(typical,), bad=(bad,),
        covered=(float(covered.mean()) if len(covered) else None,),
    )  # fmt: skip


def price_for(ask: Callable[[Price], Question], wanted: Accuracy) -> list[Price]:
    """The least prices at which half of the interval of each number is as small as wanted: an ε, and a ρ where it can be paid.

    Args:
        ask: the question at a price.
        wanted: largest error, and the confidence with which it is kept.

    Raises:
        QueryError: the error depends on the graph. Remedy: simulate it at some prices.
    """
    if getattr(ask(PureDP(Fraction(1))).statistic.mechanism, "error", lambda _: None)(wanted.confidence) is None:
        raise QueryError(
            "The error of this statistic depends on the graph, so no price can be computed.",
            "simulate the question at some prices.",
        )

    def keeps(price: Price) -> bool:
        return bool(ask(price).statistic.mechanism.error(wanted.confidence) <= wanted.exact_error)  # type: ignore[attr-defined]

    found: list[Price] = [least_price(keeps, PureDP)]
    try:
        ask(ZeroConcentratedDP(Fraction(1)))
    except PlanError:  # paid by a pure epsilon only
        return found
    return [*found, least_price(keeps, ZeroConcentratedDP)]
