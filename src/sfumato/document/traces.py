"""The plan of a release of traces as it is written: every table and key. A plan with [traces] is one of traces."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from typing import ClassVar, Literal, TypeAlias

from sfumato.document.account import AccountTable
from sfumato.document.source import SourceTable
from sfumato.document.trace_statistics import AnswersTable, StatisticTable, WeightsTable
from sfumato.frozen import dataclass
from sfumato.table.clock import Written
from sfumato.table.source import FileKind, Formulas

Persons: TypeAlias = Literal["renamed", "renamed-by-piece", "kept", "dropped"]
"""What is released in the column of persons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TracesTable:
    """What the columns of the table are, how times are written, and where a trace is cut into pieces.

    Args:
        person: column of persons.
        time: column of times: ISO 8601 texts, timestamps, or whole numbers since 1970.
        latitude: column of degrees; absent: see `cell`.
        longitude: column of degrees.
        cell: column of cells of H3, whose centers are taken; the release then has columns `latitude` and `longitude`.
        zone: IANA name of the time zone in which the persons live, such as "Europe/Paris".
        written: how times without an offset of their own are written.
        fastest: metres per second above which a step is counted as too fast; absent: none is counted.
        gap: seconds without a fix after which a new piece of a trace begins.
        by_day: whether a new piece begins with each local day.
        outside: "dropped" leaves fixes outside the region out; "kept" keeps them, in the nearest cell where a method
            reads cells.
    """

    person: str
    time: str
    latitude: str | None = None
    longitude: str | None = None
    cell: str | None = None
    zone: str
    written: Written
    fastest: float | None = None
    gap: float = 3600.0
    by_day: bool = True
    outside: Literal["kept", "dropped"] = "kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionTable:
    """Square cells of a declared plane. They are public: declared, never read off the table.

    Args:
        latitude: of the south-west corner, in degrees.
        longitude: of the south-west corner, in degrees.
        metres: side of a cell.
        rows: cells from south to north.
        columns: cells from west to east.
    """

    latitude: float
    longitude: float
    metres: Fraction
    rows: int
    columns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceUnit:
    """Whose reports are added up.

    Args:
        per: a person, or a person in one local week.
    """

    per: Literal["person", "week"] = "person"


@dataclass(frozen=True, slots=True, kw_only=True)
class GeoIndistinguishability:
    """Each fix becomes the center of a cell that is drawn around it: `epsilon`, or `ratio` and `within`.

    Args:
        epsilon: nats per metre.
        ratio: positions `within` metres make no report more than `ratio` times likelier.
        within: metres.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "geo-indistinguishability")
    epsilon: Fraction | None = None
    ratio: Fraction | None = None
    within: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoisedReports:
    """As geo-indistinguishability, each cell of a person drawn once: whoever stays is not found by averaging.

    Args:
        epsilon: nats per metre.
        ratio: positions `within` metres make no report more than `ratio` times likelier.
        within: metres.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "memoised-reports")
    epsilon: Fraction | None = None
    ratio: Fraction | None = None
    within: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictiveReports:
    """As geo-indistinguishability, the last cell again while a noisy test finds it near.

    Args:
        epsilon: nats per metre of a drawn cell.
        ratio: positions `within` metres make no drawn cell more than `ratio` times likelier.
        within: metres.
        test: nats per metre of a test.
        metres: how near the last cell must be.
        budget: nats per metre that a person may spend in all; then the last cell is repeated.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "predictive-reports")
    epsilon: Fraction | None = None
    ratio: Fraction | None = None
    within: Fraction | None = None
    test: Fraction
    metres: Fraction
    budget: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Promesse:
    """Constant speed: fixes at equal distances and equal times, so that no stay is left.

    Args:
        metres: between fixes.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "promesse")
    metres: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cloak:
    """Each fix is shown in the middle of a box of cells that k persons share in a slot of time. The last protection.

    Args:
        k: persons whom each box shows, at least.
        seconds: of a slot.
        way: "hilbert" takes persons k after k along a curve that fills the region; "quadtree" halves the region while each
            quarter with anybody has k persons.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "cloak")
    k: int
    seconds: int
    way: Literal["hilbert", "quadtree"] = "hilbert"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPaths:
    """Whole traces of k persons become one sequence of boxes, shown by their middles. The last protection.

    Args:
        k: persons who have the very same record, at least.
        seconds: of a slot.
        widest: metres that a box is wider and higher than a cell, together, at most.
        longest: seconds that a box lasts longer than a slot, at most.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "shared-paths")
    k: int
    seconds: int
    widest: float
    longest: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NearPaths:
    """Persons who go the same way move together, never more than `delta` apart. The last protection.

    Args:
        k: persons of a group, at least.
        delta: metres that two of a group are ever apart at most; only 0 makes k records the same.
        radius: metres from the leader of the group, on average, beyond which a person is dropped.
        apart: seconds by which two persons may come and go apart as lightly as be `radius` apart.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "near-paths")
    k: int
    delta: float = 0.0
    radius: float
    apart: float = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleTable:
    """A rule of what is shown. Rules that follow each other are read together: the first that fits a fix decides.

    Args:
        show: "nothing", "as it is", or "cells": in the centers of cells of `side` metres.
        side: of those cells.
        latitude: of the middle of a circle outside of which the rule does not fit; with `longitude` and `metres`.
        longitude: of that middle.
        metres: radius of the circle.
        first: hour of the local clock at which the rule begins to fit, 0 to 23; with `until`.
        until: hour at which it ends, 1 to 24; at most `first`: on the next day.
        days: on which it fits, 0 for Monday to 6 for Sunday.
        person: whose fixes; absent: everybody's.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "rule")
    show: Literal["nothing", "as it is", "cells"]
    side: float | None = None
    latitude: float | None = None
    longitude: float | None = None
    metres: float | None = None
    first: int | None = None
    until: int | None = None
    days: tuple[int, ...] | None = None
    person: str | None = None


Protect: TypeAlias = (
    GeoIndistinguishability
    | MemoisedReports
    | PredictiveReports
    | Promesse
    | RuleTable
    | Cloak
    | SharedPaths
    | NearPaths
)
"""One of the protections; `name` tells which. A new one is a class here and a line in `release/traces/protections.py`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceMeasures:
    """What is measured.

    Args:
        stay_seconds: whoever is so long within `stay_metres` stays there.
        stay_metres: largest distance between two fixes of a stay.
        found_within: metres within which a place is found again.
        points: random points of a trace that an intruder knows.
        hours: length of the time in which a point is known, with its cell.
        trials: of attacks that are tried at random.
        fewest: persons below which a cell of a map is not shown.
        cell: side in metres of the cells of worth, rounded to whole cells of the region, at least one.
        place: side in metres of the cells between which flows go and of which visits are counted, rounded likewise.
        boxes: random boxes of space and time in which persons are counted.
        places: what attacks that a sweep asks for take for places: stays, or all cells of `stay_metres` with fixes, which is
            for check-ins.
    """

    stay_seconds: float = 900.0
    stay_metres: float = 200.0
    found_within: float = 100.0
    points: int = 4
    hours: int = 1
    trials: int = 1000
    fewest: int = 10
    cell: float = 200.0
    place: float = 1000.0
    boxes: int = 1000
    places: Literal["stays", "cells"] = "stays"


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceFileOutput:
    """What is written, the release to a file or nowhere.

    Args:
        path: the release; absent: it is handed over in memory.
        kind: absent: from the suffix.
        formulas: "quoted" writes an apostrophe before cells of a CSV file that a spreadsheet would run.
        report: the report, as .html, .pdf or .txt.
        result: the result, as JSON.
    """

    path: str | None = None
    kind: FileKind | None = None
    formulas: Formulas = "kept"
    report: str | None = None
    result: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceSqlOutput:
    """What is written, the release to a table of an SQL database.

    Args:
        url: the database.
        table: the table, which must not exist yet.
        report: the report, as .html, .pdf or .txt.
        result: the result, as JSON.
    """

    form: ClassVar[str] = "url"
    url: str
    table: str
    report: str | None = None
    result: str | None = None


TraceOutput: TypeAlias = TraceSqlOutput | TraceFileOutput


@dataclass(frozen=True, slots=True, kw_only=True)
class TracesDocument:
    """A plan of traces: one release, from source to sink. Paths are relative to the folder of the document.

    Args:
        source: where the table is; absent: it is handed over in memory.
        traces: what its columns are.
        region: the declared plane and its cells.
        unit: whose reports are added up.
        persons: what is released of who: a number of its own for each person ("renamed") or for each piece of a trace
            ("renamed-by-piece"), drawn anew; the column as it is ("kept"); or nothing ("dropped").
        protect: what is done to the fixes, one after the other.
        statistics: what is counted under differential privacy, instead of fixes; a plan has `protect` or `statistics`.
        weights: how many people each person stands for, where a statistic asks.
        answers: how statistics are told.
        measure: what is measured.
        output: where everything goes.
        engine: duckdb, spark, or the URL of a Spark cluster.
        account: who pays for differential privacy.
    """

    source: SourceTable | None = None
    traces: TracesTable
    region: RegionTable
    unit: TraceUnit = TraceUnit()
    persons: Persons = "renamed"
    protect: tuple[Protect, ...] = ()
    statistics: tuple[StatisticTable, ...] = ()
    weights: WeightsTable | None = None
    answers: AnswersTable = AnswersTable()
    measure: TraceMeasures = TraceMeasures()
    output: TraceOutput = field(default_factory=TraceFileOutput)
    engine: str | None = None
    account: AccountTable | None = None
