"""The mechanism of least expected distance among all that keep geo-indistinguishability on a few cells, by a linear program.

The program is solved in floats; what is drawn with are whole numbers that keep the promise exactly, checked pair by pair.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import ParameterError
from sfumato.extras import Needs
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee
from sfumato.mechanism.location.prior import expected_metres
from sfumato.noise.categorical import categorical
from sfumato.numbers.enclosure import exp_between
from sfumato.numbers.exact import bounded
from sfumato.table.plane import distance

if TYPE_CHECKING:
    from sfumato.mechanism.location.prior import Prior
    from sfumato.noise.bits import Bits
    from sfumato.numbers.exact import Exact
    from sfumato.types import FloatArray, IntArray

MOST_CELLS = 144
_UNITS = 2**52
"""A row of weights adds up to this, before the repair."""
_SCALE = 2**64
"""Ratios are kept as whole numbers over it, rounded down."""


@dataclass(frozen=True, slots=True, eq=False)
class OptimalCells:
    """Reports of cells by exact weights, found by `optimal`.

    Promise: cells x, x' make no report more than e^(ε m(x, x')) times likelier, m the declared metres between them. It is
    checked for all pairs and reports in whole numbers when this object is made.

    Args:
        latitude: (n,) float64 of the centers of the cells.
        longitude: (n,) float64.
        metres: (n, n) float64 between them, at most the true distances.
        epsilon: nats per metre.
        weights: (n, n) int64 > 0: of each report, from each cell; rows add up to the same number.
        loss: metres between report and truth on average under the prior.
        least: what the program found before rounding; no mechanism with this promise has less.
        origin: where the prior is from.

    Raises:
        ParameterError: weights that do not keep the promise. Remedy: make them by `optimal`.
    """

    latitude: FloatArray
    longitude: FloatArray
    metres: FloatArray
    epsilon: Exact
    weights: IntArray
    loss: float
    least: float
    origin: str

    def __post_init__(self) -> None:
        sums = {sum(row) for row in self.weights.tolist()}
        excess = _excess(self.weights, ratios(self.metres, self.epsilon))
        if len(sums) != 1 or self.weights.min() <= 0 or max(map(max, excess.tolist())) > 0:
            raise ParameterError("Weights must keep the promise for all pairs of cells.", "make them by `optimal`.")

    def randomize(self, cells: IntArray, *, bits: Bits) -> IntArray:
        """(n,) int64 reported cells of true ones, each drawn on its own, with exactly the stated weights.

        Raises:
            ParameterError: a number that is no cell. Remedy: `cells_of`.
        """
        given = np.asarray(cells, np.int64)
        if given.ndim != 1 or (len(given) and not 0 <= given.min() <= given.max() < len(self.weights)):
            raise ParameterError("Every cell must be a number of one.", "use `cells_of`.")
        out = np.empty(len(given), np.int64)
        for cell in np.unique(given).tolist():
            here = np.flatnonzero(given == cell)
            out[here] = categorical(len(here), self.weights[cell], bits=bits)
        return out

    def cells_of(self, latitude: FloatArray, longitude: FloatArray) -> IntArray:
        """(n,) int64: the cell with the nearest center, for each position."""
        lat, lon = np.asarray(latitude, np.float64), np.asarray(longitude, np.float64)
        out, least = np.zeros(len(lat), np.int64), np.full(len(lat), np.inf)
        for cell in range(len(self.latitude)):
            far = distance(lat, lon, self.latitude[cell], self.longitude[cell])
            out[far < least] = cell
            least = np.minimum(least, far)
        return out

    def protect(self, latitude: FloatArray, longitude: FloatArray, *, bits: Bits) -> tuple[FloatArray, FloatArray]:
        """Reported positions, centers of cells, of true ones."""
        told = self.randomize(self.cells_of(latitude, longitude), bits=bits)
        return self.latitude[told], self.longitude[told]

    @property
    def law(self) -> FloatArray:
        """(n, n) float64: the probability of each report from each cell; for measuring only."""
        return np.asarray(self.weights / self.weights.sum(axis=1, keepdims=True), np.float64)

    def guarantee(self) -> Guarantee:
        """The promise of one report."""
        epsilon = bounded("epsilon", self.epsilon)
        return Guarantee(
            name="geo-indistinguishability",
            statement=f"Two cells d metres apart make no reported cell more than e^({float(epsilon):g} d) times likelier.",
            definition="Near positions are hard to tell apart by what is reported; far ones may be told apart.",
            parameters={"epsilon": epsilon, "cells": len(self.weights)},
            kind="proved",
            source="Bordenabe, Chatzikokolakis and Palamidessi, CCS 2014; each pair was checked in whole numbers",
            assumptions=(
                "The random bits are secret and uniform.",
                "Metres are between centers of cells; a position counts in the cell with the nearest center.",
                f"The prior is public: {self.origin}.",
                "Everything that is reported of a person is counted; when a report is made is not hidden.",
            ),
        )


def spanner(metres: FloatArray, dilation: float) -> IntArray:
    """(e, 2) int64: pairs of cells along which every distance is at most `dilation` times as long (greedy).

    Args:
        metres: (n, n) distances.
        dilation: >= 1; at 1 all pairs that no third cell lies between.

    Source:
        N. Bordenabe, K. Chatzikokolakis, C. Palamidessi, "Optimal geo-indistinguishable mechanisms for location privacy",
        CCS 2014, section 4.2; I. Althöfer et al., "On sparse spanners of weighted graphs", 1993.

    Example:
        >>> spanner(np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0))), 1.01).tolist()
        [[0, 1], [1, 2], [2, 3]]
    """
    n = len(metres)
    along = np.where(np.eye(n, dtype=bool), 0.0, np.inf)
    first, second = np.triu_indices(n, 1)
    edges = []
    for i in np.argsort(metres[first, second], kind="stable").tolist():
        a, b = int(first[i]), int(second[i])
        if along[a, b] > dilation * metres[a, b] * (1 + 1e-12):
            edges.append((a, b))
            for x, y in ((a, b), (b, a)):
                np.minimum(along, along[:, [x]] + metres[a, b] + along[[y], :], out=along)
    return np.array(edges, np.int64).reshape(-1, 2)


def _dilation(metres: FloatArray, edges: IntArray) -> float:
    """How much longer ways along the edges are than distances, at most."""
    along = np.where(np.eye(len(metres), dtype=bool), 0.0, np.inf)
    along[edges[:, 0], edges[:, 1]] = along[edges[:, 1], edges[:, 0]] = metres[edges[:, 0], edges[:, 1]]
    for via in range(len(metres)):
        np.minimum(along, along[:, [via]] + along[[via], :], out=along)
    apart = metres > 0
    return max(1.0, float((along[apart] / metres[apart]).max(initial=1.0)))


def optimal(
    places: tuple[FloatArray, FloatArray, FloatArray], epsilon: Exact, prior: Prior, *, dilation: float
) -> OptimalCells:
    """The geo-indistinguishable mechanism of least expected distance under a prior.

    Without a spanner the program has n³ constraints, one for each pair and report. With one of dilation δ, neighbors keep
    ε/δ, and so all pairs keep ε; the optimum is that of some epsilon between ε/δ and ε.

    Args:
        places: latitudes, longitudes and metres between n cells: `cells_of_region`, or centers of hexagons with
            `metres_between`; at most 144 cells.
        epsilon: nats per metre, exact, > 0.
        prior: one weight for each cell.
        dilation: >= 1, such as 1.1: how much longer ways along the pairs that are compared may be.

    Raises:
        ParameterError: too many cells, two at one place, a number outside its range, or SciPy is not installed.

    Source:
        N. Bordenabe, K. Chatzikokolakis, C. Palamidessi, CCS 2014, sections 3 and 4.

    Example:
        >>> from sfumato.mechanism.location.prior import Prior, cells_of_region
        >>> from sfumato.table.plane import Plane, Region
        >>> places = cells_of_region(Region(Plane(45.70, 4.78), 500, 3, 3))
        >>> best = optimal(places, "0.002", Prior(np.arange(1, 10), origin="a map"), dilation=1)
        >>> best.weights.shape, round(best.loss - best.least, 6)
        ((9, 9), 0.0)
    """
    latitude, longitude, metres = places
    n = len(latitude)
    apart = metres[~np.eye(n, dtype=bool)]
    if not 2 <= n <= MOST_CELLS or metres.shape != (n, n) or len(prior.shares) != n or not (apart > 0).all():
        raise ParameterError(
            "A linear program needs 2 to {most} different places, their distances and a weight for each; got {n}.",
            "take larger cells or a smaller region; planar Laplace with a remap has no such limit.",
            most=MOST_CELLS,
            n=n,
        )
    if bounded("epsilon", epsilon) <= 0 or not 1 <= dilation < np.inf:
        raise ParameterError(
            "An epsilon above 0 and a dilation of at least 1 are needed; got {epsilon} and {dilation}.",
            "choose such as 0.01 per metre and 1.1.",
            epsilon=epsilon,
            dilation=dilation,
        )
    edges = spanner(metres, dilation)
    law, least = _solved(metres, edges, float(bounded("epsilon", epsilon)), prior.shares)
    weights = repaired(law, ratios(metres, epsilon))
    loss = expected_metres(weights / weights.sum(axis=1, keepdims=True), metres, prior)
    return OptimalCells(latitude, longitude, metres, epsilon, weights, loss, least, prior.origin)


def _solved(metres: FloatArray, edges: IntArray, epsilon: float, shares: FloatArray) -> tuple[FloatArray, float]:
    """The law that HiGHS finds, and its expected distance."""
    with Needs("learn", "Linear programs need SciPy."):
        from scipy.optimize import linprog
        from scipy.sparse import csr_matrix
    n, both = len(metres), np.concatenate([edges, edges[:, ::-1]])
    rows, report = np.arange(len(both) * n), np.tile(np.arange(n), len(both))
    factor = np.exp(epsilon / _dilation(metres, edges) * metres[both[:, 0], both[:, 1]])
    at = (np.repeat(both[:, 0], n) * n + report, np.repeat(both[:, 1], n) * n + report)
    values = np.concatenate([np.ones(len(rows)), -np.repeat(factor, n)])
    pairs = csr_matrix((values, (np.tile(rows, 2), np.concatenate(at))), shape=(len(rows), n * n))
    whole = csr_matrix((np.ones(n * n), (np.repeat(np.arange(n), n), np.arange(n * n))), shape=(n, n * n))
    found = linprog(
        (shares[:, None] * metres).ravel(), A_ub=pairs, b_ub=np.zeros(len(rows)), A_eq=whole, b_eq=np.ones(n),
        method="highs-ipm", options={"primal_feasibility_tolerance": 1e-9, "dual_feasibility_tolerance": 1e-9},
    )  # fmt: skip
    if not found.success:
        raise ParameterError(
            "The linear program has no solution that HiGHS finds (status {status}).",
            "choose cells whose distance times epsilon is neither tiny nor huge.",
            status=int(found.status),
        )
    return np.asarray(found.x.reshape(n, n), np.float64), float(found.fun)


def ratios(metres: FloatArray, epsilon: Exact) -> Any:
    """(n, n) of Python's whole numbers: ⌊2⁶⁴ e^(ε m)⌋ at most, certified; what one report may be likelier."""
    rate = bounded("epsilon", epsilon)
    known = {m: int(exp_between(rate * Fraction(m))[0] * _SCALE) for m in np.unique(metres).tolist()}
    known[0.0] = _SCALE
    return np.array([[known[m] for m in row] for row in metres.tolist()], object)


def _excess(weights: Any, bounds: Any) -> Any:
    """(n, n): the largest 2⁶⁴ w(x, z) - ratio(x, x') w(x', z) over reports z, exactly; above 0 the promise is broken."""
    whole = np.asarray(weights).astype(object)
    return np.stack([(whole[x] * _SCALE - bounds[x][:, None] * whole).max(axis=1) for x in range(len(whole))])


def repaired(law: FloatArray, bounds: Any) -> IntArray:
    """(n, n) int64: weights near a law of floats that keep all ratios exactly.

    The law is rounded to 2⁻⁵², rows made to add up to 1, and the least whole number u added to every weight with which
    all pairs hold: w(x) - r w(x') <= u (r - 1), which is what the evenest report adds.

    Args:
        law: (n, n) float64 rows.
        bounds: of `ratios`.

    Raises:
        ParameterError: cells that are too near each other for exact ratios, or a law that is none.

    Proof:
        docs/proofs/location.md, "The optimal mechanism".

    Example:
        >>> far = np.array([[0.0, 100.0], [100.0, 0.0]])
        >>> weights = repaired(np.array([[0.7311, 0.2689], [0.2689, 0.7311]]), ratios(far, "0.01"))
        >>> bool(_excess(weights, ratios(far, "0.01")).max() <= 0), int(weights[0, 0]) / int(weights[1, 0]) < 2.7182818285
        (True, True)
    """
    n = len(law)
    weights = np.rint(np.clip(law, 0, 1) * _UNITS).astype(np.int64)
    weights[np.arange(n), weights.argmax(axis=1)] += _UNITS - weights.sum(axis=1)
    room = bounds - _SCALE
    others = ~np.eye(n, dtype=bool)
    if weights.min() < 0 or min(room[others].tolist(), default=0) <= 0:
        raise ParameterError("A law needs probabilities, and cells must differ.", "take larger cells.")
    excess = _excess(weights, bounds)
    needed = max(-(-int(e) // int(r)) for e, r in zip(excess[others].tolist(), room[others].tolist(), strict=True))
    if needed > _UNITS // 1000:
        raise ParameterError("A law must nearly keep the promise; this one does not.", "take larger cells.")
    return weights + max(needed, 1)
