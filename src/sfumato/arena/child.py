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
    from collections.abc import Iterable

    from sfumato.document.result.contest import FaultTold


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
        if found.faults:
            return {"state": "refused", "result": found.to_dict() | _lines(file, found.faults, judge.limits.bytes)}
        return {"state": "accepted", "result": found.to_dict()}
    scored, published = judge.accept(file, SystemBits())
    if published is not None:
        text, made = published
        Path(said["public"]).write_bytes(text)
        key.write_text(json.dumps(made.written()), "utf-8")
    if published is None:
        return {"state": "refused", "result": scored.to_dict() | _lines(file, scored.faults, judge.limits.bytes)}
    return {"state": "accepted", "result": scored.to_dict()}


def _lines(file: Path, faults: Iterable[FaultTold], most: int) -> dict[str, Any]:
    """What stands where faults are, for the team alone."""
    with tempfile.TemporaryDirectory() as folder:
        return {"lines": lines_at(unpacked(file, Path(folder) / "plain", most), (one.line for one in faults))}


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
