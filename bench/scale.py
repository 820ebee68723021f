"""How do time and memory grow with the rows? One job after the other, from 10⁴ to 10⁸, embedded and on Spark.

    python bench/scale.py [job:engine:size ...]     measure these and keep the others
    python bench/scale.py --draw                    the picture and the slopes from what is kept

Inputs are made in a temporary folder, or kept in that of SCALE_DATA so that both engines read the same files.

Jobs: `publish` (Parquet of nine columns: summarize, decide at fixed levels, recode, suppress, write), `reports`
(support counts of GRR reports over 128 values on the wire, 10,000 a batch), `group_by` (a DP count of 1,000 declared
groups), `decode` (RAPPOR: so many candidates against a million reports). Each runs in a process of its own, with the
embedded engine limited to 2 GB and two threads, or with Spark in `local[2]` and a driver of 4 GB. CPU seconds and peak
memory are those of the process and its children (the JVM, Python workers); opening Spark is left out of the seconds
and said apart. Spark rows are the whole of that machine: a cluster adds machines, not speed of one.
"""

from __future__ import annotations

import base64
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import publish_scale
import pyarrow as pa
import pyarrow.parquet as pq
import rappor_decode
from timing import RESULTS, load_average, write

SIZES = {"duckdb": [10**n for n in range(4, 9)], "spark": [10**n for n in range(6, 9)]}
CANDIDATES = [10**n for n in range(2, 6)]
JOBS = ("publish", "reports", "group_by")
GROUPS, VALUES, BATCH, STEP = 1000, 128, 10_000, 1_000_000
PICTURE = Path(__file__).parents[1] / "docs" / "pictures"
TICK = os.sysconf("SC_CLK_TCK")


def make(job: str, n: int, folder: Path) -> Path:
    """The input of a job as Parquet; seeded."""
    path = folder / f"{job}-{n}.parquet"
    if path.is_file():
        return path
    if job == "publish":
        publish_scale.make(path, n, max(1000, min(n // 10, 2_000_000)))
        return path
    rng = np.random.default_rng(1)
    parts = (
        _reports(rng, min(STEP, n - start)) if job == "reports" else _groups(rng, min(STEP, n - start))
        for start in range(0, n, STEP)
    )
    first = next(parts)
    with pq.ParquetWriter(path, first.schema) as file:
        file.write_table(first)
        for part in parts:
            file.write_table(part)
    return path


def collection():
    """The collection whose reports are counted."""
    from sfumato.release.collect.collection import Collection, Question

    return Collection((Question("color", tuple(f"value {i}" for i in range(VALUES))),), "GRR", 1.0)


def _reports(rng, n: int) -> pa.Table:
    """Batches on the wire; what was reported does not matter for the time, so chance is a seeded one."""
    asked = collection()
    oracle = asked.oracle()
    lines = [
        base64.b64encode(oracle.to_bytes(rng.integers(0, VALUES, min(BATCH, n - start)))).decode()
        for start in range(0, n, BATCH)
    ]
    names = [rng.bytes(16).hex() for _ in lines]
    return pa.table({"collection": [asked.digest()] * len(lines), "batch": names, "reports": lines})


def _groups(rng, n: int) -> pa.Table:
    """Rows of 1,000 groups."""
    return pa.table({"g": rng.integers(0, GROUPS, n), "x": rng.random(n)})


def run(job: str, engine, source: Path, folder: Path) -> dict[str, object]:
    """One job on an engine; what it found."""
    if job == "publish":
        return publish(engine, source, folder / "out.parquet")
    if job == "reports":
        return reports(engine, source)
    return group_by(engine, source)


def publish(engine, source: Path, target: Path) -> dict[str, object]:
    """From file to file."""
    from sfumato.noise.bits import SystemBits
    from sfumato.recipe.recipe import Recipe
    from sfumato.recipe.steps import Recode, Suppress
    from sfumato.summary.ask import Tuples
    from sfumato.summary.classes import roll_up
    from sfumato.table.source import FileSink, FileSource

    table = engine.scan(FileSource(source))
    *quasi, salary = publish_scale.attributes(engine, table)
    finest = engine.summarize(table, Tuples(tuple(quasi), (salary,)))
    levels = tuple(publish_scale.LEVELS[a.name] for a in quasi)
    coarse, _ = roll_up(finest, quasi, levels)
    gone = Suppress(tuple(quasi), levels, coarse.codes[coarse.rows < publish_scale.K])
    released = engine.apply(table, Recipe(tuple(map(Recode, quasi, levels)), gone), bits=SystemBits())
    return {"rows": engine.write(released, FileSink(target)).n_rows, "tuples": finest.n_classes}


def reports(engine, source: Path) -> dict[str, object]:
    """Support counts, and shares with intervals."""
    from sfumato.release.collect.estimates import estimates
    from sfumato.release.collect.server import aggregate
    from sfumato.table.source import FileSource

    asked = collection()
    counted = aggregate(engine, asked, [FileSource(source)])
    estimates(asked, counted, confidence=0.95)
    return {"rows": counted.reports[0]}


def group_by(engine, source: Path) -> dict[str, object]:
    """Bounded totals of declared groups, with discrete Laplace noise."""
    from sfumato.noise.bits import SystemBits
    from sfumato.noise.discrete_laplace import discrete_laplace
    from sfumato.summary.bounded import BoundedAsk, Keyed, Term
    from sfumato.table.domain import Categories
    from sfumato.table.source import FileSource
    from sfumato.table.unit import Neighbors, Unit

    table = engine.scan(FileSource(source))
    keys = Keyed("g", Categories(tuple(str(i) for i in range(GROUPS))))
    ask = BoundedAsk(Unit.row(Neighbors.ADD_REMOVE), (Term(),), (keys,))
    engine.summarize(table, ask)
    noisy = discrete_laplace(GROUPS, 1, bits=SystemBits())
    return {"rows": engine.header(table).n_rows, "groups": len(noisy)}


@contextmanager
def opened(name: str):
    """An engine, and the seconds that opening it took."""
    began = time.perf_counter()
    if name == "duckdb":
        from sfumato.engine.duckdb.engine import DuckDBEngine

        yield DuckDBEngine(memory_limit="2GB", threads=2), time.perf_counter() - began
        return
    from pyspark.sql import SparkSession

    from sfumato.engine.spark.engine import SparkEngine

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]").config("spark.driver.memory", "4g")
    quiet = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
    tuned = {"spark.sql.shuffle.partitions": "8", "spark.driver.maxResultSize": "3g", "spark.driver.host": "127.0.0.1"}
    for key, value in (quiet | tuned).items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.range(1).count()
    yield SparkEngine(session), time.perf_counter() - began
    session.stop()


class Family:
    """CPU seconds and peak memory of this process and all its children, looked at four times a second."""

    def __init__(self) -> None:
        self.cpu: dict[int, float] = {}
        self.peak = 0.0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._done.wait(0.25):
            self.look()

    def look(self) -> float:
        """CPU seconds so far."""
        resident = 0
        for pid in self._members():
            try:
                stat = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            except (OSError, IndexError):
                continue
            self.cpu[pid] = (int(stat[11]) + int(stat[12])) / TICK
            resident += int(stat[21]) * os.sysconf("SC_PAGE_SIZE")
        self.peak = max(self.peak, resident / 2**30)
        return sum(self.cpu.values())

    def _members(self) -> list[int]:
        parents = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                except (OSError, IndexError):
                    continue
        found, new = {os.getpid()}, {os.getpid()}
        while new:
            new = {pid for pid, parent in parents.items() if parent in new} - found
            found |= new
        return sorted(found)

    def stop(self) -> None:
        """Look a last time."""
        self._done.set()
        self._thread.join()


def alone(job: str, name: str, n: int, source: Path, folder: Path) -> dict[str, object]:
    """What the process of its own measures."""
    with opened(name) as (engine, opening):
        family = Family()
        began, used = time.perf_counter(), family.look()
        found = run(job, engine, source, folder)
        wall = time.perf_counter() - began
        cpu = family.look() - used
        family.stop()
    return {"job": job, "engine": name, "n": n, "wall_s": wall, "cpu_s": cpu, "peak_gib": family.peak,
            "opening_s": opening} | found  # fmt: skip


def measured(job: str, name: str, n: int) -> dict[str, object]:
    """One row of the result."""
    if job == "decode":
        command = [sys.executable, rappor_decode.__file__, str(n), "64"]
        found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        cpu = found["hash_cpu_s"] + found["decode_cpu_s"]
        return {"job": job, "engine": "numpy", "n": n, "wall_s": found["wall_s"], "cpu_s": cpu,
                "peak_gib": found["peak_gib"], "opening_s": 0.0, "rows": rappor_decode.REPORTS}  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        source = make(job, n, Path(os.environ.get("SCALE_DATA", folder)))
        command = [sys.executable, __file__, "--run", job, name, str(n), str(source), folder]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(done.stderr)
        return json.loads(done.stdout.splitlines()[-1])


def kept(cases: list[tuple[str, str, int]]) -> list[dict[str, object]]:
    """Earlier rows of other cases."""
    earlier = RESULTS / "scale.json"
    rows = json.loads(earlier.read_text())["rows"] if earlier.is_file() else []
    return [row for row in rows if (row["job"], row["engine"], row["n"]) not in cases]


def slopes(rows: list[dict[str, object]], what: str) -> dict[str, float]:
    """Slope on log-log axes between the two largest sizes of each job and engine."""
    out = {}
    for job, name in dict.fromkeys((row["job"], row["engine"]) for row in rows):
        line = sorted((row["n"], row[what]) for row in rows if (row["job"], row["engine"]) == (job, name))
        if len(line) > 1:
            (n, a), (m, b) = line[-2:]
            out[f"{job} on {name}"] = math.log(b / a) / math.log(m / n)
    return out


def draw(rows: list[dict[str, object]], what: str, axis: str, name: str) -> None:
    """A line for each job and engine."""
    from sfumato.report.chart.lines import Axes, Curve, lines
    from sfumato.report.chart.standalone import standalone

    points = sorted({row["n"] for row in rows if row["job"] != "decode"})
    keys = list(dict.fromkeys((row["job"], row["engine"]) for row in rows if row["job"] != "decode"))
    curves = []
    for i, (job, engine) in enumerate(keys):
        at = {row["n"]: row[what] for row in rows if (row["job"], row["engine"]) == (job, engine)}
        curves.append(Curve(f"{job.replace('_', ' ')}, {engine}", tuple(at.get(n) for n in points), i))
    axes = Axes(
        ("rows", axis),
        (True, True),
        [f"10^{round(math.log10(n))}" for n in points],
        lambda value: f"{value:,.0f}" if value >= 1000 else f"{value:.3g}",
    )
    PICTURE.joinpath(name).write_text(standalone(lines(points, curves, f"{axis} against rows", axes)))


def main(texts: list[str]) -> None:
    """Measure, keep, show."""
    every = [(job, name, n) for name, sizes in SIZES.items() for job in JOBS for n in sizes]
    every += [("decode", "numpy", n) for n in CANDIDATES]
    cases = [(job, name, int(float(n))) for job, name, n in (text.split(":") for text in texts)] if texts else every
    for case in cases:
        rows = kept([case])
        rows.append(measured(*case) | {"load": load_average()})
        order = {one: i for i, one in enumerate(every)}
        rows.sort(key=lambda row: order.get((row["job"], row["engine"], row["n"]), len(order)))
        write("scale", rows, ("duckdb", "pyspark", "pyarrow"), runs=1)
    show()


def show() -> None:
    """The pictures, and the slopes between the two largest sizes."""
    rows = kept([])
    draw(rows, "cpu_s", "CPU seconds", "scale-seconds.svg")
    draw(rows, "peak_gib", "GiB", "scale-memory.svg")
    for what in ("wall_s", "cpu_s", "peak_gib"):
        print(what, {key: round(value, 2) for key, value in slopes(rows, what).items()})


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        job, name, n, source, folder = sys.argv[2:]
        print(json.dumps(alone(job, name, int(n), Path(source), Path(folder))))
    elif sys.argv[1:2] == ["--draw"]:
        show()
    else:
        main(sys.argv[1:])
