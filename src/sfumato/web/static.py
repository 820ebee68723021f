"""Files that ship with a server: pages, styles, scripts."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from starlette.responses import Response

from sfumato.frozen import dataclass
from sfumato.web.access import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class StaticFiles:
    """A folder of a package, and what of it is served.

    Args:
        package: where the folder is.
        types: media type of each file that may be asked for, by name.
        beside: where files are that are not here; None: nowhere.
        folder: its name, if it is another one.
    """

    package: str
    types: Mapping[str, str]
    beside: StaticFiles | None = None
    folder: str = "static"

    def text(self, name: str) -> str:
        """A file that ships with the package."""
        return files(self.package).joinpath(self.folder, name).read_text("utf-8")

    async def answer(self, file: str) -> Response:
        """The file as an answer; any other is not here."""
        if file not in self.types and self.beside is not None:
            return await self.beside.answer(file)
        if file not in self.types:
            raise Refused(404, "There is no such file here.", "correct the address.")
        return Response(self.text(file), media_type=self.types[file])
