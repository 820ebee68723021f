"""A graph that was changed and published: edges counted, numbers of neighbors and cores before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.language.words import ENGLISH, Words
from sfumato.report.chart.curve import curve
from sfumato.report.chart.svg import Series
from sfumato.report.number import columns, count
from sfumato.report.section.base import Section

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.document.result.graph_release import BeforeAfter, Counts, GraphReleased
    from sfumato.document.result.release import ReleaseResult

_MOST = 24
"""Points of a picture."""


@dataclass(frozen=True, slots=True)
class View:
    """A published graph: facts, and pictures with their captions."""

    facts: Sequence[tuple[str, str]]
    pictures: Sequence[tuple[str, str]]


def view(result: ReleaseResult, say: Words = ENGLISH) -> View | None:
    """What changed; None where no graph was published."""
    found = result.graph_release
    if found is None:
        return None
    _ = say.gettext
    return View(
        facts=_facts(found, say),
        pictures=[
            _profile(found.degrees, _("Vertices with so many neighbors or more"), _("neighbors"), say),
            _profile(found.cores, _("Vertices of so large a core number or more"), _("core number"), say),
        ],
    )


def _facts(found: GraphReleased, say: Words) -> list[tuple[str, str]]:
    """Counts in words."""
    _ = say.gettext

    def n(value: int) -> str:
        return say.spelled(count(value))

    out = [
        (_("Vertices"), n(found.vertices)),
        (_("Edges of the original"), n(found.edges)),
        (_("Edges added"), n(found.added)),
        (_("Edges removed"), n(found.removed)),
    ]
    return out if found.least is None else [*out, (_("Fewest changes of edges, at least"), n(found.least))]


def _profile(states: BeforeAfter, caption: str, axis: str, say: Words) -> tuple[str, str]:
    """Before and after."""
    _ = say.gettext
    alt = _("{caption}, before and after.").format(caption=caption)
    return caption, profile({_("before"): states.before, _("after"): states.after}, alt, axis, say)


def profile(states: Mapping[str, Counts], alt: str, axis: str, say: Words) -> str:
    """A picture of how many vertices have so much or more, from 1 on a logarithmic axis.

    Args:
        states: [number, vertices] pairs by what they are of.
        alt: what the picture shows, in words.
        axis: what is counted.
        say: language.
    """
    values = np.unique([value for pairs in states.values() for value, _n in pairs if value > 0])
    points = values if len(values) else np.array([1])
    if len(points) > _MOST:
        points = np.unique(points[np.searchsorted(points, np.geomspace(points[0], points[-1], _MOST) - 1e-6)])
    series = [
        Series(label, name, [sum(n for value, n in pairs if value >= point) for point in points.tolist()])
        for (label, pairs), name in zip(states.items(), ("before", "after"), strict=False)
    ]
    return curve(points.tolist(), series, alt, (axis, ""), lambda value: say.spelled(count(value)))


def lines(shown: View, say: Words = ENGLISH) -> list[str]:
    """The counts on a terminal."""
    return ["", say.gettext("What changed in the graph"), *columns(list(shown.facts))]


SECTION = Section(
    name="graph_release", place=31, heading="What changed in the graph", view=view, lines=lines, of="graph_release"
)
