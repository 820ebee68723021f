"""What every engine answers that has a `SqlDialect`: one entry for each ask; an engine adds those of its own.

What answers an ask on a table is there at once; what answers one on a graph, on traces or for differential privacy is
loaded when such an ask comes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.engine.sql.marginals import estimate_tuples, first_rows, marginal, marginals
from sfumato.engine.sql.tuples import count_tuples
from sfumato.summary.ask import Canonical, FirstRows, MarginalOf, Marginals, TupleEstimate, Tuples

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.engine.sql.dialect import SqlDialect
    from sfumato.summary.ask import Ask

    Answers = Mapping[type[Ask[Any]], Callable[[SqlDialect, Any], Any]]

_TABLES: Answers = {
    Tuples: count_tuples,
    TupleEstimate: estimate_tuples,
    MarginalOf: marginal,
    Marginals: marginals,
    FirstRows: first_rows,
}


def answers_to(ask: Ask[Any]) -> Answers:
    """A list that has the ask, if any answers it."""
    kind = type(ask)
    if kind in _TABLES:
        return _TABLES
    if kind.__module__ == "sfumato.summary.edges":
        from sfumato.engine.sql.graph.answers import ANSWERS

        return ANSWERS
    if kind.__module__ == "sfumato.summary.fixes":
        from sfumato.engine.sql.fixes import fixes

        return {kind: fixes}
    from sfumato.engine.sql.bounded_query import canonical, places, totals
    from sfumato.summary.bounded import BoundedAsk, Places

    return {BoundedAsk: totals, Places: places, Canonical: canonical}
