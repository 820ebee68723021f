"""A stored result of a run, read and checked."""

from __future__ import annotations

from sfumato.document.result.codec import document_from, problems, read
from sfumato.document.result.release import ReleaseResult

_MADE_BY = "`sfumato run`"


def read_result(text: str) -> ReleaseResult:
    """Read a result document and check its format.

    Raises:
        ResultError: it is no JSON, of another format, of a newer version, or its shape is wrong.

    Example:
        >>> read_result('{"format": "sfumato.release/2"}')
        Traceback (most recent call last):
        ...
        sfumato.errors.ResultError: The format must be 'sfumato.release/1'; ...
    """
    return read(ReleaseResult, text, _MADE_BY)


def result_from(given: object) -> ReleaseResult:
    """The result that plain data describe.

    Raises:
        ResultError: another format, a newer version, or the shape is wrong.
    """
    return document_from(ReleaseResult, given, _MADE_BY)


def check_result(given: object) -> tuple[str, ...]:
    """Every way in which plain data differ from the documented shape; () when they have it.

    A problem names the key and what it must be, never what stands there.
    """
    return problems(ReleaseResult, given)
