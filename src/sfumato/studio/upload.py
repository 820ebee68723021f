"""A table that was dropped on a page: kept in a folder of the studio, under a name that means nothing else."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from sfumato.studio.shelf import safe_name

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.datastructures import UploadFile

_PIECE = 1 << 20


def kept(upload: UploadFile, place: Path) -> Path:
    """Where the bytes of an upload are now, copied piece by piece; the gate lets no more in than are allowed.

    Args:
        upload: what was dropped.
        place: a folder, in which it gets its own name, or the file that it becomes; nothing is there yet.
    """
    place = place / safe_name(upload.filename or "") if place.is_dir() else place
    place.touch(0o600)
    with place.open("wb") as file:
        shutil.copyfileobj(upload.file, file, _PIECE)
    return place
