"""The data document: a private table declared once, in TOML, for all who may ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document.account import budget_of
from sfumato.document.codec import read
from sfumato.document.data import ListedDomain, RowUnit, UnlistedDomain, WrittenData
from sfumato.document.header import DATA, without_header
from sfumato.document.loading import load, under
from sfumato.document.source import source_of
from sfumato.frozen import dataclass
from sfumato.release.answer.scopes import immutable_of
from sfumato.table.domain import Categories, Range, UnlistedText
from sfumato.table.source import located_url
from sfumato.table.unit import Neighbors, Unit

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.account.budget import Budget
    from sfumato.document.account import BudgetTable
    from sfumato.document.data import DomainTable, PersonUnit, PublicFile, PublicSql
    from sfumato.table.domain import Domain
    from sfumato.table.source import Source
    from sfumato.table.values import Table


@dataclass(frozen=True, slots=True)
class PublicTable:
    """A public table that questions may join: one row for each value of `on`."""

    source: Source
    on: str
    columns: Mapping[str, Domain]


@dataclass(frozen=True, slots=True)
class DataDocument:
    """A private table: where it is, what its columns may hold, whom it protects, and what may be spent.

    Args:
        source: the table.
        columns: declared domains; other columns cannot be used.
        unit: privacy unit.
        budget: of the data set, for all analysts together.
        dataset: name of the data set in the ledger.
        ledger: URL of the ledger.
        version: public name of this version of the data; None: it has none.
        immutable: columns in which no person ever changes category.
        analysts: budget of each analyst who may ask.
        public: public tables by name.
        engine: where the private table is read; None: DuckDB.
    """

    source: Source
    columns: Mapping[str, Domain]
    unit: Unit
    budget: Budget
    dataset: str
    ledger: str
    analysts: Mapping[str, Budget]
    public: Mapping[str, PublicTable]
    engine: str | None = None
    version: str | None = None
    immutable: tuple[str, ...] = ()


def is_of_graph(path: Path) -> bool:
    """Whether a data document is one of a graph.

    Raises:
        PlanError: it cannot be read.
    """
    return load(path, "data document", lambda tables: "graph" in tables)


def read_data_document(path: Path) -> DataDocument:
    """Read a data document; paths inside it are relative to its folder.

    Raises:
        PlanError: it cannot be read, or a key is absent, unknown or out of range; the message names it.
        ParameterError: bounds, categories, unit or budget out of range.
    """
    return load(path, "data document", lambda tables: data_document_from(tables, folder=path.parent))


def data_document_from(document: Table, *, folder: Path) -> DataDocument:
    """The declarations of a parsed TOML document."""
    title = "the data document"
    said = read(WrittenData, without_header(document, DATA, title), title)
    with under("unit"):
        unit = _unit(said.unit)
    found = DataDocument(
        source=source_of(said.source, folder),
        columns=_columns(said.columns),
        unit=unit,
        budget=_budget(said.budget, "budget"),
        dataset=said.ledger.dataset,
        ledger=located_url(folder, said.ledger.url),
        analysts={name: _budget(budget, "analysts", name) for name, budget in said.analysts.items()},
        public={name: _public(name, table, folder) for name, table in said.public.items()},
        engine=said.engine,
        version=said.ledger.version,
        immutable=said.ledger.immutable,
    )
    with under("ledger", "immutable"):
        immutable_of(found.immutable, found.columns)
    return found


def _columns(said: Mapping[str, DomainTable], *above: str) -> dict[str, Domain]:
    found: dict[str, Domain] = {}
    for name, one in said.items():
        with under(*above, "columns", name):
            found[name] = _domain(one)
    return found


def _domain(said: DomainTable) -> Domain:
    """`values = […]`, `low`, `high`, `step`, or `unlisted = true`."""
    if isinstance(said, UnlistedDomain):
        return UnlistedText()
    if isinstance(said, ListedDomain):
        return Categories(said.values)
    return Range(said.low, said.high, said.step)


def _unit(said: PersonUnit | RowUnit) -> Unit:
    """Neighbors, person, rows, keys."""
    if isinstance(said, RowUnit):
        return Unit.row(Neighbors(said.neighbors))
    return Unit(Neighbors(said.neighbors), said.person, said.rows, said.keys)


def _budget(said: BudgetTable, *path: str) -> Budget:
    with under(*path):
        return budget_of(said, f"[{'.'.join(path)}]")


def _public(name: str, said: PublicSql | PublicFile, folder: Path) -> PublicTable:
    """A public table and the domains of what it adds."""
    return PublicTable(source_of(said, folder), said.on, _columns(said.columns, "public", name))
