"""A first plan for a table, written beside it with its schema, so that editors complete its keys."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.document.catalog import pointer_to, schema_file, schema_text
from sfumato.document.result.made import DraftResult, FoundRecoding, GuessedColumn
from sfumato.errors import SourceError
from sfumato.front.tables import draft
from sfumato.release.draft_writer import plan_text
from sfumato.release.places import Place, check_places, source_places
from sfumato.release.stage import staged
from sfumato.table.contents import read_text
from sfumato.table.source import SqlSource, relative_url

if TYPE_CHECKING:
    from sfumato.release.draft import Guess
    from sfumato.table.source import FileSource
    from sfumato.table.values import Item


def draft_plan(
    place: FileSource | SqlSource,
    output: Path | None = None,
    *,
    force: bool = False,
    words: Path | None = None,
    as_table: bool = False,
) -> DraftResult:
    """Draft a plan and write it.

    Args:
        place: the table.
        output: where the plan goes; None: `plan.toml` beside the table.
        force: whether a plan that is there is overwritten.
        words: the user's own word list, as TOML.
        as_table: whether a table of who was when and where, or of edges, gets a plan of a table, as any other; False: one of
            traces, or of a graph.

    Raises:
        SourceError: the table cannot be read, a plan is there, or the plan cannot be written.
    """
    beside = Path() if isinstance(place, SqlSource) else place.path.parent
    path = output or beside / "plan.toml"
    if path.exists() and not force:
        raise SourceError(
            "A new plan must not overwrite {name!r}, which exists.", "add --force, or -o another.", name=path.name
        )
    own = () if words is None else (Place("the file of words", words),)
    kinds = ("plan",) if as_table else ("plan", "traces", "graph")
    schemas = [Place("the schema of plans", path.with_name(schema_file(kind))) for kind in kinds]
    check_places([*source_places("the source", place), *own], [Place("the plan", path), *schemas])
    found = draft(place, words=None if words is None else read_text(words, "The file"))
    found = replace(found, traces=None, graph=None) if as_table else found
    kind = "traces" if found.traces is not None else "plan" if found.graph is None else "graph"
    table, stem = _source_table(place, path)
    text = plan_text(found, table, stem=stem)
    with staged() as stage:
        stage.write(path.with_name(schema_file(kind)), schema_text(kind), internal=False)
        stage.write(path, f"{pointer_to(kind)}\n{text}")
        stage.commit()
    return DraftResult(
        plan=str(path),
        rows=found.header.n_rows,
        columns=tuple(_guessed(guess) for guess in found.guesses),
        recodings=tuple(FoundRecoding(column=r.column, other=r.other, both_ways=r.both_ways) for r in found.recodings),
        unique=found.unique,
        traces=() if found.traces is None else found.traces.names,
        graph=None if found.graph is None else found.graph.names,
    )


def _guessed(guess: Guess) -> GuessedColumn:
    """What was guessed of one column."""
    return GuessedColumn(
        name=guess.column.name,
        role=guess.column.role.value,
        kind=guess.column.kind.value,
        reason=guess.reason,
        distinct=guess.distinct,
        distinction=guess.distinction,
        separation=guess.separation,
        missing=tuple(guess.missing),
    )


def _source_table(place: FileSource | SqlSource, plan: Path) -> tuple[dict[str, Item], str]:
    """The [source] table of a plan, and a short name for what is made from it."""
    if isinstance(place, SqlSource):
        name = place.query if place.query.isidentifier() else "table"
        return {"url": relative_url(plan.parent, place.url), "query": place.query}, name
    table: dict[str, Item] = {"path": os.path.relpath(place.path, plan.parent)}
    if place.sheet is not None:
        table["sheet"] = place.sheet
    if place.dialect:
        table["dialect"] = dict(place.dialect)
    return table, place.path.name.split(".")[0]
