"""From the document of a plan of traces to a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document.codec import read
from sfumato.document.loading import about
from sfumato.document.source import source_of
from sfumato.document.traces import TracesDocument, TraceSqlOutput
from sfumato.errors import PlanError
from sfumato.release.accounted import account_from
from sfumato.release.method.registry import method_named
from sfumato.release.plan import MethodChoice, Output, Plan
from sfumato.summary.fixes import FixesOf
from sfumato.table.clock import checked_zone
from sfumato.table.plane import Plane, Region
from sfumato.table.schema import Column, Kind, Role, Schema
from sfumato.table.source import FileSink, SqlSink, located

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.document.traces import RegionTable, TraceMeasures, TraceOutput, TracesTable
    from sfumato.table.values import Table

_METHOD, _STATISTICS = "traces", "trace-statistics"


def plan_of_traces(document: Table, tables: Table, *, folder: Path) -> Plan:
    """Build a plan of traces.

    Args:
        document: the plan as it was written, for the record.
        tables: the same without its first line.
        folder: what relative paths are relative to.

    Raises:
        PlanError: a key is absent, unknown or out of range.
    """
    said = read(TracesDocument, tables, "the plan")
    with about("traces"):
        _check_columns(said.traces)
    with about("region"):
        region_of(said.region)
    with about("measure"):
        _check_measures(said.measure)
    plan = Plan(
        document=document,
        source=None if said.source is None else source_of(said.source, folder),
        schema=_schema(said.traces),
        first=(),
        promises=(),
        method=MethodChoice(_STATISTICS if said.statistics else _METHOD, said=said),
        output=output_of(said.output, folder),
        engine=said.engine,
        account=None if said.account is None else account_from(said.account, folder),
    )
    method_named(plan.method.name).check(plan)
    return plan


def region_of(said: RegionTable) -> Region:
    """The declared plane and its cells.

    Raises:
        ParameterError: an origin elsewhere, or cells that are none.
    """
    return Region(Plane(said.latitude, said.longitude), said.metres, said.rows, said.columns)


def names_of(said: TracesTable) -> tuple[str, str, str, str]:
    """The four columns of a release: person, time, latitude, longitude."""
    return said.person, said.time, said.latitude or "latitude", said.longitude or "longitude"


def read_from(said: TracesTable) -> FixesOf:
    """What is asked of the table that is read."""
    if said.cell is None:
        return FixesOf(said.person, said.time, said.latitude, said.longitude)
    return FixesOf(said.person, said.time, None, None, said.cell, "h3")


def _check_columns(said: TracesTable) -> None:
    """[traces]."""
    checked_zone(said.zone)
    has_degrees = said.latitude is not None and said.longitude is not None
    if has_degrees is (said.cell is not None) or (said.latitude is None) != (said.longitude is None):
        raise PlanError(
            "[traces] must name columns of latitude and longitude, or one of cells.", "name one or the other."
        ).below("traces")
    if len({*names_of(said), said.cell}) < 5:
        raise PlanError("[traces] must name different columns.", "correct the names.")
    for name, number in (("fastest", said.fastest), ("gap", said.gap)):
        if number is not None and not number > 0:
            raise PlanError(
                "`{name}` in [traces] must be above 0; got {number}.",
                "correct it, or leave it out.",
                name=name,
                number=number,
            ).below("traces", name)


def _check_measures(said: TraceMeasures) -> None:
    """[measure]."""
    for name in said.__slots__:
        number = getattr(said, name)
        if name == "places":
            continue
        if not 0 < number <= 1e7:
            raise PlanError(
                "`{name}` in [measure] must be above 0 and at most 10000000; got {number}.",
                "correct it, or leave it out.",
                name=name,
                number=number,
            ).below("measure", name)


def _schema(said: TracesTable) -> Schema:
    """The columns that are read; others are left out."""
    known = Role.QUASI_IDENTIFYING
    place = (
        [Column(said.cell, known)] if said.cell else [Column(name, known, Kind.DECIMAL) for name in names_of(said)[2:]]
    )
    return Schema((Column(said.person, Role.IDENTIFYING), Column(said.time, known), *place), said.person)


def output_of(said: TraceOutput, folder: Path) -> Output:
    """[output]: a file or a table of an SQL database, and the report and result beside it."""
    report = None if said.report is None else folder / said.report
    result = None if said.result is None else folder / said.result
    if isinstance(said, TraceSqlOutput):
        return Output(SqlSink(said.url, said.table), report=report, result=result)
    sink = None if said.path is None else FileSink(located(folder, said.path), said.kind, said.formulas)
    return Output(sink, report=report, result=result)
