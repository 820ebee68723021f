"""Rules of persons in a plan: the tables of [[protect]] that are called `rule`, and what they make of fixes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from sfumato.errors import InternalError, PlanError
from sfumato.frozen import dataclass
from sfumato.mechanism.location.rules import Circle, Rule, apply
from sfumato.table.hours import Hours

if TYPE_CHECKING:
    from sfumato.document.traces import RuleTable
    from sfumato.release.tools import Tools
    from sfumato.release.traces.protections import Protection
    from sfumato.table.traces import Traces

_ALL = (0, 1, 2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class Ruled:
    """Rules, of which the first that fits a fix decides.

    Args:
        rules: in the order of the plan.
    """

    rules: tuple[Rule, ...]

    @property
    def done(self) -> str:
        """How many there are."""
        return (
            f"Rules decided fix by fix what is shown ({len(self.rules)} of them, the first that fits); a hole that a rule "
            "leaves can show what is in it."
        )

    def protect(self, traces: Traces, tools: Tools) -> Traces:
        """What is shown."""
        del tools
        return apply(self.rules, traces).traces

    def refuse(self, published: Traces, unit: int) -> None:
        """Where rules only hide, and for everybody, no fix is left that one of them hides."""
        del unit
        alike = all(rule.show == "nothing" and rule.person is None for rule in self.rules)
        if alike and apply(self.rules, published).hidden:
            raise InternalError("A written fix is one that a rule hides; the release must not be used.")

    def guarantee(self, reports: int) -> None:
        """None is made."""
        del reports


def rule_of(said: RuleTable) -> Ruled:
    """The rule of one table.

    Raises:
        PlanError: a circle or hours that are not whole. ParameterError: numbers that are none.
    """
    circle = (said.latitude, said.longitude, said.metres)
    if len({number is None for number in circle}) > 1 or (said.first is None) != (said.until is None):
        raise PlanError(
            "A rule needs `latitude`, `longitude` and `metres` together, and `first` and `until` together.",
            "say all of them, or none.",
        )
    if (said.show == "cells") != (said.side is not None):
        raise PlanError(
            'A rule that shows "cells" needs their `side`, and no other rule has one.', "such as `side = 2000`."
        )
    within = None if said.latitude is None else Circle(*circle)  # type: ignore[arg-type]
    hours = None
    if said.first is not None or said.days is not None:
        ends = (0, 24) if said.first is None or said.until is None else (said.first, said.until)
        hours = Hours(*ends, said.days if said.days is not None else _ALL)
    show: Literal["nothing", "as it is"] | float = (said.side or 0.0) if said.show == "cells" else said.show
    return Ruled((Rule(show, within, hours, person=said.person),))


def together(protections: list[Protection]) -> tuple[Protection, ...]:
    """Rules that follow each other as one."""
    out: list[Protection] = []
    for one in protections:
        if isinstance(one, Ruled) and out and isinstance(out[-1], Ruled):
            out[-1] = Ruled((*out[-1].rules, *one.rules))
        else:
            out.append(one)
    return tuple(out)
