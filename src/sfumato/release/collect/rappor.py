"""What do the two sides of a RAPPOR collection do with files? Clients write batches, the server counts and decodes."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.duckdb.columns import texts
from sfumato.engine.duckdb.scan import scan
from sfumato.errors import ReportError, SchemaError
from sfumato.mechanism.local.rappor.batch import Batch, from_json, to_json
from sfumato.mechanism.local.rappor.bloom import bloom_bits
from sfumato.mechanism.local.rappor.counts import BitCounts, count_reports, no_counts
from sfumato.mechanism.local.rappor.fleet import first_reports
from sfumato.noise.integers import uniform_integers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sfumato.mechanism.local.rappor.params import RapporParams
    from sfumato.noise.bits import Bits
    from sfumato.table.source import Source

COUNTS = "sfumato.rappor-counts/1"


def report_values(params: RapporParams, source: Source, column: str, *, size: int, bits: Bits) -> Iterator[str]:
    """Play the clients: one first report for each row, in batches on the wire.

    Every row is a person who reports once and has a secret of their own, so cohorts and reports are independent
    between rows. All values are checked before any chance is drawn.

    Args:
        params: of the collection.
        source: one row for each person.
        column: what they report.
        size: reports in one batch, >= 1.
        bits: secure chance.

    Yields:
        Batches, each with a random id of 128 bits.

    Raises:
        SchemaError: an absent column, or rows without a value. Remedy: leave them out, or give them a text.
        ParameterError: basic RAPPOR, and a value that is not declared. Remedy: declare an `other`.
    """
    cells = texts(scan(source), column)
    absent = sum(cell is None for cell in cells)
    if absent:
        raise SchemaError(
            "Every row must have a value in {column!r}; {absent} rows have none.",
            "leave them out, or write a text.",
            column=column,
            absent=absent,
        )
    distinct = list(dict.fromkeys(str(cell) for cell in cells))
    place = {name: code for code, name in enumerate(distinct)}
    codes = np.array([place[str(cell)] for cell in cells], np.int64)
    for one in distinct if params.values else ():
        bloom_bits(params, one, 0)
    for start in range(0, len(codes), size):
        part = codes[start : start + size]
        cohorts = uniform_integers(len(part), params.cohorts, bits=bits)
        pairs, back = np.unique(part * params.cohorts + cohorts, return_inverse=True)
        held = np.array([bloom_bits(params, distinct[at // params.cohorts], at % params.cohorts) for at in pairs.tolist()])  # fmt: skip
        name = "".join(f"{word:016x}" for word in bits.words(2).tolist())
        yield to_json(params, Batch(name, cohorts, first_reports(params, held[back], bits=bits)))


def count_batches(params: RapporParams, lines: Iterable[tuple[str, bytes]]) -> tuple[BitCounts, int, int]:
    """Play the server: count each batch once.

    Args:
        params: of the collection.
        lines: (where it stands, for messages; a batch on the wire).

    Returns:
        The counts, the number of batches counted, and of batches that came again.

    Raises:
        ReportError: a line that is no batch of this collection, or an id with two contents. Remedy: named there.
    """
    counts, seen, again = no_counts(params), dict[str, bytes](), 0
    for place, line in lines:
        try:
            batch = from_json(params, line)
        except ReportError as error:
            raise ReportError.of(error, "{at}: ", at=place) from error
        content = hashlib.sha256(line.strip()).digest()
        if batch.batch in seen:
            if seen[batch.batch] != content:
                raise ReportError(
                    "{place}: a batch id must stand for one content; this one was met with another.",
                    "find out which client sends two batches under one id.",
                    place=place,
                )
            again += 1
            continue
        seen[batch.batch] = content
        counts += count_reports(params, batch.cohorts, batch.reports)
    return counts, len(seen), again


def counts_document(params: RapporParams, counts: BitCounts) -> dict[str, object]:
    """The counts of a collection as plain data, the same that a collection server exports."""
    return {"format": COUNTS, "collection": params.digest, **counts.to_data()}


def read_counts(params: RapporParams, documents: Sequence[str]) -> BitCounts:
    """The sum of counts of one collection.

    Args:
        params: of the collection.
        documents: as `counts_document` made them.

    Raises:
        ReportError: no such document, or one of another collection. Remedy: use what `count` wrote.
    """
    total = no_counts(params)
    for text in documents:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ReportError("Counts must be JSON.", "use what `sfumato rappor count` wrote.") from error
        if not isinstance(data, dict) or data.get("format") != COUNTS:
            raise ReportError(
                "Counts must have the format {counts!r}.", "use what `sfumato rappor count` wrote.", counts=COUNTS
            )
        if data.get("collection") != params.digest:
            raise ReportError(
                "Counts must belong to these parameters; they are of others.", "use both of one collection."
            )
        total += BitCounts.from_data(data)
    return total
