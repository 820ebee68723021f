"""What comes back from Codabench: scores as it hands them out, and the answers of a phase.

Source: Codabench's documentation of bundles ("Competition Bundle Structure", "Yaml Structure") and, for what its pages for
organisers hand out, its published source (`api/views/competitions.py` and `api/views/submissions.py`).
"""

from __future__ import annotations

import csv
import io
import math
import re
import zipfile
from typing import TYPE_CHECKING

from sfumato.contest.unpack import DAMAGE, damaged, is_clutter, plain_members, within
from sfumato.errors import SourceError
from sfumato.frozen import dataclass
from sfumato.table.values import parsed_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

MOST_BYTES = 64 << 20
"""Of a file of scores, unpacked."""
MOST_FILES = 10_000
"""Of an archive."""
_REMEDY = "take what Codabench handed out: scores.json, the CSV of its results, or the ZIP of either."
_USER, _FACTS = "Username", "fact_sheet_answers"
_COLUMN = re.compile(r".*\(\d+\)-(.+)", re.DOTALL)
_SUBMITTER = re.compile(r"(.+)-(\d+)", re.DOTALL)
_ANSWER = re.compile(r"(\d+)_(.+)_PhaseId\d+_\d{4}-\d\d-\d\d[:_-]\d\d-\d\d_.+", re.DOTALL)
_FORMER = re.compile(r"ID_(\d+)_.+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Scored:
    """A submission with the scores that Codabench tells.

    Args:
        phase: the file that tells it; "": one without a name.
        owner: whose it is; "": not told.
        submission: its number there; None: not told.
        scores: by column.
    """

    phase: str
    owner: str
    submission: int | None
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Answer:
    """A submission in an archive of answers.

    Args:
        member: name in the archive.
        submission: its number there.
        owner: whose it is.
    """

    member: str
    submission: int
    owner: str


def scores_of(path: Path) -> tuple[Scored, ...]:
    """Scores that Codabench handed out.

    Args:
        path: of `scores.json`, of the results of a phase as CSV, or of a ZIP file with either.

    Raises:
        SourceError: it is something else, damaged, or too large.
    """
    content = _content(path)
    if not content.startswith(b"PK"):
        return _told(path.name, content)
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in plain_members(archive, MOST_FILES) if not is_clutter(name)]
            told = [name for name in names if name.endswith((".csv", "scores.json"))]
            found = tuple(one for name in sorted(told) for one in _told(name, _read(archive, name)))
    except DAMAGE as error:
        raise damaged(path) from error
    if not found:
        raise SourceError("An archive of scores must hold scores; this one holds none.", _REMEDY)
    return found


def answers_in(archive: zipfile.ZipFile, owners: Mapping[int, str]) -> tuple[Answer, ...]:
    """Submissions in an archive of a phase, by their number.

    Args:
        archive: that was opened; names in it are read, and never used as paths.
        owners: by number, for archives whose names do not tell them.

    Raises:
        SourceError: a name that Codabench does not give, an owner who is not told, or no submission at all.
    """
    found: dict[int, Answer] = {}
    for name in plain_members(archive, MOST_FILES):
        if is_clutter(name):
            continue
        last = name.rpartition("/")[2]
        now, former = _ANSWER.fullmatch(last), _FORMER.fullmatch(last)
        number = int(now[1]) if now else int(former[1]) if former else -1
        owner = now[2] if now else owners.get(number, "")
        if number < 0 or number in found:
            raise SourceError(
                "Answers must be called as Codabench calls them, such as 12_ada_PhaseId3_2026-03-02:10-59_made.zip, each number once.",
                "take the archive as it was downloaded.",
            )
        if not owner:
            raise SourceError(
                "Submission {n} must have an owner; its name tells none.", "give the list of submissions with --list.", n=number
            )  # fmt: skip
        found[number] = Answer(name, number, owner)
    if not found:
        raise SourceError("An archive of answers must hold submissions; this one holds none.", "choose another one.")
    return tuple(found[number] for number in sorted(found))


def owners_of(path: Path) -> dict[int, str]:
    """Owners by number of submission, from the list that Codabench hands out as CSV.

    Raises:
        SourceError: there is none, it is too large, or it has no such columns.
    """
    names = (("Submission ID", "Owner"), ("id", "owner"))
    rows = _rows(path.name, _content(path))
    for number, owner in names:
        if rows and {number, owner} <= set(rows[0]):
            try:
                return {int(row[number]): row[owner] for row in rows}
            except ValueError:
                break
    raise SourceError("A list of submissions must have the columns Submission ID and Owner.", "download it again.")


def _told(name: str, content: bytes) -> tuple[Scored, ...]:
    """Scores of one file."""
    if name.endswith(".json"):
        said = parsed_json(_text(name, content), "A file of scores", _REMEDY)
        if not isinstance(said, dict):
            raise SourceError("A file of scores must hold a number for each column.", _REMEDY)
        return (Scored(name.rpartition("/")[0], "", None, _numbers(said.items())),)
    rows = _rows(name, content)
    if rows and _USER not in rows[0]:
        raise SourceError("Results must have the column Username.", _REMEDY)
    return tuple(_line(name.rpartition("/")[2].removesuffix(".csv"), row) for row in rows)


def _line(phase: str, row: Mapping[str, str]) -> Scored:
    """One line of results: `owner-number`, then a column for each task and column of the leaderboard."""
    whose = _SUBMITTER.fullmatch(row[_USER])
    titled = ((_COLUMN.fullmatch(name), said) for name, said in row.items() if name not in {_USER, _FACTS})
    scores = _numbers((name[1], said) for name, said in titled if name is not None and said != "")
    if whose is None:
        return Scored(phase, row[_USER], None, scores)
    return Scored(phase, whose[1], int(whose[2]), scores)


def _numbers(pairs: Iterable[tuple[str, object]]) -> dict[str, float]:
    """Finite numbers by column."""
    try:
        found = {str(name): float(said) for name, said in pairs}  # type: ignore[arg-type]
    except (TypeError, ValueError):
        found = {"": math.nan}
    if not all(math.isfinite(one) for one in found.values()):
        raise SourceError("A file of scores must hold a number for each column.", _REMEDY)
    return found


def _rows(name: str, content: bytes) -> list[dict[str, str]]:
    """Lines of a CSV file with a head."""
    try:
        rows = list(csv.DictReader(io.StringIO(_text(name, content), newline=""), strict=True))
    except csv.Error:
        rows = [{}]
    if any(None in row or None in row.values() or not row for row in rows):
        raise SourceError("{name!r} must be a CSV file whose lines are as long as its head.", _REMEDY, name=name)
    return rows


def _content(path: Path) -> bytes:
    """A file, read as far as it may be large, and a byte more."""
    if not path.is_file():
        raise SourceError("There must be a file {name!r}.", "correct its name.", name=path.name)
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def _text(name: str, content: bytes) -> str:
    """A file as text, within the limit."""
    within(len(content), MOST_BYTES)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SourceError("{name!r} must be text in UTF-8.", _REMEDY, name=name) from None


def _read(archive: zipfile.ZipFile, name: str) -> bytes:
    """A member, within the limit."""
    with archive.open(name) as file:
        return file.read(MOST_BYTES + 1)
