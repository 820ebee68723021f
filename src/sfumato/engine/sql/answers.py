"""What every engine answers that has a `SqlDialect`: one entry for each ask; an engine adds those of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.engine.sql.bounded_query import canonical, places, totals
from sfumato.engine.sql.fixes import fixes
from sfumato.engine.sql.graph.cores import cores, degrees
from sfumato.engine.sql.graph.edges import edges, vertices
from sfumato.engine.sql.graph.parts import parts, triangles
from sfumato.engine.sql.marginals import estimate_tuples, first_rows, marginal, marginals
from sfumato.engine.sql.tuples import count_tuples
from sfumato.summary.ask import Canonical, FirstRows, MarginalOf, Marginals, TupleEstimate, Tuples
from sfumato.summary.bounded import BoundedAsk, Places
from sfumato.summary.edges import CoresOf, DegreesOf, EdgesOf, PartsOf, TrianglesOf, VerticesOf
from sfumato.summary.fixes import FixesOf

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.engine.sql.dialect import SqlDialect
    from sfumato.summary.ask import Ask

ANSWERS: Mapping[type[Ask[Any]], Callable[[SqlDialect, Any], Any]] = {
    Tuples: count_tuples,
    TupleEstimate: estimate_tuples,
    MarginalOf: marginal,
    Marginals: marginals,
    FirstRows: first_rows,
    BoundedAsk: totals,
    Places: places,
    Canonical: canonical,
    FixesOf: fixes,
    VerticesOf: vertices,
    EdgesOf: edges,
    DegreesOf: degrees,
    CoresOf: cores,
    PartsOf: parts,
    TrianglesOf: triangles,
}
