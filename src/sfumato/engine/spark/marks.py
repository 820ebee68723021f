"""Which rows are published at all? SQL for a subset mark."""

from __future__ import annotations

from sfumato.engine.spark.faults import refuse


def published_mark(column: str, cell: str) -> str:
    """SQL for a boolean, or the text or number 0 or 1.

    Args:
        column: name of the column, which a message shows.
        cell: SQL of its native value.
    """
    unknown = refuse(
        f"Every cell of the subset column {column!r} must be true or false (or 1 or 0); some are not.",
        "write 1 in the rows that are to be published and 0 in the others.",
        "BOOLEAN",
    )
    text = f"lower(CAST({cell} AS STRING))"
    return f"CASE WHEN {text} IN ('true', '1') THEN true WHEN {text} IN ('false', '0') THEN false ELSE {unknown} END"
