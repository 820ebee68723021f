"""How many edges must be added or removed until a graph has, or lacks, a property? Exact distances.

The distance to any set of graphs changes by at most 1 when one edge changes (triangle inequality), so every function
here has sensitivity 1 on edges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from sfumato.mechanism.central.graph.graph import Graph

_SCIPY = "install `sfumato[learn]`, which brings SciPy."


def edges_to_connect(graph: Graph) -> int:
    """Least number of edges to add until the graph is connected: its components minus 1.

    One edge joins at most two components, so fewer never suffice; joining them in a row does it with so many.

    Example:
        >>> import numpy as np
        >>> from sfumato.mechanism.central.graph.graph import graph_of
        >>> edges_to_connect(graph_of(5, np.array([[0, 1], [2, 3]])))
        2
    """
    return _components(graph) - 1


def edges_to_disconnect(graph: Graph) -> int:
    """Least number of edges to remove until the graph is not connected: its global minimum cut (edge connectivity).

    A graph that is not connected is at distance 0. A single vertex can never be disconnected; its distance is given
    as 0, a public exception since the number of vertices is public.

    The cut separates vertex 0 from some vertex, so it is the least of the maximum flows from 0 to each other vertex
    (Menger; Ford and Fulkerson). Time: vertices · one maximum flow.

    Raises:
        ParameterError: SciPy is not installed.

    Example:
        >>> import numpy as np
        >>> from sfumato.mechanism.central.graph.graph import graph_of
        >>> edges_to_disconnect(graph_of(4, np.array([[0, 1], [1, 2], [2, 3], [3, 0]])))
        2
    """
    n = graph.n_vertices
    if n == 1 or len(graph.edges) == 0 or _components(graph) > 1:
        return 0
    try:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import maximum_flow
    except ImportError as error:
        raise ParameterError("A minimum cut needs SciPy.", _SCIPY) from error
    one, other = graph.edges.T
    both = (np.ones(2 * len(graph.edges), np.int32), (np.concatenate((one, other)), np.concatenate((other, one))))
    capacity = csr_array(both, shape=(n, n))
    return min(int(maximum_flow(capacity, 0, sink).flow_value) for sink in range(1, n))


def _components(graph: Graph) -> int:
    """Number of connected components, isolated vertices included."""
    try:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components
    except ImportError as error:
        raise ParameterError("Components of a graph need SciPy.", _SCIPY) from error
    one, other = graph.edges.T
    n = graph.n_vertices
    matrix = csr_array((np.ones(len(one), np.int8), (one, other)), shape=(n, n))
    return int(connected_components(matrix, directed=False, return_labels=False))
