"""The stage: release, report and result appear together, whole and verified, or not at all.

Everything is written into a hidden folder beside its place, under its own name, where only the owner looks. There it is
read again, verified and measured. Only then do the files get their places, in the order in which they were announced;
what stood there before comes back if one of them cannot. Whatever happens earlier (an error, Ctrl-C, a kill) leaves what
was there as it was.

A table of a database is written under another name and renamed with them (`engine.duckdb.draft_table`). A file system
renames one file at a time. If the machine stops between two renames, the result still tells which release it belongs to: it
holds the SHA-256 of the file.
"""

from __future__ import annotations

import os
import shutil
import stat
from contextlib import contextmanager, suppress
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.engine.duckdb.draft_table import hold_draft, paid_name
from sfumato.engine.duckdb.write import flush
from sfumato.engine.duckdb.write_sql import can_rename, drop_table, rename_table
from sfumato.engine.folders import DRAFT, private_folder
from sfumato.errors import LedgerError, SourceError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.engine.duckdb.draft_table import Held
    from sfumato.engine.folders import Private
    from sfumato.table.source import SqlSink

_PRIVATE = 0o600
_PAID = ".paid"


@dataclass(slots=True)
class Stage:
    """The files of one run, before they have their places.

    Args:
        shared: whether the machines of a cluster write into the folders too.
    """

    shared: bool = False
    _folders: dict[Path, Private] = field(default_factory=dict)
    _moves: list[tuple[Path, Path]] = field(default_factory=list)
    _tables: list[SqlSink] = field(default_factory=list)
    _holds: list[Held] = field(default_factory=list)
    _keeps: bool = False

    def draft(self, final: Path) -> Path:
        """Where a file is written that shall be `final`; its name is the same.

        Raises:
            SourceError: the folder of `final` may not be written.
        """
        draft = self._folder(final.parent).path / final.name
        self._moves.append((draft, final))
        return draft

    def draft_table(self, final: SqlSink) -> SqlSink:
        """How a table of a database is written that shall be `final`; where it cannot be renamed, at its place.

        Drafts that killed runs left in the database are removed.

        Raises:
            SourceError: the database refuses.
        """
        if not can_rename(final):
            return final
        held = hold_draft(final)
        self._holds.append(held)
        self._tables.append(replace(final, draft=held.name))
        return self._tables[-1]

    def beside(self, draft: Path, final: Path) -> None:
        """Announce a file that was written beside another draft."""
        self._moves.append((draft, final))

    def write(self, final: Path, text: str | bytes, *, internal: bool = True) -> None:
        """Write a document; one that stands there keeps its mode.

        Args:
            final: its place.
            text: what it holds.
            internal: whether a new one is for its owner alone (0600); otherwise as the umask says.

        Raises:
            SourceError: it cannot be written.
        """
        draft = self.draft(final)
        try:
            draft.write_bytes(text.encode() if isinstance(text, str) else text)
            if final.exists() or internal:
                draft.chmod(stat.S_IMODE(final.stat().st_mode) if final.exists() else _PRIVATE)
        except OSError as error:
            raise SourceError(
                "{name!r} must be writable; {strerror}.",
                "choose another place.",
                name=final.name,
                strerror=error.strerror,
            ) from error

    def pay(self, settle: Callable[[], None]) -> None:
        """Note that the release is paid; from then on it is not removed, even if it cannot get its place.

        Folders and tables take a name first under which nobody removes them, so that a release whose run was killed in
        this moment is not lost.

        Args:
            settle: writes the note; it raises `LedgerError` where another run was faster.
        """
        for parent, folder in list(self._folders.items()):
            path = folder.path.rename(folder.path.with_suffix(_PAID))
            self._moves = [(path / d.name if d.parent == folder.path else d, final) for d, final in self._moves]
            self._folders[parent] = replace(folder, path=path)
        for i, one in enumerate(self._tables):
            self._tables[i] = replace(one, draft=paid_name(one.written))
            rename_table(one, one.written, self._tables[i].written)
        self._keeps = True
        try:
            settle()
        except LedgerError:
            self._keeps = False
            raise

    def commit(self) -> None:
        """Give every file its place.

        Raises:
            SourceError: one of them cannot get it; what stood there before is back.
            LedgerError: the same, and the release is paid: the message says where it is.
        """
        for draft, _ in self._moves:
            _flush_all(draft)
        try:
            with self._tables_placed():
                self._rename()
        except OSError as error:
            names = " and ".join(repr(final.name) for _, final in self._moves)
            if self._keeps:
                where = self._moves[0][0].parent.name
                raise LedgerError(
                    "{names} must be writable; {strerror}. The release is paid and ready in {where!r}.",
                    "move the files from there to their places.",
                    names=names,
                    strerror=error.strerror,
                    where=where,
                ) from error
            raise SourceError(
                "{names} must be writable; {strerror}.", "choose another place.", names=names, strerror=error.strerror
            ) from error
        self._keeps = False

    def close(self) -> None:
        """Remove what has no place, unless it is paid."""
        for one in () if self._keeps else self._tables:
            with suppress(SourceError):
                drop_table(one, one.written)
        for held in self._holds:
            with suppress(SourceError):
                held.release()
        for folder in self._folders.values():
            if self._keeps:
                folder.release()
            else:
                folder.remove()

    @contextmanager
    def _tables_placed(self) -> Iterator[None]:
        """Tables have their names; on any failure in the block, and where one cannot get it, they are drafts again."""
        placed: list[SqlSink] = []
        try:
            while self._tables:
                self._place(self._tables[0])
                placed.append(self._tables.pop(0))
            yield
        except BaseException:
            for one in placed:
                rename_table(one, one.table, one.written)
                self._tables.append(one)
            raise

    def _place(self, one: SqlSink) -> None:
        """Give a table its name."""
        try:
            rename_table(one, one.written, one.table)
        except SourceError as error:
            if not self._keeps:
                raise
            raise LedgerError(
                "The table {table!r} could not get its name. The release is paid and ready as {draft!r}.",
                "rename it.",
                table=one.table,
                draft=one.written,
            ) from error

    def _folder(self, parent: Path) -> Private:
        """The hidden folder beside the places of a folder."""
        if parent not in self._folders:
            try:
                made = private_folder(parent, prefix=DRAFT[0], suffix=DRAFT[1])
                self._folders[parent] = made
                if self.shared:
                    made.path.chmod(stat.S_IMODE(parent.stat().st_mode))
            except OSError as error:
                raise SourceError(
                    "The folder {name!r} must exist and be writable; {strerror}.",
                    "make it, or choose another place.",
                    name=parent.name,
                    strerror=error.strerror,
                ) from error
        return self._folders[parent]

    def _rename(self) -> None:
        """Rename all; on any failure, all that stood there before comes back."""
        done: list[tuple[Path, Path, Path | None]] = []
        try:
            for i, (draft, final) in enumerate(self._moves):
                old = _set_aside(final, draft.parent / f".{i}.before")
                done.append((draft, final, old))
                draft.replace(final)
            for folder in self._folders:
                flush(folder)
        except BaseException:
            for draft, final, old in reversed(done):
                if not os.path.lexists(draft):
                    final.replace(draft)
                if old is not None:
                    old.replace(final)
            raise


@contextmanager
def staged(*, shared: bool = False) -> Iterator[Stage]:
    """A stage for one run; what has no place when the block ends is removed.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with staged() as stage:
        ...         stage.write(Path(folder) / "a.txt", "new")
        ...         before = (Path(folder) / "a.txt").exists()
        ...         stage.commit()
        ...     before, (Path(folder) / "a.txt").read_text(), len(list(Path(folder).iterdir()))
        (False, 'new', 1)
    """
    stage = Stage(shared)
    try:
        yield stage
    finally:
        stage.close()


def _set_aside(final: Path, old: Path) -> Path | None:
    """Keep what stands at a place: a folder is moved, a file gets a second name and stays until it is replaced."""
    if final.is_dir() and not final.is_symlink():
        return final.rename(old)
    if not os.path.lexists(final):
        return None
    try:
        os.link(final, old, follow_symlinks=False)
    except (OSError, NotImplementedError):  # a file system without second names
        shutil.copy2(final, old, follow_symlinks=False)
    return old


def _flush_all(draft: Path) -> None:
    """Bring a file, or a folder with its files, to the disk."""
    if draft.is_dir():
        for part in draft.iterdir():
            flush(part)
    flush(draft)
