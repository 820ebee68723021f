"""A document in a file: its tables, and errors that point to its lines."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from sfumato.document.lines import line_of
from sfumato.errors import PlanError, SfumatoError, SourceError
from sfumato.table.contents import read_bytes
from sfumato.table.values import parsed_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sfumato.table.values import Table

T = TypeVar("T")


def load(path: Path, what: str, read: Callable[[Table], T]) -> T:
    """What a TOML file says.

    Args:
        path: the file, in UTF-8 with or without a byte order mark.
        what: what the file is called in messages ("plan").
        read: reads its tables. Errors that it raises get the line of their key.

    Raises:
        PlanError: the file cannot be read, or is no TOML.
    """
    text = _text(path, what)
    tables = parsed_toml(text, f"The {what} {path.name!r}")
    with _told(text, path.name):
        return read(tables)


def load_toml(path: Path, what: str) -> Table:
    """The tables of a TOML file, as they are."""
    return load(path, what, lambda tables: tables)


@contextmanager
def lines_of(path: Path | None) -> Iterator[None]:
    """Errors inside that are about a key of a document that was read from a file get the line of their key.

    Args:
        path: the file, read again when there is an error; None: there is none.
    """
    try:
        yield
    except SfumatoError as error:
        if path is None or not error.path:
            raise
        try:
            text = _text(path, "document")
        except PlanError:
            text = ""
        with _told(text, path.name):
            raise


@contextmanager
def _told(text: str, name: str) -> Iterator[None]:
    """Errors inside get the line of their key in a text."""
    try:
        yield
    except SfumatoError as error:
        line = None if error.place else line_of(text, error.path)
        raise error if line is None else error.at(f"line {line} of {name!r}") from error.__cause__


@contextmanager
def about(*path: str | int) -> Iterator[None]:
    """Errors inside are about the key at this path of the whole document, unless they say what they are about."""
    try:
        yield
    except SfumatoError as error:
        raise error if error.path else error.below(*path) from error.__cause__


@contextmanager
def under(*steps: str | int) -> Iterator[None]:
    """Errors inside are about the key at these steps, unless they know better."""
    try:
        yield
    except SfumatoError as error:
        error.below(*steps)
        raise


def _text(path: Path, what: str) -> str:
    try:
        return read_bytes(path, f"The {what}").decode("utf-8-sig")
    except SourceError as error:
        raise PlanError.of(error) from None
    except UnicodeDecodeError as error:
        raise PlanError("The {what} {name!r} must be TOML in UTF-8; {error}.", "correct that place.",
                        what=what, name=path.name, error=error) from error  # fmt: skip
