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
from sfumato.mechanism.pseudonym.column import STILL_PERSONAL
from sfumato.mechanism.recode.decision import silent
from sfumato.noise.bits import SystemBits
from sfumato.release.method.registry import method_named
from sfumato.release.pipeline import complete, ends, opened
from sfumato.release.places import Place, check_places, choice_reads, sink_places, source_places
from sfumato.release.plan import MethodChoice, Output, PerturbChoice, Plan
from sfumato.release.record import finite
from sfumato.release.stage import staged
from sfumato.release.tools import Tools
from sfumato.table.schema import Column, Kind, Role, Schema
from sfumato.table.source import FileSink, FileSource

if TYPE_CHECKING:
    from sfumato.document.collection import NamesTable
    from sfumato.release.perturbing import PerturbedColumn
    from sfumato.release.recoding.run import RecodedOutcome
    from sfumato.table.values import Item, Table

_NOTHING = "none"
"""The method that recodes nothing."""


def read_tables(path: Path) -> tuple[Plan, ...]:
    """The plan of each table of a document, in which nothing but names is changed; paths are relative to its folder.

    Raises:
        PlanError: a key is absent, unknown or out of range.
        SourceError: an output that is no file of its own.
    """
    tables = load(path, "document", lambda document: _tables(document, path.parent))
    reads = [Place("the document", path)]
    for one in tables:
        reads += [*source_places("a table", one.source), *(r for choice in one.perturb for r in choice_reads(choice))]
    check_places(reads, [Place(f"the output {path.name!r}", path) for path in map(_output, tables)])
    return tables


def pseudonymize(path: Path, *, environment: Mapping[str, str] | None = None) -> PseudonymsResult:
    """Give every table of a document its pseudonyms: `sfumato.pseudonyms/1`.

    Every table is opened and checked before a name is changed; what is written is read again and verified as every release
    is. All files get their places together, at the end.

    Args:
        path: the document.
        environment: where keys may stand; None: that of the process.

    Raises:
        SfumatoError: of every kind.
    """
    tools = Tools(SystemBits(), lambda: 0.0, silent, os.environ if environment is None else environment)
    method, engine = method_named(_NOTHING), DuckDBEngine()
    with staged() as stage:
        runs = [
            opened(plan, method.build(plan, tools), ends(plan, None), engine=engine, tools=tools, least_rows=0)
            for plan in read_tables(path)
        ]
        drafted = [replace(run, sink=FileSink(stage.draft(_output(run.plan)))) for run in runs]
        done = [_described(complete(run, run.stages.summarize(run))) for run in drafted]
        stage.commit()
    return PseudonymsResult(tables=tuple(done), notes=(STILL_PERSONAL, _UNCHANGED))


def _tables(document: Table, folder: Path) -> tuple[Plan, ...]:
    title = "the document"
    said = read(PseudonymsDocument, without_header(document, PSEUDONYMS, title), title)
    return tuple(_table(one, said.key, folder) for one in said.table)


def _table(said: NamesTable, key: KeyPlace, folder: Path) -> Plan:
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
    schema, output = Schema((*gone, *days, *kept)), Output(FileSink(folder / said.output))
    return Plan({}, source, schema, (), (), MethodChoice(_NOTHING), perturb=tuple(choices), output=output)


def _output(plan: Plan) -> Path:
    """Where a table goes."""
    return sink_places("the output", plan.output.sink)[1][0].path


def _described(outcome: RecodedOutcome) -> PseudonymTable:
    """What was done to one table."""
    plan, columns, (receipt,) = outcome.plan, outcome.decided.perturbed, outcome.receipts
    named = {column.column for column in columns}
    return PseudonymTable(
        path=Path(getattr(plan.source, "path", "")).name,
        output=_output(plan).name,
        rows=receipt.n_rows,
        sha256=receipt.sha256,
        columns=tuple(_column(column) for column in columns),
        kept=tuple(column.name for column in plan.schema.with_role(Role.INSENSITIVE)),
        dropped=tuple(c.name for c in plan.schema.with_role(Role.IDENTIFYING) if c.name not in named),
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
