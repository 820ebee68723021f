"""Post-randomization (PRAM) of a table: the document becomes a plan, and shares are read off what was published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.document.codec import read
from sfumato.document.collection import PramDocument
from sfumato.document.header import PRAM, without_header
from sfumato.document.loading import load
from sfumato.document.result.collected import CategoryShare, PramColumnTold, PramResult, StatedPromise
from sfumato.engine.duckdb.columns import texts
from sfumato.engine.duckdb.scan import scan
from sfumato.errors import SchemaError
from sfumato.frozen import dataclass
from sfumato.mechanism.perturb.columns import Perturbed, estimate_shares, keep_shares, promises, row_epsilon
from sfumato.mechanism.perturb.transition import keep_share
from sfumato.release.collect.noising import perturbing_plan, publish_by, rows_of
from sfumato.table.source import FileSource

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from sfumato.document.collection import PramColumn
    from sfumato.table.source import FileSink, SqlSource
    from sfumato.table.values import Item, Table


@dataclass(frozen=True, slots=True)
class Column:
    """How one column is perturbed.

    Args:
        name: of the column.
        values: its declared categories.
        keep: probability that a cell keeps its value before the matrix is made invariant, in (0, 1).
        alpha: weight of the invariant matrix against none at all, in (0, 1]; None: plain PRAM.
        strata: column within whose values the matrix is made, and those values; None: one stratum.
    """

    name: str
    values: tuple[str, ...]
    keep: float
    alpha: float | None
    strata: tuple[str, tuple[str, ...]] | None


@dataclass(frozen=True, slots=True)
class Pram:
    """The columns that are perturbed, and the texts that mean missing."""

    columns: tuple[Column, ...]
    missing: tuple[str, ...]


def read_pram(path: Path) -> Pram:
    """Read a document from TOML.

    Raises:
        PlanError: the file cannot be read, or says something unknown.
    """
    return load(path, "PRAM document", pram_from)


def pram_from(document: Table) -> Pram:
    """Build from a document: `format`, `missing`, `[columns.*]` with `values`, `keep`, `invariant`, `strata`.

    Raises:
        PlanError: a key is absent, unknown or of the wrong type.

    Example:
        >>> pram_from({"format": "sfumato.pram-plan/1", "columns": {"sex": {"values": ["f", "m"], "keep": 0.8}}}).columns[0].keep
        0.8
    """
    title = "the document"
    said = read(PramDocument, without_header(document, PRAM, title), title)
    return Pram(tuple(_column(name, one) for name, one in said.columns.items()), said.missing)


def _column(name: str, said: PramColumn) -> Column:
    """One [columns.NAME]."""
    strata = None if said.strata is None else (said.strata, said.strata_values)
    return Column(name, said.values, said.keep, said.invariant, strata)


def publish(pram: Pram, source: FileSource | SqlSource, sink: FileSink) -> PramResult:
    """Perturb the declared columns by a plan, and say what is promised and what can be read off the published table.

    Args:
        pram: what happens to each column.
        source: one row for each person.
        sink: the file where the table goes.

    Returns:
        The ε of each column and of a row, the promises, and for each column the shares
        estimated from the published table, unbiased, with standard deviations.

    Raises:
        SchemaError: an absent column.
        ParameterError: cells outside the declared categories.
    """
    source = replace(source, missing=pram.missing)
    table = scan(source)
    names = table.header.names
    absent = [column.name for column in pram.columns if column.name not in names]
    if absent:
        raise SchemaError("The table must have a column {name!r}; it has none.", "correct the name.", name=absent[0])
    cells = {name: _cells(texts(table, name), pram.missing) for name in _read(pram)}
    plan = {column.name: _perturbed(cells, column) for column in pram.columns}
    others = [name for name in names if name not in plan]
    release = publish_by(perturbing_plan({c.name: _said(c) for c in pram.columns}, insensitive=others), source, sink)
    written = scan(FileSource(sink.path))
    published = {name: _cells(texts(written, name), pram.missing) for name in cells}
    told = tuple(_told(published, name, column) for name, column in plan.items())
    promised = tuple(StatedPromise(statement=one.statement, assumptions=one.assumptions) for one in promises(plan))
    return PramResult(rows=rows_of(release), row_epsilon=row_epsilon(plan), columns=told, promise=promised)


def _read(pram: Pram) -> dict[str, None]:
    """Names of the columns that are perturbed, and of those that hold strata."""
    held = [column.strata[0] for column in pram.columns if column.strata is not None]
    return dict.fromkeys([*(column.name for column in pram.columns), *held])


def _said(column: Column) -> dict[str, Item]:
    """What a plan says of a column."""
    perturb: dict[str, Item] = {"method": "pram", "values": list(column.values), "keep": column.keep}
    if column.alpha is not None:
        perturb |= {"invariant": column.alpha}
    if column.strata is not None:
        perturb |= {"strata": column.strata[0], "strata_values": list(column.strata[1])}
    return {"perturb": perturb}


def _perturbed(cells: Mapping[str, npt.NDArray[Any]], column: Column) -> Perturbed:
    chance = keep_share(len(column.values), column.keep)
    if column.alpha is not None:
        return keep_shares(
            cells, column.name, chance, alpha=column.alpha, categories=column.values, strata=column.strata
        )
    if column.strata is None:
        return Perturbed(column.values, (chance,))
    name, levels = column.strata
    return Perturbed(column.values, (chance,) * len(levels), name, levels)


def _told(published: Mapping[str, npt.NDArray[Any]], name: str, column: Perturbed) -> PramColumnTold:
    """What one column spends and tells."""
    shares = estimate_shares(published, name, column)
    deviations = np.sqrt(np.maximum(shares.variance, 0)).tolist()
    rows = zip(map(str, column.categories), shares.values.tolist(), deviations, strict=True)
    return PramColumnTold(name=name, epsilon=column.epsilon, shares=tuple(CategoryShare(*row) for row in rows))


def _cells(found: Sequence[str | None], missing: tuple[str, ...]) -> npt.NDArray[Any]:
    """Cells as labels; None where missing."""
    return np.array([None if cell is None or cell in missing else cell for cell in found], object)
