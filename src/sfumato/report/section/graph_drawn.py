"""A synthetic graph: what it was drawn from, and what it looks like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.language.words import ENGLISH, Words
from sfumato.report.number import columns, count
from sfumato.report.section.base import Section
from sfumato.report.section.graph import vertices_told
from sfumato.report.section.graph_release import View, profile

if TYPE_CHECKING:
    from sfumato.document.result.release import ReleaseResult


def view(result: ReleaseResult, say: Words = ENGLISH) -> View | None:
    """What was drawn; None where no graph was."""
    found = result.graph_drawn
    if found is None:
        return None
    _ = say.gettext
    facts = [
        (_("Protected"), say.say(found.unit)),
        (_("Vertices"), vertices_told(found.vertices, listed=found.listed, say=say)),
        (_("Drawn from"), say.say(found.name)),
        (_("Price"), say.say(found.price)),
        (_("Why it suffices"), say.say(found.argument)),
        (_("Edges of the synthetic graph"), say.spelled(count(found.edges))),
    ]
    pictures = []
    for pairs, caption, axis in (
        (found.degrees, _("Vertices with so many neighbors or more"), _("neighbors")),
        (found.cores, _("Vertices of so large a core number or more"), _("core number")),
    ):
        alt = _("{caption}, in the synthetic graph.").format(caption=caption)
        pictures.append((caption, profile({_("synthetic"): pairs}, alt, axis, say)))
    return View(facts, pictures)


def lines(shown: View, say: Words = ENGLISH) -> list[str]:
    """The facts on a terminal."""
    return ["", say.gettext("The synthetic graph"), *columns(list(shown.facts))]


SECTION = Section(name="graph_drawn", place=31, heading="The synthetic graph", view=view, lines=lines, of="graph_drawn")
