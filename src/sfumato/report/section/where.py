"""Where traces go, before and after: maps of cells and of flows, each of many persons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.report.section.base import Section

if TYPE_CHECKING:
    from sfumato.document.result.release import ReleaseResult
    from sfumato.language.words import Words
    from sfumato.report.maps import Pictures


@dataclass(frozen=True, slots=True)
class View:
    """Maps.

    Args:
        fewest: what has fewer persons is not shown.
        maps: pairs of captions and pictures: cells before and after, flows before and after.
    """

    fewest: str
    maps: Pictures


def view(result: ReleaseResult, say: Words) -> View | None:
    """The maps of a release of traces that has any."""
    found = result.traces
    if found is None or found.map is None:
        return None
    from sfumato.report.maps import flow_maps, heat_maps, number

    maps = [*heat_maps(found, say), *flow_maps(found, say)]
    return View(number(found.map.fewest, say), maps) if maps else None


SECTION = Section(name="where", place=45, heading="Where traces go", view=view, of="traces")
