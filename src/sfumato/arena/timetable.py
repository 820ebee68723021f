"""When teams defend and attack: the phases of the document as it is now, and how an organiser moves them in it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sfumato.contest.opening import contest_of, read_contest
from sfumato.errors import PlanError, SfumatoError
from sfumato.release.secrets import alone, replace_file
from sfumato.table.values import parsed_toml

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from sfumato.document.contest import PhaseTable


class Timetable:
    """The phases: the document is read again when it has changed; while it is broken, those that were known hold.

    Args:
        path: of the document.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen = self._stamp()
        self._phases = read_contest(path).phase

    def phases(self) -> tuple[PhaseTable, ...]:
        """As the document says now."""
        stamp = self._stamp()
        if stamp != self._seen:
            self._seen = stamp
            with suppress(SfumatoError):
                self._phases = read_contest(self.path).phase
        return self._phases

    def move(self, place: int, start: datetime, end: datetime) -> None:
        """Let a phase begin and end at other moments.

        Args:
            place: of the phase in the document, from 0.
            start: with its offset.
            end: with its offset.

        Raises:
            PlanError: there is no such phase, it would end before it starts, or the document cannot be read.
            SourceError: the document cannot be written.
        """

        def moved(tables: Any) -> None:
            if not 0 <= place < len(tables.get("phase", ())):
                raise PlanError("There must be a phase of this place in the document.", "open the page again.")
            tables["phase"][place]["start"], tables["phase"][place]["end"] = start, end

        self._change(moved)

    def add(self, phase: PhaseTable) -> None:
        """One more phase, after the others.

        Raises:
            PlanError: it ends before it starts, or the document cannot be read.
            SourceError: the document cannot be written.
        """
        from tomlkit import aot, item

        said = {"name": phase.name, "kind": phase.kind, "start": phase.start, "end": phase.end}
        self._change(lambda tables: tables.setdefault("phase", aot()).append(item(said)))

    def _change(self, edit: Callable[[Any], None]) -> None:
        """Write the document with a change that can be read again; comments and all else stay."""
        import tomlkit

        with alone(self.path):
            tables = tomlkit.parse(self.path.read_text("utf-8"))
            edit(tables)
            text = tomlkit.dumps(tables)
            contest_of(parsed_toml(text, "The contest"))
            replace_file(self.path, text.encode())

    def _stamp(self) -> tuple[int, int, int]:
        try:
            found = self.path.stat()
        except OSError:
            return (0, 0, 0)
        return (found.st_mtime_ns, found.st_size, found.st_ino)
