"""Files of a contest: what was handed in, what attackers see, and keys; for their owner alone."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from sfumato.errors import PlanError, SourceError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

JUDGED = "judged-"
"""How folders of judges begin."""
_GONE = 3600
"""Seconds without a byte after which nobody sends a file any longer."""


@dataclass(frozen=True, slots=True)
class Room:
    """A folder.

    Args:
        folder: made by `ready`.
    """

    folder: Path

    def ready(self) -> None:
        """Make the folders, which only their owner may enter."""
        for path in (self.folder, *(self.folder / name for name in ("handed", "public", "keys", "arriving"))):
            path.mkdir(mode=0o700, parents=True, exist_ok=True)

    def belong(self, identity: str) -> None:
        """See that the files here are those of a database; the first one that is named is.

        Raises:
            PlanError: they are those of another one.
        """
        path = self.folder / "database"
        known = path.read_text("ascii") if path.exists() else ""
        if not known:
            beside = path.with_suffix(".new")
            beside.write_text(identity, "ascii")
            beside.replace(path)
        elif known != identity:
            raise PlanError(
                "The folder {name!r} holds the files of another database.",
                "name the database that was named with it, or another folder.",
                name=self.folder.name,
            )

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else judges what is here meanwhile; the system gives the place back however this process ends.

        What a process that was killed left half done is removed.

        Raises:
            SourceError: somebody does.
        """
        with (self.folder / "judging").open("a") as file:
            try:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except ImportError:
                pass  # Windows has no such locks
            except OSError:
                raise SourceError(
                    "The files in {name!r} must be judged by one process at a time; a server does it now.",
                    "stop it first.",
                    name=self.folder.name,
                ) from None
            self._sweep()
            yield

    def _sweep(self) -> None:
        """Remove folders of judges, and files that stopped arriving an hour ago."""
        for folder in self.folder.glob(f"{JUDGED}*"):
            shutil.rmtree(folder, ignore_errors=True)
        now = time.time()
        for path in self.arriving.iterdir():
            with suppress(FileNotFoundError):
                if now - path.stat().st_mtime > _GONE:
                    path.unlink()

    def file(self, number: int) -> Path:
        """What was handed in."""
        return self.folder / "handed" / str(number)

    def public(self, number: int) -> Path:
        """What attackers see of a submission."""
        return self.folder / "public" / str(number)

    def key(self, number: int) -> Path:
        """The key to it."""
        return self.folder / "keys" / str(number)

    @contextmanager
    def arrival(self) -> Iterator[Path]:
        """A place for a file that arrives; what nobody has moved from it is removed."""
        path = self.arriving / os.urandom(16).hex()
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)

    @property
    def arriving(self) -> Path:
        """Where files lie until they have arrived in full."""
        return self.folder / "arriving"
