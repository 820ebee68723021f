"""The grammar of the SELECTs that are read: every node and every argument; what it does not list is refused by name.

The parser gives a tree. Each node has a kind and arguments, and each argument holds nodes, texts or flags. `ALLOWED` lists
for each kind every argument that may be set, and for each argument every kind of value. The tree is walked once, by the
names that the tree itself has: what a newer parser adds is unknown here, and refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import QueryError
from sfumato.release.answer.questions import AGGREGATES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sqlglot import exp

    from sfumato.release.answer.query import SqlFunction

Rule = tuple[str | type, ...]
"""What an argument may hold: kinds of nodes and keywords by name, `str` or `bool` for any text or flag."""

_COLUMN: Rule = ("Column",)
_NUMBER: Rule = ("Literal",)
_VALUE: Rule = ("Literal", "Neg", "Boolean")
_COMPARED: Rule = ("Column", *_VALUE)
_CONDITION: Rule = ("And", "Paren", "Not", "EQ", "NEQ", "LT", "LTE", "GT", "GTE", "In", "Between")
FUNCTIONS = tuple(function for aggregate in AGGREGATES for function in aggregate.sql)
"""The functions that are read."""
_AGGREGATE: Rule = (*(function.node for function in FUNCTIONS), "WithinGroup")
_PAIR: Mapping[str, Rule] = {"this": _COMPARED, "expression": _COMPARED}


def _arguments(function: SqlFunction) -> dict[str, Rule]:
    """What the arguments of a function may hold: columns, and a quantile."""
    rules = dict.fromkeys(function.columns, _COLUMN if not function.ranked else ("Column", *_NUMBER))
    return rules | ({function.quantile: _NUMBER} if isinstance(function.quantile, str) else {})


ALLOWED: Mapping[str, Mapping[str, Rule]] = {
    "Select": {
        "expressions": ("Alias", "Column", *_AGGREGATE),
        "from_": ("From",),
        "from": ("From",),
        "joins": ("Join",),
        "where": ("Where",),
        "group": ("Group",),
    },
    "Alias": {"this": ("Column", *_AGGREGATE), "alias": ("Identifier",)},
    "From": {"this": ("Table",)},
    "Table": {"this": ("Identifier",), "alias": ("TableAlias",)},
    "TableAlias": {"this": ("Identifier",)},
    "Identifier": {"this": (str,), "quoted": (bool,)},
    "Column": {"this": ("Identifier",), "table": ("Identifier",)},
    "Join": {
        "this": ("Table",),
        "side": ("LEFT",),
        "kind": ("INNER", "OUTER"),
        "using": ("Identifier",),
        "on": ("EQ",),
    },
    "Where": {"this": _CONDITION},
    "Group": {"expressions": _COLUMN},
    "And": {"this": _CONDITION, "expression": _CONDITION},
    "Paren": {"this": _CONDITION},
    "Not": {"this": ("In", "Paren")},
    "EQ": _PAIR,
    "NEQ": _PAIR,
    "LT": _PAIR,
    "LTE": _PAIR,
    "GT": _PAIR,
    "GTE": _PAIR,
    "In": {"this": _COLUMN, "expressions": _VALUE},
    "Between": {"this": _COLUMN, "low": _VALUE, "high": _VALUE},
    "Neg": {"this": _NUMBER},
    "Literal": {"this": (str,), "is_string": (bool,)},
    "Boolean": {"this": (bool,)},
    **{function.node: _arguments(function) for function in FUNCTIONS},
    "Count": {"this": ("Star", "Literal", "Column", "Distinct"), "big_int": (bool,)},
    "Star": {},
    "Distinct": {"expressions": _COLUMN},
    "WithinGroup": {
        "this": tuple(function.node for function in FUNCTIONS if function.ranked),
        "expression": ("Order",),
    },
    "Order": {"expressions": ("Ordered",)},
    "Ordered": {"this": _COLUMN},
}
"""The grammar. Whatever is set in a tree and not listed here is refused."""

_ROWS = "A FROM names the private table only: other rows have other answers."
_MANY = "Common table expressions can repeat a person's rows without bound. Ask each question by itself."
_SINGLE = "A minimum or maximum is one person's value. Ask for a quantile such as QUANTILE(column, 0.05)."
_SAMPLE = "Sample variances divide by a private n - 1. Ask for VAR_POP, STDDEV_POP or COVAR_POP."
_NESTED = "Subqueries and window functions can give one person any influence."
_SETS = "ROLLUP, CUBE and grouping sets are several questions; ask each by itself."
_TYPED = "Write a number in decimal digits, or a text in plain single quotes."

_ARGUMENTS = {
    "Select.distinct": "SELECT DISTINCT shows which values occur, and a single person can add one. Use GROUP BY with declared keys.",
    "Select.having": "HAVING chooses groups by their exact totals. Ask for the groups, then choose among the noisy answers.",
    "Select.order": "The order of exact totals is itself an answer. Order the noisy answers afterwards: that is free.",
    "Select.limit": "LIMIT picks rows or exact winners. Pick among the noisy answers afterwards: that is free.",
    "Select.with_": _MANY,
    "Select.with": _MANY,
    "Select.windows": "Window functions give each row an answer of its own.",
    "Select.qualify": "QUALIFY chooses rows by exact ranks.",
    "Select.laterals": "Lateral views can repeat a person's rows without bound.",
    "Select.sample": "A sample of the rows is another question, with chance that is not ours.",
    "Select.kind": "SELECT AS a structure has no bounded form.",
    "Table.sample": "A sample of the rows is another question, with chance that is not ours.",
    "Table.db": "A table is named by its plain name, without a schema.",
    "Table.catalog": "A table is named by its plain name, without a schema.",
    "TableAlias.columns": "A table's columns keep their declared names.",
    "Column.db": "A column is qualified by its table alone.",
    "Column.catalog": "A column is qualified by its table alone.",
    "Group.all": "GROUP BY ALL leaves the keys unsaid; name the columns.",
    "Group.rollup": _SETS,
    "Group.cube": _SETS,
    "Group.grouping_sets": _SETS,
    "Group.totals": _SETS,
    "Between.symmetric": "BETWEEN SYMMETRIC is not read; write the smaller bound first.",
    "In.query": _NESTED,
    "In.field": "IN takes a list of public values in parentheses.",
    "In.unnest": "IN takes a list of public values in parentheses.",
    "Count.expressions": "COUNT takes one column.",
    "Ordered.desc": "A quantile ranks from low to high: write 1 - q instead of DESC.",
    "Ordered.nulls_first": "Missing values have no rank.",
    "Join.method": "NATURAL, ASOF and positional joins are not read; write USING (column).",
    "Join.side": "Right and full joins repeat rows; an inner or left join on the declared column is answered.",
    "Join.kind": "CROSS, SEMI and ANTI joins are not read; an inner or left join on the declared column is answered.",
}
"""Why arguments are refused, where there is more to say than that they are not read."""

_KINDS = {
    "Subquery": _NESTED,
    "Select": _NESTED,
    "Window": _NESTED,
    "Exists": _NESTED,
    "Min": _SINGLE,
    "Max": _SINGLE,
    "Variance": _SAMPLE,
    "Stddev": _SAMPLE,
    "StddevSamp": _SAMPLE,
    "CovarSamp": _SAMPLE,
    "Or": "OR is not read; write it as column IN (…), or ask two questions about disjoint rows.",
    "Is": "A missing value meets no condition, so IS NULL cannot be asked.",
    "Null": "NULL is no value: nothing equals it, and COUNT(NULL) is 0.",
    "Filter": "FILTER is not read; put the condition into WHERE.",
    "IgnoreNulls": "IGNORE NULLS is not read; missing values are ignored already.",
    "RespectNulls": "RESPECT NULLS is not read; missing values are ignored.",
    "Values": _ROWS,
    "Unnest": _ROWS,
    "Cube": _SETS,
    "Rollup": _SETS,
    "GroupingSets": _SETS,
    "National": _TYPED,
    "ByteString": _TYPED,
    "RawString": _TYPED,
    "UnicodeString": _TYPED,
    "HexString": _TYPED,
    "BitString": _TYPED,
    "Cast": f"CAST and typed literals are not read. {_TYPED}",
    "Concat": "Texts are written in one piece.",
    "Parameter": "A statement has no parameters: write the values.",
    "Placeholder": "A statement has no parameters: write the values.",
}
"""Why nodes are refused wherever the grammar does not list them."""

_PLACES = {
    "Select.expressions": "{} has no known bound. Ask for counts, sums, means, variances or quantiles.",
    "Alias.this": "{} has no known bound. Ask for counts, sums, means, variances or quantiles.",
    "From.this": f"{{}} in FROM is not read. {_ROWS}",
    "Join.this": "{} is joined; only declared public tables can be, by their plain names.",
    "Table.this": "{} is no plain name of a table.",
    "Join.using": "{} stands in USING; name the declared column.",
    "Join.on": "A join's ON equates the declared column of both tables; {} does not.",
    "Group.expressions": "Only declared columns can be grouped by: a computed key ({}) has no declared domain.",
    "Where.this": "{} is no condition here: WHERE takes comparisons of a column with a public value, IN and BETWEEN, joined by AND.",
    "In.this": "WHERE compares plain columns with public values; {} is none.",
    "Between.this": "WHERE compares plain columns with public values; {} is none.",
    "Not.this": "NOT is read before IN only; {} is to be turned around by hand.",
    "Count.this": "COUNT takes *, one column, or DISTINCT and the person column; not {}.",
    "Distinct.expressions": "DISTINCT takes one plain column; not {}.",
}
"""What a place may hold, said when it holds something else that has no reason of its own."""


_SHORT = {
    "EQ": "=", "NEQ": "<>", "LT": "<", "LTE": "<=", "GT": ">", "GTE": ">=", "Neg": "a minus", "Paren": "an expression in parentheses",
    "Literal": "a literal", "Column": "a column", "Boolean": "TRUE or FALSE", "Add": "+", "Sub": "-", "Mul": "*", "Div": "/",
    "Mod": "%", "locks": "FOR UPDATE or another lock", "pivots": "PIVOT", "connect": "CONNECT BY", "this": "an argument", "expression": "an argument", "expressions": "a list",
    **{function.node: "a quantile" if function.ranked else function.words[0] for function in FUNCTIONS},
}  # fmt: skip
"""Kinds and arguments whose name says little."""


def refused(reason: str) -> QueryError:
    """The error of a statement that is understood but cannot be bounded."""
    return QueryError(
        "This part of the statement is refused. {reason}", "change that part; the rest may stand.", reason=reason
    )


def admit(select: exp.Select) -> None:
    """Refuse a statement that has anything besides what the grammar lists.

    Args:
        select: the parsed statement.

    Raises:
        QueryError: the first node or argument that is not listed, by name.

    Example:
        >>> from sqlglot import parse_one
        >>> admit(parse_one("SELECT COUNT(*) FROM t FOR UPDATE"))
        Traceback (most recent call last):
        sfumato.errors.QueryError: This part of the statement is refused. FOR UPDATE or another lock of SELECT is not read. Remedy: change that part; the rest may stand.
    """
    waiting = [select]
    while waiting:
        node = waiting.pop()
        kind = type(node).__name__
        rules = ALLOWED[kind]
        for name, value in _set(node):
            place = f"{kind}.{name}"
            rule = rules.get(name)
            if rule is None:
                raise refused(_ARGUMENTS.get(place, f"{_words(name)} of {_words(kind)} is not read."))
            _check_value(place, rule, value)
            if hasattr(value, "args"):
                waiting.append(value)


def _set(node: exp.Expression) -> Iterator[tuple[str, object]]:
    """Every argument that is set, value by value, in the names that the tree itself has."""
    for name, value in node.args.items():
        for one in value if isinstance(value, list | tuple) else [value]:
            if one is not None and one is not False and one != "":
                yield name, one


def _check_value(place: str, rule: Rule, value: object) -> None:
    """One value of one argument is of a listed kind."""
    if hasattr(value, "args"):
        if type(value).__name__ not in rule:
            raise _misplaced(place, value)
    elif isinstance(value, str):
        if str not in rule and value.upper() not in rule:
            raise refused(_ARGUMENTS.get(place, f"{value.upper()} is not read here."))
    elif type(value) not in rule:
        raise refused(f"{_words(place.partition('.')[2])} of {_words(place.partition('.')[0])} is not read.")


def _misplaced(place: str, node: exp.Expression) -> QueryError:
    """Why a node cannot stand where it stands."""
    kind, holder = type(node).__name__, place.partition(".")[0]
    if kind in _KINDS:
        return refused(_KINDS[kind])
    if place in {"Select.expressions", "Alias.this"} and kind == "Star":
        return refused("SELECT * shows single rows.")
    words = _words(str(node.args.get("this")) if kind == "Anonymous" else kind)
    if holder in _AGGREGATE and place not in _PLACES:
        what = (
            "only a number such as 0.25 can be its quantile"
            if ALLOWED[holder].get(place.partition(".")[2]) == _NUMBER
            else "a computed one has no declared bounds"
        )
        return refused(f"{words} stands inside {_words(holder)}, where only a plain column can: {what}.")
    if holder in {"And", "Paren"}:
        place = "Where.this"
    told = _PLACES.get(place, "A condition takes a public value, not a column or function; {} is none.")
    return refused(told.format(words))


def _words(name: str) -> str:
    """The name of a kind or an argument as one would read it in SQL."""
    if name in _SHORT:
        return _SHORT[name]
    spaced = "".join(
        f" {letter}" if letter.isupper() and i and name[i - 1].islower() else letter for i, letter in enumerate(name)
    )
    return spaced.replace("_", " ").strip().upper()
