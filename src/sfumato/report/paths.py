"""Paths of single persons, before and after: a page for the owner of the traces, which no report for others ever holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.language.words import ENGLISH, Words, words
from sfumato.numbers.distinct import distinct
from sfumato.report.chart.geo import Ground, Way, paths
from sfumato.report.chart.standalone import palette
from sfumato.report.html import environment
from sfumato.report.maps import legend_of, number
from sfumato.table.traces import pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.plane import Region
    from sfumato.table.traces import Traces

MOST_PERSONS = 8
"""Persons on one map: as many as there are colors."""
MOST_POINTS = 2000
"""Points of all paths of a map, at most: beyond, every second, third … fix of each piece is drawn."""


def render_paths(
    before: Traces,
    after: Traces,
    region: Region,
    persons: Sequence[str],
    *,
    gap: float = 3600.0,
    language: str = "en",
) -> str:
    """Where some persons went, before and after, as a page for the owner of the traces.

    It shows single persons. It is no part of any report, and says on top that it is for nobody else.

    Args:
        before: the original, such as from `read_traces`.
        after: protected traces with the same names.
        region: what is drawn; what is outside is drawn at its border.
        persons: names, one to eight.
        gap: seconds without a fix over which no line is drawn; nor is one from day to day.
        language: "en" or "fr".

    Raises:
        ParameterError: nobody, more than eight, or somebody who is not in `before`.

    Example:
        >>> from sfumato.table.plane import Plane, Region
        >>> from sfumato.table.traces import Traces
        >>> way = Traces("UTC", ("ann",), np.zeros(3, int), np.arange(3) * 60_000, np.array([45.0, 45.01, 45.02]), np.full(3, 4.8))
        >>> page = render_paths(way, way, Region(Plane(45.0, 4.79), 100, 30, 20), ["ann"])
        >>> page.count("<polyline")
        2
    """
    known = sorted({before.persons[code] for code in distinct(before.person).tolist()} & set(persons))
    if not 1 <= len(set(persons)) <= MOST_PERSONS or len(known) < len(set(persons)):
        raise ParameterError(
            "Paths are drawn of 1 to {most} persons of the original; got {n}, of whom {known} are in it.",
            "name fewer, and as they stand in the table.",
            most=MOST_PERSONS,
            n=len(set(persons)),
            known=len(known),
        )
    say = words(language)
    _ = say.gettext
    ground = Ground(float(region.side), region.rows, region.columns, region.middle_width)
    maps = []
    for state, traces in (("before", before), ("after", after)):
        title = _("Paths, {state}").format(state=_(state))
        told = _("{n} persons, {fixes} fixes.").format(
            n=number(len(known), say), fixes=number(_count(traces, known), say)
        )
        ways = _ways(traces, region, known, gap)
        maps.append((title, paths(ground, ways, (f"{title}.", told), legend_of(say, _("persons"), ""))))
    return _page(maps, say)


def _page(maps: Sequence[tuple[str, str]], say: Words = ENGLISH) -> str:
    """The page."""
    title = say.gettext("Paths of persons, for the owner of the traces alone")
    return environment(say.language).get_template("paths.html").render(maps=maps, title=title, palette=palette())


def _count(traces: Traces, known: Sequence[str]) -> int:
    """Fixes of some persons."""
    return int(np.isin(traces.person, [traces.persons.index(one) for one in known if one in traces.persons]).sum())


def _ways(traces: Traces, region: Region, known: Sequence[str], gap: float) -> list[Way]:
    """Pieces of the paths of some persons, thinned."""
    if not len(traces):
        return []
    piece = pieces(traces, gap)
    east, north = region.plane.metres_of(traces.latitude, traces.longitude)
    side = float(region.side)
    across, up = np.clip(east / side, 0, region.columns), np.clip(north / side, 0, region.rows)
    thin = max(1, -(-_count(traces, known) // MOST_POINTS))
    out = []
    for color, name in enumerate(known):
        code = traces.persons.index(name) if name in traces.persons else -1
        rows = np.flatnonzero(traces.person == code)
        for part in np.split(rows, np.flatnonzero(np.diff(piece[rows])) + 1):
            kept = np.append(part[:-1:thin], part[-1:])
            if len(kept) > 1:
                out.append(Way(color, name, tuple(zip(across[kept].tolist(), up[kept].tolist(), strict=True))))
    return out
