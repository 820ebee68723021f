"""Statistics of traces: totals of declared groups with noise that protects a person, or one week of a person."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sfumato.document.traces import TracesDocument
from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.release.method.checks import check_named, check_places
from sfumato.release.method.method import Method, Phase

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.account.event import Event
    from sfumato.release.answer.answer import Answer
    from sfumato.release.method.method import Stages
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools
    from sfumato.release.traces.statistics import Counted
    from sfumato.release.traces.statistics_plan import Asked
    from sfumato.table.unit import Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfStatistics(Method[TracesDocument, "Asked"]):
    """Tables of noisy numbers."""

    def check(self, plan: Plan) -> None:
        """Statistics that can be made private, and nothing of single persons beside them."""
        from sfumato.release.traces.statistics import promise_of

        said = self.options_of(plan)
        if said.protect:
            raise PlanError(
                "A plan of traces releases fixes or statistics, not both.",
                "remove [[protect]] or [[statistics]]: counts are not private beside the fixes.",
            ).below("protect")
        asked = _asked(said)
        promise_of(asked)
        check_places(plan, len(asked.tables))

    def check_columns(self, plan: Plan, names: Sequence[str]) -> None:
        """The columns are there; others are left out."""
        weights = self.options_of(plan).weights
        wanted = [column.name for column in plan.schema.columns] + ([] if weights is None else [weights.column])
        check_named("traces", wanted, names)

    def event(self, plan: Plan) -> Event:
        """All statistics together."""
        return _asked(self.options_of(plan)).event

    def unit(self, plan: Plan) -> Unit:
        """A person, or one week of a person."""
        return _asked(self.options_of(plan)).unit.of_ledger

    def beside_of(self, plan: Plan) -> Mapping[str, str]:
        """One table for each statistic, and for each margin."""
        titles = _asked(self.options_of(plan)).tables
        return {f"{i}-{slug(title)}": title for i, title in enumerate(titles, 1) if i > 1}

    def build(self, plan: Plan, tools: Tools) -> Asked:
        """The statistics and their prices."""
        del tools
        return _asked(self.options_of(plan))

    def stages(self) -> Stages[Asked, Counted, tuple[Answer, ...], None]:
        """Traces are read, counted, answered, written and read again."""
        from sfumato.release.traces import statistics

        return statistics


def slug(title: str) -> str:
    """A title as a part of a file's name.

    Example:
        >>> slug("flows between cells by origin")
        'flows-between-cells-by-origin'
    """
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def _asked(said: TracesDocument) -> Asked:
    """What follows from the plan alone."""
    from sfumato.release.traces.statistics_plan import asked_of

    return asked_of(said)


METHOD = _OfStatistics(
    name="trace-statistics",
    title="Statistics of traces",
    done="Contributions of persons were counted in declared groups, each person's within a limit, and noise was added.",
    why="Whoever studies how people move gets numbers with their errors, and nobody learns from them whether a person is in the traces.",
    options=TracesDocument,
    private=True,
    phases={
        Phase.READING: "reading",
        Phase.DECIDING: "counting",
        Phase.WRITING: "writing",
        Phase.VERIFYING: "verifying",
    },
)
