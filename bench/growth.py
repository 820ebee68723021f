"""How do CPU seconds and memory of every command grow with rows, labels, leaves, columns, questions, …?

    python bench/growth.py [--only COMMAND] [--times FACTOR] [--missing]
    python bench/growth.py --draw                  the page from what is kept

`growth_lines` lists what grows. Each size is made and measured in forks with caps (`growth_forks`), so that one cliff stops
nothing else and no size pays a start. A line is kept as soon as it is measured: `--missing` goes on where a run was stopped,
and measures again what was steep or stopped. CPU seconds say the same on a busy machine, within a fifth or so. A slope is that of a straight line on log-log axes between the two largest sizes, with the cost of the smallest
(a start) taken off both; a cost that grows less than .3 s, or 40 MiB, at the largest size has none. A slope above
1.2 must have a reason in its line: the bench ends with 1 where one has none, after measuring it three times.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import sys
import tempfile
from itertools import starmap
from pathlib import Path

import growth_server
from growth_forks import command, forked, load
from growth_lines import LINES, UNMEASURED, Line
from growth_page import page
from timing import RESULTS, load_average, write

LIMIT = 1.2
"""Slope above which a line needs a reason."""
FLAT = {"cpu_s": 0.3, "peak_mib": 40.0}
"""What must grow at the largest size for a slope to mean something."""
CAP, AGAIN = 60, 3
"""CPU seconds of a process; how often a steep line is measured, the least counts."""
PAGE = Path(__file__).parents[1] / "docs" / "pictures" / "growth.svg"


def measured(line: Line, n: int) -> dict[str, object]:
    """CPU seconds and peak memory of the command at one size, or why there are none."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = forked(lambda: print(json.dumps(line.make(n))), folder, 2 * CAP, "made.txt")
        said = (folder / "made.txt").read_text().strip()
        if made["code"]:
            return {"n": n, "stopped": f"not made: {said[-300:] or made['code']}"}
        words = json.loads(said.splitlines()[-1])
        serving = words[0] == "serve"
        used = forked(lambda: growth_server.main(*words[1:]) if serving else command(*words), folder, CAP)
        if used["code"]:
            return {"n": n, "stopped": (folder / "said.txt").read_text().strip()[-300:] or f"ended with {used['code']}"}
    return {"n": n, "cpu_s": round(used["cpu_s"], 3), "peak_mib": round(used["peak_mib"])}


def slope(points: list[dict[str, object]], what: str) -> float | None:
    """Between the two largest sizes, with the smallest taken off; None: it hardly grows, or too little was measured."""
    if len(points) < 3:
        return None
    start, middle, last = points[0], points[-2], points[-1]
    grown = last[what] - start[what]
    if grown < FLAT[what]:
        return None
    before = max(middle[what] - start[what], FLAT[what] / 8)
    return math.log(grown / before) / math.log((last["n"] - start["n"]) / (middle["n"] - start["n"]))


def least(runs: list[list[dict[str, object]]]) -> list[dict[str, object]]:
    """The least of several measurements, size by size."""
    return [
        {"n": same[0]["n"], **{what: min(point[what] for point in same) for what in FLAT}}
        for same in zip(*runs, strict=False)
    ]


def judged(line: Line, times: float) -> dict[str, object]:
    """A line of the result."""
    sizes = [line.sizes[0], *(int(n * times) for n in line.sizes[1:])]
    runs, stopped = [], None
    for _ in range(AGAIN):
        points = []
        for n in sizes:
            point = measured(line, n)
            if "stopped" in point:
                stopped = f"{n}: {point['stopped']}"
                break
            points.append(point)
        runs.append(points)
        slopes = {what: slope(least(runs), what) for what in FLAT}
        if stopped or not any(value is not None and value > LIMIT for value in slopes.values()):
            break
    verdict = verdict_of(slopes, stopped, line.reason)
    row = {"command": line.command, "grows": line.grows, "points": least(runs), "slopes": slopes, "verdict": verdict}
    row["load"] = load_average()
    row |= {"reason": line.reason} if line.reason else {}
    row |= {"stopped": stopped} if stopped else {}
    print(f"{line.command}, {line.grows}: {told(row)}", flush=True)
    return row


def verdict_of(slopes: dict[str, float | None], stopped: str | None, reason: str) -> str:
    """`stopped` and `steep` fail; `reason` is steep with a reason."""
    if stopped:
        return "stopped"
    if any(value is not None and value > LIMIT for value in slopes.values()):
        return "reason" if reason else "steep"
    return "flat" if all(value is None for value in slopes.values()) else "good"


def told(row: dict[str, object]) -> str:
    """A line for the terminal."""
    points = "  ".join(f"{p['n']:,}: {p['cpu_s']:.2f} s {p['peak_mib']} MiB" for p in row["points"])
    slopes = ", ".join(f"{what} {value:.2f}" for what, value in row["slopes"].items() if value is not None)
    return "  ".join(filter(None, (points, slopes, row["verdict"], row.get("stopped"), row.get("reason"))))


def kept() -> dict[tuple[str, str], dict[str, object]]:
    """What was measured before, of lines that there are."""
    earlier = RESULTS / "growth.json"
    rows = json.loads(earlier.read_text())["rows"] if earlier.is_file() else []
    known = {(line.command, line.grows) for line in LINES}
    return {key: row for row in rows if (key := (row["command"], row["grows"])) in known}


def main(only: str, times: float, *, missing: bool) -> None:
    """Measure and keep line by line, draw; end with 1 if a line is steep without a reason, or was stopped."""
    load()
    rows = kept()
    asked = [line for line in LINES if f"{line.command}, {line.grows}".startswith(only)]
    done = {key for key, row in rows.items() if missing and row["verdict"] not in FAULTS}
    asked = [line for line in asked if (line.command, line.grows) not in done]
    for at, line in enumerate(asked, 1):
        print(f"{at} of {len(asked)}: ", end="")
        rows[line.command, line.grows] = judged(line, times)
        keep(rows)
    write("growth", in_order(rows), ("duckdb", "pyarrow"), runs=RUNS)
    PAGE.write_text(page(in_order(rows), LIMIT))
    print("not measured:", ", ".join(starmap("{} ({})".format, UNMEASURED.items())))
    if any(rows[line.command, line.grows]["verdict"] in FAULTS for line in asked):
        raise SystemExit(1)


FAULTS = frozenset({"steep", "stopped"})
"""Verdicts with which the bench ends with 1."""
RUNS = "1; 3 of steep lines, the least counts"


def in_order(rows: dict[tuple[str, str], dict[str, object]]) -> list[dict[str, object]]:
    """What was measured, as the lines stand."""
    return [rows[key] for line in LINES if (key := (line.command, line.grows)) in rows]


def keep(rows: dict[tuple[str, str], dict[str, object]]) -> None:
    """What was measured so far, so that a stopped run loses one line."""
    with contextlib.redirect_stdout(io.StringIO()):
        write("growth", in_order(rows), ("duckdb", "pyarrow"), runs=RUNS)


if __name__ == "__main__":
    if sys.argv[1:] == ["--draw"]:
        PAGE.write_text(page(in_order(kept()), LIMIT))
    else:
        reader = argparse.ArgumentParser()
        reader.add_argument("--only", default="", help="lines that begin so, such as `run` or `run, rows`")
        reader.add_argument("--times", type=float, default=1.0, help="all sizes but the first, so many times as large")
        reader.add_argument("--missing", action="store_true", help="only what is not kept, or was steep or stopped")
        told_in = reader.parse_args()
        main(told_in.only, told_in.times, missing=told_in.missing)
