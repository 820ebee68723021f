"""Ways to report a position for weeks: what is sent, what it loses exactly, and how likely each report is from each cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.local.longitudinal.l_grr import LGRR
from sfumato.mechanism.local.longitudinal.l_unary import LUnary, l_osue, l_sue
from sfumato.mechanism.local.longitudinal.location import repeated_loss
from sfumato.mechanism.local.longitudinal.loloha import LOLOHA, hash_cells
from sfumato.mechanism.local.longitudinal.memory import collect, start
from sfumato.mechanism.local.numeric.distribution import expectation_maximization
from sfumato.mechanism.local.oracle import estimate
from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
from sfumato.mechanism.location.loss import law_of
from sfumato.mechanism.location.remembered import Remembered
from sfumato.summary.simplex import nearest_shares

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.noise.bits import Bits
    from sfumato.table.plane import Region
    from sfumato.types import FloatArray, IntArray

FIRST, PERMANENT = 1.0, 2.0
"""Of the memoised protocols: one report, and all reports about one cell."""
PER_KILOMETRE = 1.0
"""Of planar noise: one report, between cells one kilometre apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Sent:
    """What was reported.

    Args:
        view: (n, t, k) float64 ln P[report | cell], up to a constant of each report.
        cell: (n, t) int64 the cell that a report names; None: it names none.
        inputs: (n, t) int64 what was remembered under: the cell, or its hash; None: nothing is remembered.
        histogram: from so many reports of each person to (k,) float64 estimated shares of all cells.
    """

    view: FloatArray
    cell: IntArray | None
    inputs: IntArray | None
    histogram: Callable[[int], FloatArray]


@dataclass(frozen=True, slots=True)
class Memoised:
    """A protocol of local differential privacy that remembers its answers.

    Args:
        name: of the protocol.
        protocol: on the k cells.
    """

    name: str
    protocol: LUnary | LGRR | LOLOHA

    def send(self, cells: IntArray, bits: Bits) -> Sent:
        """All reports of all persons."""
        memory, seen = start(self.protocol, len(cells), bits=bits), []
        for now in cells.T:
            reports, memory = collect(self.protocol, memory, now, bits=bits)
            seen.append(self._supported(reports, memory.traits))
        support = np.stack(seen, axis=1)
        p, q = (float(x) for x in (self.protocol.chain.p, self.protocol.chain.q))
        odds = np.log(p / q), np.log((1 - p) / (1 - q)) if isinstance(self.protocol, LUnary) else 0.0
        named = support.argmax(axis=2).astype(np.int64) if isinstance(self.protocol, LGRR) else None
        inputs = np.stack([self.protocol.inputs(now, memory.traits) for now in cells.T], axis=1)

        def histogram(t: int) -> FloatArray:
            n = len(cells) * t
            found = estimate(support[:, :t].sum(axis=(0, 1), dtype=np.int64), n, self.protocol.support)
            return nearest_shares(found, 1.0)

        return Sent(np.where(support, *odds), named, inputs, histogram)

    def _supported(self, reports: Any, traits: IntArray) -> Any:
        """(n, k) bool: the cells that each report speaks for."""
        k = np.arange(self.protocol.domain_size)
        if isinstance(self.protocol, LUnary):
            return reports
        if isinstance(self.protocol, LGRR):
            return reports[:, None] == k
        return hash_cells(traits, np.tile(k, (len(reports), 1)), self.protocol.n_cells) == reports[:, None]

    def one(self) -> float:
        """Of one report."""
        return self.protocol.epsilon_first

    def every(self, inputs: IntArray, metres: float) -> float:
        """Of all reports of a person, against another life that repeats at the same moments; how far off does not matter."""
        del metres
        return repeated_loss(self.protocol, np.unique(inputs, return_counts=True)[1])


@dataclass(frozen=True, slots=True)
class Planar:
    """Planar Laplace noise on the cells.

    Args:
        name: in the table.
        law: the mechanism.
        remembers: whether a cell of a person is drawn once.
    """

    name: str
    law: GeoIndistinguishable
    remembers: bool

    def send(self, cells: IntArray, bits: Bits) -> Sent:
        """All reports of all persons."""
        (n, t), region = cells.shape, self.law.region
        true = np.stack(np.divmod(cells.ravel(), region.columns), axis=1)
        if self.remembers:
            drawn, _ = Remembered(self.law).randomize(np.repeat(np.arange(n), t), true, bits=bits)
        else:
            drawn = self.law.randomize(true, bits=bits)
        told = (drawn[:, 0] * region.columns + drawn[:, 1]).reshape(n, t)
        law = law_of(self.law.rate, region.rows, region.columns)

        def histogram(reports: int) -> FloatArray:
            count = np.bincount(told[:, :reports].ravel(), minlength=len(law))
            return expectation_maximization(count, law, smooth=False, tolerance=1e-6, most_iterations=2000)[0]

        return Sent(np.log(law.T)[told], told, cells if self.remembers else None, histogram)

    def one(self) -> float:
        """Of one report, between cells a kilometre apart."""
        return PER_KILOMETRE

    def every(self, inputs: IntArray, metres: float) -> float:
        """Of all reports of a person, against another life that is everywhere so many metres off."""
        drawn = len(np.unique(inputs)) if self.remembers else len(inputs)
        return drawn * PER_KILOMETRE * metres / 1000


def ways_of(region: Region) -> tuple[Memoised | Planar, ...]:
    """All ways to report a cell of a region."""
    k = region.rows * region.columns
    planar = GeoIndistinguishable(region, "0.001")
    return (
        Memoised("RAPPOR", l_sue(k, FIRST, PERMANENT)),
        Memoised("L-OSUE", l_osue(k, FIRST, PERMANENT)),
        Memoised("L-GRR", LGRR(k, FIRST, PERMANENT)),
        Memoised("LOLOHA", LOLOHA(k, FIRST, PERMANENT, 2)),
        Planar("planar, memoised", planar, remembers=True),
        Planar("planar, fresh", planar, remembers=False),
    )
