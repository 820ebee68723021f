"""All figures of how near a published graph is to the original, in one fixed order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.check import as_whole
from sfumato.summary.figure import Figure
from sfumato.utility.graph.profile import degrees_of, profile

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.table.graph import Graph
    from sfumato.types import IntArray
    from sfumato.utility.graph.profile import Degrees, Profile

S = TypeVar("S", bound="Degrees")

_MOVER = "C. Villani, Topics in Optimal Transportation, 2003, section 2.2"
_NONE = "Not computed: one of both graphs has none."


@dataclass(frozen=True, slots=True)
class _Measured(Generic[S]):
    """One distance of two graphs, as they are seen; lower is nearer.

    Args:
        name: of the figure.
        label: of people.
        value: of the published graph and the original; None: one of them has none.
        text: its formula.
        source: of it.
    """

    name: str
    label: str
    value: Callable[[S, S], float | None]
    text: str
    source: str = "Sfumato"

    def figure(self, after: S, before: S) -> Figure:
        """The figure of the published graph and the original."""
        value = self.value(after, before)
        return Figure(f"graph_{self.name}", self.label, value, _NONE if value is None else self.text, self.source)


def measure_degrees(published: Graph, original: Graph) -> tuple[Figure, ...]:
    """The first two figures of `measure`, of edges and degrees alone; of the largest graphs they are found at once.

    Args:
        published: as many vertices as the original.
        original: at least one vertex.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> one = Graph(4, np.array([[0, 1], [1, 2], [2, 0], [2, 3]]))
        >>> [(figure.name, figure.value) for figure in measure_degrees(one, one)]
        [('graph_edges', 0.0), ('graph_degrees', 0.0)]
    """
    after, before = degrees_of(published), degrees_of(original)
    return tuple(one.figure(after, before) for one in _OF_DEGREES)


def measure(published: Graph, original: Graph, *, rng: np.random.Generator, sources: int = 64) -> tuple[Figure, ...]:
    """Every figure; all are distances, 0 for the original itself.

    Args:
        published: as many vertices as the original; who is who does not matter.
        original: at least one vertex.
        rng: draws the vertices from which paths are measured, anew in each graph; of the same seed it draws the same.
        sources: how many, >= 1; all if there are fewer.

    Returns:
        Figures by name; a value None says in its definition why.

    Raises:
        ParameterError: another number of vertices. Remedy: the published graph of the same vertices.

    Example:
        >>> from sfumato.table.graph import Graph
        >>> one = Graph(4, np.array([[0, 1], [1, 2], [2, 0], [2, 3]]))
        >>> {figure.value for figure in measure(one, one, rng=np.random.default_rng(1))}
        {0.0}
    """
    as_whole("sources", sources, low=1)
    if published.vertices != original.vertices:
        raise ParameterError(
            "Both graphs must have as many vertices; they have {one} and {other}.",
            "measure a published graph of the same vertices.",
            one=published.vertices,
            other=original.vertices,
        )
    some = rng.permutation(original.vertices)[:sources].astype(np.int64)
    return figures(profile(published, some), profile(original, some))


def figures(after: Profile, before: Profile) -> tuple[Figure, ...]:
    """The figures of two profiles.

    Args:
        after: of the published graph.
        before: of the original.
    """
    return (
        *(one.figure(after, before) for one in _OF_DEGREES),
        *(one.figure(after, before) for one in _OF_ALL),
    )


def counts_apart(one: IntArray, other: IntArray) -> float:
    """The earth mover's distance of two distributions over 0, 1, 2, …, given by counts: Σ |F - G|.

    Example:
        >>> counts_apart(np.array([0, 2]), np.array([0, 0, 1]))
        1.0
    """
    size = max(len(one), len(other))
    f, g = (np.cumsum(np.pad(x, (0, size - len(x)))) / x.sum() for x in (one, other))
    return float(np.abs(f - g).sum())


def _relative(after: int, before: int) -> float | None:
    """|after - before| / before."""
    return abs(after - before) / before if before else None


def _difference(after: float | None, before: float | None) -> float | None:
    """|after - before|, where both are known."""
    return None if after is None or before is None else abs(after - before)


def _without_none(paths: IntArray) -> IntArray | None:
    """Lengths of the paths that there are."""
    return np.concatenate(([0], paths[1:])) if paths[1:].any() else None


def _paths_apart(after: Profile, before: Profile) -> float | None:
    """Of the lengths of paths, where both graphs have one."""
    one, other = _without_none(after.paths), _without_none(before.paths)
    return None if one is None or other is None else counts_apart(one, other)


_OF_DEGREES: tuple[_Measured[Degrees], ...] = (
    _Measured("edges", "Edges", lambda a, b: _relative(a.edges, b.edges), "|m' - m| / m, numbers of edges."),
    _Measured(
        "degrees",
        "Degrees",
        lambda a, b: counts_apart(a.degrees, b.degrees),
        "Earth mover's distance of the distributions of degrees, in degrees.",
        _MOVER,
    ),
)
_OF_ALL: tuple[_Measured[Profile], ...] = (
    _Measured(
        "cores",
        "Core numbers",
        lambda a, b: counts_apart(a.cores, b.cores),
        "Earth mover's distance of the distributions of core numbers, in core numbers.",
        _MOVER,
    ),
    _Measured(
        "innermost",
        "Innermost core",
        lambda a, b: float(abs(len(a.cores) - len(b.cores))),
        "|k' - k|, the largest core numbers.",
    ),
    _Measured("triangles", "Triangles", lambda a, b: _relative(a.triangles, b.triangles), "|t' - t| / t, triangles."),
    _Measured(
        "transitivity",
        "Transitivity",
        lambda a, b: _difference(a.transitivity, b.transitivity),
        "|c' - c|, three triangles over paths of two edges.",
    ),
    _Measured(
        "clustering",
        "Mean clustering",
        lambda a, b: _difference(a.clustering, b.clustering),
        "|c' - c|, means over vertices of the share of pairs of neighbors that are neighbors.",
        "D. Watts, S. Strogatz, Nature 393, 1998",
    ),
    _Measured(
        "assortativity",
        "Degree assortativity",
        lambda a, b: _difference(a.assortativity, b.assortativity),
        "|r' - r|, correlations of the degrees at both ends of an edge.",
        "M. Newman, Phys. Rev. E 67, 2003, equation 23",
    ),
    _Measured(
        "paths",
        "Lengths of paths",
        _paths_apart,
        "Earth mover's distance of the lengths of shortest paths from sampled vertices, in steps.",
        _MOVER,
    ),
    _Measured(
        "unreached",
        "Pairs without a path",
        lambda a, b: float(abs(a.paths[0] - b.paths[0]) / max(b.paths.sum(), 1)),
        "|u' - u|, shares of pairs of a sampled vertex and another that no path joins.",
    ),
    _Measured("parts", "Connected parts", lambda a, b: _relative(a.parts, b.parts), "|p' - p| / p, connected parts."),
    _Measured(
        "largest",
        "Largest part",
        lambda a, b: abs(a.largest - b.largest),
        "|s' - s|, shares of vertices in the largest connected part.",
    ),
)
"""The further figures; all are told in this order."""
