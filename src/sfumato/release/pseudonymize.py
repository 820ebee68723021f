"""Several tables get the same pseudonyms: one document names them all, and what becomes of every column.

Only names are changed: the tables are pseudonymized, not anonymized.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.document.codec import read, write
from sfumato.document.collection import PseudonymsDocument
from sfumato.document.header import PSEUDONYMS, without_header
from sfumato.document.loading import load
from sfumato.document.perturb import KeyPlace, Pseudonym
from sfumato.document.result.made import PseudonymColumn, PseudonymsResult, PseudonymTable
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.frozen import dataclass
from sfumato.mechanism.pseudonym.column import STILL_PERSONAL
from sfumato.mechanism.recode.decision import silent
from sfumato.noise.bits import SystemBits
from sfumato.recipe.recipe import Recipe
from sfumato.recipe.steps import Assign, Drop
from sfumato.release.perturbing import changed_tuples, perturb, wanted_of
from sfumato.release.places import Place, check_places, choice_reads, source_places
from sfumato.release.plan import MethodChoice, PerturbChoice, Plan
from sfumato.release.record import finite
from sfumato.release.stage import staged
from sfumato.release.tools import Tools
from sfumato.table.schema import Column, Kind, Role, Schema
from sfumato.table.source import FileSink, FileSource

if TYPE_CHECKING:
    from sfumato.document.collection import NamesTable
    from sfumato.engine.base import Receipt
    from sfumato.release.perturbing import PerturbedColumn
    from sfumato.table.values import Item, Table


@dataclass(frozen=True, slots=True)
class NamedTable:
    """One table of the document.

    Args:
        source: the file.
        sink: where the pseudonymized one goes.
        schema: every column: names and dropped ones are identifying, kept ones insensitive.
        perturb: the columns that get pseudonyms.
    """

    source: FileSource
    sink: FileSink
    schema: Schema
    perturb: tuple[PerturbChoice, ...]


def read_tables(path: Path) -> tuple[NamedTable, ...]:
    """Read the document; paths inside it are relative to its folder.

    Raises:
        PlanError: a key is absent, unknown or out of range.
        SourceError: an output that is no file of its own.
    """
    tables = load(path, "document", lambda document: _tables(document, path.parent))
    reads = [Place("the document", path)]
    for one in tables:
        reads += [*source_places("a table", one.source), *(r for choice in one.perturb for r in choice_reads(choice))]
    check_places(reads, [Place(f"the output {one.sink.path.name!r}", one.sink.path) for one in tables])
    return tables


def pseudonymize(path: Path, *, environment: Mapping[str, str] | None = None) -> PseudonymsResult:
    """Give every table of a document its pseudonyms: `sfumato.pseudonyms/1`.

    Everything is decided before the first file is written. All files get their places together, at the end.

    Args:
        path: the document.
        environment: where keys may stand; None: that of the process.

    Raises:
        SfumatoError: of every kind.
    """
    tools = Tools(SystemBits(), lambda: 0.0, silent, os.environ if environment is None else environment)
    tables = read_tables(path)
    wanted = [wanted_of(_plan(one), tools) for one in tables]
    engine = DuckDBEngine()
    sources = [engine.scan(one.source) for one in tables]
    for one, table in zip(tables, sources, strict=True):
        one.schema.check_covers(engine.header(table).names)
    decided = [perturb(engine, table, columns, tools=tools) for table, columns in zip(sources, wanted, strict=True)]
    done = []
    with staged() as stage:
        for one, table, columns in zip(tables, sources, decided, strict=True):
            changed = changed_tuples(engine, table, columns, bits=tools.bits)
            released = engine.apply(changed, _recipe(one, columns), bits=tools.bits)
            draft = replace(one.sink, path=stage.draft(one.sink.path))
            done.append(_described(one, columns, engine.write(released, draft)))
        stage.commit()
    return PseudonymsResult(tables=tuple(done), notes=(STILL_PERSONAL, _UNCHANGED))


def _tables(document: Table, folder: Path) -> tuple[NamedTable, ...]:
    title = "the document"
    said = read(PseudonymsDocument, without_header(document, PSEUDONYMS, title), title)
    return tuple(_table(one, said.key, folder) for one in said.table)


def _table(said: NamesTable, key: KeyPlace, folder: Path) -> NamedTable:
    """One table: every column is named, kept or dropped."""
    source = FileSource(folder / said.path, missing=said.missing)
    days = [Column(name, Role.INSENSITIVE, Kind.DATE, format=form or None) for name, form in said.dates.items()]
    kept = [Column(name, Role.INSENSITIVE) for name in said.keep if name not in said.dates]
    gone = [Column(name, Role.IDENTIFYING) for name in (*said.drop, *said.pseudonyms)]
    choices = []
    for name, options in said.pseudonyms.items():
        given: dict[str, Item] = {"key": write(key), **write(options)}
        own = key if options.key == KeyPlace() else options.key
        choices.append(PerturbChoice(name, Pseudonym(**asdict(options) | {"key": own}), given, folder))
    return NamedTable(source, FileSink(folder / said.output), Schema((*gone, *days, *kept)), tuple(choices))


def _plan(one: NamedTable) -> Plan:
    """The plan of one table, in which nothing but names is changed."""
    return Plan({}, one.source, one.schema, (), (), MethodChoice("none"), perturb=one.perturb)


def _recipe(one: NamedTable, columns: tuple[PerturbedColumn, ...]) -> Recipe:
    """Leave columns out, rename names."""
    named = {column.column for column in columns}
    drops = tuple(Drop(column.name) for column in one.schema.with_role(Role.IDENTIFYING) if column.name not in named)
    steps = tuple(c.step for c in columns if c.step is not None and not isinstance(c.step, Assign))
    return Recipe(columns=(*drops, *steps))


def _described(one: NamedTable, columns: tuple[PerturbedColumn, ...], receipt: Receipt) -> PseudonymTable:
    """What was done to one table."""
    named = {column.column for column in columns}
    return PseudonymTable(
        path=one.source.path.name,
        output=one.sink.path.name,
        rows=receipt.n_rows,
        sha256=receipt.sha256,
        columns=tuple(_column(column) for column in columns),
        kept=tuple(column.name for column in one.schema.with_role(Role.INSENSITIVE)),
        dropped=tuple(c.name for c in one.schema.with_role(Role.IDENTIFYING) if c.name not in named),
    )


def _column(column: PerturbedColumn) -> PseudonymColumn:
    """One column of pseudonyms; its options without the place of the key."""
    promise = column.guarantee
    return PseudonymColumn(
        column=column.column,
        domain=str(column.parameters.get("domain", column.column)),
        options={name: value for name, value in column.parameters.items() if name != "key"},
        promise="" if promise is None else promise.statement,
        risk=finite(column.risk),
    )


_UNCHANGED = (
    "Columns that were kept are as they were: what others know of them leads to persons. To publish the tables, "
    "anonymize them."
)
