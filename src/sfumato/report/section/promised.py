"""What is promised: each promise with its numbers, and whether the release keeps it; and what must be true for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.language.words import ENGLISH, Words
from sfumato.report.number import ABSENT, columns, measured, paragraph, parameters_of, sentence
from sfumato.report.section.base import Section

if TYPE_CHECKING:
    from sfumato.document.result.release import Promise, ReleaseResult

_KNOWN = {
    "checked": "checked on the published table",
    "proved": "proved by theorem",
    "idealized": "proved for real numbers, computed with floats",
}
_HOLDS = {True: "holds", False: "does not hold", None: "not checked"}


@dataclass(frozen=True, slots=True)
class ShownPromise:
    """One promise with its numbers spelled."""

    name: str
    statement: str
    definition: str
    parameters: Sequence[tuple[str, str]]
    measured: str
    holds: str
    is_broken: bool
    known: str
    checked: str
    source: str
    assumptions: Sequence[str]


View = Sequence[ShownPromise]


def view(result: ReleaseResult, say: Words = ENGLISH) -> View:
    """Each promise with its numbers spelled."""
    return [_shown(promise, say) for promise in result.promise]


def _shown(promise: Promise, say: Words) -> ShownPromise:
    return ShownPromise(
        name=say.say(promise.name),
        statement=say.say(promise.statement),
        definition=say.say(promise.definition),
        parameters=parameters_of(promise.parameters, say),
        measured=say.spelled(measured(promise.measured, dict(promise.parameters))),
        holds=say.gettext(_HOLDS[promise.holds]),
        is_broken=promise.holds is False,
        known=ABSENT if promise.kind is None else say.gettext(_KNOWN[promise.kind]),
        checked=say.say(promise.checked or ""),
        source=sentence(say.say(promise.source or ABSENT)),
        assumptions=[say.say(one) for one in promise.assumptions],
    )


def lines(shown: View, say: Words = ENGLISH) -> list[str]:
    """The same on a terminal."""
    out = []
    for p in shown:
        numbers = ", ".join(f"{name} = {value}" for name, value in p.parameters)
        promised = say.gettext("What is promised: {name}").format(name=p.name)
        out += ["", promised + (f" ({numbers})" if numbers else "")]
        out += [*paragraph(p.statement), *columns([(say.gettext("measured"), f"{p.measured}, {p.holds}")])]
        out += paragraph(say.gettext("Checked {how}.").format(how=p.checked)) if p.checked else []
    return out


def limits(result: ReleaseResult, say: Words = ENGLISH) -> Sequence[str]:
    """What must be true outside the table, and notes of the run, each once."""
    cells = [entry.promise for entry in result.perturbed if entry.promise is not None]
    said = [assumption for promise in (*result.promise, *cells) for assumption in promise.assumptions]
    return [say.say(text) for text in dict.fromkeys([*said, *result.notes])]


SECTION = Section(name="promised", place=20, heading="What is promised", view=view, lines=lines)
LIMITS = Section(name="limits", place=60, heading="Limits and assumptions", view=limits)
