"""The key of pseudonyms, and the table that was made with it: read and written, never shown."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import PlanError, SourceError
from sfumato.mechanism.secret import new_key, parse_key
from sfumato.table.contents import check_regular

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sfumato.document.perturb import KeyPlace
    from sfumato.mechanism.secret import Secret
    from sfumato.noise.bits import Bits

_PRIVATE = 0o600
_MOST = 10_000
"""Bytes of a key file that are read."""


def secret_of(place: KeyPlace, where: str, folder: Path, environment: Mapping[str, str]) -> Secret:
    """The key that `key = { env = "…" }` or `key = { file = "…" }` names.

    Args:
        place: of the key.
        where: the table that holds `key`, in messages.
        folder: what the file is relative to.
        environment: variables by name.

    Raises:
        PlanError: no place, or two. SourceError: nothing there. ParameterError: no key there.
    """
    if (place.env is None) == (place.file is None):
        raise PlanError(
            "`key` in {where} must name one place of the key, never the key itself.",
            'write key = {{ env = "VARIABLE" }} or key = {{ file = "path" }}.',
            where=where,
        )
    if place.env is not None:
        return _from_environment(place.env, environment)
    return read_key(folder / str(place.file))


def read_key(path: Path) -> Secret:
    """The key in a file.

    Raises:
        SourceError: it cannot be read. ParameterError: it holds no key.
    """
    try:
        check_regular(path, "The key file")
        with path.open("rb") as file:
            text = file.read(_MOST).decode("ascii", "replace")
    except (OSError, SourceError) as error:
        problem = error.problem if isinstance(error, SourceError) else f"The key file {path.name!r} must be readable."
        raise SourceError(
            problem, "correct the path, or make a key with `sfumato pseudonymize --new-key FILE`."
        ) from error
    return parse_key(text, repr(path.name))


def write_new_key(path: Path, *, bits: Bits) -> None:
    """Make a key in a new file that only its owner may read.

    Raises:
        SourceError: the file exists, or cannot be written. A key is never overwritten: what it made would be lost.
    """
    try:
        write_new(path, new_key(bits) + "\n")
    except OSError as error:
        raise SourceError(
            "A new key must go to a new file; {name!r}: {strerror}.",
            "choose another name.",
            name=path.name,
            strerror=error.strerror,
        ) from error


def write_new(path: Path, text: str) -> None:
    """A text in a new file that only its owner may read; of two who write it at once, one has the file.

    Raises:
        FileExistsError: the file exists. OSError: it cannot be written.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def replace_file(path: Path, raw: bytes) -> None:
    """Write bytes beside a file, sync them and rename: a reader sees the old file or the new one.

    Raises:
        SourceError: it cannot be written.
    """
    try:
        with tempfile.NamedTemporaryFile("wb", dir=path.parent or ".", delete=False) as file:
            beside = Path(file.name)  # private by itself
            try:
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
                file.close()
                beside.replace(path)
            except BaseException:
                beside.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise SourceError(
            "{name!r} must be writable; {strerror}.", "choose another place.", name=path.name, strerror=error.strerror
        ) from error


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Nobody else changes the file meanwhile: a lock beside it, which must not be there yet.

    Raises:
        SourceError: another run holds it, or one was killed.
    """
    lock = path.with_name(path.name + ".lock")
    try:
        os.close(os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE))
    except FileExistsError:
        raise SourceError(
            "{name!r} is being changed by another run: {name2!r} exists.",
            "wait for it; if no run is left, delete that file.",
            name=path.name,
            name2=lock.name,
        ) from None
    except OSError as error:
        raise SourceError(
            "{name!r} must be writable; {strerror}.", "choose another place.", name=lock.name, strerror=error.strerror
        ) from error
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)


def _from_environment(variable: str, environment: Mapping[str, str]) -> Secret:
    text = environment.get(variable)
    if text is None:
        raise SourceError(
            "The environment must hold the key in {variable!r}; it does not.",
            "set the variable, or name a file: key = {{ file = … }}.",
            variable=variable,
        )
    return parse_key(text, repr(variable))
