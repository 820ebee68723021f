"""What may be asked of a private table, whom answers protect, and what may be spent: the data document, made here.

Nothing on this page comes from the cells of the table: bounds and categories are knowledge of the column, or they would be
answers that nobody paid for. The names of the columns are those that the plan lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from sfumato.document.header import DATA, FORMAT
from sfumato.errors import LedgerError, PlanError
from sfumato.frozen import dataclass
from sfumato.release.answer.document import data_document_from
from sfumato.release.answer.opening import create
from sfumato.release.stage import staged
from sfumato.studio.databases import opening_of
from sfumato.studio.pages.base import Asked, Page, Turn
from sfumato.studio.shelf import DATA_FILE, whole
from sfumato.studio.vault import Locked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.table.values import Item, Table

NEIGHBORS = ("add or remove", "replace")
MEASURES = ("epsilon", "rho")


@dataclass(frozen=True, slots=True)
class ShownDomain:
    """What is declared of one column.

    Args:
        place: in the list, from 0.
        name: of the column.
        form: "", "range", "values" or "unlisted".
        low, high, step: of a range.
        values: one a line.
    """

    place: int
    name: str
    form: str
    low: str
    high: str
    step: str
    values: str


@dataclass(frozen=True, slots=True)
class View:
    """The declarations.

    Args:
        columns: each column.
        neighbors: how neighboring tables differ.
        person, rows, keys: of a person with several rows.
        measure: of the budget.
        amount: of the budget.
        dataset: name of the data set in the ledger.
        version: public name of this version of the data.
        is_open: whether the ledger has an account for it.
        is_there: whether the document exists.
    """

    columns: tuple[ShownDomain, ...]
    neighbors: str
    person: str
    rows: str
    keys: str
    measure: str
    amount: str
    dataset: str
    version: str
    is_open: bool
    is_there: bool


def view(asked: Asked) -> View:
    """What the document says; columns that it does not name come from the plan."""
    path = asked.project.folder / DATA_FILE
    said = _tables(asked)
    columns = cast("Mapping[str, Table]", said.get("columns", {}))
    names = list(dict.fromkeys([*columns, *_planned(asked)]))
    unit, budget, ledger = (cast("Table", said.get(name, {})) for name in ("unit", "budget", "ledger"))
    measure = next((name for name in MEASURES if name in budget), "epsilon")
    return View(
        columns=tuple(_shown(asked, i, name, columns.get(name)) for i, name in enumerate(names)),
        neighbors=asked.posted.get("neighbors", str(unit.get("neighbors", ""))),
        person=asked.posted.get("person", str(unit.get("person", ""))),
        rows=asked.posted.get("rows", str(unit.get("rows", ""))),
        keys=asked.posted.get("keys", str(unit.get("keys", ""))),
        measure=asked.posted.get("measure", measure),
        amount=asked.posted.get("amount", str(budget.get(measure, ""))),
        dataset=asked.posted.get("dataset", str(ledger.get("dataset", asked.project.name))),
        version=asked.posted.get("version", str(ledger.get("version", ""))),
        is_open=path.is_file() and _is_open(asked),
        is_there=path.is_file(),
    )


def _tables(asked: Asked) -> Table:
    from sfumato.document.loading import load_toml

    path = asked.project.folder / DATA_FILE
    return load_toml(path, "data document") if path.is_file() else {}


def _planned(asked: Asked) -> list[str]:
    """Names of the columns of the plan."""
    if not asked.project.plan_path.is_file():
        return []
    return list(cast("Mapping[str, Table]", asked.project.plan_file().tables.get("columns", {})))


def _is_open(asked: Asked) -> bool:
    from sfumato.release.answer.opening import budget_of

    try:
        budget_of(opening_of(asked), None)
    except (LedgerError, Locked):
        return False
    return True


def _shown(asked: Asked, place: int, name: str, said: Table | None) -> ShownDomain:
    """One column, with what was typed where it was not saved."""
    there = said or {}
    form = next(
        (form for form, key in (("range", "low"), ("values", "values"), ("unlisted", "unlisted")) if key in there), ""
    )
    values = "\n".join(map(str, cast("list[str]", there.get("values", []))))

    def typed(key: str, usual: str) -> str:
        return asked.posted.get(f"{key}-{place}", usual)

    return ShownDomain(
        place, name, typed("form", form), typed("low", _plain(there.get("low"))), typed("high", _plain(there.get("high"))),
        typed("step", _plain(there.get("step"))), typed("values", values),
    )  # fmt: skip


def _plain(value: Item) -> str:
    return "" if value is None else str(value)


def save(asked: Asked) -> Turn:
    """The data document as the form says."""
    import tomlkit

    posted, before = asked.posted, _tables(asked)
    names = [column.name for column in view(asked).columns]
    columns = {name: domain for i, name in enumerate(names) if (domain := _domain(posted, i))}
    if not columns:
        raise PlanError("At least one column must be declared.", "say what one of them may hold.")
    unit = _unit(posted)
    ledger = {
        "url": "sqlite:///ledger.db",
        **cast("Table", before.get("ledger", {})),
        "dataset": posted.get("dataset", ""),
    }
    ledger = {key: value for key, value in ledger.items() if key != "version"}
    if posted.get("version", "").strip():
        ledger["version"] = posted["version"].strip()
    document: dict[str, Any] = {
        **{key: value for key, value in before.items() if key in {"analysts", "public", "engine"}},
        "source": before.get("source") or _source(asked),
        "unit": unit,
        "budget": {posted.get("measure", "epsilon"): posted.get("amount", "").strip().replace(",", ".")},
        "ledger": ledger,
        "columns": columns,
    }
    data_document_from({FORMAT: DATA.format, **document}, folder=asked.project.folder)
    with staged() as stage:
        stage.write(asked.project.folder / DATA_FILE, tomlkit.dumps({FORMAT: DATA.format, **document}))
        stage.commit()
    return Turn("declare")


def _source(asked: Asked) -> Table:
    """The table of the plan, without what only a release needs."""
    source = cast("Table", asked.project.plan_file().tables.get("source", {}))
    return {key: value for key, value in source.items() if key != "missing_in"}


def _domain(posted: Mapping[str, str], place: int) -> dict[str, Item]:
    """What one column may hold; {}: it is not used."""
    form = posted.get(f"form-{place}", "")
    if form == "range":
        return {key: posted.get(f"{key}-{place}", "").strip().replace(",", ".") for key in ("low", "high", "step")}
    if form == "values":
        return {"values": [line.strip() for line in posted.get(f"values-{place}", "").splitlines() if line.strip()]}
    return {"unlisted": True} if form == "unlisted" else {}


def _unit(posted: Mapping[str, str]) -> dict[str, Item]:
    """Whom answers protect."""
    unit: dict[str, Item] = {"neighbors": posted.get("neighbors", "")}
    if posted.get("person", "").strip():
        unit["person"] = posted["person"].strip()
        texts = {key: posted.get(key, "").strip() for key in ("rows", "keys")}
        unit |= {key: text if (number := whole(text)) is None else number for key, text in texts.items()}
    return unit


def open_account(asked: Asked) -> Turn:
    """The account of the data set is opened, once."""
    if asked.posted.get("sure") != "yes":
        raise PlanError(
            "Opening the account fixes the budget: what is spent stays spent.", "tick the box if this is what you want."
        )
    create(opening_of(asked))
    return Turn("ask")


PAGE = Page(
    name="declare", place=110, title="Declare", document="data", command="sfumato budget data.toml --create", view=view,
    acts={"save": save, "open": open_account},
)  # fmt: skip
