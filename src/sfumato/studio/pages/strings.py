"""Which strings do people hold, when nobody can list them? RAPPOR is designed, its server is asked for counts, candidates are found.

As on the page of a collection of questions no report is here: only counts of bits that were perturbed on each person's own
device, and strings that somebody looks for.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError, PlanError, SfumatoError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.rappor.design import Promise, propose
from sfumato.mechanism.local.rappor.design import best as best_of
from sfumato.mechanism.local.rappor.detection import Aim
from sfumato.release.collect.rappor import RapporCollection, strings_in, strings_told
from sfumato.release.stage import staged
from sfumato.report.number import Toward, number, percent_of
from sfumato.studio.collected import ShownString, strings_chart, strings_shown
from sfumato.studio.counted import Kept
from sfumato.studio.pages.base import Asked, Page, Turn
from sfumato.studio.plan_file import StringsFile
from sfumato.studio.shelf import STRINGS_FILE, whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sfumato.document.result.collected import StringsResult
    from sfumato.mechanism.local.rappor.design import Proposal
    from sfumato.mechanism.local.rappor.params import RapporParams
    from sfumato.studio.counted import Server

KEPT = Kept("string-counts.json", "string-server.json")
CANDIDATES = "candidates.txt"
"""Strings that are looked for, one a line."""
ASKED = ("name", "permanent", "first", "persons", "candidates", "values")
"""What the design asks for."""
_MOST_CANDIDATES, _MOST_REPORTS, _MOST_VALUES = 10_000, 10**9, 4096


@dataclass(frozen=True, slots=True)
class ShownProposal:
    """Parameters that keep both epsilons.

    Args:
        bits, bytes, hashes, cohorts: of a report; how many bits a string sets; groups of devices.
        f, p, q: the noise, exactly.
        permanent: epsilon of all reports about one value; "": each person reports once.
        first: epsilon of a report.
        share: the smallest share that is found.
        is_best: whether the command would take it.
    """

    bits: int
    bytes: int
    hashes: int
    cohorts: int
    f: str
    p: str
    q: str
    permanent: str
    first: str
    share: str
    is_best: bool


@dataclass(frozen=True, slots=True)
class View:
    """A collection of strings.

    Args:
        seen: of its document.
        asked: what the design was asked, by name.
        proposals: what keeps both epsilons, the shortest report first; (): not asked.
        advice_command: what designs the same in a shell.
        saved: the parameters that were signed off; None: none yet.
        trouble: why the document is none; None: it is one, or there is none.
        names: the strings that are looked for, one a line.
        server: whom the page asked last.
        ask_command: what asks it in a shell.
        result: what the counts tell; None: nothing was counted.
        strings: the same as text, the largest share first.
        chart: the discoveries as a picture; "": there are none.
        unexplained: share of persons whose string is no discovery.
        problem: why the counts tell nothing; None: they do, or there are none.
        command: what decodes the same in a shell.
    """

    seen: str
    asked: dict[str, str]
    proposals: tuple[ShownProposal, ...]
    advice_command: str
    saved: ShownProposal | None
    trouble: SfumatoError | None
    names: str
    server: Server
    ask_command: str
    result: StringsResult | None
    strings: tuple[ShownString, ...]
    chart: str
    unexplained: str
    problem: SfumatoError | None
    command: str


def view(asked: Asked) -> View:
    """The parameters as they are, what would keep other epsilons, and which strings were found."""
    file = _file(asked)
    collection, trouble = _read(file)
    told = {key: asked.wanted(key) for key in ASKED}
    told["name"] = told["name"] or asked.project.name
    proposed = _proposed(told) if told["first"] else ()
    names, server = _names(asked), KEPT.server_of(asked)
    found, problem = (None, None) if collection is None else _result(asked, collection)
    is_basic = collection is not None and bool(collection.params.values)
    command = f"sfumato collect estimate {STRINGS_FILE} {KEPT.counts}"
    return View(
        seen=file.seen,
        asked=told,
        proposals=tuple(_shown(one.params, one.share, is_best=one is best_of(proposed)) for one in proposed),
        advice_command=_command(told),
        saved=None if collection is None else _shown(collection.params, None),
        trouble=trouble,
        names=names,
        server=server,
        ask_command=KEPT.command(server),
        result=found,
        strings=() if found is None else strings_shown(found),
        chart="" if found is None else strings_chart(found, asked.words),
        unexplained="" if found is None else percent_of(found.unexplained, Toward.NEAREST),
        problem=problem,
        command=command if is_basic else f"{command} --candidates {CANDIDATES}",
    )


def _file(asked: Asked) -> StringsFile:
    return StringsFile.at(asked.project.folder / STRINGS_FILE)


def _read(file: StringsFile) -> tuple[RapporCollection | None, SfumatoError | None]:
    """The collection that is there; or why it is none."""
    if not file.text:
        return None, None
    try:
        return file.collection(), None
    except SfumatoError as error:
        return None, error


def _proposed(told: dict[str, str]) -> tuple[Proposal, ...]:
    """Parameters that keep what the form asks.

    Raises:
        PlanError: a text is no number, or one beyond what a page computes.
        ParameterError: nothing keeps these epsilons.
    """
    values, numbers = strings_in(told["values"]), [whole(told[key].strip()) for key in ("persons", "candidates")]
    reports, tested = numbers[0], len(values) or numbers[1]
    if (
        reports is None
        or tested is None
        or reports > _MOST_REPORTS
        or tested > _MOST_REPORTS
        or len(values) > _MOST_VALUES
    ):
        raise PlanError(
            "Strings are designed for at most {reports} persons, as many strings to test, and {values} declared values.",
            "give whole numbers, or design with `sfumato collect design`.",
            reports=_MOST_REPORTS, values=_MOST_VALUES,
        )  # fmt: skip
    permanent = _epsilon(told["permanent"]) if told["permanent"].strip() else None
    return propose(told["name"], Promise(permanent, _epsilon(told["first"])), Aim(reports, tested), values=values)


def _epsilon(text: str) -> float:
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        raise PlanError("Epsilon must be a number above 0.", "give such as 1.") from None


def _shown(params: RapporParams, share: float | None, *, is_best: bool = False) -> ShownProposal:
    """Parameters as text, epsilons and shares rounded up."""
    return ShownProposal(
        params.bits, -(-params.bits // 8), params.hashes, params.cohorts, str(params.f), str(params.p), str(params.q),
        "" if params.is_one_time else number(params.epsilon_permanent, Toward.UP), number(params.epsilon_first, Toward.UP),
        "" if share is None or share >= 1 else percent_of(share, Toward.UP), is_best,
    )  # fmt: skip


def _command(told: dict[str, str]) -> str:
    """What designs the same in a shell."""
    lasting = ["--epsilon-permanent", told["permanent"]] if told["permanent"].strip() else ["--once"]
    declared = ["--values", "VALUES.txt"] if told["values"].strip() else []
    words = [
        "sfumato", "collect", "design", "--name", told["name"], *lasting, "--epsilon-first", told["first"] or "EPSILON",
        "--reports", told["persons"] or "PERSONS", "--candidates", told["candidates"] or "1", *declared, "--runs", "0", "-o", STRINGS_FILE,
    ]  # fmt: skip
    return shlex.join(words)


def design(asked: Asked) -> Turn:
    """Sign off one of the proposals, unless somebody else changed the parameters meanwhile.

    Raises:
        PlanError: what the form asks is none, or the parameters on disk are others.
        ParameterError: nothing keeps these epsilons.
    """
    told = {key: asked.posted.get(key, "") for key in ASKED}
    told["name"] = told["name"].strip() or asked.project.name
    bits = whole(asked.posted.get("bits", ""))
    chosen = next((one.params for one in _proposed(told) if one.params.bits == bits), None)
    if chosen is None:
        raise ParameterError("One of the proposals must be taken.", "choose one of the list.")
    StringsFile(asked.project.folder / STRINGS_FILE, chosen.to_json() + "\n").save(asked.posted.get("seen", ""))
    return Turn("strings", place="design")


def _names(asked: Asked) -> str:
    path = _names_path(asked)
    return path.read_text("utf-8", "replace") if path.is_file() else ""


def _names_path(asked: Asked) -> Path:
    return asked.project.folder / CANDIDATES


def look_for(asked: Asked) -> Turn:
    """Strings to look for, one a line.

    Raises:
        PlanError: they are more than a page decodes.
    """
    names = strings_in(asked.posted.get("names", ""))
    if len(names) > _MOST_CANDIDATES:
        raise PlanError(
            "A page looks for at most {most} strings; got {n}.", "use `sfumato collect estimate`.",
            most=_MOST_CANDIDATES, n=len(names),
        )  # fmt: skip
    with staged() as stage:
        stage.write(_names_path(asked), "".join(f"{one}\n" for one in names))
        stage.commit()
    return Turn("strings", place="counted")


def _result(asked: Asked, collection: RapporCollection) -> tuple[StringsResult | None, SfumatoError | None]:
    """Which strings were found; or why nothing can be said."""
    names: Sequence[str] = collection.params.values or strings_in(_names(asked))
    if not KEPT.path(asked).is_file() or not names:
        return None, None
    try:
        read = KEPT.read(asked, collection)
        return strings_told(RapporCollection(collection.params, tuple(names)).estimate(read)), None
    except SfumatoError as error:
        return None, error


def ask(asked: Asked) -> Turn:
    """Ask a server for its counts; see `Kept.ask`."""
    KEPT.ask(asked, _file(asked).collection())
    return Turn("strings", place="counted")


def count(asked: Asked) -> Turn:
    """Take counts from a file; see `Kept.take`."""
    KEPT.take(asked, _file(asked).collection())
    return Turn("strings", place="counted")


PAGE = Page(
    name="strings", place=135, title="Strings", document="collection",
    command=f"sfumato collect estimate {STRINGS_FILE} {KEPT.counts} --candidates {CANDIDATES}",
    view=view, acts={"design": design, "names": look_for, "ask": ask, "count": count}, uploads=("count",),
)  # fmt: skip
