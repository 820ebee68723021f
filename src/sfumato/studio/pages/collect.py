"""What shall be asked, and what did they answer? A collection is designed, its server is asked for counts, shares come with intervals.

The page holds no report and no cell: what a server or `sfumato collect aggregate` counted was perturbed on each person's own
device.
"""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import tomlkit

from sfumato.document.collection import ProtocolTable, QuestionTable
from sfumato.document.header import COLLECTION, FORMAT
from sfumato.document.result.collected import EstimatesResult
from sfumato.errors import PlanError, SfumatoError, SourceError
from sfumato.frozen import dataclass
from sfumato.release.collect.base import counts_from
from sfumato.release.collect.collection import collection_from, read_collection
from sfumato.release.stage import staged
from sfumato.studio import jobs
from sfumato.studio.collected import ShownProtocol, ShownQuestion, epsilons, protocols, recommended, shown
from sfumato.studio.fields import Field, fields_of, read_fields
from sfumato.studio.pages.base import Asked, Page, Turn
from sfumato.studio.plan_file import CollectionFile, set_table
from sfumato.studio.remote import MOST_BYTES, counts_at
from sfumato.studio.shelf import COLLECTION_FILE
from sfumato.table.values import parsed_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sfumato.table.values import Item, Table

COUNTS, SERVER = "counts.json", "server.json"
"""What was counted, in the folder of the project; and in its hidden one, whom the page asked last, without a token."""
_MOST_QUESTIONS = 200


@dataclass(frozen=True, slots=True)
class Server:
    """Whom the page asked last.

    Args:
        address, collection: what was typed.
        problem, remedy: why it did not answer; "": it did.
    """

    address: str = ""
    collection: str = ""
    problem: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """A collection.

    Args:
        seen: of the document.
        is_there: whether it was saved.
        questions: the fields of each question, and of one more.
        protocol: the fields of the protocol.
        trouble: why nobody can answer it yet; None: everybody can.
        epsilon, values, persons: of the comparison of protocols.
        protocols: what was recommended, the best first for each question; (): not asked.
        advice_command: what recommends the same in a shell.
        server: whom the page asked last.
        ask_command: what asks it in a shell.
        result: what the counts tell; None: nothing was counted.
        shares: the same as text.
        epsilons: asked, of the whole record, of one answer.
        problem: why the counts tell nothing; None: they do, or there are none.
        command: what estimates the same in a shell.
    """

    seen: str
    is_there: bool
    questions: tuple[tuple[Field, ...], ...]
    protocol: tuple[Field, ...]
    trouble: SfumatoError | None
    epsilon: str
    values: str
    persons: str
    protocols: tuple[ShownProtocol, ...]
    advice_command: str
    server: Server
    ask_command: str
    result: EstimatesResult | None
    shares: tuple[ShownQuestion, ...]
    epsilons: tuple[str, ...]
    problem: SfumatoError | None
    command: str


def view(asked: Asked) -> View:
    """The collection as it is, what is recommended for it, and what was counted."""
    file = CollectionFile.at(_path(asked))
    said = file.tables if file.text else {}
    questions, protocol = _given(asked, said)
    sizes = ", ".join(str(len(cast("list[Item]", one.get("values", [])))) for one in questions)
    epsilon = asked.query.get("epsilon", str(protocol.get("epsilon", "")))
    values, persons = asked.query.get("values", sizes), asked.query.get("persons", "")
    found, problem = _result(asked)
    server = _server(asked)
    words = ["sfumato", "collect", "recommend", "--epsilon", epsilon or "EPSILON"]
    words += [word for size in values.split(",") if size.strip() for word in ("--values", size.strip())]
    return View(
        seen=file.seen,
        is_there=bool(file.text),
        questions=tuple(_question(i, one) for i, one in enumerate((*questions, {}))),
        protocol=tuple(_named(field, asked) for field in fields_of(ProtocolTable, protocol)),
        trouble=file.trouble() if file.text else None,
        epsilon=epsilon,
        values=values,
        persons=persons,
        protocols=protocols(recommended(epsilon, values, persons)) if persons else (),
        advice_command=shlex.join([*words, "--persons", persons or "PERSONS"]),
        server=server,
        ask_command=_asking(server),
        result=found,
        shares=() if found is None else tuple(map(shown, found.questions)),
        epsilons=() if found is None else epsilons(found),
        problem=problem,
        command=f"sfumato collect estimate {COLLECTION_FILE} {COUNTS}",
    )


def _path(asked: Asked) -> Path:
    return asked.project.folder / COLLECTION_FILE


def _given(asked: Asked, said: Table) -> tuple[Sequence[Table], Table]:
    """The questions and the protocol: what was typed where it was not saved, else what stands on disk."""
    if "column-0" not in asked.posted:
        return cast("Sequence[Table]", said.get("question", [])), cast("Table", said.get("protocol", {}))
    try:
        return _typed(asked.posted)
    except PlanError:
        return (), {}


def _question(place: int, said: Table) -> tuple[Field, ...]:
    """The fields of one question; one that is empty is not asked."""
    return tuple(
        replace(field, name=f"{field.name}-{place}", is_required=False) for field in fields_of(QuestionTable, said)
    )


def _named(field: Field, asked: Asked) -> Field:
    """A field of the protocol; its name may come from a recommendation."""
    taken = asked.query.get("take", "")
    return replace(field, value=taken) if field.name == "name" and taken else field


def _typed(posted: Mapping[str, str]) -> tuple[list[Table], Table]:
    """The questions and the protocol of a form."""
    questions: list[Table] = []
    for place in range(_MOST_QUESTIONS):
        keys = {key: posted.get(f"{key}-{place}", "") for key in ("column", "values")}
        table = read_fields(QuestionTable, keys)
        questions += [table] if table else []
    return questions, read_fields(ProtocolTable, posted)


def save(asked: Asked) -> Turn:
    """The collection as the form says, unless somebody else changed it meanwhile.

    Raises:
        PlanError: a key is of the wrong form, or the collection on disk is another one.
    """
    questions, protocol = _typed(asked.posted)
    if not questions:
        raise PlanError("A collection needs a question.", "say what is asked, and every possible answer.")
    made = CollectionFile.at(_path(asked)).changed(lambda document: _set(document, questions, protocol))
    made.save(asked.posted.get("seen", ""))
    return Turn("collect")


def _set(document: Any, questions: Sequence[Table], protocol: Table) -> None:
    """Change the questions and the protocol; what stays keeps its comments."""
    if not document:
        document.add(FORMAT, COLLECTION.format)
    if document.get("question") != questions:
        many = tomlkit.aot()
        for one in questions:
            table = tomlkit.table()
            table.update(one)
            many.append(table)
        document["question"] = many
    set_table(document, ("protocol",), protocol)


def _server(asked: Asked) -> Server:
    path = asked.project.hidden / SERVER
    said = parsed_json(path.read_text("utf-8"), "The server", "ask again.") if path.is_file() else {}
    return Server(**cast("dict[str, str]", said))


def _asking(server: Server) -> str:
    """What asks a server in a shell; the token stands in a variable, so that no history keeps it."""
    address, name = server.address.rstrip("/") or "ADDRESS", server.collection or "NAME"
    place = shlex.quote(f"{address}/collections/{name}/counts")
    return f'curl -H "Authorization: Bearer $TOKEN" {place} -o {COUNTS}'


def _result(asked: Asked) -> tuple[EstimatesResult | None, SfumatoError | None]:
    """What the counts tell; or why they tell nothing."""
    path = asked.project.folder / COUNTS
    if not path.is_file() or not _path(asked).is_file():
        return None, None
    try:
        collection = read_collection(_path(asked))
        said = parsed_json(path.read_text("utf-8"), f"`{COUNTS}`", "ask the server again.")
        found = collection.estimate(counts_from(collection, cast("Table", said)))
    except SfumatoError as error:
        return None, error
    return (found, None) if isinstance(found, EstimatesResult) else (None, None)


def ask(asked: Asked) -> Turn:
    """Ask a server for its counts; why it did not tell them stands on the page, and the token nowhere."""
    typed = {key: asked.posted.get(key, "").strip()[:500] for key in ("address", "collection")}
    trouble = {"problem": "", "remedy": ""}
    try:
        _keep(asked, counts_at(typed["address"], typed["collection"], asked.posted.get("token", "").strip()))
    except SfumatoError as error:
        trouble = {"problem": error.problem, "remedy": error.remedy}
    asked.project.hidden.mkdir(exist_ok=True)
    jobs.write_json(asked.project.hidden / SERVER, typed | trouble)
    return Turn("collect", place="counted")


def count(asked: Asked) -> Turn:
    """Take counts from a file, as `sfumato collect aggregate` writes them.

    Raises:
        SourceError: none was given, or it holds no counts.
        ReportError: they are counts of another collection.
    """
    if asked.upload is None:
        raise SourceError("Counts must stand in a file.", "drop what `sfumato collect aggregate` wrote.")
    data = asked.upload.file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise SourceError(
            "Counts have at most {most} bytes; these have more.", "give counts, not reports.", most=MOST_BYTES
        )
    said = parsed_json(data.decode("utf-8", "replace"), "The file", "give what `aggregate` wrote.")
    _keep(asked, said if isinstance(said, dict) else {})
    return Turn("collect", place="counted")


def _keep(asked: Asked, said: Table) -> None:
    """Counts of this very collection get their place in the project; all others are refused."""
    counts, batches = counts_from(collection_from(CollectionFile.at(_path(asked)).tables), said), said.get("batches")
    told = replace(counts, of=counts.of if "of" in said else ()).told(batches if isinstance(batches, int) else None)
    with staged() as stage:
        stage.write(asked.project.folder / COUNTS, told.to_json())
        stage.commit()


PAGE = Page(
    name="collect", place=130, title="Collect", document="collection", command="sfumato collect estimate collection.toml counts.json",
    view=view, acts={"save": save, "ask": ask, "count": count}, uploads=("count",),
)  # fmt: skip
