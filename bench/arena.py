"""How long does the judge take? The files of INSAnonym as they came, and the same lines again and again up to 10^7.

Each line is a whole process, `sfumato arena score`: the original read, the submission read and checked, seven metrics and
three attacks. Asked: all metrics of 55,339 lines in 2 s, of 10^7 in 60 s and 4 GiB. And fifty teams that hand in at once:
seconds until all are acknowledged, and until all are judged, one after another. No peer: the originals load whole tables
into dictionaries of Python.

Run: python bench/arena.py [most lines, 10000000]
"""

import gzip
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
from timing import process, shared_folder, write

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.app.serve_processes import PLAIN, running

SFUMATO = [sys.executable, "-c", "from sfumato.cli.main import main; main()"]
CONTEST = 'format = "sfumato.contest/1"\nname = "bench"\ngame = "insanonym"\n[table]\noriginal = "original.tsv"\n[limits]\nseconds = 600\n'
TEAMS = 50


def lines(folder: Path, original: bytes, submission: bytes, times: int) -> dict[str, object]:
    """One size: the files so many times over, with names of their own each time."""
    for name, text in (("original.tsv", original), ("made.tsv", submission)):
        with (folder / name).open("wb") as out:
            for turn in range(times):
                mark = str(turn).encode() if turn else b""
                out.writelines(mark + line + b"\n" for line in text.rstrip(b"\n").split(b"\n"))
    (folder / "contest.toml").write_text(CONTEST)
    used = process([*SFUMATO, "arena", "score", "made.tsv", "--contest", "contest.toml"], folder)
    return {"lines": times * (original.rstrip(b"\n").count(b"\n") + 1), **used}


def teams(folder: Path, submission: bytes) -> dict[str, object]:
    """Fifty teams at once."""
    tokens = []
    for i in range(TEAMS):
        process([*SFUMATO, "arena", "team", f"team {i}", "--store", "store"], folder)
        tokens.append({"Authorization": f"Bearer {(folder / 'said.txt').read_text().strip()}"})
    packed = gzip.compress(submission)
    with (
        running(folder, "arena", "contest.toml", "--store", "store") as (_, address),
        httpx.Client(base_url=address, **PLAIN) as client,
    ):
        began = time.perf_counter()
        with ThreadPoolExecutor(TEAMS) as pool:
            codes = list(
                pool.map(lambda head: client.post("/submissions", content=packed, headers=head).status_code, tokens)
            )
        taken = time.perf_counter() - began
        waiting = set(range(TEAMS))
        while waiting:
            time.sleep(1)
            done = {
                i
                for i in waiting
                if client.get("/own", headers=tokens[i]).json()["files"][0]["state"] not in ("waiting", "judging")
            }
            waiting -= done
        judged = time.perf_counter() - began
        states = [client.get("/own", headers=head).json()["files"][0]["state"] for head in tokens]
    return {
        "teams": TEAMS,
        "acknowledged": codes.count(202),
        "accepted": states.count("accepted"),
        "taken_s": taken,
        "judged_s": judged,
    }


def main(most: int) -> None:
    """All sizes, then the teams."""
    data = shared_folder() / "data/contest_insanonym_darc"
    original, submission = (
        gzip.decompress((data / f"insanonym_{name}.tsv.gz").read_bytes()) for name in ("input", "submission_nano3")
    )
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as name:
        for times in (1, 18, 181):
            if times == 1 or times * 55_339 <= most * 1.01:
                rows.append(lines(Path(name), original, submission, times))
        lines(Path(name), original, submission, 1)
        rows.append(teams(Path(name), submission))
    write("arena", rows, ("duckdb", "numpy"), runs=1, recorded=())


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**7)
