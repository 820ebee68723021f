"""How is a private table declared once, in a TOML document, for all who may ask?"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, cast

from sfumato.account.budget import Budget
from sfumato.errors import PlanError
from sfumato.numbers.exact import shown, written
from sfumato.release.answer.scopes import immutable_of
from sfumato.release.document import Section, load_toml
from sfumato.table.domain import Categories, Range, UnlistedText
from sfumato.table.source import FileSource, SqlSource, located
from sfumato.table.unit import Neighbors, Unit

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.table.domain import Domain
    from sfumato.table.source import FileKind, Source

VERSION = 1
"""Version of the format of a data document."""


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


def read_data_document(path: Path) -> DataDocument:
    """Read a data document; paths inside it are relative to its folder.

    Raises:
        PlanError: it cannot be read, or a key is absent, unknown or out of range; the message names it.
        ParameterError: bounds, categories, unit or budget out of range.
    """
    return data_document_from(load_toml(path, "data document"), folder=path.parent)


def data_document_from(document: Mapping[str, object], *, folder: Path) -> DataDocument:
    """The declarations of a parsed TOML document."""
    top = Section("the data document", document)
    version = top.required("sfumato-data", int)
    if version != VERSION:
        raise PlanError(
            "`sfumato-data` must be {version}; got {version2}.", "correct it.", version=VERSION, version2=version
        )
    public = {
        name: _public(Section(f"[public.{name}]", items), folder)
        for name, items in top.default("public", dict, {}).items()
    }
    analysts = {
        name: budget_from(Section(f"[analysts.{name}]", items))
        for name, items in top.default("analysts", dict, {}).items()
    }
    ledger = Section("[ledger]", top.required("ledger", dict))
    found = DataDocument(
        source=_source(Section("[source]", top.required("source", dict)), folder),
        columns=_columns("columns", top.required("columns", dict)),
        unit=_unit(Section("[unit]", top.required("unit", dict))),
        budget=budget_from(Section("[budget]", top.required("budget", dict))),
        dataset=ledger.required("dataset", str),
        ledger=ledger_url(ledger.required("url", str), folder),
        analysts=analysts,
        public=public,
        engine=top.optional("engine", str),
        version=ledger.optional("version", str),
        immutable=ledger.texts("immutable"),
    )
    immutable_of(found.immutable, found.columns)
    ledger.finish()
    top.finish()
    return found


def _source(section: Section, folder: Path) -> Source:
    """A file or an SQL database."""
    missing, url = section.texts("missing"), section.optional("url", str)
    if url is not None:
        source: Source = SqlSource(url, section.required("query", str), missing)
    else:
        path, kind = (
            located(folder, section.required("path", str)),
            cast("FileKind | None", section.optional("kind", str)),
        )
        source = FileSource(path, kind, section.default("dialect", dict, {}), section.optional("sheet", str), missing)
    section.finish()
    return source


def _columns(where: str, items: Mapping[str, object]) -> dict[str, Domain]:
    """The declared domains."""
    return {name: _domain(Section(f"[{where}.{name}]", item)) for name, item in items.items()}


def _domain(section: Section) -> Domain:
    """`values = […]`, `low`, `high`, `step`, or `open = true`."""
    if section.default("open", bool, value=False):
        section.finish()
        return UnlistedText()
    values = section.optional("values", list)
    if values is not None:
        section.finish()
        return Categories(tuple(values))
    low, high, step = (_exact(section, name) for name in ("low", "high", "step"))
    section.finish()
    return Range(low, high, step)


def _exact(section: Section, key: str) -> Fraction:
    """A number written as a number or as text."""
    value = section.required(key, object)
    try:
        return written(value)
    except ValueError as error:
        raise PlanError(
            "`{key}` in {where} must be a finite number; got {shown}.",
            "correct the value.",
            key=key,
            where=section.where,
            shown=shown(value),
        ) from error


def _unit(section: Section) -> Unit:
    """Neighbors, person, rows, keys."""
    neighbors, person = section.choice("neighbors", Neighbors), section.optional("person", str)
    if person is None:
        section.finish()
        return Unit.row(neighbors)
    unit = Unit(neighbors, person, section.required("rows", int), section.required("keys", int))
    section.finish()
    return unit


def budget_from(section: Section) -> Budget:
    """A budget: `epsilon`, with or without `delta`; `rho`; or `order` with `epsilon`.

    Raises:
        PlanError: other keys, or no finite numbers.
    """
    keys = section.rest()
    exact = {name: _exact(Section(section.where, keys), name) for name in keys}
    if set(exact) == {"epsilon"}:
        return Budget.pure(exact["epsilon"])
    if set(exact) == {"epsilon", "delta"}:
        return Budget.approx(exact["epsilon"], exact["delta"])
    if set(exact) == {"rho"}:
        return Budget.zcdp(exact["rho"])
    if set(exact) == {"order", "epsilon"}:
        return Budget.renyi(exact["order"], exact["epsilon"])
    raise PlanError(
        "{where} must hold `epsilon`, `epsilon` and `delta`, `rho`, or `order` and `epsilon`; got {exact}.",
        "keep one of these.",
        where=section.where,
        exact=sorted(exact),
    )


def _public(section: Section, folder: Path) -> PublicTable:
    """A public table and the domains of what it adds."""
    on, columns = (
        section.required("on", str),
        _columns(f"{section.where[1:-1]}.columns", section.required("columns", dict)),
    )
    return PublicTable(_source(Section(section.where, section.rest()), folder), on, columns)


def ledger_url(url: str, folder: Path) -> str:
    """The URL of a ledger; a relative SQLite path is relative to the document's folder."""
    prefix = "sqlite:///"
    if url.startswith(prefix) and not url.startswith("sqlite:////"):
        return f"{prefix}{(folder / url.removeprefix(prefix)).resolve()}"
    return url
