"""The maps of a report: what a result tells of cells and flows, in words of a language. No path of a person is ever in a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.language.words import ENGLISH, Words
from sfumato.report.chart.geo import Arc, Ground, Legend, cells, classes_of, flows, outlines
from sfumato.table.plane import Plane, Region

if TYPE_CHECKING:
    from sfumato.document.result.traces import TraceFlowMap, TraceMap, TracesFound

Pictures = list[tuple[str, str]]


def heat_maps(found: TracesFound, say: Words = ENGLISH) -> Pictures:
    """Persons by cell before and after, in the same shades; nothing without a cell that may be shown."""
    shown = found.map
    most = max((*shown.before, *shown.after), default=0) if shown else 0
    if shown is None or most < shown.fewest:
        return []
    _ = say.gettext
    legend = legend_of(
        say,
        _("persons in a cell of {n} m").format(n=number(shown.metres, say)),
        _("none, or fewer than {n}").format(n=number(shown.fewest, say)),
    )
    edges, ground = classes_of(shown.fewest, most), ground_of(found, shown)
    out = []
    for state, counts in (("before", shown.before), ("after", shown.after)):
        full = [count for count in counts if count]
        title = _("Where persons were, {state}").format(state=_(state))
        told = _("{cells} cells of {metres} m with {fewest} persons or more; at most {most} persons in one.").format(
            cells=number(len(full), say),
            metres=number(shown.metres, say),
            fewest=number(shown.fewest, say),
            most=number(max(full, default=0), say),
        )
        out.append((title, cells(ground, counts, edges, (f"{title}.", told), legend)))
    return out


def flow_maps(found: TracesFound, say: Words = ENGLISH) -> Pictures:
    """Flows before and after, in the same widths; nothing without a flow that may be shown."""
    shown = found.flows
    most = max((flow.trips for flow in (*shown.before, *shown.after)), default=0) if shown else 0
    if shown is None or not most:
        return []
    _ = say.gettext
    what = _("trips from one cell of {n} m to another").format(n=number(shown.metres, say))
    legend, ground = legend_of(say, what, ""), ground_of(found, shown)
    out = []
    for state, trips in (("before", shown.before), ("after", shown.after)):
        arcs = [Arc(_middle(one.origin, shown), _middle(one.target, shown), one.trips) for one in trips]
        title = _("Where trips go, {state}").format(state=_(state))
        told = _("{flows} flows of {fewest} persons or more between cells of {metres} m; at most {most} trips in one.")
        text = told.format(
            flows=number(len(trips), say),
            fewest=number(shown.fewest, say),
            metres=number(shown.metres, say),
            most=number(max((one.trips for one in trips), default=0), say),
        )
        out.append((title, flows(ground, arcs, most, (f"{title}.", text), legend, _behind(ground, found, state))))
    return out


def _behind(ground: Ground, found: TracesFound, state: str) -> str:
    """Outlines of the cells where persons are, of the same state."""
    if found.map is None:
        return ""
    counts = found.map.before if state == "before" else found.map.after
    full = [cell for cell, count in enumerate(counts) if count >= found.map.fewest]
    return outlines(ground, full, found.map.columns, found.map.metres / ground.metres)


def legend_of(say: Words, what: str, none: str) -> Legend:
    """The words that every map has."""
    _ = say.gettext
    return Legend(_("N"), _("{n} m"), _("{n} km"), what, none, lambda value: number(value, say))


def number(value: float, say: Words) -> str:
    """A number as a language writes it."""
    return say.spelled(f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}")


def ground_of(found: TracesFound, shown: TraceMap | TraceFlowMap) -> Ground:
    """The region of a map as a picture is laid out."""
    region = Region(Plane(found.latitude, found.longitude), shown.metres, shown.rows, shown.columns)
    return Ground(shown.metres, shown.rows, shown.columns, region.middle_width)


def _middle(cell: int, shown: TraceFlowMap) -> tuple[float, float]:
    """Column and row of the middle of a cell."""
    row, column = divmod(cell, shown.columns)
    return column + 0.5, row + 0.5
