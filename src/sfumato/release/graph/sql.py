"""SELECTs about a graph, as the statistics that answer them: the same price, the same noise, the same stored answer.

A graph has the tables `edges` (each edge once; for each attribute A of the vertices the columns A and "other A", of its two
ends in no order), `vertices` (vertex, degree, core and the attributes), `triangles` and `parts`. A statement passes the gates
of `release.answer.sql` first. What it then asks is one of the statistics, some rows of its answer, or refused.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from sfumato.errors import QueryError
from sfumato.frozen import dataclass
from sfumato.release.answer.sql import parsed
from sfumato.release.answer.sql_grammar import admit
from sfumato.release.answer.sql_names import Names, named, same
from sfumato.release.answer.sql_where import conditions
from sfumato.release.answer.sql_words import check_words
from sfumato.summary.bounded import Comparison, Condition
from sfumato.table.domain import Range
from sfumato.table.graph import MOST_VERTICES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sqlglot import exp

    from sfumato.table.values import Item

DEGREE = "degree"
_DEGREES = {DEGREE: Range(0, MOST_VERTICES, step=1)}
_MEETS: Mapping[Comparison, Callable[[object, Sequence[object]], bool]] = {
    Comparison.EQUAL: lambda key, said: key == said[0], Comparison.NOT_EQUAL: lambda key, said: key != said[0],
    Comparison.LESS: lambda key, said: key < said[0], Comparison.AT_MOST: lambda key, said: key <= said[0],  # type: ignore[operator]
    Comparison.MORE: lambda key, said: key > said[0], Comparison.AT_LEAST: lambda key, said: key >= said[0],  # type: ignore[operator]
    Comparison.IN: lambda key, said: key in said, Comparison.NOT_IN: lambda key, said: key not in said,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Selected:
    """What a statement asks.

    Args:
        keys: of the statistic that answers, as [[statistics]] of a plan has them, without its price.
        kept: which rows of the answer are meant: conditions on its keys, which are public.
    """

    keys: Mapping[str, Item]
    kept: tuple[Condition, ...] = ()

    def rows(self, by: Sequence[str], keys: Sequence[Sequence[str]]) -> list[int]:
        """Places of the rows of an answer that are meant.

        Args:
            by: names of its keys.
            keys: of each row.

        Example:
            >>> some = Selected({}, (Condition("degree", Comparison.LESS, ("2",)),))
            >>> some.rows(("degree",), (("0",), ("1",), ("2",)))
            [0, 1]
        """
        return [
            i for i, row in enumerate(keys) if all(self._meets(row[by.index(one.column)], one) for one in self.kept)
        ]

    @staticmethod
    def _meets(key: str, one: Condition) -> bool:
        read = Fraction if one.column == DEGREE else str
        return _MEETS[one.comparison](read(key), [read(value) for value in one.values])


Reads: TypeAlias = "Callable[[str, frozenset[str], tuple[Condition, ...], int | None], Selected]"
"""What is asked of a table: the aggregate, the keys of the answer, the conditions on them, and the declared degree."""


def is_sql(question: str) -> bool:
    """Whether a question is a statement, not the name of a statistic.

    Example:
        >>> is_sql(" select COUNT(*) FROM edges"), is_sql("edges")
        (True, False)
    """
    return question.lstrip(" \t\r\n(/-").upper().startswith(("SELECT", "FROM", "WITH"))


def selected(text: str, attributes: Sequence[str], degree: int | None) -> Selected:
    """The statistic that a SELECT asks for.

    Args:
        text: the statement.
        attributes: of the vertices.
        degree: the declared one, where vertices are protected; None: edges are.

    Raises:
        QueryError: it is none of those that are answered; the message names the statistic that tells it.

    Example:
        >>> selected('SELECT club, "other club", COUNT(*) FROM edges GROUP BY club, "other club"', ("club",), None).keys
        {'name': 'mixing', 'by': 'club'}
    """
    select = parsed(text)
    admit(select)
    table, names = _table(select, attributes)
    check_words(text, select)
    where, group = select.args.get("where"), select.args.get("group")
    kept = () if where is None else conditions(where.this, names, _DEGREES)
    by = [] if group is None else [names.column(one) for one in group.expressions]
    columns, asked = _asked(select, names)
    if table == "vertices" and not (by or kept or asked) and sorted(columns) == ["core", "vertex"]:
        return Selected({"name": "cores"})
    keys = _keys(by, kept, columns)
    if asked is None:
        raise QueryError(
            "A SELECT about a graph must ask for one aggregate: single rows are never shown.",
            "add COUNT(*), or ask for one by itself.",
        )
    return _STATISTICS[table](asked, keys, kept, degree)


def _table(select: exp.Select, attributes: Sequence[str]) -> tuple[str, Names]:
    """The table that is meant, and its columns."""
    columns = {
        "edges": (*attributes, *(f"other {name}" for name in attributes)), "vertices": ("vertex", DEGREE, "core", *attributes),
        "triangles": (), "parts": (),
    }  # fmt: skip
    begin = select.args.get("from_") or select.args.get("from")
    name, alias = ("", "") if begin is None else named(begin.this)
    table = next((one for one in columns if same(one, name)), None)
    if table is None:
        raise QueryError(
            "A graph has the tables {tables}; {name!r} is none of them.",
            "write one of them after FROM, or ask for a statistic by its name, such as `stars, legs = 2`.",
            tables=list(columns), name=name,
        )  # fmt: skip
    if select.args.get("joins"):
        raise QueryError(
            "Tables of a graph are not joined: edges have the attributes of both ends as columns.",
            'count edges and write GROUP BY attribute, "other attribute".',
        )
    return table, Names(alias, tuple(dict.fromkeys(columns[table])))


def _asked(select: exp.Select, names: Names) -> tuple[list[str], str | None]:
    """The columns that are selected as they are, and the aggregate; "" is COUNT(*), "degree" is SUM(degree).

    Raises:
        QueryError: several aggregates, or another one.
    """
    inner = [one.this if type(one).__name__ == "Alias" else one for one in select.expressions]
    columns = [names.column(one) for one in inner if type(one).__name__ == "Column"]
    aggregates = [one for one in inner if type(one).__name__ != "Column"]
    if not aggregates:
        return columns, None
    (one, *more), kind = aggregates, type(aggregates[0]).__name__
    if more:
        raise QueryError(
            "A SELECT about a graph asks for one aggregate; got {n}.", "ask for each by itself.", n=len(aggregates)
        )
    if kind == "Count" and type(one.this).__name__ in {"Star", "Literal"}:
        return columns, ""
    if kind == "Sum" and DEGREE in names.columns and names.column(one.this) == DEGREE:
        return columns, DEGREE
    raise _instead('degrees, most = …` or `degrees-of-groups, by = "…"')


def _keys(by: Sequence[str], kept: Sequence[Condition], columns: Sequence[str]) -> frozenset[str]:
    """The keys of the answer: what is grouped by, and what is compared with one value.

    Raises:
        QueryError: a column is selected that is no key, or several rows would be one.
    """
    keys = {*by, *(one.column for one in kept if one.comparison is Comparison.EQUAL)}
    for name in (*columns, *(one.column for one in kept)):
        if name not in keys:
            raise QueryError(
                "A column of a graph that is selected, or chosen by WHERE, must be grouped by, or equal one value; {name!r} is not.",
                "add it to GROUP BY, and add up the rows of the answer: that is free.", name=name,
            )  # fmt: skip
    return frozenset(keys)


def _of_edges(asked: str, keys: frozenset[str], kept: tuple[Condition, ...], degree: int | None) -> Selected:
    """Edges, all or by the groups of both ends."""
    del asked, degree
    if not keys:
        return Selected({"name": "edges"})
    one = min(keys, key=len)
    if keys != {one, f"other {one}"}:
        raise _instead('mixing, by = "…"')
    return Selected({"name": "mixing", "by": one}, kept)


def _of_vertices(asked: str, keys: frozenset[str], kept: tuple[Condition, ...], degree: int | None) -> Selected:
    """Vertices by degree, and sums of degrees by group."""
    attributes = sorted(keys - {DEGREE, "core", "vertex"})
    if "core" in keys:
        raise _instead("cores")
    if "vertex" in keys or len(attributes) > 1:
        raise _instead('degrees, by = "…"')
    by: dict[str, Item] = dict(zip(("by",), attributes, strict=False))
    if asked == DEGREE:
        if not by or DEGREE in keys:
            raise _instead('edges` (the sum of all degrees is twice their number) or `degrees-of-groups, by = "…"')
        return Selected({"name": "degrees-of-groups", **by}, kept)
    if DEGREE not in keys:
        raise QueryError(
            "Which vertices there are is public: their number costs nothing and is not asked here.",
            "count the rows of the table of vertices, or add GROUP BY degree.",
        )
    most: dict[str, Item] = {"most": _most(kept)} if degree is None else {}
    return Selected({"name": "degrees", **most, **by}, kept)


def _most(kept: Sequence[Condition]) -> int:
    """One more than the largest degree that is meant: all larger ones are told as that one.

    Raises:
        QueryError: none is.
    """
    ends: dict[Comparison, Callable[[Fraction], int]] = {
        Comparison.LESS: math.ceil, Comparison.AT_MOST: lambda x: math.floor(x) + 1,
        Comparison.EQUAL: lambda x: math.floor(x) + 1, Comparison.IN: lambda x: math.floor(x) + 1,
    }  # fmt: skip
    ends_at = [
        max(ends[one.comparison](Fraction(value)) for value in one.values)
        for one in kept
        if one.column == DEGREE and one.comparison in ends
    ]
    if not ends_at:
        raise QueryError(
            "Degrees must be asked up to one that is chosen without looking at the graph.",
            "add WHERE degree < 100, say, or ask `degrees, most = 100`.",
        )
    return max(min(ends_at), 1)


def _whole(name: str) -> Reads:
    """A table that has only its number of rows."""
    return lambda *_: Selected({"name": name})


_STATISTICS: Mapping[str, Reads] = {
    "edges": _of_edges, "vertices": _of_vertices, "triangles": _whole("triangles"), "parts": _whole("parts"),
}  # fmt: skip


def _instead(statistic: str) -> QueryError:
    """What cannot be said in SQL, with the name of what tells it."""
    return QueryError(
        "SQL cannot say this of a graph; a statistic tells it: `{statistic}`.",
        "ask for the statistic by its name.",
        statistic=statistic,
    )
