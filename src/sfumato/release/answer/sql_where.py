"""Public conditions of a WHERE: comparisons, IN and BETWEEN, joined by AND."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import QueryError
from sfumato.release.answer.sql_grammar import refused
from sfumato.summary.bounded import Comparison, Condition
from sfumato.table.domain import Categories, Range

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlglot import exp

    from sfumato.release.answer.sql_names import Names
    from sfumato.table.domain import Domain

_COMPARISONS = {
    "EQ": Comparison.EQUAL, "NEQ": Comparison.NOT_EQUAL, "LT": Comparison.LESS, "LTE": Comparison.AT_MOST,
    "GT": Comparison.MORE, "GTE": Comparison.AT_LEAST,
}  # fmt: skip
_MIRRORED = {
    Comparison.LESS: Comparison.MORE, Comparison.AT_MOST: Comparison.AT_LEAST, Comparison.MORE: Comparison.LESS,
    Comparison.AT_LEAST: Comparison.AT_MOST, Comparison.EQUAL: Comparison.EQUAL, Comparison.NOT_EQUAL: Comparison.NOT_EQUAL,
}  # fmt: skip
_NUMERAL = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?", re.ASCII)
_MOST_LETTERS = 60
"""Of a number."""
_EXACT = 2**53
"""Numbers are compared as doubles, which tell all whole numbers below this apart."""


def conditions(node: exp.Expression, names: Names, columns: Mapping[str, Domain]) -> tuple[Condition, ...]:
    """The conditions of an expression within the grammar.

    Args:
        node: what stands in WHERE.
        names: of the statement.
        columns: declared domains.

    Raises:
        QueryError: comparisons of two columns or of two values, a value that does not suit its column, and NOT before
            anything but IN.
    """
    waiting, out = [node], list[Condition]()
    while waiting:
        one = waiting.pop()
        kind = type(one).__name__
        if kind == "Paren":
            waiting.append(one.this)
        elif kind == "And":
            waiting += [one.expression, one.this]
        elif kind == "Between":
            column = names.column(one.this)
            for comparison, bound in ((Comparison.AT_LEAST, "low"), (Comparison.AT_MOST, "high")):
                out.append(Condition(column, comparison, _values([one.args[bound]], column, columns.get(column))))
        elif kind == "Not":
            out.append(_member(_inside(one.this), Comparison.NOT_IN, names, columns))
        elif kind == "In":
            out.append(_member(one, Comparison.IN, names, columns))
        else:
            out.append(_comparison(one, names, columns))
    return tuple(out)


def _inside(node: exp.Expression) -> exp.Expression:
    """What parentheses after NOT hold."""
    while type(node).__name__ == "Paren":
        node = node.this
    if type(node).__name__ != "In":
        raise refused("NOT is read before IN only; turn the comparison around: NOT a > 1 is a <= 1.")
    return node


def _member(node: exp.Expression, comparison: Comparison, names: Names, columns: Mapping[str, Domain]) -> Condition:
    """IN and NOT IN with a list of literals."""
    column = names.column(node.this)
    if not node.expressions:
        raise refused("IN takes a list of public values.")
    return Condition(column, comparison, _values(node.expressions, column, columns.get(column)))


def _comparison(node: exp.Expression, names: Names, columns: Mapping[str, Domain]) -> Condition:
    comparison = _COMPARISONS[type(node).__name__]
    left, right = node.this, node.expression
    if type(left).__name__ != "Column":
        left, right, comparison = right, left, _MIRRORED[comparison]
    if type(left).__name__ != "Column":
        raise refused("WHERE compares plain columns with public values; two values are compared here.")
    if type(right).__name__ == "Column":
        raise refused(
            "A condition takes a public value, not a column or function. A text stands in single quotes: double ones name a column."
        )
    column = names.column(left)
    return Condition(column, comparison, _values([right], column, columns.get(column)))


def _values(nodes: Sequence[exp.Expression], column: str, domain: Domain | None) -> tuple[str, ...]:
    """Literals as texts of public values, each looked up among the declared ones."""
    declared = frozenset(domain.values) if isinstance(domain, Categories) else frozenset()
    return tuple(_value(node, column, domain, declared) for node in nodes)


def _value(node: exp.Expression, column: str, domain: Domain | None, declared: frozenset[str]) -> str:
    """A literal as the text of a public value: a number for a range, a text for any other column.

    Raises:
        QueryError: it does not suit the column.
    """
    kind = type(node).__name__
    if isinstance(domain, Range):
        if kind == "Boolean" or (kind == "Literal" and node.args.get("is_string")):
            raise refused(f"{column!r} is a number: it is compared with a number in digits, without quotes.")
        return number_of(node)
    if kind == "Boolean" and declared and declared <= {"true", "false"}:
        text = "true" if node.this else "false"
    elif kind != "Literal" or not node.args.get("is_string"):
        raise refused(f"{column!r} holds texts: it is compared with a text in single quotes.")
    else:
        text = str(node.this)
    if isinstance(domain, Categories) and text not in declared:
        raise refused(f"{text!r} is no declared category of {column!r}: no row has it. Declared: {_some(domain)}.")
    return text


def _some(domain: Categories) -> str:
    """The first categories."""
    first = [repr(value) for value in domain.values[:5]]
    return ", ".join([*first, "…"] if domain.size > len(first) else first)


def number_of(node: exp.Expression) -> str:
    """A number in digits, with at most one minus.

    Raises:
        QueryError: a text, too many digits, or a number that doubles do not tell apart from others.
    """
    sign, digits = ("-", node.this) if type(node).__name__ == "Neg" else ("", node)
    text = str(digits.this)
    if type(digits).__name__ != "Literal" or digits.args.get("is_string") or not _NUMERAL.fullmatch(text):
        raise refused("A number is written in decimal digits, such as -1.5 or 2e3.")
    if len(text) > _MOST_LETTERS or Fraction(text) >= _EXACT:
        raise QueryError(
            "Numbers in a statement have at most {most_letters} digits and lie below 2^53, so that they are compared exactly.",
            "write fewer digits, or declare the column in another unit.",
            most_letters=_MOST_LETTERS,
        )
    return sign + text
