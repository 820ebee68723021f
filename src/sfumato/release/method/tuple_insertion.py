"""α-β insertion: a set of tuples, each kept or inserted by a coin of its own, under differential privacy."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.account.event import PureDP
from sfumato.document import method
from sfumato.frozen import dataclass
from sfumato.release.insertion_choice import insertion_of, promise_of
from sfumato.release.method.method import Method, Phase
from sfumato.release.private import check_columns

if TYPE_CHECKING:
    from sfumato.account.event import Event
    from sfumato.release.insertion import Counted
    from sfumato.release.insertion_choice import Insertion
    from sfumato.release.method.method import Stages
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class _TupleInsertion(Method[method.TupleInsertion, "Insertion"]):
    """A set of tuples."""

    def check(self, plan: Plan) -> None:
        """A declared domain of every column, and nothing published beside it."""
        insertion_of(plan, self.options_of(plan))
        check_columns(plan)

    def event(self, plan: Plan) -> Event:
        """ε of the promise."""
        return PureDP(Fraction(promise_of(plan).epsilon))

    def build(self, plan: Plan, tools: Tools) -> Insertion:
        """The domains, and both chances."""
        del tools
        return insertion_of(plan, self.options_of(plan))

    def stages(self) -> Stages[Insertion, Counted, IntArray, IntArray]:
        """Tuples are drawn, written and measured."""
        from sfumato.release import insertion

        return insertion


METHOD = _TupleInsertion(
    name="tuple-insertion",
    title="Tuples inserted and left out",
    done=(
        "Every distinct tuple of the table was published by a coin, and every other tuple of the declared "
        "domain too, with a smaller chance; the published ones stand in the order of the domain."
    ),
    why=(
        "Any number of counts can be estimated from one published table, without paying again; a tuple in it "
        "may be true or inserted."
    ),
    options=method.TupleInsertion,
    private=True,
    phases={
        Phase.READING: "reading",
        Phase.DECIDING: "drawing and writing",
        Phase.VERIFYING: "verifying and measuring",
    },
)
