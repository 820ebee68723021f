"""What every engine answers about a graph: one entry for each ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engine.sql.graph.cores import cores, degrees
from sfumato.engine.sql.graph.edges import edges, vertices
from sfumato.engine.sql.graph.parts import parts, triangles
from sfumato.summary.edges import CoresOf, DegreesOf, EdgesOf, PartsOf, TrianglesOf, VerticesOf

if TYPE_CHECKING:
    from sfumato.engine.sql.answers import Answers

ANSWERS: Answers = {
    VerticesOf: vertices,
    EdgesOf: edges,
    DegreesOf: degrees,
    CoresOf: cores,
    PartsOf: parts,
    TrianglesOf: triangles,
}
