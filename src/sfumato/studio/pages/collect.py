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
from sfumato.errors import PlanError, SfumatoError
from sfumato.frozen import dataclass
from sfumato.release.collect.collection import collection_from, read_collection
from sfumato.studio.collected import ShownProtocol, ShownQuestion, epsilons, protocols, recommended, shown
from sfumato.studio.counted import Kept
from sfumato.studio.fields import Field, fields_of, read_fields
from sfumato.studio.pages.base import Asked, Page, Turn
from sfumato.studio.plan_file import CollectionFile, set_table
from sfumato.studio.shelf import COLLECTION_FILE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sfumato.release.collect.collection import Collection
    from sfumato.studio.counted import Server
    from sfumato.table.values import Item, Table

COUNTS, SERVER = "counts.json", "server.json"
KEPT = Kept(COUNTS, SERVER)
"""What was counted, in the folder of the project; and in its hidden one, whom the page asked last, without a token."""
_MOST_QUESTIONS = 200


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
    server = KEPT.server_of(asked)
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
        ask_command=KEPT.command(server),
        result=found,
        shares=() if found is None else tuple(shown(one, asked.words) for one in found.questions),
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


def _result(asked: Asked) -> tuple[EstimatesResult | None, SfumatoError | None]:
    """What the counts tell; or why they tell nothing."""
    if not KEPT.path(asked).is_file() or not _path(asked).is_file():
        return None, None
    try:
        collection = read_collection(_path(asked))
        found = collection.estimate(KEPT.read(asked, collection))
    except SfumatoError as error:
        return None, error
    return (found, None) if isinstance(found, EstimatesResult) else (None, None)


def _asked_now(asked: Asked) -> Collection:
    """The collection as it is."""
    return collection_from(CollectionFile.at(_path(asked)).tables)


def ask(asked: Asked) -> Turn:
    """Ask a server for its counts; why it did not tell them stands on the page, and the token nowhere."""
    KEPT.ask(asked, _asked_now(asked))
    return Turn("collect", place="counted")


def count(asked: Asked) -> Turn:
    """Take counts from a file; see `Kept.take`."""
    KEPT.take(asked, _asked_now(asked))
    return Turn("collect", place="counted")


PAGE = Page(
    name="collect", place=130, title="Collect", document="collection", command="sfumato collect estimate collection.toml counts.json",
    view=view, acts={"save": save, "ask": ask, "count": count}, uploads=("count",),
)  # fmt: skip
