"""A first plan for a table of edges: two columns that name the same things, by their names and values, written as TOML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import tomlkit

from sfumato.frozen import dataclass
from sfumato.release.draft_traces import commented_plan, named_as, toml_table
from sfumato.table.schema import Kind, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tomlkit.items import AoT, Table

    from sfumato.table import values
    from sfumato.table.role import Look

_ENDS = (
    ("from", "to", True), ("fromnodeid", "tonodeid", True), ("sender", "recipient", True), ("sender", "receiver", True),
    ("follower", "followee", True), ("follower", "followed", True), ("caller", "callee", True), ("citing", "cited", True),
    ("giver", "receiver", True), ("payer", "payee", True), ("source", "target", False), ("src", "dst", False), ("u", "v", False),
    ("who", "whom", False), ("node1", "node2", False), ("person1", "person2", False), ("user1", "user2", False), ("id1", "id2", False),
)  # fmt: skip
"""Names of both ends of an edge, and whether they speak of a direction."""
_PLAIN = ("column1", "column2")
"""Names of the columns of a file without a header."""
_COMMON = {True: 0.1, False: 0.5}
"""Share of the names of the smaller column that the other has too, at least: where names of columns speak, and where not."""
MOST = 100
"""Public: chosen before the table was seen."""


@dataclass(frozen=True, slots=True)
class Ends:
    """What the columns of a table of edges seem to be.

    Args:
        source: column of one end.
        target: column of the other.
        directed: whether their names speak of a direction.
    """

    source: str
    target: str
    directed: bool

    @property
    def names(self) -> tuple[str, str]:
        """Both columns."""
        return self.source, self.target


def ends_of(looks: Mapping[str, Look], roles: Mapping[str, Role]) -> Ends | None:
    """The two ends, if each row seems to be an edge: two columns by name, or the only two of a file without names, which name
    the same things. A third column that names somebody makes rows those of somebody.

    Args:
        looks: every column.
        roles: guessed of each.

    Example:
        >>> import numpy as np
        >>> from sfumato.table.role import Look
        >>> one, other = (Look(name, ["1", "2", "3"], np.ones(3), 3, 3, Kind.INTEGER) for name in ("from", "to"))
        >>> ends_of({"from": one, "to": other}, {})
        Ends(source='from', target='to', directed=True)
    """
    found = named_ends(looks)
    is_named = found is not None
    if found is None and sum(bool(look.values) for look in looks.values()) == 2:  # a line may end with a separator
        found = _ends(looks, *_PLAIN, directed=False)
    if found is None or any(role is Role.IDENTIFYING for name, role in roles.items() if name not in found.names):
        return None
    return found if _common(*(looks[name] for name in found.names)) >= _COMMON[is_named] else None


def named_ends(names: Iterable[str]) -> Ends | None:
    """The two ends by the names of columns alone.

    Example:
        >>> named_ends(["Date", "Sender", "Recipient"]).names
        ('Sender', 'Recipient')
    """
    columns = dict.fromkeys(names)
    return next(filter(None, (_ends(columns, *row) for row in _ENDS)), None)


def _ends(looks: Mapping[str, Any], source: str, target: str, directed: bool) -> Ends | None:
    """The columns of these names."""
    one, other = (named_as(looks, {name}) for name in (source, target))
    return None if one is None or other is None else Ends(one, other, directed)


def _common(one: Look, other: Look) -> float:
    """Share of the names of the smaller column that are in the other; 0 where these are no names."""
    if not {one.kind, other.kind} <= {Kind.INTEGER, Kind.TEXT} or not one.values or not other.values:
        return 0.0
    first, second = set(one.values), set(other.values)
    return len(first & second) / min(len(first), len(second))


def graph_text(ends: Ends, source: values.Table, *, stem: str, suffix: str) -> str:
    """The commented plan.

    Args:
        ends: what was recognised.
        source: the [source] table.
        stem: name of the table without suffix, for the names of the outputs.
        suffix: of the release.
    """
    words = (
        "A first plan for a table of edges: who is connected with whom. Every line is a guess to be checked by someone who",
        "knows the data. `sfumato graph degrees` shows the owner what the table holds; nothing of it is in this plan.",
    )
    parts = {"graph": _graph(ends), "unit": _unit(), "statistics": _statistics()}
    return commented_plan(words, source, parts, stem=stem, suffix=suffix)


def _graph(ends: Ends) -> Table:
    """[graph]."""
    table = toml_table(dict(zip(("source", "target"), ends.names, strict=True)))
    if ends.directed:
        table.add("directed", tomlkit.boolean("true").comment("forgotten: edges both ways are one edge"))
    table.add(
        tomlkit.comment(
            "Without a table of vertices, whoever has an edge is public. With one, also who has none counts:"
        )
    )
    table.add(tomlkit.comment('vertices = { path = "…", vertex = "…", attributes = ["…"] }'))
    return table


def _unit() -> Table:
    """[unit]."""
    table = tomlkit.table()
    table.add("protects", "edge")
    table["protects"].comment('that two are connected; "node" with a `degree` protects all edges of one vertex')
    return table


def _statistics() -> AoT:
    """[[statistics]]: what costs little and tells much."""
    array = tomlkit.aot()
    for keys, price, comment in (
        ({"name": "edges"}, "1/10", "Prices add up. Others: triangles, clustering, parts, stars; by attributes: mixing, assortativity."),
        ({"name": "degrees", "most": MOST}, "4/10", "`most` is public: larger degrees count as this one."),
        ({"name": "cores"}, "1/2", "Of each vertex. `sfumato forecast` tells how far all these numbers would be off."),
    ):  # fmt: skip
        table = tomlkit.table()
        table.add(tomlkit.comment(comment))
        for key, value in keys.items():
            table.add(key, value)
        inline = tomlkit.inline_table()
        inline.update({"epsilon": price})
        table.add("price", inline)
        array.append(table)
    return array
