"""Which questions does a SELECT ask? Parsed by sqlglot; what cannot be bounded is refused, and why."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import QueryError
from sfumato.release.answer.query import Aggregate, Query
from sfumato.release.answer.sql_where import conditions, refused, text_of
from sfumato.summary.bounded import Keyed
from sfumato.table.domain import Open

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlglot import exp

    from sfumato.table.domain import Domain

_ALLOWED = {"expressions", "from_", "from", "where", "group", "joins", "kind"}

_REASONS = {
    "distinct": "SELECT DISTINCT shows which values occur, and a single person can add one. Use GROUP BY with declared keys.",
    "having": "HAVING chooses groups by their exact totals. Ask for the groups, then choose among the noisy answers.",
    "order": "The order of exact totals is itself an answer. Order the noisy answers afterwards: that is free.",
    "limit": "LIMIT picks rows or exact winners. Pick among the noisy answers afterwards: that is free.",
    "with_": "Common table expressions can repeat a person's rows without bound. Ask each question by itself.",
    "with": "Common table expressions can repeat a person's rows without bound. Ask each question by itself.",
    "windows": "Window functions give each row an answer of its own.",
    "qualify": "QUALIFY chooses rows by exact ranks.",
    "laterals": "Lateral views can repeat a person's rows without bound.",
}


def queries_of(
    text: str, columns: Mapping[str, Domain], person: str | None, public: Mapping[str, str]
) -> tuple[Query, ...]:
    """The questions of a SELECT, one for each aggregate in it, in order.

    Supported: COUNT(*), COUNT(column), COUNT(DISTINCT person), SUM, AVG, VAR_POP, STDDEV_POP, COVAR_POP, MEDIAN,
    QUANTILE(column, q), PERCENTILE_CONT; GROUP BY declared columns; WHERE with comparisons, IN and BETWEEN joined
    by AND; JOIN of one public table on an equal column.

    Args:
        text: the statement, in any dialect that sqlglot reads.
        columns: declared domains (those of public tables included).
        person: the person column, if any.
        public: for each public table, the column on which it is joined.

    Raises:
        QueryError: not one SELECT, or something whose effect on the answer cannot be bounded; the reason is named.

    Example:
        >>> from sfumato.table.domain import Range
        >>> found = queries_of("SELECT AVG(age) FROM t WHERE age >= 18", {"age": Range(0, 120, step=1)}, None, {})
        >>> [query.sentence for query in found]
        ["mean(age) where age >= '18'"]
    """
    select = _parsed(text)
    _check_clauses(select)
    by = _groups(select, columns)
    names = {keyed.column for keyed in by}
    where = select.args.get("where")
    kept = () if where is None else conditions(where.this)
    join = _join(select, public)
    found = []
    for item in select.expressions:
        inner = item.unalias()
        if _is_column(inner) and inner.name in names:
            continue
        aggregate, used, quantiles = _aggregate(inner, person)
        found.append(Query(aggregate, used, by, kept, quantiles, join=join))
    if not found:
        raise QueryError(
            "A SELECT must ask for at least one aggregate: single rows are never shown.",
            "add COUNT(*) or another aggregate.",
        )
    return tuple(found)


def _parsed(text: str) -> exp.Select:
    """The one SELECT of a text."""
    try:
        import sqlglot
        from sqlglot import exp
    except ImportError as error:
        raise QueryError(
            "SQL questions need the sqlglot package.", "install it: pip install 'sfumato[query]'."
        ) from error
    try:
        statements = [one for one in sqlglot.parse(text) if one is not None]
    except sqlglot.errors.SqlglotError as error:
        raise QueryError("The text must be one SQL statement; it cannot be parsed.", "correct its syntax.") from error
    if len(statements) != 1 or not isinstance(statements[0], exp.Select):
        raise QueryError(
            "Only one SELECT statement is answered: unions, subqueries, and changes are not.",
            "ask with one SELECT … FROM … .",
        )
    return statements[0]


def _check_clauses(select: exp.Select) -> None:
    """Refuse clauses that choose or repeat rows by private facts."""
    from sqlglot import exp

    for name, value in select.args.items():
        if value and name not in _ALLOWED:
            raise refused(_REASONS.get(name, f"The clause {name.strip('_').upper()} is not bounded here."))
    if select.args.get("kind"):
        raise refused("SELECT AS a structure has no bounded form.")
    for node in select.walk():
        if isinstance(node, exp.Subquery | exp.Window) or (isinstance(node, exp.Select) and node is not select):
            raise refused("Subqueries and window functions can give one person any influence.")


def _groups(select: exp.Select, columns: Mapping[str, Domain]) -> tuple[Keyed, ...]:
    """The columns of GROUP BY."""
    group = select.args.get("group")
    if group is None:
        return ()
    if any(value for name, value in group.args.items() if name != "expressions"):
        raise refused("ROLLUP, CUBE and grouping sets are several questions; ask each by itself.")
    return tuple(_key(item, columns) for item in group.expressions)


def _key(item: exp.Expression, columns: Mapping[str, Domain]) -> Keyed:
    """A grouping column, or WIDTH_BUCKET of one."""
    from sqlglot import exp

    if _is_column(item):
        domain = columns.get(item.name)
        return Keyed(item.name, None if isinstance(domain, Open) else domain)
    if isinstance(item, exp.Anonymous | exp.Func) and item.name.upper() == "WIDTH_BUCKET":
        raise refused("WIDTH_BUCKET is not read here; ask from Python with by={column: edges}.")
    raise refused("Only declared columns can be grouped by: a computed key has no declared domain.")


def _join(select: exp.Select, public: Mapping[str, str]) -> str | None:
    """The public table that is joined, if any."""
    joins = select.args.get("joins") or []
    if not joins:
        return None
    if len(joins) > 1:
        raise refused("One public table can be joined; more could multiply a person's rows.")
    join = joins[0]
    name = join.this.name
    if name not in public:
        raise QueryError(
            f"Only public tables can be joined; {name!r} is none of {sorted(public)}.",
            "declare it with `session.join`.",
        )
    if (join.side or "").upper() in {"RIGHT", "FULL"} or (join.kind or "").upper() == "CROSS":
        raise refused(
            "Right, full and cross joins repeat rows; an inner or left join on the declared column is answered."
        )
    if _joined_on(join) != public[name]:
        raise QueryError(
            f"{name!r} is joined on {public[name]!r}, which is unique in it; the statement says otherwise.",
            f"write JOIN {name} USING ({public[name]}).",
        )
    return str(name)


def _joined_on(join: exp.Join) -> str | None:
    """The one column that both sides of a join have in common, if it is written so."""
    from sqlglot import exp

    using, on = join.args.get("using"), join.args.get("on")
    if using:
        return str(using[0].name) if len(using) == 1 else None
    if isinstance(on, exp.EQ) and _is_column(on.left) and on.left.name == on.right.name:
        return str(on.left.name)
    return None


def _aggregate(node: exp.Expression, person: str | None) -> tuple[Aggregate, tuple[str, ...], tuple[Fraction, ...]]:
    """The aggregate of one selected expression, its columns, and its quantiles."""
    from sqlglot import exp

    simple = {
        exp.Sum: Aggregate.SUM, exp.Avg: Aggregate.MEAN, exp.VariancePop: Aggregate.VARIANCE, exp.StddevPop: Aggregate.DEVIATION,
    }  # fmt: skip
    if isinstance(node, exp.Count):
        return _count(node, person)
    if type(node) in simple:
        return simple[type(node)], (_column(node.this),), ()
    if isinstance(node, exp.CovarPop):
        return Aggregate.COVARIANCE, (_column(node.this), _column(node.expression)), ()
    if isinstance(node, exp.Median):
        return Aggregate.QUANTILES, (_column(node.this),), (Fraction(1, 2),)
    if isinstance(node, exp.Quantile | exp.ApproxQuantile):
        return Aggregate.QUANTILES, (_column(node.this),), (_fraction(node.args["quantile"]),)
    if isinstance(node, exp.WithinGroup) and isinstance(node.this, exp.PercentileCont | exp.PercentileDisc):
        ordered = node.expression.expressions[0].this
        return Aggregate.QUANTILES, (_column(ordered),), (_fraction(node.this.this),)
    raise _unbounded(node)


def _unbounded(node: exp.Expression) -> QueryError:
    """Why a selected expression cannot be bounded."""
    from sqlglot import exp

    if isinstance(node, exp.Min | exp.Max):
        return refused("A minimum or maximum is one person's value. Ask for a quantile such as QUANTILE(column, 0.05).")
    if isinstance(node, exp.Variance | exp.Stddev | exp.StddevSamp | exp.CovarSamp):
        return refused("Sample variances divide by a private n - 1. Ask for VAR_POP, STDDEV_POP or COVAR_POP.")
    if _is_column(node):
        return refused(
            f"The column {node.name!r} is selected as it is: single rows are never shown. Group by it or aggregate it."
        )
    if isinstance(node, exp.Star):
        return refused("SELECT * shows single rows.")
    return refused(
        f"{type(node).__name__.upper()} has no known bound. Ask for counts, sums, means, variances or quantiles."
    )


def _count(node: exp.Count, person: str | None) -> tuple[Aggregate, tuple[str, ...], tuple[Fraction, ...]]:
    """COUNT(*), COUNT(column), COUNT(DISTINCT person)."""
    from sqlglot import exp

    inside = node.this
    if isinstance(inside, exp.Star):
        return Aggregate.COUNT, (), ()
    if isinstance(inside, exp.Literal):
        return Aggregate.COUNT, (), ()
    if isinstance(inside, exp.Distinct):
        names = [_column(one) for one in inside.expressions]
        if names != [person]:
            raise refused(
                "COUNT(DISTINCT …) is answered for the person column only: other distinct values can be added without bound."
            )
        return Aggregate.PERSONS, (), ()
    return Aggregate.COUNT, (_column(inside),), ()


def _is_column(node: exp.Expression) -> bool:
    """Whether it is a plain column."""
    from sqlglot import exp

    return isinstance(node, exp.Column) and not isinstance(node.this, exp.Star)


def _column(node: exp.Expression) -> str:
    """The name of a plain column inside an aggregate."""
    if not _is_column(node):
        raise refused("Only a plain column can stand inside an aggregate: a computed one has no declared bounds.")
    return str(node.name)


def _fraction(node: exp.Expression) -> Fraction:
    """A quantile written as a number."""
    try:
        return Fraction(text_of(node))
    except ValueError as error:
        raise QueryError("A quantile must be a number between 0 and 1.", "write it as 0.25.") from error
