"""Where does a release come from, and where is it? What was read, by which versions, and what was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.report.number import ABSENT, count, exact

if TYPE_CHECKING:
    from collections.abc import Mapping

    Result = Mapping[str, Any]


def provenance(result: Result) -> list[tuple[str, str]]:
    """What was read, with digests and dialect."""
    source = result.get("source", {})
    dialect = source.get("dialect") or {}
    return [
        ("Table", source.get("path") or f"in memory ({source.get('kind', 'unknown kind')})"),
        ("Rows and columns", f"{count(source.get('rows'))} × {len(source.get('columns', ()))}"),
        ("SHA-256 of the table", source.get("sha256") or "none: the table is no file"),
        ("Written form", ", ".join(f"{k} {_visible(v)}" for k, v in dialect.items()) or ABSENT),
        ("SHA-256 of the plan", result.get("plan_sha256", ABSENT)),
        ("Command that makes it again", result.get("replay", ABSENT)),
    ]


def _visible(value: object) -> str:
    """A dialect's value with line ends and tabs made visible."""
    return repr(value)[1:-1] if isinstance(value, str) and value != "" else exact(value) or "none"


def versions(result: Result) -> list[tuple[str, str]]:
    """Versions of what computed it, Sfumato first."""
    return list(({"sfumato": result.get("sfumato", ABSENT)} | dict(sorted(result.get("versions", {}).items()))).items())


def files(result: Result) -> list[dict[str, str]]:
    """What was written."""
    return [
        {
            "path": item.get("path") or "in memory",
            "kind": item.get("kind", ABSENT),
            "rows": count(item.get("rows")),
            "bytes": count(item.get("bytes")),
            "sha256": item.get("sha256") or ABSENT,
        }
        for item in result.get("files", ())
    ]
