"""Counts of a collection in a project: asked of a server that runs or taken from a file, kept if they are of this very collection."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from sfumato.errors import SfumatoError, SourceError
from sfumato.frozen import dataclass
from sfumato.release.collect.base import counts_from
from sfumato.release.stage import staged
from sfumato.studio import jobs
from sfumato.studio.remote import MOST_BYTES, counts_at
from sfumato.table.values import parsed_json

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.release.collect.base import Collecting, Counts
    from sfumato.studio.pages.base import Asked
    from sfumato.table.values import Table


@dataclass(frozen=True, slots=True)
class Server:
    """Whom a page asked last.

    Args:
        address, collection: what was typed.
        problem, remedy: why it did not answer; "": it did.
    """

    address: str = ""
    collection: str = ""
    problem: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """Where a page keeps what was counted.

    Args:
        counts: in the folder of the project.
        server: in its hidden one: whom the page asked last, without a token.
    """

    counts: str
    server: str

    def server_of(self, asked: Asked) -> Server:
        """Whom the page asked last."""
        path = asked.project.hidden / self.server
        said = parsed_json(path.read_text("utf-8"), "The server", "ask again.") if path.is_file() else {}
        return Server(**cast("dict[str, str]", said))

    def command(self, server: Server) -> str:
        """What asks a server in a shell; the token stands in a variable, so that no history keeps it."""
        address, name = server.address.rstrip("/") or "ADDRESS", server.collection or "NAME"
        place = shlex.quote(f"{address}/collections/{name}/counts")
        return f'curl -H "Authorization: Bearer $TOKEN" {place} -o {self.counts}'

    def path(self, asked: Asked) -> Path:
        """The counts."""
        return asked.project.folder / self.counts

    def read(self, asked: Asked, collection: Collecting) -> Counts:
        """The counts that are there.

        Raises:
            ReportError: they are none of this collection.
        """
        said = parsed_json(self.path(asked).read_text("utf-8"), f"`{self.counts}`", "ask the server again.")
        return counts_from(collection, cast("Table", said))

    def ask(self, asked: Asked, collection: Collecting) -> None:
        """Ask a server for its counts; why it did not tell them stands on the page, and the token nowhere."""
        typed = {key: asked.posted.get(key, "").strip()[:500] for key in ("address", "collection")}
        trouble = {"problem": "", "remedy": ""}
        try:
            token = asked.posted.get("token", "").strip()
            self._keep(asked, collection, counts_at(typed["address"], typed["collection"], token))
        except SfumatoError as error:
            trouble = {"problem": error.problem, "remedy": error.remedy}
        asked.project.hidden.mkdir(exist_ok=True)
        jobs.write_json(asked.project.hidden / self.server, typed | trouble)

    def take(self, asked: Asked, collection: Collecting) -> None:
        """Take counts from a file, as `sfumato collect aggregate` writes them.

        Raises:
            SourceError: none was given, or it holds no counts.
            ReportError: they are counts of another collection.
        """
        if asked.upload is None:
            raise SourceError("Counts must stand in a file.", "drop what `sfumato collect aggregate` wrote.")
        data = asked.upload.file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise SourceError(
                "Counts have at most {most} bytes; these have more.", "give counts, not reports.", most=MOST_BYTES
            )
        said = parsed_json(data.decode("utf-8", "replace"), "The file", "give what `aggregate` wrote.")
        self._keep(asked, collection, said if isinstance(said, dict) else {})

    def _keep(self, asked: Asked, collection: Collecting, said: Table) -> None:
        """Counts of this very collection get their place in the project; all others are refused."""
        counts, batches = counts_from(collection, said), said.get("batches")
        told = replace(counts, of=counts.of if "of" in said else ()).told(batches if isinstance(batches, int) else None)
        with staged() as stage:
            stage.write(self.path(asked), told.to_json())
            stage.commit()
