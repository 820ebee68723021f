"""The result as a PDF: the very page of `html`, set on paper by typst, without a browser."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

from sfumato.extras import Needs
from sfumato.language.words import words
from sfumato.report.html import render_html
from sfumato.report.number import title_of
from sfumato.report.outline import outline_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.result.release import ReleaseResult

_NEEDS = "A report as PDF needs typst."
_MOST = 2
"""Digests of released files at the foot of a page; the record has them all."""
_AFTER_GREEK_AND_CYRILLIC, _SIGNS = 0x530, range(0x1E00, 0x2C00)
_NO_SIGN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no document may hold: controls and halves of signs."""


def render_pdf(result: ReleaseResult, stored: str | None = None, language: str = "en") -> bytes:
    """The report for a data protection officer, on A4.

    Parts, words, numbers and pictures are those of `render_html`. What comes from the table or the plan reaches the
    typesetter as data and never as a part of its program. Each page has its number and the SHA-256 of result, release and
    plan; controls are shown as �. There is no time in the file: the same result gives the same bytes with the same typst; letters of scripts beyond
    Latin, Greek and Cyrillic are drawn with fonts of the machine.

    Args:
        result: what was kept of a run; absent parts are left out.
        stored: the text of the result as it lies on disk, for its digest; None: as Sfumato writes it.
        language: "en" or "fr".

    Returns:
        The bytes of the file.

    Raises:
        ParameterError: typst is missing. Remedy: the command that installs it.

    Example:
        >>> from sfumato.document.result.release import ColumnEntry, Done, ReleaseResult, SourceTable
        >>> column, done = ColumnEntry(name="#panic()", role="insensitive"), Done(method="none", summary="$x$")
        >>> result = ReleaseResult(sfumato="1", source=SourceTable(rows=9), columns=(column,), done=done, promise=())
        >>> render_pdf(result)[:5]
        b'%PDF-'
    """
    with Needs("pdf", _NEEDS):
        import typst

    page = _NO_SIGN.sub("\ufffd", render_html(result, language))
    say = words(language)
    given = {
        "title": title_of(result, say),
        "language": language,
        "kicker": say.gettext("Anonymization report"),
        "digests": [(say.gettext(f"SHA-256 of the {name}"), digest) for name, digest in digests(result, stored)],
        "inner": asdict(outline_of(page))["inner"],
    }
    made = typst.compile(
        _program(),
        format="pdf",
        ignore_system_fonts=not _needs_fonts(page),
        sys_inputs={"report": json.dumps(given)},
    )
    return bytes(made)


def check_pdf() -> None:
    """Refuse to make a PDF where the typesetter is missing.

    Raises:
        ParameterError: it is missing. Remedy: the command that installs it.
    """
    with Needs("pdf", _NEEDS):
        import typst  # noqa: F401


def digests(result: ReleaseResult, stored: str | None) -> Sequence[tuple[str, str]]:
    """What stands at the foot of each page: name and SHA-256 of result, release and plan, as far as they are known."""
    text = result.to_json() if stored is None else stored
    released = [("release", file.sha256) for file in result.files[:_MOST]]
    found = [
        ("result", sha256(text.encode("utf-8", "surrogatepass")).hexdigest()),
        *released,
        ("plan", result.plan_sha256),
    ]
    return [(name, digest) for name, digest in found if digest]


@cache
def _program() -> bytes:
    """The page as typst draws it."""
    return files("sfumato.report").joinpath("templates", "report.typ").read_bytes()


def _needs_fonts(page: str) -> bool:
    """Whether there are letters that the fonts of typst lack."""
    return any(ord(c) >= _AFTER_GREEK_AND_CYRILLIC and ord(c) not in _SIGNS for c in set(page))
