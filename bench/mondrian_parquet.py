"""How long does Mondrian take on ten million rows, from a Parquet file to a Parquet file? No peer finishes.

    python bench/mondrian_parquet.py [thousand persons in the pool ...]

Each line is one `sfumato run` in a process of its own: eight quasi-identifiers, k = 5, read, partitioned, joined back,
written, and read again to be verified; risk and worth are measured, but nothing is searched, asked or attacked. Beside
it, in turns, DuckDB alone: the group-by of the eight columns, joined back to the same file and written. Where others
work on the machine, the ratio of CPU seconds is the one to read: ours has parts that one thread does, and waits for it.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from publish_scale import QUASI, alone, make
from timing import write

ROWS = 10_000_000
POOLS = (430, 20_000)
"""Thousand persons in the pool that rows are drawn from: some 380,000 and some 7 million distinct tuples."""
TIMES = 1
"""Turns; figures are medians of each column."""


def plan_text() -> str:
    """Mondrian, k = 5."""
    kinds = {name: "integer" if name == "age" else "text" for name in QUASI}
    columns = "".join(f'[columns.{name}]\nrole = "quasi-identifying"\nkind = "{kinds[name]}"\n' for name in QUASI)
    return (
        f'sfumato = 1\n[source]\npath = "rows.parquet"\n{columns}[columns.salary]\nrole = "insensitive"\nkind = "text"\n'
        '[[promise]]\nmodel = "k-anonymity"\nk = 5\n[method]\nname = "mondrian"\n'
        "[measure]\nguesses = 0\nqueries = 0\nloss_by_k = []\n"
        '[output]\npath = "release.parquet"\nresult = "result.json"\n'
    )


def once(folder: Path) -> dict[str, float]:
    """Wall and CPU seconds and peak memory of one run."""
    began, command = time.perf_counter(), [str(Path(sys.executable).parent / "sfumato"), "run", "plan.toml"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit("the run failed")
    return {
        "wall_s": time.perf_counter() - began,
        "cpu_s": used.ru_utime + used.ru_stime,
        "peak_gib": used.ru_maxrss / 2**20,
    }


def turn(folder: Path) -> dict[str, float]:
    """Ours, then DuckDB's own, and the ratios of both."""
    mine, peer = once(folder), alone("plain", folder / "rows.parquet", folder / "plain.parquet", "")
    both = {f"duckdb_{what}": peer[what] for what in mine}
    ratios = {"times_duckdb": mine["wall_s"] / peer["wall_s"], "times_duckdb_cpu": mine["cpu_s"] / peer["cpu_s"]}
    return {"tuples": peer["tuples"], **mine, **both, **ratios}


def main() -> None:
    """Print and keep the figures."""
    lines: list[dict[str, object]] = []
    for pool in [int(text) for text in sys.argv[1:]] or POOLS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            make(folder / "rows.parquet", ROWS, 1000 * pool)
            (folder / "plan.toml").write_text(plan_text())
            turns = [turn(folder) for _ in range(TIMES)]
            result = json.loads((folder / "result.json").read_text())
            line = {"rows": ROWS, "tuples": turns[0]["tuples"], "classes": result["done"]["classes"]["n"]}
            lines.append(line | {what: statistics.median(one[what] for one in turns) for what in turns[0]})
            print(lines[-1], flush=True)
    write("mondrian_parquet", lines, ("duckdb",), runs=TIMES)


if __name__ == "__main__":
    main()
