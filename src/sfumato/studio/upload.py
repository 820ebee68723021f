"""A table that was dropped on a page: kept in a folder of the studio, under a name that means nothing else."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from starlette.datastructures import UploadFile

from sfumato.studio.shelf import safe_name

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.datastructures import FormData

_PIECE = 1 << 20


def uploaded(form: FormData, name: str = "table") -> UploadFile | None:
    """What was chosen or dropped in an input of a form; None: nothing."""
    found = form.get(name)
    return found if isinstance(found, UploadFile) and found.filename else None


def kept(upload: UploadFile, folder: Path) -> Path:
    """Where the bytes of an upload are now, copied piece by piece; the gate lets no more in than are allowed.

    Args:
        upload: what was dropped.
        folder: where it shall lie; nothing of its name is there yet.
    """
    place = folder / safe_name(upload.filename or "")
    place.touch(0o600)
    with place.open("wb") as file:
        shutil.copyfileobj(upload.file, file, _PIECE)
    return place
