"""Statistics of a graph: each table by its greatest numbers, or by the first of those that are counted up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.language.words import ENGLISH, Words
from sfumato.report.number import columns, count
from sfumato.report.section.base import Section
from sfumato.report.section.statistics import ShownTable, table_lines, table_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.result.release import ReleaseResult


@dataclass(frozen=True, slots=True)
class View:
    """Statistics of a graph."""

    facts: Sequence[tuple[str, str]]
    tables: Sequence[ShownTable]


def view(result: ReleaseResult, say: Words = ENGLISH) -> View | None:
    """What was released; None where it is of no graph."""
    found = result.graph
    if found is None:
        return None
    _ = say.gettext
    vertices = vertices_told(found.vertices, listed=found.listed, say=say)
    return View(
        facts=[(_("Protected"), say.say(found.unit)), (_("Vertices"), vertices)],
        tables=[table_of(one, say) for one in found.tables],
    )


def vertices_told(vertices: int, *, listed: bool, say: Words) -> str:
    """How many vertices there are, and who says so."""
    _ = say.gettext
    which = _("listed by a public table") if listed else _("those of the edges: whoever has one is public")
    return f"{say.spelled(count(vertices))}, {which}"


def lines(shown: View, say: Words = ENGLISH) -> list[str]:
    """The same on a terminal: the first numbers of each table."""
    out = ["", say.gettext("What was told of the graph"), *columns(list(shown.facts))]
    return [*out, *(line for table in shown.tables for line in table_lines(table, say))]


SECTION = Section(name="graph", place=31, heading="What was told of the graph", view=view, lines=lines, of="graph")
