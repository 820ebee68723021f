"""Files that were chosen or dropped in a form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import UploadFile

if TYPE_CHECKING:
    from starlette.datastructures import FormData


def uploaded(form: FormData, name: str = "table") -> UploadFile | None:
    """What was chosen or dropped in an input of a form; None: nothing."""
    return next(iter(all_uploaded(form, name)), None)


def all_uploaded(form: FormData, name: str = "table") -> tuple[UploadFile, ...]:
    """Every file that was chosen or dropped in an input of a form."""
    return tuple(one for one in form.getlist(name) if isinstance(one, UploadFile) and one.filename)
