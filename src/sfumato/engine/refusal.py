"""How SQL and workers refuse a row: by a message with marks, which becomes a `SchemaError` again."""

from __future__ import annotations

from sfumato.errors import SchemaError

_MARK = "sfumato|"
"""Starts the messages that our own SQL and our own workers raise: mark, problem, bar, remedy, bar."""


def marked(problem: str, remedy: str) -> str:
    """The message by which SQL or a worker raises a `SchemaError`.

    Example:
        >>> marked("Ages must be numbers.", "declare text.")
        'sfumato|Ages must be numbers.|declare text.|'
    """
    return _MARK + "|".join(part.replace("|", "/") for part in (problem, remedy)) + "|"


def refusal_in(message: str) -> SchemaError | None:
    """The error that a message of a database or a cluster stands for; None where it is none of ours."""
    if _MARK not in message:
        return None
    problem, remedy = message.split(_MARK, 1)[1].split("|")[:2]
    return SchemaError(problem, remedy)
