"""How do two files appear together, or not at all?

Both are written under hidden names, read again and verified by the caller, and only then renamed. Files of the same
names are moved aside first and come back if anything fails.
"""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from sfumato.errors import SourceError
from sfumato.table.source import FileSink

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sfumato.engine.base import Engine, Receipt
    from sfumato.table.source import Sink

T = TypeVar("T")

_PACKED = (".gz", ".zst")


def sensitive_path(path: Path) -> Path:
    """Where the second table goes: beside the first.

    Example:
        >>> from pathlib import Path
        >>> sensitive_path(Path("release.csv.gz")).name
        'release.sensitive.csv.gz'
    """
    end = "".join(path.suffixes[-2:]) if path.suffix.lower() in _PACKED else path.suffix
    return path.with_name(f"{path.name.removesuffix(end)}.sensitive{end}")


@contextmanager
def both_or_none(engine: Engine[T], tables: tuple[T, T], sink: Sink) -> Iterator[tuple[Receipt, Receipt]]:
    """Write two tables; the block reads them where the receipts say, and if it succeeds they get their names.

    Args:
        engine: where data live.
        tables: the first and the second table.
        sink: a file for the first, or memory for both.

    Raises:
        SourceError: the place cannot be written; nothing is then left there, and what was there before is.
    """
    if not isinstance(sink, FileSink):
        yield engine.write(tables[0], sink), engine.write(tables[1], sink)
        return
    paths = (sink.path, sensitive_path(sink.path))
    drafts = tuple(path.with_name(f".{os.getpid()}.{path.name}") for path in paths)
    try:
        first, second = (
            engine.write(table, FileSink(draft, sink.kind)) for table, draft in zip(tables, drafts, strict=True)
        )
        yield first, second
        _rename(drafts, paths)
    finally:
        for draft in drafts:
            _remove(draft)


def named(receipt: Receipt, path: Path | None) -> Receipt:
    """A receipt of a draft under its final name."""
    return receipt if receipt.path is None else replace(receipt, path=path)


def _rename(drafts: tuple[Path, ...], paths: tuple[Path, ...]) -> None:
    """Give the drafts their names; on any failure all is as before."""
    aside = [(path, path.with_name(f".{os.getpid()}.old.{path.name}")) for path in paths if path.exists()]
    moved: list[tuple[Path, Path]] = []
    try:
        for old, new in (*aside, *zip(drafts, paths, strict=True)):
            old.replace(new)
            moved.append((old, new))
    except OSError as error:
        for old, new in reversed(moved):
            new.replace(old)
        raise SourceError(
            f"{paths[0].name!r} and {paths[1].name!r} must be writable; {error.strerror}.", "choose another place."
        ) from error
    for _, old in aside:
        _remove(old)


def _remove(path: Path) -> None:
    """Remove a file or folder if it is there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
