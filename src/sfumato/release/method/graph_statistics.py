"""Statistics of a graph: numbers of a table of edges with noise that protects an edge, or a vertex with its edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document.graph import GraphDocument
from sfumato.frozen import dataclass
from sfumato.release.method.checks import check_named, check_places
from sfumato.release.method.method import Method, Phase
from sfumato.release.method.trace_statistics import slug

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.account.event import Event
    from sfumato.release.graph.plan import Asked
    from sfumato.release.graph.statistic import Found
    from sfumato.release.method.method import Stages
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools
    from sfumato.table.named_graph import NamedGraph
    from sfumato.table.unit import Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfGraphs(Method[GraphDocument, "Asked"]):
    """Tables of noisy numbers of a graph."""

    def check(self, plan: Plan) -> None:
        """Statistics that can be made private, each with a place to be written."""
        from sfumato.release.graph.run import promise_of

        asked = _asked(self.options_of(plan))
        promise_of(asked)
        check_places(plan, len(asked.statistics))

    def check_columns(self, plan: Plan, names: Sequence[str]) -> None:
        """The columns are there; others are left out."""
        check_named("graph", [column.name for column in plan.schema.columns], names)

    def event(self, plan: Plan) -> Event:
        """All statistics together."""
        return _asked(self.options_of(plan)).event

    def unit(self, plan: Plan) -> Unit:
        """An edge, or a vertex with its edges."""
        return _asked(self.options_of(plan)).unit

    def beside_of(self, plan: Plan) -> Mapping[str, str]:
        """One table for each statistic."""
        titles = [one.title for one in _asked(self.options_of(plan)).statistics]
        return {f"{i}-{slug(title)}": title for i, title in enumerate(titles, 1) if i > 1}

    def build(self, plan: Plan, tools: Tools) -> Asked:
        """The statistics and their prices."""
        del tools
        return _asked(self.options_of(plan))

    def stages(self) -> Stages[Asked, NamedGraph, tuple[Found, ...], None]:
        """The graph is read, answered, written and read again."""
        from sfumato.release.graph import run

        return run


def _asked(said: GraphDocument) -> Asked:
    """What follows from the plan alone."""
    from sfumato.release.graph.plan import asked_of

    return asked_of(said)


METHOD = _OfGraphs(
    name="graph-statistics",
    title="Statistics of a graph",
    done="Numbers of the graph were made from its edges, and noise was added.",
    why="Whoever studies a network learns what it looks like, and nobody learns from the numbers who knows whom.",
    options=GraphDocument,
    private=True,
    phases={
        Phase.READING: "reading",
        Phase.DECIDING: "counting",
        Phase.WRITING: "writing",
        Phase.VERIFYING: "verifying",
    },
)
