"""Traces: fixes protected one protection after the other, persons under new numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.document.loading import about
from sfumato.document.traces import TracesDocument
from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.release.method.checks import check_named
from sfumato.release.method.method import Method, Phase
from sfumato.release.plan import MethodChoice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.release.method.method import Extra, Figures, Stages
    from sfumato.release.pipeline import Outcome
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools
    from sfumato.release.traces.reading import Read
    from sfumato.release.traces.run import Built, Decided
    from sfumato.table.traces import Traces


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfTraces(Method[TracesDocument, "Built"]):
    """A table of fixes."""

    def check(self, plan: Plan) -> None:
        """Protections that can be made."""
        built_of(self.options_of(plan))

    def check_columns(self, plan: Plan, names: Sequence[str]) -> None:
        """The four columns are there; others are left out."""
        check_named("traces", [column.name for column in plan.schema.columns], names)

    def build(self, plan: Plan, tools: Tools) -> Built:
        """The region and the protections."""
        del tools
        return built_of(self.options_of(plan))

    def counts_of(self, plan: Plan) -> Plan:
        """What is read depends on [traces] and [region]."""
        said = self.options_of(plan)
        read = TracesDocument(traces=said.traces, region=said.region)
        return replace(Method.counts_of(self, plan), method=MethodChoice(self.name, said=read))

    def figures(self, outcome: Outcome[Built, Read, Decided, Traces | None], extra: Extra) -> Figures:
        """Worth and what is tried on every release; the attacks of `sfumato attack` where they are asked for."""
        from sfumato.release.traces.tried import attack_figures

        worth, risk = Method.figures(self, outcome, extra)
        return worth, [*risk, *(attack_figures(outcome) if extra.attacks else ())]

    def stages(self) -> Stages[Built, Read, Decided, Traces | None]:
        """Fixes are read, protected, written, read again and attacked."""
        from sfumato.release.traces import run

        return run


def built_of(said: TracesDocument) -> Built:
    """What follows from the plan alone.

    Raises:
        PlanError: nothing is done to the fixes, or a protection has numbers that are none.
    """
    from sfumato.release.traces.plan import region_of
    from sfumato.release.traces.protections import LAST, Given, protection_of
    from sfumato.release.traces.ruled import together
    from sfumato.release.traces.run import Built

    if not said.protect:
        raise PlanError(
            "A plan of traces must protect them; no [[protect]] found.",
            'add one, such as `name = "promesse"` with `metres = 100`.',
        ).below("protect")
    if any(isinstance(one, LAST) for one in said.protect[:-1]):
        raise PlanError(
            "What k persons have in common must stay so: `cloak`, `shared-paths` and `near-paths` come last.",
            "move it to the end of [[protect]].",
        ).below("protect")
    if isinstance(said.protect[-1], LAST) and said.persons == "kept":
        raise PlanError(
            "Persons must not be kept where they are shown only with others.",
            'leave `persons` out, or say "renamed" or "dropped".',
        ).below("persons")
    given = Given(region_of(said.region), said.traces.gap, said.traces.by_day, said.unit.per)
    protections = []
    for place, one in enumerate(said.protect):
        with about("protect", place):
            protections.append(protection_of(one, given))
    return Built(said, given.region, given, together(protections))


METHOD = _OfTraces(
    name="traces",
    title="Protected traces",
    done="Fixes of persons were protected, one protection after the other, and persons put under new numbers.",
    why="Whoever studies how people move gets rows of fixes, and not the places where somebody stays.",
    options=TracesDocument,
    phases={
        Phase.READING: "reading",
        Phase.DECIDING: "protecting",
        Phase.WRITING: "writing",
        Phase.VERIFYING: "verifying and measuring",
    },
)
