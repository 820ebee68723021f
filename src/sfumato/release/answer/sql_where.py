"""Which public conditions does a WHERE state? Comparisons, IN and BETWEEN, joined by AND."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import QueryError
from sfumato.summary.bounded import Comparison, Condition

if TYPE_CHECKING:
    from sqlglot import exp

_MIRRORED = {
    Comparison.LESS: Comparison.MORE, Comparison.AT_MOST: Comparison.AT_LEAST, Comparison.MORE: Comparison.LESS,
    Comparison.AT_LEAST: Comparison.AT_MOST, Comparison.EQUAL: Comparison.EQUAL, Comparison.NOT_EQUAL: Comparison.NOT_EQUAL,
}  # fmt: skip


def refused(reason: str) -> QueryError:
    """The error of a statement that is understood but cannot be bounded."""
    return QueryError(f"This part of the statement is refused. {reason}", "change that part; the rest may stand.")


def conditions(node: exp.Expression) -> tuple[Condition, ...]:
    """The conditions of an expression.

    Raises:
        QueryError: OR, functions, comparisons of two columns, and whatever else is no list of public conditions.
    """
    from sqlglot import exp

    if isinstance(node, exp.Paren):
        return conditions(node.this)
    if isinstance(node, exp.And):
        return (*conditions(node.left), *conditions(node.right))
    if isinstance(node, exp.Or):
        raise refused("OR is not read; write it as column IN (…), or ask two questions about disjoint rows.")
    if isinstance(node, exp.Between):
        column = _column(node.this)
        low, high = text_of(node.args["low"]), text_of(node.args["high"])
        return Condition(column, Comparison.AT_LEAST, (low,)), Condition(column, Comparison.AT_MOST, (high,))
    if isinstance(node, exp.In):
        return (_member(node, Comparison.IN),)
    if isinstance(node, exp.Not) and isinstance(node.this.unnest(), exp.In):
        return (_member(node.this.unnest(), Comparison.NOT_IN),)
    if isinstance(node, exp.Is):
        raise refused("A missing value meets no condition, so IS NULL cannot be asked.")
    return (_comparison(node),)


def _member(node: exp.In, comparison: Comparison) -> Condition:
    """IN and NOT IN with a list of literals."""
    if node.args.get("query") or not node.expressions:
        raise refused("IN takes a list of public values.")
    return Condition(_column(node.this), comparison, tuple(text_of(one) for one in node.expressions))


def _comparison(node: exp.Expression) -> Condition:
    """One comparison of a column with a literal."""
    from sqlglot import exp

    kinds = {
        exp.EQ: Comparison.EQUAL, exp.NEQ: Comparison.NOT_EQUAL, exp.LT: Comparison.LESS,
        exp.LTE: Comparison.AT_MOST, exp.GT: Comparison.MORE, exp.GTE: Comparison.AT_LEAST,
    }  # fmt: skip
    comparison = kinds.get(type(node))
    if comparison is None:
        raise refused("WHERE takes comparisons of a column with a public value, joined by AND.")
    left, right = node.left, node.right
    if not isinstance(left, exp.Column):
        left, right, comparison = right, left, _MIRRORED[comparison]
    return Condition(_column(left), comparison, (text_of(right),))


def _column(node: exp.Expression) -> str:
    """The name of a plain column."""
    from sqlglot import exp

    if not isinstance(node, exp.Column):
        raise refused("WHERE compares plain columns with public values.")
    return str(node.name)


def text_of(node: exp.Expression) -> str:
    """A public literal as text.

    Raises:
        QueryError: no literal.
    """
    from sqlglot import exp

    if isinstance(node, exp.Neg):
        return f"-{text_of(node.this)}"
    if isinstance(node, exp.Boolean):
        return "true" if node.this else "false"
    if not isinstance(node, exp.Literal):
        raise refused("A condition or quantile takes a public value, not a column or function.")
    return str(node.this)
