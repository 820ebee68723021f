"""A table read as traces, for what releases fixes and for what releases counts of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.frozen import dataclass
from sfumato.release.traces.plan import read_from
from sfumato.table.traces import traces_from

if TYPE_CHECKING:
    from sfumato.document.traces import TracesTable
    from sfumato.engine.base import Engine
    from sfumato.table.clock import Written
    from sfumato.table.plane import Region
    from sfumato.table.traces import Cleaning, Traces


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """The traces of a table.

    Args:
        traces: sorted fixes.
        cleaning: what was wrong with its rows.
        outside: fixes outside the declared region.
    """

    traces: Traces
    cleaning: Cleaning
    outside: int


def read_table(engine: Engine[Any], table: Any, said: TracesTable, region: Region) -> Read:
    """Read a table as [traces] says.

    Args:
        engine: where data live.
        table: as the engine holds it.
        said: [traces].
        region: the declared cells.

    Raises:
        SchemaError: a column is absent, or no row has a person, a time and a place (in the region, if others are left
            out).
    """
    traces, cleaning = fixes_of(engine, table, said, said.written, said.fastest)
    inside = region.holds(traces.latitude, traces.longitude)
    outside = int((~inside).sum())
    return Read(traces.kept(inside) if outside and said.outside == "dropped" else traces, cleaning, outside)


def fixes_of(
    engine: Engine[Any], table: Any, said: TracesTable, written: Written, fastest: float | None = None
) -> tuple[Traces, Cleaning]:
    """The columns of a table as traces."""
    found = engine.summarize(table, read_from(said))
    moments = found.moments(said.zone, written)
    place = (found.latitude, found.longitude)
    return traces_from(found.persons, found.person, moments, place, zone=said.zone, fastest=fastest)
