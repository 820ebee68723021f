"""What statistics of traces are worth at ε = 1 for a person, beside the rule of dp-mobility-report, on real traces.

Cabspotting (537 taxis, a fix each half-hour) and Gowalla in New York City (7,115 persons, check-ins). The peer's package does
not install beside ours (folium 0.12, 2022), so its rule is done here as its source has it (`diff_privacy.counts_dp`): M
random trips of each user, Laplace noise of scale M/ε on every pair of tiles, rounded, what is below 0 becomes 0. Errors are
against the exact totals of all trips (for persons: of all persons), so what limits cut off counts as error.

Run: python bench/trace_statistics.py [folder with the data, ../shared/data]
"""

from __future__ import annotations

import sys
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from timing import write

from sfumato import Neighbors, TraceColumns, read_traces
from sfumato.account.event import ApproxDP, PureDP
from sfumato.noise.bits import SystemBits
from sfumato.release.mobility.answering import answers
from sfumato.release.mobility.how import How
from sfumato.release.mobility.movement import ByGap, Flows
from sfumato.release.mobility.places import Visits
from sfumato.release.mobility.unit import TraceUnit, seen_of
from sfumato.table.plane import Plane, Region

ONE, BOTH = PureDP(Fraction(1)), ApproxDP(Fraction(1), Fraction(1, 10**6))
PERSON = TraceUnit(Neighbors.ADD_REMOVE, weekly=False)
RUNS, TOP = 3, 50


def cabs(folder):
    table = pq.read_table(folder / "mobility_cabspotting" / "cabspotting_all_30min.parquet")
    place = {name: np.asarray(table[f"{name}_e5"]) / 1e5 for name in ("lat", "lon")}
    columns = TraceColumns("cab", "t", "lat", "lon", zone="America/Los_Angeles", written="seconds")
    return read_traces(pa.table({"cab": table["cab"], "t": table["t"], **place}), columns)[0]


def gowalla(folder):
    columns = TraceColumns("user", "checkin_time", "lat", "lon", zone="America/New_York", written="utc")
    return read_traces(folder / "mobility_gowalla_nyc" / "gowalla_nyc_checkins.csv.gz", columns)[0]


def theirs(given, most, rng):
    """dp-mobility-report's rule."""
    order = np.lexsort((rng.random(len(given)), given.person))
    person = given.person[order]
    starts = np.flatnonzero(np.diff(person, prepend=-1))
    rank = np.arange(len(person)) - np.repeat(starts, np.diff(np.append(starts, len(person))))
    totals = np.bincount(given.group[order[rank < most]], minlength=given.groups)
    return np.maximum(np.round(totals + rng.laplace(0, most, given.groups)), 0)


def ours(statistic, traces, column):
    """A column of noisy numbers of all groups; those that are not shown are 0."""
    answer = answers(traces, [statistic], PERSON, bits=SystemBits())[0]
    axes = [{name: i for i, name in enumerate(statistic.names(k, np.arange(n)))} for k, n in enumerate(statistic.shape)]
    out = np.zeros(statistic.shape)
    for key, row in zip(answer.keys, answer.values, strict=True):
        out[tuple(axis[name] for axis, name in zip(axes, key, strict=True))] = row[column]
    return out.ravel()


def errors(true, found):
    """Of the 50 greatest groups, of all, and of the sum."""
    top, theirs_top = (np.argsort(-x, kind="stable")[:TOP] for x in (true, found))
    return {
        "error of the top 50": np.abs(found - true)[top].mean() / true[top].mean(),
        "top 50 found": len(set(top.tolist()) & set(theirs_top.tolist())) / TOP,
        "all errors / total": np.abs(found - true).sum() / true.sum(),
        "sum / total": found.sum() / true.sum(),
    }


def lines(name, traces, statistic_of, limits):
    given = statistic_of(How(ONE, 1, once=False)).contributions(seen_of(traces, PERSON, None))
    events, persons = given.totals().astype(float), given.once().totals().astype(float)
    rng = np.random.default_rng(1)
    for most in limits:
        ways = {
            "dp-mobility-report's rule": (events, lambda m=most: theirs(given, m, rng)),
            "events": (events, lambda m=most: ours(statistic_of(How(ONE, m, once=False)), traces, 0)),
            "persons": (persons, lambda m=most: ours(statistic_of(How(ONE, m, once=True)), traces, 0)),
            "persons, fitted total": (persons, lambda m=most: ours(statistic_of(How(ONE, m, once=True, total=True)), traces, 1)),
            "persons, δ = 1e-6": (persons, lambda m=most: ours(statistic_of(How(BOTH, m, once=True)), traces, 0)),
            "persons, selected, δ = 1e-6": (persons, lambda m=most: ours(statistic_of(How(BOTH, m, once=True, selected=True)), traces, 0)),
        }  # fmt: skip
        for way, (true, make) in ways.items():
            start = time.perf_counter()
            found = [errors(true, make()) for _ in range(RUNS)]
            seconds = (time.perf_counter() - start) / RUNS
            mean = {key: round(float(np.mean([one[key] for one in found])), 3) for key in found[0]}
            yield {"data": name, "limit": most, "way": way, **mean, "seconds": round(seconds, 3)}


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2] / "shared" / "data")
    bay, york = Region(Plane(37.70, -122.52), 1000, 12, 14), Region(Plane(40.55, -74.05), 2000, 20, 18)
    hours, rows = (0, 6, 12, 18, 24), []
    taxis, persons = cabs(folder), gowalla(folder)
    rows += lines("Cabspotting flows", taxis, lambda how: Flows(bay, ByGap(7200), how), (2, 10))
    rows += lines("Cabspotting visits", taxis, lambda how: Visits(bay, hours, how), (20, 200))
    rows += lines("Gowalla flows", persons, lambda how: Flows(york, ByGap(12 * 3600), how), (1, 2, 5))
    rows += lines("Gowalla visits", persons, lambda how: Visits(york, hours, how), (5, 20))
    write("trace_statistics", rows, ("numpy",), runs=f"mean of {RUNS}")


if __name__ == "__main__":
    main()
