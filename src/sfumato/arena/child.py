"""The process that judges one file: `python -m sfumato.arena.child` reads what to do, and writes what the judge says."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.arena.excerpt import lines_at
from sfumato.arena.jail import bound
from sfumato.contest.opening import open_judge, read_contest
from sfumato.contest.unpack import unpacked
from sfumato.errors import SfumatoError

if TYPE_CHECKING:
    from sfumato.document.result.contest import FoundResult, SubmissionResult


def done(said: dict[str, Any]) -> dict[str, Any]:
    """What becomes of one file.

    Args:
        said: `contest`, the document; `file`, to judge; and either `public` and `key`, where what attackers see and the
            key are written if it is accepted, or `submission` and `key`, which it attacks.
    """
    from sfumato.contest.key import key_from
    from sfumato.noise.bits import SystemBits

    contest, file, key = (Path(said[name]) for name in ("contest", "file", "key"))
    judge = open_judge(contest)
    if "submission" in said:
        found = judge.attack(Path(said["submission"]), key_from(json.loads(key.read_bytes())), file)
        return _refused(found, file, judge.limits.bytes) if found.faults else _accepted(found)
    scored, published = judge.accept(file, SystemBits())
    if published is None:
        return _refused(scored, file, judge.limits.bytes)
    text, made = published
    Path(said["public"]).write_bytes(text)
    key.write_text(json.dumps(made.written()), "utf-8")
    return _accepted(scored)


def _accepted(found: FoundResult | SubmissionResult) -> dict[str, Any]:
    return {"state": "accepted", "result": found.to_dict()}


def _refused(found: FoundResult | SubmissionResult, file: Path, most: int) -> dict[str, Any]:
    """With what stands where faults are, for the team alone."""
    with tempfile.TemporaryDirectory() as folder:
        lines = lines_at(unpacked(file, Path(folder) / "plain", most), (one.line for one in found.faults))
    return {"state": "refused", "result": found.to_dict() | {"lines": lines}}


def main() -> None:
    """Judge within the limits of the contest; a file that cannot be read is refused."""
    said = json.loads(sys.stdin.buffer.read())
    bound(read_contest(Path(said["contest"])).limits)
    try:
        answer = done(said)
    except SfumatoError as error:
        fault = {"line": 0, "column": None, "must": f"{error.problem} {error.remedy}"}
        answer = {"state": "refused", "result": {"faults": [fault]}}
    except MemoryError:
        answer = {"state": "failed", "result": {"why": "The judge ran out of memory."}}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main()
