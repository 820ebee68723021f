"""The graph itself: its edges, changed until vertices look alike, between new numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document.graph_release import GraphReleaseDocument
from sfumato.document.loading import about
from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.release.method.checks import check_named
from sfumato.release.method.method import Method, Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.release.graph.edges import Built, Decided
    from sfumato.release.method.method import Stages
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools
    from sfumato.summary.edges import Edges
    from sfumato.table.graph import Graph


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfEdges(Method[GraphReleaseDocument, "Built"]):
    """A table of edges."""

    def check(self, plan: Plan) -> None:
        """One protection, with numbers that are some."""
        _built(self.options_of(plan))

    def check_columns(self, plan: Plan, names: Sequence[str]) -> None:
        """The columns are there; others are left out."""
        check_named("graph", [column.name for column in plan.schema.columns], names)

    def build(self, plan: Plan, tools: Tools) -> Built:
        """What is done to the graph."""
        del tools
        return _built(self.options_of(plan))

    def stages(self) -> Stages[Built, Edges, Decided, Graph]:
        """The graph is read, changed, written, read again and attacked."""
        from sfumato.release.graph import edges

        return edges


def _built(said: GraphReleaseDocument) -> Built:
    """What follows from the plan alone.

    Raises:
        PlanError: not one protection.
        ParameterError: a number out of range.
    """
    from sfumato.release.graph.edges import Built, change_of

    if len(said.protect) != 1:
        raise PlanError(
            "A plan that publishes a graph must protect it once; got {n} [[protect]].",
            'add one, such as `name = "k-degree"` with `k = 5`.',
            n=len(said.protect),
        ).below("protect")
    with about("protect", 0):
        return Built(said, change_of(said.protect[0]))


METHOD = _OfEdges(
    name="graph-edges",
    title="A graph whose vertices look alike",
    done="Edges were added or removed until vertices looked alike, and vertices got new numbers.",
    why="Whoever needs the graph itself gets a table of edges; who is who is hidden only from those who know little.",
    options=GraphReleaseDocument,
    phases={
        Phase.READING: "reading",
        Phase.DECIDING: "changing edges",
        Phase.WRITING: "writing",
        Phase.VERIFYING: "verifying and measuring",
    },
)
