"""Attacks on released traces, from any two tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document.result.attack import AttackedTable
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.errors import PlanError
from sfumato.front.traces import TraceColumns, read_traces
from sfumato.table.source import source_from

if TYPE_CHECKING:
    from sfumato.document.result.trace_attack import TraceAttackResult
    from sfumato.document.traces import TracesTable
    from sfumato.release.plan import Plan


def attack_traces(  # noqa: PLR0913
    original: object,
    release: object,
    columns: TraceColumns | None = None,
    *,
    plan: Plan | None = None,
    renamed: bool = True,
    cells: bool = False,
    guesses: int = 500,
    confidence: float = 0.95,
) -> TraceAttackResult:
    """What breaks released traces, by doing: `sfumato.trace-attack/1`.

    Args:
        original: the table of fixes in memory, a path, or a source.
        release: the same for what was released, with the same columns.
        columns: their names, and how times are written; not needed with a plan.
        plan: of the traces, instead.
        renamed: whether persons have other names in the release; with a plan, it says so.
        cells: whether every cell with a fix is a place, as for check-ins, instead of stays.
        guesses: most persons looked for by each attack.
        confidence: of the intervals, in (0, 1).

    Raises:
        PlanError: a plan of no traces, or neither plan nor columns.
        SchemaError: a column is absent, nobody is in both tables, or there are fewer than two days.

    Example:
        >>> import numpy as np, pyarrow as pa
        >>> from sfumato import TraceColumns
        >>> at = 1_700_000_000 + np.arange(40) * 7200
        >>> fixes = {"who": ["a"] * 40 + ["b"] * 40, "at": [*at, *at], "y": [45.0] * 40 + [46.0] * 40, "x": [5.0] * 80}
        >>> columns = TraceColumns("who", "at", "y", "x", zone="Europe/Paris", written="seconds")
        >>> found = attack_traces(pa.table(fixes), pa.table(fixes), columns, renamed=False, cells=True)
        >>> found.attacks[0].target, found.attacks[0].main.value
        ('by places', 1.0)
    """
    from sfumato.document.traces import TraceMeasures, TracesDocument
    from sfumato.release.attacking import Settings
    from sfumato.release.trace_attacking import TraceWords, attack_fixes, sight_of, words_of

    said = None if plan is None else plan.method.said
    if columns is not None:
        words = TraceWords(renamed, sight_of(TraceMeasures(), cells=cells))
    elif isinstance(said, TracesDocument):
        columns, words = _columns(said.traces), words_of(said, cells=cells)
    else:
        raise PlanError("Traces need a plan with [traces], or the names of their columns.", "give one of them.")
    both = read_traces(original, columns)[0], read_traces(release, columns)[0]
    return attack_fixes(both, (_table(original), _table(release)), words, Settings(guesses, confidence))


def _columns(said: TracesTable) -> TraceColumns:
    """The columns of a plan."""
    return TraceColumns(said.person, said.time, said.latitude, said.longitude, zone=said.zone, written=said.written)


def _table(source: object) -> AttackedTable:
    """What a table was read from."""
    engine = DuckDBEngine()
    header = engine.header(engine.scan(source_from(source)))
    return AttackedTable(kind=header.source_kind, rows=header.n_rows, sha256=header.sha256)
