"""Limits and assumptions: what must be true outside the table, and notes of the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sfumato.report.section.base import Section

if TYPE_CHECKING:
    from sfumato.document.result.release import ReleaseResult


def view(result: ReleaseResult) -> Sequence[str]:
    """What must be true outside the table, and notes of the run, each once."""
    cells = [entry.promise for entry in result.perturbed if entry.promise is not None]
    said = [assumption for promise in (*result.promise, *cells) for assumption in promise.assumptions]
    return list(dict.fromkeys([*said, *result.notes]))


SECTION = Section(name="limits", place=60, heading="Limits and assumptions", view=view)
