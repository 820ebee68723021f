"""What is promised of a published graph whose vertices look alike, and what is not."""

from __future__ import annotations

from sfumato.guarantee.base import Guarantee

NAMELESS = "the names of vertices are drawn afresh, and nothing else about them is published"
NOT_RELATIONS = (
    "it hides who a vertex is, not who knows whom: persons whose vertices are found by anything else (or all of whose "
    "look-alikes are joined to the same vertex) have their edges read off"
)
ONLY_DEGREE = (
    "the intruder knows of a person the number of neighbors and nothing more: not the degrees of the neighbors, not who "
    "knows whom, not a second graph with some of the same persons"
)


def k_degree_guarantee(k: int) -> Guarantee:
    """Each degree is that of at least k vertices.

    Example:
        >>> k_degree_guarantee(5).statement
        'Each degree in the published graph is that of at least 5 vertices.'
    """
    return Guarantee(
        name="k-degree anonymity",
        statement=f"Each degree in the published graph is that of at least {k} vertices.",
        definition="Whoever knows how many neighbors a person has in the published graph finds at least k vertices.",
        parameters={"k": k},
        kind="checked",
        source="K. Liu and E. Terzi, SIGMOD 2008, definition 2",
        assumptions=(
            ONLY_DEGREE,
            NOT_RELATIONS,
            NAMELESS,
        ),
    )


def k_neighborhood_guarantee(k: int) -> Guarantee:
    """What is around each vertex looks like what is around at least k - 1 others.

    Example:
        >>> k_neighborhood_guarantee(3).parameters["k"]
        3
    """
    return Guarantee(
        name="k-neighborhood anonymity",
        statement=(
            f"The neighbors of each vertex in the published graph, with the edges among them, form the same graph as "
            f"those of at least {k - 1} others."
        ),
        definition=(
            "Whoever knows a person's neighbors in the published graph and which of them know each other finds at "
            "least k vertices."
        ),
        parameters={"k": k},
        kind="checked",
        source="B. Zhou and J. Pei, ICDE 2008, definition 2",
        assumptions=(
            "the intruder knows nothing of what is two steps away, and has no second graph with some of the same persons",
            NOT_RELATIONS,
            NAMELESS,
        ),
    )
