"""How long does a table of three million rows take, from CSV to CSV, and how much memory? The whole process.

Nine columns drawn independently from Adult's marginals: 805,000 distinct tuples, k = 5, the lean plan of `cold_process`.
The floor is DuckDB alone, as there.

ARX is a Java program and does not run here: its figures are CPU seconds of its process, recorded elsewhere.

Run: python bench/whole_process.py [limit ...]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import adult_tables
import cold_process
import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
from timing import shared_folder, write

ARX = {"0": 11.95, "0.02": 139.7, "1": 118.6}
"""Suppression limit → CPU seconds, recorded elsewhere; 1.6 to 1.75 GB."""
ROWS = 3_000_000
TIMES = 3


def make(folder: Path, shared: Path) -> None:
    """The table, and a plan for each limit."""
    table, rng = adult_tables.texts(shared), np.random.default_rng(42)
    names = cold_process.NAMES
    drawn = {name: pa.array(np.array(table[name], object)[rng.integers(0, len(table[name]), ROWS)]) for name in names}
    options = pa_csv.WriteOptions(include_header=False, delimiter=";", quoting_style="none")
    with (folder / "adult.csv").open("wb") as file:
        file.write((";".join(names) + "\n").encode())
        pa_csv.write_csv(pa.table(drawn), file, options)
    for limit in ARX:
        text = cold_process.plan_text(shared / "data" / "adult_arx" / "hierarchies", limit, lean=True)
        (folder / f"{limit}.toml").write_text(text)


def used(command: list[str], folder: Path) -> tuple[float, float]:
    """CPU seconds and peak GiB of one process; the system counts the memory of whoever starts it too, so that is small."""
    with (folder / "told.txt").open("wb") as told:
        process = subprocess.Popen(command, cwd=folder, stdout=told, stderr=told)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit((folder / "told.txt").read_text())
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 2**20


def main(limits: list[str]) -> None:
    """Print and keep the figures; ours and the floor in turn."""
    out = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.executable, __file__, "--make", name], check=True)
        floor = [sys.executable, "-c", cold_process.FLOOR]
        for limit in limits:
            ours = [str(Path(sys.executable).parent / "sfumato"), "run", f"{limit}.toml"]
            pairs = [(used(ours, folder), used(floor, folder)) for _ in range(TIMES)]
            (cpu, peak), (bare, bare_peak) = (min(one) for one in zip(*pairs, strict=True))
            out.append(
                {"limit": limit, "rows": ROWS, "cpu_s": cpu, "peak_gib": peak, "duckdb_cpu_s": bare}
                | {"duckdb_peak_gib": bare_peak, "times_duckdb": cpu / bare, "arx_cpu_s": ARX[limit]}
            )
    write("whole_process", out, ("duckdb", "pyarrow"), runs=f"the least of {TIMES}", recorded=("ARX",))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--make"]:
        make(Path(sys.argv[2]), shared_folder())
    else:
        main(sys.argv[1:] or list(ARX))
