"""What breaks released traces, by doing: every attack with a control, as one document.

The format is `sfumato.trace-attack/1`; docs/how-to/attack-traces.md describes it.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal

from sfumato.attack.traces.clusters import Search
from sfumato.attack.traces.portraits import Sight
from sfumato.document.result.trace_attack import TraceAttackResult
from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.release.attacking import tried
from sfumato.release.trace_trials.case import all_trace_trials, case_of, has_fixes, linked_by_days, linked_by_name

if TYPE_CHECKING:
    from sfumato.document.result.attack import AttackedTable
    from sfumato.document.traces import TraceMeasures, TracesDocument
    from sfumato.release.attacking import Settings
    from sfumato.table.traces import Traces

_RISK = 0.2
"""Largest accepted risk where nobody says another: the default of plans of tables."""


@dataclass(frozen=True, slots=True)
class TraceWords:
    """What is known of two tables of fixes, and what a place is.

    Args:
        renamed: whether the release has other names for the persons.
        sight: what a place is to the intruder.
    """

    renamed: bool
    sight: Sight = Sight()


def words_of(said: TracesDocument, *, cells: bool = False) -> TraceWords:
    """What a plan of traces says of its release.

    Args:
        said: the plan.
        cells: whether cells with fixes are places, as for check-ins, instead of stays.

    Raises:
        PlanError: a release in which nobody can be followed. Remedy: in the message.
    """
    if said.persons not in ("kept", "renamed"):
        raise PlanError(
            "Traces can be attacked where each person has one number in the release; the plan says `persons` = {persons!r}.",
            "read the attacks in the result of the run, whose judge knows who is who.",
            persons=said.persons,
        )
    return TraceWords(said.persons == "renamed", sight_of(said.measure, cells=cells))


def sight_of(said: TraceMeasures, *, cells: bool) -> Sight:
    """What a place is, by [measure]."""
    if cells:
        return Sight(search=None, metres=said.stay_metres)
    return Sight(Search(said.stay_seconds, said.stay_metres), said.stay_metres)


def attack_fixes(
    traces: tuple[Traces, Traces], tables: tuple[AttackedTable, AttackedTable], words: TraceWords, settings: Settings
) -> TraceAttackResult:
    """Every attack on released traces: `sfumato.trace-attack/1`.

    Args:
        traces: original and release.
        tables: what they were read from.
        words: how they are linked, and what a place is.
        settings: how many guesses, and how sure.

    Raises:
        SchemaError: no common person, or fewer than two days.
    """
    original, release = traces
    linked = linked_by_days(release, original, words.sight.cell) if words.renamed else linked_by_name(release, original)
    hard: dict[str, Any] = {"guesses": settings.guesses, "confidence": settings.confidence, "seed": settings.seed}
    case = case_of(original, linked, words.sight, **hard)
    how: Literal["names", "days"] = "days" if words.renamed else "names"
    return TraceAttackResult(
        sfumato=version("sfumato"),
        release=tables[1],
        original=tables[0],
        zone=original.zone,
        places="cells" if words.sight.search is None else "stays",
        linked=how,
        persons=len(original.persons),
        released=int(has_fixes(linked).sum()),
        fixes=len(original),
        fixes_released=len(release),
        **hard,
        risk_threshold=_RISK,
        attacks=tuple(tried(trial, _RISK) for trial in all_trace_trials(case)),
        notes=tuple(_notes(release, linked, how)),
    )


def _notes(release: Traces, linked: Traces, how: str) -> list[str]:
    """What a reader should know beside the rates."""
    out = []
    if how == "days":
        out.append(
            "Persons were renamed: the judge took each for the one of the original whose heat map of all days is nearest, "
            "one to one. Where the release tells nothing of a person the link may be wrong, and attacks look weaker."
        )
    left = len(release) - len(linked)
    if left:
        out.append(f"{left:,} fixes of the release are of nobody in the original and were left out.")
    return out
