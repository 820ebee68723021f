"""Public random graphs of about the size of a private one, to try mechanisms on before anything is paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.table.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Callable

_EXPONENT = 2.5
"""Of the tail of degrees: social graphs have 2 to 3."""
_LARGEST_GROUP = 60


def heavy_tailed(vertices: int, edges: int, rng: np.random.Generator) -> Graph:
    """Edges between ends drawn by heavy-tailed weights, nothing else: hubs, no groups.

    Source: F. Chung, L. Lu, "Connected components in random graphs with given expected degree sequences", 2002.

    Example:
        >>> heavy_tailed(100, 300, np.random.default_rng(1)).vertices
        100
    """
    weights = (1 - rng.random(vertices)) ** (-1 / (_EXPONENT - 1))
    weights = np.minimum(weights, weights.mean() * vertices**0.5)
    ends = np.searchsorted(np.cumsum(weights), rng.random((edges, 2)) * weights.sum())
    return Graph(vertices, np.minimum(ends, vertices - 1))


def of_groups(vertices: int, edges: int, rng: np.random.Generator) -> Graph:
    """Groups of heavy-tailed size in which everybody knows everybody, until there are so many edges: much clustering.

    Source: M. Newman, D. Watts, S. Strogatz, "Random graph models of social networks", PNAS 2002 (groups).

    Example:
        >>> of_groups(100, 300, np.random.default_rng(1)).vertices
        100
    """
    parts, made = [np.zeros((0, 2), np.int64)], 0
    largest = max(
        2, min(_LARGEST_GROUP, vertices, int((edges / 4) ** 0.5))
    )  # none has more than an eighth of the edges
    while made < edges and vertices > 1:
        size = min(int(2 + 2 * rng.pareto(1.5)), largest)
        group = rng.choice(vertices, size, replace=False)
        parts.append(group[np.stack(np.triu_indices(size, 1), axis=1)])
        made += len(parts[-1])
    return Graph(vertices, np.concatenate(parts))


SURROGATES: tuple[Callable[[int, int, np.random.Generator], Graph], ...] = (heavy_tailed, of_groups)
"""Hubs without groups and groups without hubs; real graphs lie between."""
