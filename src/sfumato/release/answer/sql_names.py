"""Names in a SELECT: the tables of its FROM and JOIN, and their declared columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import QueryError
from sfumato.frozen import dataclass
from sfumato.release.answer.sql_grammar import refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sqlglot import exp

    from sfumato.table.domain import Domain


@dataclass(frozen=True, slots=True)
class Joinable:
    """A public table that a statement may join.

    Args:
        on: the column on which it is joined.
        columns: declared domain of each column that it adds.
    """

    on: str
    columns: Mapping[str, Domain]


@dataclass(frozen=True, slots=True)
class Names:
    """The names that a statement can use.

    Args:
        table: what qualifies columns of the private table.
        columns: columns of the private table.
        public: name of the joined public table; None: none.
        alias: what qualifies its columns.
        added: the columns that it adds.
        on: the column on which it is joined.
        inner: whether rows without a public row are left out.
        shared: whether the common column has one name for both tables (USING), not one in each (ON).
    """

    table: str
    columns: tuple[str, ...]
    public: str | None = None
    alias: str = ""
    added: tuple[str, ...] = ()
    on: str = ""
    inner: bool = False
    shared: bool = True

    def column(self, node: exp.Column) -> str:
        """The declared column that is meant.

        Raises:
            QueryError: no column of that name, or one of another table.
        """
        name, table = str(node.this.this), node.args.get("table")
        if table is None:
            if not self.shared and same(name, self.on):
                raise refused(f"{name!r} is a column of both tables; write {self.table}.{name}.")
            return found(name, (*self.columns, *self.added))
        if same(str(table.this), self.table):
            return found(name, self.columns)
        if self.public is None or not same(str(table.this), self.alias):
            raise refused(f"{table.this}.{name} is a column of no table of this statement.")
        if same(name, self.on):
            raise refused(f"{table.this}.{name} is missing where no public row fits; write {self.table}.{name}.")
        return found(name, self.added)


def names_of(select: exp.Select, columns: Iterable[str], person: str | None, public: Mapping[str, Joinable]) -> Names:
    """The private table in FROM, and the public one that is joined.

    Args:
        select: a statement within the grammar.
        columns: declared columns of the private table.
        person: its person column, if any.
        public: the public tables.

    Raises:
        QueryError: another FROM or JOIN than one private table, and one public table on its declared column.
    """
    begin = select.args.get("from_") or select.args.get("from")
    if begin is None:
        raise refused("A SELECT without FROM has no rows; write FROM and a name for the private table.")
    name, alias = named(begin.this)
    if any(same(one, word) for one in public for word in (name, alias)):
        raise refused(
            f"FROM names the private table; {name} is public. Write FROM the private table JOIN the public one."
        )
    own = dict.fromkeys([*columns, *([] if person is None else [person])])
    joins = select.args.get("joins") or []
    if not joins:
        return Names(alias, tuple(own))
    if len(joins) > 1:
        raise refused("One public table can be joined; more could multiply a person's rows.")
    return _joined(joins[0], alias, own, public)


def _joined(join: exp.Join, table: str, own: dict[str, None], public: Mapping[str, Joinable]) -> Names:
    name, alias = named(join.this)
    known = next((one for one in public if same(one, name)), None)
    if known is None:
        raise QueryError(
            "Only public tables can be joined; {name!r} is none of {public}.",
            "declare it with `session.join`.",
            name=name,
            public=sorted(public),
        )
    if same(alias, table):
        raise refused(f"Both tables are called {alias}; give one of them another name.")
    side, kind = (join.args.get("side") or "").upper(), (join.args.get("kind") or "").upper()
    if kind == "OUTER" and not side:
        raise refused("OUTER JOIN is read as LEFT OUTER JOIN only; write that.")
    if kind == "INNER" and side:
        raise refused("A join is either inner or left.")
    declared = public[known]
    using = join.args.get("using") or []
    if using:
        fits = not join.args.get("on") and len(using) == 1 and same(str(using[0].this), declared.on)
    else:
        fits = _is_on(join.args.get("on"), declared.on, {table, alias})
    if not fits:
        raise QueryError(
            "{name!r} is joined on {on!r}, which is unique in it; the statement says otherwise.",
            "write JOIN {name} USING ({on}).",
            name=name,
            on=declared.on,
        )
    added = tuple(column for column in declared.columns if column != declared.on)
    columns = tuple(own | ({declared.on: None} if declared.on in declared.columns else {}))
    return Names(table, columns, known, alias, added, declared.on, inner=not side, shared=bool(using))


def named(table: exp.Table) -> tuple[str, str]:
    """The name of a table, and what qualifies its columns."""
    alias = table.args.get("alias")
    names = str(table.this.this), str((alias or table).this.this)
    for name in names:
        if not name.isidentifier():
            raise refused(f"A table is named by a plain name of letters, digits and _; {name!r} is none.")
    return names


def _is_on(on: exp.Expression | None, column: str, tables: set[str]) -> bool:
    """Whether ON equates the column of one table with that of the other."""
    if on is None:
        return False
    sides = (on.this, on.expression)
    if any(type(one).__name__ != "Column" or not same(str(one.this.this), column) for one in sides):
        return False
    said = {folded(str(one.args["table"].this)) if one.args.get("table") else "" for one in sides}
    return said == set(map(folded, tables))


def found(name: str, columns: Iterable[str]) -> str:
    """The column of that name, as it is spelled; else the only one that differs in the case of A to Z alone.

    Raises:
        QueryError: none, or several.

    Example:
        >>> found("AGE", ["age", "sex"])
        'age'
    """
    columns = dict.fromkeys(columns)
    if name in columns:
        return name
    fit = [column for column in columns if same(column, name)]
    if len(fit) != 1:
        raise QueryError(
            "Column {name!r} has no declared domain; declared: {columns}.",
            "declare its bounds or categories from knowledge, not from the data; a text stands in single quotes.",
            name=name,
            columns=sorted(columns),
        )
    return fit[0]


def folded(name: str) -> str:
    """A name without the case of A to Z, which SQL does not tell apart."""
    return "".join(letter.lower() if letter.isascii() else letter for letter in name)


def same(one: str, other: str) -> bool:
    """Whether SQL takes two names for one."""
    return folded(one) == folded(other)
