"""Where a release comes from and where it is: what was read, by which versions, what was written, and the plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.report.lines import columns
from sfumato.report.number import ABSENT, count, exact
from sfumato.report.plan import ordered_plan, plan_text
from sfumato.report.section.base import Section
from sfumato.report.words import in_key_order

if TYPE_CHECKING:
    from sfumato.document.result.release import ReleaseResult


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file that was written."""

    path: str
    kind: str
    rows: str
    bytes: str
    sha256: str


@dataclass(frozen=True, slots=True)
class View:
    """Where a release comes from and where it is.

    Args:
        provenance: what was read, with digests and dialect.
        files: what was written.
        versions: of what computed it, Sfumato first.
        plan: as TOML.
    """

    provenance: Sequence[tuple[str, str]]
    files: Sequence[ShownFile]
    versions: Sequence[tuple[str, str]]
    plan: str


def view(result: ReleaseResult) -> View:
    """Where a release comes from and where it is."""
    return View(
        provenance=provenance(result),
        files=[
            ShownFile(
                file.path or "in memory",
                file.kind or ABSENT,
                count(file.rows),
                count(file.bytes),
                file.sha256 or ABSENT,
            )
            for file in result.files
        ],
        versions=versions(result),
        plan=plan_text(ordered_plan(result)),
    )


def provenance(result: ReleaseResult) -> list[tuple[str, str]]:
    """What was read, with digests and dialect."""
    source, dialect = result.source, in_key_order(result.source.dialect or {})
    return [
        ("Table", source.path or f"in memory ({source.kind or 'unknown kind'})"),
        ("Rows and columns", f"{count(source.rows)} × {len(source.columns)}"),
        ("SHA-256 of the table", source.sha256 or "none: the table is no file"),
        ("Written form", ", ".join(f"{name} {_visible(value)}" for name, value in dialect.items()) or ABSENT),
        ("SHA-256 of the plan", result.plan_sha256 or ABSENT),
        ("Command that makes it again", result.replay or ABSENT),
    ]


def _visible(value: object) -> str:
    """A dialect's value with line ends and tabs made visible."""
    return repr(value)[1:-1] if isinstance(value, str) and value != "" else exact(value) or "none"


def versions(result: ReleaseResult) -> list[tuple[str, str]]:
    """Versions of what computed it, Sfumato first."""
    return list(({"sfumato": result.sfumato} | dict(sorted(result.versions.items()))).items())


def lines(shown: View) -> list[str]:
    """The files, on a terminal."""
    rows = [(file.path, f"{file.rows} rows, {file.bytes} bytes") for file in shown.files]
    return ["", "Files", *columns(rows)] if rows else []


SECTION = Section(name="record", place=70, heading="Record", view=view, lines=lines)
