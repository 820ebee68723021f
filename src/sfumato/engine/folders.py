"""Private folders for files that are not finished: a lock keeps them, and they go when their process is gone.

A folder is locked by its own process for as long as it is used. The lock dies with the process, however that ends; so a
folder that can be locked belongs to nobody and is removed. Numbers of processes are not asked: they repeat.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import weakref
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

try:
    import fcntl
except ImportError:  # a system without such locks: nothing is removed but what this process made
    fcntl = None  # type: ignore[assignment]

DRAFT = (".sfumato-", ".part")
"""How the name of a folder begins and ends that holds files which have no place yet."""
_STORE = ("sfumato-", ".store")


@dataclass(frozen=True, slots=True)
class Private:
    """A folder that only its owner may read, and the lock on it.

    Args:
        path: the folder.
        lock: the open descriptor that holds the lock; -1: the system has no locks.
    """

    path: Path
    lock: int

    def remove(self) -> None:
        """Remove the folder with all that is in it, then give up the lock."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.release()

    def release(self) -> None:
        """Give up the lock and leave the folder where it is."""
        if self.lock >= 0:
            os.close(self.lock)


def private_folder(parent: Path | None = None, *, prefix: str = _STORE[0], suffix: str = _STORE[1]) -> Private:
    """A new private folder, locked; dead ones of the same names beside it are removed.

    Args:
        parent: where; None: where the system keeps temporary files.
        prefix: how its name begins.
        suffix: how its name ends.

    Raises:
        OSError: the place may not be written.

    Example:
        >>> made = private_folder()
        >>> made.path.is_dir(), made.remove(), made.path.exists()
        (True, None, False)
    """
    place = Path(tempfile.gettempdir()) if parent is None else parent
    remove_dead(place, prefix=prefix, suffix=suffix)
    return new_folder(place, prefix=prefix, suffix=suffix)


def new_folder(parent: Path, *, prefix: str, suffix: str) -> Private:
    """The same, and none is removed.

    Raises:
        OSError: the place may not be written.
    """
    while True:
        path = Path(tempfile.mkdtemp(prefix=prefix, suffix=suffix, dir=parent))
        try:
            lock = _locked(path)
        except BaseException:  # an interrupt, just now
            shutil.rmtree(path, ignore_errors=True)
            raise
        if lock is not None:
            return Private(path, lock)


def store_folder(owner: object) -> Path:
    """A private folder that is removed when `owner` is no longer used, and at exit."""
    made = private_folder()
    weakref.finalize(owner, made.remove)
    return made.path


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A private folder for a block."""
    made = private_folder()
    try:
        yield made.path
    finally:
        made.remove()


def remove_dead(parent: Path, *, prefix: str = _STORE[0], suffix: str = _STORE[1]) -> None:
    """Remove the folders of processes that are gone; what cannot be locked or removed stays."""
    for folder in dead_folders(parent, prefix=prefix, suffix=suffix):
        folder.remove()


def dead_folders(parent: Path, *, prefix: str, suffix: str) -> Iterator[Private]:
    """The folders of processes that are gone, each locked: whoever takes one removes it or gives up the lock."""
    if fcntl is None:
        return
    ours = re.compile(f"{re.escape(prefix)}[a-z0-9_]{{8}}{re.escape(suffix)}")
    for path in parent.iterdir():
        if ours.fullmatch(path.name) is None:
            continue
        with suppress(OSError):
            if path.is_symlink() or not path.is_dir() or path.stat().st_uid != os.getuid():
                continue
            lock = _locked(path)
            if lock is not None and lock >= 0:
                yield Private(path, lock)


def _locked(path: Path) -> int | None:
    """A descriptor that holds the lock; -1 where nothing can be locked; None where another has it or the folder is gone."""
    if fcntl is None:
        return -1
    try:
        handle = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(handle).st_ino == path.stat().st_ino:
            return handle
    except (BlockingIOError, FileNotFoundError):
        pass
    except OSError:  # a file system without locks
        os.close(handle)
        return -1
    os.close(handle)
    return None
