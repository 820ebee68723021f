"""What every engine answers that has a `SqlDialect`: one entry for each ask; an engine adds those of its own.

What answers an ask on a table is there at once; what answers one on a graph, on traces or for differential privacy is
loaded when such an ask comes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.engine.sql.marginals import estimate_tuples, first_rows, marginal, marginals
from sfumato.engine.sql.tuples import count_tuples
from sfumato.summary.ask import FirstRows, MarginalOf, Marginals, TupleEstimate, Tuples

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.engine.sql.dialect import SqlDialect
    from sfumato.summary.ask import Ask

    Answers = Mapping[type[Ask[Any]], Callable[[SqlDialect, Any], Any]]

ANSWERS: Answers = {
    Tuples: count_tuples,
    TupleEstimate: estimate_tuples,
    MarginalOf: marginal,
    Marginals: marginals,
    FirstRows: first_rows,
}
LATER = {
    "sfumato.summary.ask": "sfumato.engine.sql.bounded_query",
    "sfumato.summary.bounded": "sfumato.engine.sql.bounded_query",
    "sfumato.summary.edges": "sfumato.engine.sql.graph.answers",
    "sfumato.summary.fixes": "sfumato.engine.sql.fixes",
}
"""Where an ask that is not listed stands → the module whose `ANSWERS` list it."""
