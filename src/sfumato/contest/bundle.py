"""A contest as a bundle for Codabench (version 2), whose scoring program is the judge."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.contest.opening import open_judge, read_contest
from sfumato.contest.unpack import is_clutter
from sfumato.errors import PlanError

if TYPE_CHECKING:
    from datetime import date

    from sfumato.contest.judge import Judge
    from sfumato.document.contest import ContestDocument
    from sfumato.document.result.contest import SubmissionResult

SCORE = """import sys
from pathlib import Path

from sfumato.contest.bundle import score

score(Path(sys.argv[1]), Path(sys.argv[2]))
"""
"""The scoring program: the image of the contest must hold Sfumato."""
COMMAND = "python3 /app/program/score.py /app/input/ /app/output/"
OPEN: tuple[str, str, str | None] = ("Defence", "2000-01-01 00:00:00", None)
"""The phase of a contest that has none."""
DIGITS = 4
"""Digits that their leaderboard shows."""


def bundle(contest: Path, image: str) -> bytes:
    """The ZIP file that Codabench takes.

    Args:
        contest: its document. The tables beside it become the reference data, which participants do not see.
        image: of a container that holds Sfumato.

    Raises:
        PlanError: the document is wrong, or two phases of defence overlap, which theirs may not.
        SourceError: a table is not written as it must be.
    """
    said, judge = read_contest(contest), open_judge(contest)
    tables = [name for name in (said.table.original, said.table.reference, said.table.regions) if name is not None]
    reference = {name: (contest.parent / name).read_bytes() for name in tables}
    inside = {
        "competition.yaml": json.dumps(_competition(said, judge, image), indent=1, ensure_ascii=False).encode(),
        "scoring_program.zip": zipped({"score.py": SCORE.encode(), "metadata.yaml": f"command: {COMMAND}\n".encode()}),
        "reference_data.zip": zipped({"contest.toml": contest.read_bytes(), **reference}),
        "terms.md": b"What is handed in is scored, and shown to other teams if it is published.\n",
        "overview.md": _overview(said, judge).encode(),
        "logo.png": _logo(),
    }
    return zipped(inside)


def score(given: Path, out: Path) -> SubmissionResult:
    """Score a submission as Codabench lays it out: `res` holds the one file that was handed in, `ref` the contest.

    A submission that is refused scores 0, and its faults stand in `detailed_results.html`.

    Args:
        given: folder with `res` and `ref`.
        out: folder for `scores.json`.
    """
    res = given / "res"
    files = [one for one in sorted(res.rglob("*")) if one.is_file() and not is_clutter(one.relative_to(res).as_posix())]
    if len(files) != 1:
        raise SystemExit(f"A submission must hold exactly one file; it holds {len(files)}.")
    found = open_judge(given / "ref/contest.toml").score(files[0])
    scores = {"score": found.score or 0.0, "worth": found.worth or 0.0, **found.metrics}
    (out / "scores.json").write_text(json.dumps(scores), "utf-8")
    told = "".join(f"<li>line {one.line}: {one.must}</li>" for one in found.faults)
    (out / "detailed_results.html").write_text(f"<!doctype html><meta charset=utf-8><ul>{told}</ul>", "utf-8")
    return found


def zipped(files: dict[str, bytes]) -> bytes:
    """A ZIP archive, the same for the same files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _competition(said: ContestDocument, judge: Judge, image: str) -> dict[str, Any]:
    """`competition.yaml`; JSON is YAML. Submissions stay private: the order of their lines is the key."""
    columns = ["score", "worth", *judge.weights]
    return {
        "version": 2, "title": said.name, "image": "logo.png", "terms": "terms.md", "docker_image": image,
        "enable_detailed_results": True, "show_detailed_results_in_leaderboard": False,
        "can_participants_make_submissions_public": False, "make_programs_available": False,
        "pages": [{"title": "overview", "file": "overview.md"}],
        "tasks": [
            {"index": 0, "name": said.name, "scoring_program": "scoring_program.zip", "reference_data": "reference_data.zip"}
        ],
        "phases": [
            {"index": i, "name": name, "start": start, **({} if end is None else {"end": end}), "tasks": [0],
             "max_submissions": said.quota.submissions, "execution_time_limit": int(said.limits.seconds),
             "accepts_only_result_submissions": True}
            for i, (name, start, end) in enumerate(_phases(said))
        ],
        "leaderboards": [
            {"title": "Results", "key": "results", "submission_rule": "Force_Best", "columns": [
                {"title": name, "key": name, "index": i, "sorting": "desc", "precision": DIGITS}
                for i, name in enumerate(columns)]}
        ],
    }  # fmt: skip


def _phases(said: ContestDocument) -> list[tuple[str, str, str | None]]:
    """Phases of defence: theirs follow each other, and their moments are of UTC, whatever offset is written."""
    kept = sorted((p for p in said.phase if p.kind == "defence"), key=lambda p: p.start)
    if any(after.start < before.end for before, after in pairwise(kept)):
        raise PlanError("Phases of Codabench must not overlap; two of defence do.", "let one end before the next.")
    return [(p.name, _moment(p.start), _moment(p.end)) for p in kept] or [OPEN]


def _moment(at: date) -> str:
    """A moment as Codabench reads it.

    Example:
        >>> from datetime import datetime
        >>> _moment(datetime.fromisoformat("2026-03-02T09:00:00+01:00"))
        '2026-03-02 08:00:00'
    """
    moment = datetime.fromisoformat(at.isoformat()).astimezone(UTC)
    return moment.strftime("%Y-%m-%d %H:%M:%S")


def _overview(said: ContestDocument, judge: Judge) -> str:
    """What is measured."""
    lines = [f"# {said.name}", "", f"Rules: {said.game}, {judge.rules.version}."]
    return "\n".join([*lines, "", *(f"- {name}: {judge.game.metrics[name].says}" for name in judge.weights), ""])


def _logo() -> bytes:
    """A plain square, since a bundle needs a picture."""
    side = 64
    rows = (b"\0" + bytes((0x1B, 0x5A, 0x84)) * side) * side

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
