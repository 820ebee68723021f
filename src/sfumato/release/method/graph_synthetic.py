"""A synthetic graph: a table of edges of nobody, drawn from noisy numbers of the private one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document.graph_synthetic import GraphSyntheticDocument
from sfumato.frozen import dataclass
from sfumato.release.method.checks import check_named, check_places
from sfumato.release.method.method import Method, Phase

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.account.event import Event
    from sfumato.release.graph.synthetic import Asked, Drawn
    from sfumato.release.method.method import Stages
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools
    from sfumato.table.named_graph import NamedGraph
    from sfumato.table.unit import Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class _Synthetic(Method[GraphSyntheticDocument, "Asked"]):
    """A table of edges, and one of groups where vertices keep them."""

    def check(self, plan: Plan) -> None:
        """What can be made private, each table with a place to be written."""
        check_places(plan, 1 + len(self.beside_of(plan)))

    def check_columns(self, plan: Plan, names: Sequence[str]) -> None:
        """The columns are there; others are left out."""
        check_named("graph", [column.name for column in plan.schema.columns], names)

    def event(self, plan: Plan) -> Event:
        """All numbers that the graph is drawn from."""
        return _asked(self.options_of(plan)).event

    def unit(self, plan: Plan) -> Unit:
        """An edge, or a vertex with its edges."""
        return _asked(self.options_of(plan)).unit

    def beside_of(self, plan: Plan) -> Mapping[str, str]:
        """The table of groups."""
        by = _asked(self.options_of(plan)).by
        return {} if by is None else {"vertices": "the group of each new vertex"}

    def build(self, plan: Plan, tools: Tools) -> Asked:
        """What the graph is drawn from, and its price."""
        del tools
        return _asked(self.options_of(plan))

    def stages(self) -> Stages[Asked, NamedGraph, Drawn, None]:
        """The graph is read, drawn, written and read again."""
        from sfumato.release.graph import synthetic

        return synthetic


def _asked(said: GraphSyntheticDocument) -> Asked:
    """What follows from the plan alone."""
    from sfumato.release.graph.synthetic import drawing_of

    return drawing_of(said)


METHOD = _Synthetic(
    name="graph-synthetic",
    title="A synthetic graph",
    done="Noise was added to numbers of the graph, and a graph of nobody was drawn from them.",
    why="Whoever needs a graph to try methods on gets one that looks like it in what was paid for, and nobody learns who knows whom.",
    options=GraphSyntheticDocument,
    private=True,
    phases={
        Phase.READING: "reading",
        Phase.DECIDING: "drawing",
        Phase.WRITING: "writing",
        Phase.VERIFYING: "verifying and measuring",
    },
)
