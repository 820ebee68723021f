"""What maps of a release show: persons by cell and trips between cells, of many persons each; never a path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.document.result.traces import TraceFlow, TraceFlowMap, TraceMap
from sfumato.utility.traces.flows import flows
from sfumato.utility.traces.heat import heat

if TYPE_CHECKING:
    from sfumato.release.traces.measures import Case
    from sfumato.table.plane import Region
    from sfumato.table.traces import Traces

MAP_CELLS = 64
"""Cells of a map along its longer side, at most."""
FLOW_CELLS = 24
"""Cells between which flows go, along the longer side, at most."""
MOST_FLOWS = 60
"""Flows of one map, at most: the largest."""


def heat_map(case: Case) -> TraceMap:
    """Persons by coarse cell, before and after; cells with few persons are empty."""
    coarse, fewest = _coarse(case.region, MAP_CELLS), case.said.fewest
    before, after = (_persons(traces, coarse, fewest) for traces in (case.before, case.after))
    return TraceMap(
        metres=float(coarse.side),
        rows=coarse.rows,
        columns=coarse.columns,
        fewest=fewest,
        before=before,
        after=after,
    )


def flow_map(case: Case) -> TraceFlowMap:
    """The largest flows between coarse cells, before and after; those of few persons are left out."""
    coarse, fewest = _coarse(case.region, FLOW_CELLS), case.said.fewest
    before, after = (_largest(traces, coarse, case) for traces in (case.before, case.after))
    return TraceFlowMap(
        metres=float(coarse.side),
        rows=coarse.rows,
        columns=coarse.columns,
        fewest=fewest,
        before=before,
        after=after,
    )


def _coarse(region: Region, most: int) -> Region:
    """The region in at most so many cells along its longer side."""
    return region.coarser(-(-max(region.rows, region.columns) // most))


def _persons(traces: Traces, region: Region, fewest: int) -> tuple[int, ...]:
    """Persons by cell; 0 where they are few."""
    found = heat(traces, region)
    out = np.zeros(region.rows * region.columns, np.int64)
    out[found.cell] = np.where(found.persons >= fewest, found.persons, 0)
    return tuple(out.tolist())


def _largest(traces: Traces, region: Region, case: Case) -> tuple[TraceFlow, ...]:
    """Flows of enough persons, the largest first."""
    found = flows(traces, region, gap=case.gap, by_day=case.by_day)
    at = np.flatnonzero(found.persons >= case.said.fewest)
    at = at[np.argsort(-found.trips[at], kind="stable")][:MOST_FLOWS]
    rows = zip(found.origin[at].tolist(), found.target[at].tolist(), found.trips[at].tolist(), strict=True)
    return tuple(TraceFlow(origin=origin, target=target, trips=trips) for origin, target, trips in rows)
