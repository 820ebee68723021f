"""Files of a run as they are handed over: the report, each file by its name, and all of them as one ZIP, without the original."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, Response, StreamingResponse

from sfumato.engine.duckdb.write import sha256_of
from sfumato.errors import SourceError
from sfumato.frozen import dataclass
from sfumato.release.places import plan_reads
from sfumato.report.document import read_result
from sfumato.report.html import render_html
from sfumato.report.paper import render_pdf
from sfumato.studio.plan_file import PlanFile
from sfumato.studio.shelf import safe_name
from sfumato.web.pages.gate import REPORT_POLICY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sfumato.document.result.release import ReleaseResult
    from sfumato.studio.shelf import Project, Run, Shelf

_FILES = {
    "report": ("report.html", "text/html"), "result": ("result.json", "application/json"), "plan": ("plan.toml", "text/plain"),
}  # fmt: skip
PAPER, ALL = "report.pdf", "all.zip"
_PIECE = 1 << 20
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""Of every entry of a ZIP: what is the same is the same to the byte."""


def handed(run: Run, name: str, language: str) -> Response:
    """A file of a run; a report is shown, the others are handed over.

    Raises:
        HTTPException: the run has none of this name.
    """
    if name == PAPER:
        return _paper(run, language)
    if name not in _FILES:
        found = [one for one in run.folder.glob("*release*.*") if one.name == name and one.is_file()]
        if not found:
            raise HTTPException(404)
        return FileResponse(found[0], filename=found[0].name)
    path, kind = run.folder / _FILES[name][0], _FILES[name][1]
    headers = {"content-security-policy": REPORT_POLICY} if name == "report" else {}
    if not path.is_file():
        raise HTTPException(404)
    if name == "report" and language != "en":
        return HTMLResponse(render_html(read_result(run.result.read_text("utf-8")), language), headers=headers)
    return FileResponse(path, media_type=kind, headers=headers)


def _paper(run: Run, language: str) -> Response:
    """The report as PDF, made when it is asked for."""
    if not run.result.is_file():
        raise HTTPException(404)
    text = run.result.read_text("utf-8")
    headers = {"content-disposition": f'attachment; filename="{PAPER}"'}
    return Response(render_pdf(read_result(text), text, language), media_type="application/pdf", headers=headers)


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a ZIP.

    Args:
        name: in it.
        content: its bytes, or the file that holds them.
    """

    name: str
    content: bytes | Path


def zipped(shelf: Shelf, project: Project, run: Run, language: str) -> Response:
    """Release, result, report, plan and the hierarchies that the plan names, packed while they are sent.

    Raises:
        HTTPException: the run has no result.
        SourceError: a release that is not the one of the result.
    """
    if not run.result.is_file():
        raise HTTPException(404)
    name = quote(f"{project.name}-{run.number:03}.zip")
    headers = {"content-disposition": f"attachment; filename*=utf-8''{name}"}
    entries = entries_of(shelf, project, run, language)
    return StreamingResponse(packed(entries), media_type="application/zip", headers=headers)


def entries_of(shelf: Shelf, project: Project, run: Run, language: str) -> list[Entry]:
    """What the ZIP of a run holds; nothing of the original.

    Raises:
        SourceError: a release that is not the one of the result.
    """
    text = run.result.read_text("utf-8")
    result = read_result(text)
    entries = [Entry(path.name, path) for path in _released(run, result)]
    entries += [Entry("result.json", text.encode()), Entry("plan.toml", run.folder / "plan.toml")]
    entries.append(Entry("report.html", render_html(result, language).encode()))
    entries.append(Entry(PAPER, render_pdf(result, text, language)))
    return [*entries, *_hierarchies(shelf, project, run)]


def _released(run: Run, result: ReleaseResult) -> Iterator[Path]:
    """The released files, each with the digest that its result names."""
    for file in result.files:
        path = run.folder / (file.path or "").replace("\\", "/").split("/")[-1]
        if not file.path or not path.is_file() or path.is_symlink():
            continue
        if file.sha256 is not None and sha256_of(path) != file.sha256:
            raise SourceError(
                "The file {name!r} must be the one that the run wrote; its SHA-256 is another than that of the result.",
                "run the plan again.", name=path.name,
            )  # fmt: skip
        yield path


def _hierarchies(shelf: Shelf, project: Project, run: Run) -> Iterator[Entry]:
    """The files of hierarchies that the plan of a run names, as they are now, under names of their own."""
    plan = PlanFile(project.plan_path, (run.folder / "plan.toml").read_text("utf-8")).plan()
    paths = [place.path for place in plan_reads(plan) if place.role.startswith("the hierarchy of ")]
    for i, path in enumerate(dict.fromkeys(paths)):
        name = safe_name(path.name)
        is_taken = name in [safe_name(one.name) for one in paths[:i]]
        yield Entry(f"hierarchies/{i}-{name}" if is_taken else f"hierarchies/{name}", shelf.allowed(str(path)))


class _Line:
    """What a ZIP is written to: bytes wait here until they are sent; nothing is written twice."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []

    def write(self, data: bytes) -> int:
        """Some more."""
        self._waiting.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""

    def taken(self) -> bytes:
        """What waits, once."""
        out, self._waiting = b"".join(self._waiting), []
        return out


def packed(entries: Sequence[Entry]) -> Iterator[bytes]:
    """A ZIP, piece by piece: no more than a piece of a file is held in memory.

    Example:
        >>> import io
        >>> made = b"".join(packed([Entry("a.txt", b"one"), Entry("b/c.txt", b"two")]))
        >>> zipfile.ZipFile(io.BytesIO(made)).namelist()
        ['a.txt', 'b/c.txt']
    """
    line = _Line()
    with zipfile.ZipFile(line, "w", zipfile.ZIP_DEFLATED) as packing:  # type: ignore[call-overload]
        for entry in entries:
            told = zipfile.ZipInfo(entry.name, _EPOCH)
            told.compress_type, told.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
            with packing.open(told, "w", force_zip64=True) as inner:
                for piece in _pieces(entry.content):
                    inner.write(piece)
                    yield line.taken()
    yield line.taken()


def _pieces(content: bytes | Path) -> Iterator[bytes]:
    if isinstance(content, bytes):
        yield content
        return
    with content.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece
