"""What does the cheapest tree that links all vertices weigh?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from sfumato.mechanism.central.graph.graph import Graph
    from sfumato.types import IntArray


def spanning_weight(graph: Graph, weights: IntArray, most: int) -> int:
    """Least total weight of a spanning tree, where an absent edge weighs `most` + 1.

    With that weight for absent edges there is always a tree (n - 1 edges, absent ones among them if the graph is not
    connected), and neighbors may differ in the weight of an edge or in whether it is there at all: each tree's weight,
    and so the least, changes by at most `most` + 1. If only weights are private and the edges are public, by at most
    `most`.

    Args:
        graph: its edges in order.
        weights: (m,) int64, one for each edge of the graph, clamped to 0 … most.
        most: public, 0 … 2³⁰.

    Raises:
        ParameterError: another number of weights, or `most` outside its range. Remedy: one weight for each edge.

    Source:
        C. Dwork, F. McSherry, K. Nissim and A. Smith, TCC 2006; K. Nissim, S. Raskhodnikova and A. Smith, "Smooth
        Sensitivity and Sampling", STOC 2007 (with weights known to be bounded).

    Example:
        >>> from sfumato.mechanism.central.graph.graph import graph_of
        >>> spanning_weight(graph_of(4, np.array([[0, 1], [0, 2], [1, 2]])), np.array([1, 5, 2]), most=9)
        13
    """
    if isinstance(most, bool) or not 0 <= most <= 2**30:
        raise ParameterError(f"`most` must lie in 0 … 2^30; got {most!r}.", "choose a coarser unit of weight.")
    clamped = np.clip(np.asarray(weights), 0, most).astype(np.int64)
    if clamped.shape != (len(graph.edges),):
        raise ParameterError("There must be one weight for each distinct edge.", "give them in the order of `edges`.")
    try:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import minimum_spanning_tree
    except ImportError as error:
        raise ParameterError("A spanning tree needs SciPy.", "install `sfumato[learn]`, which brings SciPy.") from error
    n, (one, other) = graph.n_vertices, graph.edges.T
    shifted = csr_array(((clamped + 1).astype(np.float64), (one, other)), shape=(n, n))  # SciPy reads 0 as no edge
    forest = minimum_spanning_tree(shifted)
    used = int(forest.nnz)
    return round(float(forest.sum())) - used + (n - 1 - used) * (most + 1)
