"""What each command does, before anything is printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import Interrupted, SourceError
from sfumato.front.run import run
from sfumato.front.tables import apply, convert
from sfumato.release.places import Place, check_places
from sfumato.release.plan_reader import read_plan
from sfumato.report.progress import Line
from sfumato.table.source import FileSink, FileSource, SqlSource

if TYPE_CHECKING:
    from sfumato.document.result.made import CopyResult, ReportResult
    from sfumato.release.plan import Plan
    from sfumato.release.publish import Release
    from sfumato.table.source import Source


def where(
    text: str,
    *,
    query: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    missing: Sequence[str] = (),
) -> FileSource | SqlSource:
    """A source from what the user typed: a path, or an SQL URL with a query."""
    if "://" in text:
        if query is None:
            raise SourceError("An SQL source needs a table or a SELECT.", "add --query.")
        return SqlSource(text, query, tuple(missing))
    given = {"delimiter": delimiter, "encoding": encoding}
    dialect = {key: value for key, value in given.items() if value is not None}
    return FileSource(Path(text), dialect=dialect, missing=tuple(missing))


def run_plan(path: Path, *, engine: str | None, memory_limit: str | None) -> Release:
    """Run a plan: release, result and report."""
    line = Line()
    try:
        replay = f"sfumato run {path.name}" + ("" if engine is None else f" --engine {engine}")
        return run(read_plan(path), engine=engine, memory_limit=memory_limit, progress=line, replay=replay)
    except KeyboardInterrupt:
        raise Interrupted("The work was stopped; nothing was published.", "run the command again.") from None
    finally:
        line.clear()


def copy_table(source: Source, output: Path) -> CopyResult:
    """Copy a table into another kind of file."""
    from sfumato.document.result.made import CopyResult

    receipt = convert(source, FileSink(output))
    return CopyResult(
        path=str(output), kind=receipt.kind, rows=receipt.n_rows, bytes=receipt.n_bytes, sha256=receipt.sha256
    )


def apply_result(plan: Path, result: Path, source: Path, output: Path) -> Release:
    """Recode new rows as an earlier release was."""
    from sfumato.report.document import read_result

    line = Line()
    try:
        return apply(read_plan(plan), read_result(read_text(result)), source, output, progress=line)
    finally:
        line.clear()


def plan_at(path: Path | None) -> Plan | None:
    """The plan that --plan names, if any."""
    return None if path is None else read_plan(path)


def write_report(result: Path, output: Path | None, *, pdf: bool = False, language: str = "en") -> ReportResult:
    """Render a stored result.

    Args:
        result: its file.
        output: where the report goes; one that ends with .pdf is a PDF; None: beside the result.
        pdf: whether it is a PDF whatever its name.
        language: "en" or "fr".
    """
    from sfumato.document.result.made import ReportResult
    from sfumato.report import PDF, page
    from sfumato.report.document import read_result

    path = output or result.with_suffix(PDF if pdf else ".html")
    check_places([Place("the result", result)], [Place("the report", path)])
    text = read_text(result)
    write_text(path, page(read_result(text), path.with_suffix(PDF) if pdf else path, text, language))
    return ReportResult(report=str(path))


def write_text(path: Path, text: str | bytes, *, internal: bool = True) -> None:
    """Write beside, then rename: a reader sees the old file or the new one, never half of it.

    Args:
        path: where.
        text: what.
        internal: whether only its owner may read a new file; it then may hold values of the original.
    """
    from sfumato.release.stage import staged

    with staged() as stage:
        stage.write(path, text, internal=internal)
        stage.commit()


def write_folder(folder: Path, files: Mapping[str, str], *, internal: bool = True) -> list[str]:
    """Write the files of a folder, each whole, and say in lines which they are.

    Args:
        folder: where; made if it is not there.
        files: text by name.
        internal: as for `write_text`.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SourceError(
            "{folder!r} must be a folder; {strerror}.",
            "choose another place.",
            folder=str(folder),
            strerror=error.strerror,
        ) from error
    for file, text in files.items():
        write_text(folder / file, text, internal=internal)
    return [f"{'picture' if file.endswith('svg') else 'table':>8}: {folder / file}" for file in files]


def read_text(path: Path) -> str:
    """The text of a file that the user named."""
    from sfumato.table.contents import read_text as text_of

    return text_of(path, "The file")
