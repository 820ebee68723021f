"""Which whole strings are made of pieces that all go together? Cliques of a graph with one layer for each position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

MOST_CLIQUES = 100_000


def cliques(
    layers: Sequence[Sequence[str]], edges: Mapping[tuple[int, int], AbstractSet[tuple[str, str]]]
) -> list[tuple[str, ...]]:
    """Every choice of one piece from each layer, any two of them joined by an edge.

    Args:
        layers: pieces found at each position.
        edges: for each pair of positions i < j the pairs of pieces that go together.

    Raises:
        ParameterError: more than 100,000 of them: the graph is so dense that it tells nothing. Remedy: a stricter level.

    Source:
        Fanti et al. 2016, section 4.2 (k-partite graph and its cliques).

    Example:
        >>> edges = {(0, 1): {("a", "b"), ("a", "c")}, (0, 2): {("a", "d")}, (1, 2): {("b", "d")}}
        >>> cliques([["a"], ["b", "c"], ["d"]], edges)
        [('a', 'b', 'd')]
    """
    found: list[tuple[str, ...]] = [()]
    for at, layer in enumerate(layers):
        found = [
            (*chosen, piece)
            for chosen in found
            for piece in layer
            if all((before, piece) in edges[i, at] for i, before in enumerate(chosen))
        ]
        if len(found) > MOST_CLIQUES:
            raise ParameterError(
                "More than {most_cliques} strings fit the pieces that go together.",
                "use a stricter level for edges.",
                most_cliques=MOST_CLIQUES,
            )
    return found
