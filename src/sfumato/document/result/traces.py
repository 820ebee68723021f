"""What is kept of a release of traces beside what every release has: part of `sfumato.release/1`."""

from __future__ import annotations

from dataclasses import field

from sfumato.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceRows:
    """What was wrong with the rows of a table of fixes, by counts.

    Args:
        rows: of the table.
        kept: fixes that were left.
        without_person: rows left out: nobody is named.
        without_time: rows left out: no time, or one that cannot be read.
        skipped_times: rows left out: a clock time that never was, because the clock was put forward.
        twofold_times: rows kept at the first of two moments, because the clock was put back.
        impossible_places: rows left out: no coordinates, or none of the Earth.
        at_zero: rows kept at exactly 0, 0.
        repeated: rows left out: the same person, time and place again.
        contradicting: rows left out: the same person and time at another place.
        too_fast: steps faster than the stated speed; null: none was stated.
        outside: fixes outside the declared region.
    """

    rows: int
    kept: int
    without_person: int = 0
    without_time: int = 0
    skipped_times: int = 0
    twofold_times: int = 0
    impossible_places: int = 0
    at_zero: int = 0
    repeated: int = 0
    contradicting: int = 0
    too_fast: int | None = None
    outside: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounded:
    """A share that was found by trying, with its 95 % interval.

    Args:
        value: the share.
        low: lower end of the interval.
        high: upper end.
        trials: how often it was tried.
    """

    value: float
    low: float
    high: float
    trials: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedRisk:
    """An attack that was tried on the traces, before and after.

    Args:
        name: stable identifier.
        label: for people.
        definition: what the intruder knows, and what counts as a success.
        source: paper and section.
        before: on the original; null: it could not be tried.
        after: on the release; null: it could not be tried.
        control: what guessing reaches.
    """

    name: str
    label: str
    definition: str
    source: str
    before: Bounded | None = None
    after: Bounded | None = None
    control: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceMap:
    """Persons by cell of a coarse grid of the region, row by row from the south-west.

    Args:
        metres: side of a cell.
        rows: cells from south to north.
        columns: cells from west to east.
        fewest: cells with fewer persons hold 0.
        before: persons of the original in each cell.
        after: persons of the release in each cell.
    """

    metres: float
    rows: int
    columns: int
    fewest: int
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceFlow:
    """Trips from one cell to another.

    Args:
        origin: cell, counted row by row from the south-west.
        target: another cell.
        trips: how many.
    """

    origin: int
    target: int
    trips: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceFlowMap:
    """The largest flows between cells of a coarse grid of the region.

    Args:
        metres: side of a cell.
        rows: cells from south to north.
        columns: cells from west to east.
        fewest: flows of fewer persons are left out.
        before: of the original.
        after: of the release.
    """

    metres: float
    rows: int
    columns: int
    fewest: int
    before: tuple[TraceFlow, ...] = ()
    after: tuple[TraceFlow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TracesFound:
    """A release of traces.

    Args:
        read: what was wrong with the rows that were read.
        zone: time zone of the persons.
        latitude: of the region's south-west corner.
        longitude: of the region's south-west corner.
        persons_before: persons of the original.
        persons_after: persons of whom something is released.
        fixes_before: fixes that were protected.
        fixes_after: fixes that are released.
        persons: what is released of who: renamed, renamed-by-piece, kept or dropped.
        per: whose reports are added up: person or week.
        reports: most fixes that one of them has.
        protected: what was done to the fixes, in order, one sentence for each protection.
        tried: attacks that were tried.
        map: persons by cell, before and after.
        flows: trips between cells, before and after.
    """

    read: TraceRows
    zone: str
    latitude: float
    longitude: float
    persons_before: int
    persons_after: int
    fixes_before: int
    fixes_after: int
    persons: str
    per: str
    reports: int
    protected: tuple[str, ...] = ()
    tried: tuple[TriedRisk, ...] = ()
    map: TraceMap | None = field(default=None)
    flows: TraceFlowMap | None = field(default=None)
