"""What is promised, and how is it reached? Promises, the method and its options, and then the run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast, get_args

from sfumato.document.method import Method
from sfumato.document.plan import Measures
from sfumato.document.spec import criteria
from sfumato.errors import PlanError, SfumatoError
from sfumato.frozen import dataclass
from sfumato.guarantee.registry import criterion_from
from sfumato.studio import estimate as tried
from sfumato.studio import jobs
from sfumato.studio.databases import LEDGER, RELEASE, SOURCE, secret_of
from sfumato.studio.fields import Field, fields_of, read_fields
from sfumato.studio.pages.base import Asked, Page, Turn
from sfumato.studio.plan_file import put_entry, set_table
from sfumato.studio.shelf import columns_of_role, whole
from sfumato.table.schema import Role

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.document.spec import Class
    from sfumato.table.values import Item, Table

METHODS: Mapping[str, Class] = {cls.tag[1]: cls for cls in get_args(Method)}
"""Every method, by its name."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """Who receives the data, and what is usual then; a proposal that somebody must confirm.

    Args:
        name: of the scenario.
        title: in English.
        why: what speaks for it.
        k: proposed k.
    """

    name: str
    title: str
    why: str
    k: int


SCENARIOS = (
    Scenario("inside", "Inside the house", "Known persons with duties; a class of three keeps a colleague from being found by chance.", 3),
    Scenario("contract", "Under contract", "Recipients sign not to re-identify: five is what most ethics boards and statistics offices ask.", 5),
    Scenario("open", "Open data", "Anybody may try with anything: the European Medicines Agency asks a risk of 0.09, which is k = 12; twenty leaves room.", 20),
    Scenario("research", "Research file", "Recipients are few, in a safe room, but the data are rich: ten, and secrets that differ in each class.", 10),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind:
    """A criterion that may be promised.

    Args:
        name: model and variant.
        words: the first line of what it means.
    """

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a list of the plan: a promise, or what else a page shows by its keys.

    Args:
        place: in the plan, from 0; -1: it is being added.
        name: of a promise, model and variant.
        words: what it means.
        fields: its keys.
    """

    place: int
    name: str
    words: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class View:
    """Promises and method.

    Args:
        seen: of the plan.
        scenarios: proposals.
        promises: those of the plan.
        kinds: those that may be added.
        adding: the one that is being added; None: none is.
        methods: name and first line of each method.
        method: the one that is shown.
        method_fields: its options.
        measure_fields: what is measured beside.
        estimate: what a promise that was typed would cost; None: none was tried on this plan.
    """

    seen: str
    scenarios: tuple[Scenario, ...]
    promises: tuple[Entry, ...]
    kinds: tuple[Kind, ...]
    adding: Entry | None
    methods: tuple[Kind, ...]
    method: str
    method_fields: tuple[Field, ...]
    measure_fields: tuple[Field, ...]
    estimate: tried.Estimate | None


def view(asked: Asked) -> View:
    """Promises and method as the plan says; the method that the address names, with options not yet saved."""
    file = asked.project.plan_file()
    said, secrets = file.tables, columns_of_role(file.tables, [Role.SENSITIVE.value])
    method = cast("Table", said.get("method", {}))
    name = asked.query.get("method", str(method.get("name", "")))
    promises = cast("list[Table]", said.get("promise", []))
    return View(
        seen=file.seen,
        scenarios=SCENARIOS,
        promises=tuple(_promise(i, one, secrets) for i, one in enumerate(promises)),
        kinds=tuple(Kind(_name(cls), words_of(cls)) for cls in criteria()),
        adding=_adding(asked, secrets),
        methods=tuple(Kind(name, words_of(cls)) for name, cls in METHODS.items()),
        method=name,
        method_fields=fields_of(METHODS[name], method) if name in METHODS else (),
        measure_fields=fields_of(Measures, cast("Table", said.get("measure", {}))),
        estimate=tried.estimate_of(asked, file.text),
    )


def _promise(place: int, said: Table, secrets: tuple[str, ...]) -> Entry:
    cls = _class_of(said)
    if cls is None:
        return Entry(place, str(said.get("model", "")), "", ())
    return Entry(place, _name(cls), words_of(cls), fields_of(cls, said, secrets))


def _adding(asked: Asked, secrets: tuple[str, ...]) -> Entry | None:
    """The promise that the address names, with what was typed."""
    wanted = asked.query.get("add", "")
    if not wanted:
        return None
    cls = _criterion(wanted)
    return Entry(-1, wanted, words_of(cls), fields_of(cls, dict(asked.posted), secrets))


def _class_of(said: Table) -> Class | None:
    """The criterion that a table of a plan means."""
    return next((cls for cls in criteria() if all(said.get(key) == value for key, value in _tag(cls).items())), None)


def _tag(cls: Class) -> dict[str, str]:
    return {"model": cls.model, **dict(getattr(cls, "variant", {}))}


def _name(cls: Class) -> str:
    """Model and variant as one text."""
    return " · ".join(_tag(cls).values())


def words_of(cls: Class) -> str:
    """What a class of a document is, in one sentence."""
    return " ".join((cls.__doc__ or "").split("\n\n")[0].split())


def _criterion(name: str) -> Class:
    for cls in criteria():
        if _name(cls) == name:
            return cls
    raise PlanError("A promise must be one of those that are known.", "choose one of the list.")


def add(asked: Asked) -> Turn:
    """A promise more, or one with other numbers."""
    table, place = _typed(asked), whole(asked.posted.get("place", ""))
    asked.edited(lambda document: put_entry(document, "promise", place, table))
    return Turn("promise")


def _typed(asked: Asked) -> dict[str, Item]:
    """The promise that somebody filled in.

    Raises:
        PlanError: it is none.
    """
    cls = _criterion(asked.posted.get("kind", ""))
    table: dict[str, Item] = {**_tag(cls), **read_fields(cls, asked.posted)}
    criterion_from(table)
    return table


def estimate(asked: Asked) -> Turn:
    """Begin to try what is typed; why that cannot be done is told where the estimate would stand."""
    name = _name(_criterion(asked.posted.get("kind", "")))
    try:
        tried.begin(asked, name, _typed(asked), whole(asked.posted.get("place", "")))
    except SfumatoError as error:
        tried.refused(asked, name, error)
    add = {"add": asked.query["add"]} if "add" in asked.query else {}
    return Turn("promise", add, "estimate")


def remove(asked: Asked) -> Turn:
    """A promise less."""
    place = whole(asked.posted.get("place", ""))

    def edit(document: Any) -> None:
        if place is None or place >= len(document.get("promise", ())):
            raise PlanError("A promise must be one of the plan.", "choose one of the list.")
        del document["promise"][place]

    asked.edited(edit)
    return Turn("promise")


def propose(asked: Asked) -> Turn:
    """What a scenario proposes, as k-anonymity; other promises stay."""
    wanted = next((one for one in SCENARIOS if one.name == asked.posted.get("scenario")), None)
    if wanted is None:
        raise PlanError("A scenario must be one of those that are shown.", "choose one of them.")
    promises = cast("list[Table]", asked.project.plan_file().tables.get("promise", []))
    place = next((i for i, one in enumerate(promises) if one.get("model") == "k-anonymity"), len(promises))
    return add(replace(asked, posted={**asked.posted, "kind": "k-anonymity", "k": str(wanted.k), "place": str(place)}))


def method(asked: Asked) -> Turn:
    """Another method, or other options."""
    name = asked.posted.get("name", "")
    if name not in METHODS:
        raise PlanError("A method must be one of those that are known.", "choose one of the list.")
    table = {"name": name, **read_fields(METHODS[name], asked.posted)}
    asked.edited(lambda document: set_table(document, ("method",), table))
    return Turn("promise", place="method")


def measure(asked: Asked) -> Turn:
    """What is measured beside what always is."""
    table = read_fields(Measures, asked.posted)
    asked.edited(lambda document: set_table(document, ("measure",), table))
    return Turn("promise", place="measure")


def start(asked: Asked) -> Turn:
    """Run the plan as it is now."""
    file = asked.project.plan_file()
    file.plan()
    secret, run = secret_of(asked, (*SOURCE, *RELEASE, *LEDGER)), asked.project.new_run()
    (run.folder / "plan.toml").write_text(file.text, "utf-8")
    jobs.start(run.folder, jobs.Job(kind="run", project=str(asked.project.folder)), secret=secret)
    return Turn("wait", {"job": str(run.number)})


PAGE = Page(
    name="promise", place=40, title="Promise and method", command="sfumato run plan.toml", view=view,
    acts={"add": add, "estimate": estimate, "remove": remove, "propose": propose, "method": method, "measure": measure, "run": start},
)  # fmt: skip
