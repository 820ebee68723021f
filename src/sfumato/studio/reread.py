"""A file that could not be read as it was sniffed: how it is written is said on the page, and it is read again."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.document.source import FilePlace
from sfumato.errors import PlanError
from sfumato.studio import jobs
from sfumato.studio.fields import Field, fields_of, read_fields
from sfumato.table.source import Dialect, override

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.table.values import Item

SAID = ("delimiter", "decimal", "encoding", "skip", "header", "footer")
"""Parts of a dialect that the page asks for."""
SHEET = "sheet"
"""What is asked of a workbook."""
_BOOKS = (".xlsx", ".xls", ".xlsb", ".ods")
_PROPOSED = re.compile(r"`(footer|skip) = (\d{1,9})`")


def proposed(remedy: str) -> dict[str, Item]:
    """What a remedy proposes to declare.

    Example:
        >>> proposed("if the file ends with footnotes, declare `footer = 21` in the dialect; else repair these lines.")
        {'footer': 21}
    """
    return {name: int(number) for name, number in _PROPOSED.findall(remedy)}


def fields_again(folder: Path, state: jobs.State | None) -> tuple[Field, ...]:
    """What may be said of the file of a draft that is over, with what its remedy proposes; (): it is no such draft."""
    job = jobs.job_of(folder)
    if job is None or job.kind != "draft" or job.query or state is None or state.name not in {"failed", "done"}:
        return ()
    if job.source.endswith(_BOOKS):
        return tuple(one for one in fields_of(FilePlace, {SHEET: job.sheet}) if one.name == SHEET)
    given = {**job.dialect, **proposed(state.remedy)}
    return tuple(replace(one, usual="") for one in fields_of(Dialect, given) if one.name in SAID)


def read_again(folder: Path, posted: Mapping[str, str]) -> None:
    """Draft again, the file read as the form says.

    Raises:
        PlanError: there is no such draft. ParameterError: a part of the dialect is none.
    """
    job = jobs.job_of(folder)
    if job is None or job.kind != "draft" or job.query:
        raise PlanError("A file must be there that is read again.", "open it on the list of projects.")
    if job.source.endswith(_BOOKS):
        jobs.start(folder, replace(job, sheet=posted.get(SHEET, "").strip()))
        return
    dialect = read_fields(Dialect, {name: posted.get(name, "") for name in SAID})
    override(Dialect(), dialect)
    jobs.start(folder, replace(job, dialect=dialect))
