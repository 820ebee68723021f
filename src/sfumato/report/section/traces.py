"""A release of traces: what was read, what was done to it in turn, and what attacks on traces get, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.language.words import ENGLISH, Words
from sfumato.report.number import ABSENT, Toward, columns, count, paragraph, sentence, share
from sfumato.report.section.base import Section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.result.release import ReleaseResult
    from sfumato.document.result.traces import Bounded, TraceRows, TracesFound, TriedRisk

_WRONG = {
    "without_person": "left out: nobody is named",
    "without_time": "left out: no time that can be read",
    "skipped_times": "left out: a clock time that never was",
    "impossible_places": "left out: no place of the Earth",
    "repeated": "left out: repeated",
    "contradicting": "left out: the same person and time elsewhere",
    "twofold_times": "kept at the first of two moments: the clock was put back",
    "at_zero": "kept at 0, 0, which devices report without a fix",
    "outside": "outside the declared region",
}
_PERSONS = {
    "renamed": "a number for each, drawn anew",
    "renamed-by-piece": "a number for each piece of a trace, drawn anew",
    "kept": "as they were",
    "dropped": "not told",
}


@dataclass(frozen=True, slots=True)
class ShownTried:
    """An attack with its intervals, spelled."""

    label: str
    definition: str
    source: str
    before: str
    after: str
    control: str


@dataclass(frozen=True, slots=True)
class View:
    """A release of traces.

    Args:
        facts: what was read and released.
        wrong: what was wrong with rows, and how many.
        protected: what was done, in order.
        tried: attacks.
    """

    facts: Sequence[tuple[str, str]]
    wrong: Sequence[tuple[str, str]]
    protected: Sequence[str]
    tried: Sequence[ShownTried]


def view(result: ReleaseResult, say: Words = ENGLISH) -> View | None:
    """What is shown of a release of traces; None of a table."""
    found = result.traces
    if found is None:
        return None
    return View(
        facts=_facts(found, say),
        wrong=_wrong(found.read, say),
        protected=[say.say(text) for text in found.protected],
        tried=[_tried(one, say) for one in found.tried],
    )


def _facts(found: TracesFound, say: Words) -> list[tuple[str, str]]:
    """Persons and fixes, before and after."""
    _ = say.gettext

    def n(value: int) -> str:
        return say.spelled(count(value))

    per = _("of one person") if found.per == "person" else _("of one person in one week")
    return [
        (_("Persons"), _("{before} before, {after} after").format(before=n(found.persons_before), after=n(found.persons_after))),
        (_("Fixes"), _("{before} before, {after} after").format(before=n(found.fixes_before), after=n(found.fixes_after))),
        (_("Persons in the release"), _(_PERSONS.get(found.persons, found.persons))),
        (_("Most reports {per}").format(per=per), n(found.reports)),
        (_("Time zone"), found.zone),
    ]  # fmt: skip


def _wrong(read: TraceRows, say: Words) -> list[tuple[str, str]]:
    """What was wrong with rows; what never happened is not told."""
    found = [(say.gettext(text), getattr(read, name)) for name, text in _WRONG.items()]
    if read.too_fast is not None:
        found.append((say.gettext("steps faster than the stated speed"), read.too_fast))
    return [(text, say.spelled(count(n))) for text, n in found if n]


def _tried(one: TriedRisk, say: Words) -> ShownTried:
    return ShownTried(
        label=say.say(one.label),
        definition=say.say(one.definition),
        source=sentence(say.say(one.source)),
        before=_share(one.before, say),
        after=_share(one.after, say),
        control=say.spelled(share(one.control, Toward.UP)),
    )


def _share(found: Bounded | None, say: Words) -> str:
    """A share with its interval, rounded up."""
    if found is None:
        return ABSENT
    value, low, high = share(found.value, Toward.UP), share(found.low, Toward.DOWN), share(found.high, Toward.UP)
    return f"{say.spelled(value)} ({say.spelled(low)} … {say.spelled(high)})"


def lines(shown: View, say: Words = ENGLISH) -> list[str]:
    """The same on a terminal."""
    _ = say.gettext
    out = ["", _("Traces"), *(line for text in shown.protected for line in paragraph(text)), *columns(shown.facts)]
    if shown.wrong:
        out += ["", _("What was wrong with rows"), *columns(shown.wrong)]
    both = _("{before} before, {after} after")
    tried = [(one.label, both.format(before=one.before, after=one.after)) for one in shown.tried]
    return out + (["", _("Attacks that were tried, with 95 % intervals"), *columns(tried)] if tried else [])


SECTION = Section(name="traces", place=15, heading="Traces", view=view, lines=lines, of="traces")
