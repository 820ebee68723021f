"""A question to a graph: a statistic as a plan has it, or a SELECT that one of them answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from sfumato.document.codec import read, write
from sfumato.document.graph import NodeUnit
from sfumato.document.graph_statistics import GraphStatisticTable  # noqa: TC001
from sfumato.frozen import dataclass
from sfumato.release.graph.plan import check_attributes
from sfumato.release.graph.registry import AND_MORE, statistics_of
from sfumato.release.graph.sql import DEGREE, Selected, is_sql, selected
from sfumato.table.values import parsed_toml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.document.graph import GraphData
    from sfumato.release.answer.answer import Answer
    from sfumato.release.graph.statistic import Statistic
    from sfumato.table.values import Item, Table

_PARTS = ("keys", "values", "low", "high")
"""What an answer has for each row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """A question as a table."""

    statistic: GraphStatisticTable


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, at a price.

    Args:
        said: the statistic as a plan has it.
        keys: of it, without its price: the same for the same question, however it was said.
        statistic: what answers.
        chosen: which rows of the answer are meant.
    """

    said: GraphStatisticTable
    keys: Table
    statistic: Statistic
    chosen: Selected

    def of(self, answer: Answer) -> Answer:
        """The rows of an answer that are meant: they are chosen by public keys, and that is free."""
        if not self.chosen.kept:
            return answer
        rows = self.chosen.rows(answer.by, answer.keys)
        is_last = DEGREE not in answer.by or len(answer.keys) - 1 in rows
        parts: dict[str, Any] = {name: tuple(getattr(answer, name)[i] for i in rows) for name in _PARTS}
        return replace(answer, **parts, notes=tuple(note for note in answer.notes if is_last or note != AND_MORE))


def question_of(text: str, data: GraphData, price: Mapping[str, str]) -> Question:
    """The statistic that is asked for.

    Args:
        text: its name, and its keys as in [[statistics]] of a plan, such as `degrees, most = 100`; or a SELECT.
        data: the declared graph.
        price: keys of what it costs, as a plan has them.

    Raises:
        QueryError: a SELECT that no statistic answers.
        PlanError: no such statistic, or an attribute that is not declared.
    """
    vertices, unit = data.graph.vertices, data.unit
    if is_sql(text):
        attributes = () if vertices is None else vertices.attributes
        chosen = selected(text, attributes, unit.degree if isinstance(unit, NodeUnit) else None)
    else:
        name, _, keys = text.partition(",")
        written = cast("Table", parsed_toml(f"keys = {{ {keys} }}", "A question")["keys"])
        chosen = Selected({"name": name.strip(), **written})
    asked: dict[str, Item] = {**chosen.keys, "price": cast("Table", dict(price))}
    said = read(_Said, {"statistic": asked}, "the question").statistic
    check_attributes((said,), vertices)
    plain = {key: value for key, value in write(said).items() if key != "price"}
    return Question(said, plain, statistics_of((said,), unit)[0], chosen)
