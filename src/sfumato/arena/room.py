"""Files of a contest: what was handed in, what attackers see, and keys; for their owner alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from pathlib import Path


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

    def file(self, number: int) -> Path:
        """What was handed in."""
        return self.folder / "handed" / str(number)

    def public(self, number: int) -> Path:
        """What attackers see of a submission."""
        return self.folder / "public" / str(number)

    def key(self, number: int) -> Path:
        """The key to it."""
        return self.folder / "keys" / str(number)

    @property
    def arriving(self) -> Path:
        """Where files lie until they have arrived in full."""
        return self.folder / "arriving"
