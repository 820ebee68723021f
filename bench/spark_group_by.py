"""What does a differentially private GROUP BY cost on Spark beside the same GROUP BY without privacy?

    python bench/spark_group_by.py [million rows] [rows|persons]

As `dp_group_by.py`, on one classic session of two threads (`local[2]`). The peer is plain PySpark, `SELECT g, count(*)
GROUP BY g` collected as Arrow over the same Parquet file; runs of both alternate. CPU seconds are those of this process
and of the JVM. With persons, each counts in at most one group; its peer counts the distinct persons of each group.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from dp_group_by import KEYS, made
from timing import RESULTS, write

from sfumato.engine.spark.engine import SparkEngine
from sfumato.engine.spark.session import open_session
from sfumato.noise.bits import SystemBits
from sfumato.noise.discrete_laplace import discrete_laplace
from sfumato.summary.bounded import BoundedAsk, Keyed, Term
from sfumato.table.domain import Categories
from sfumato.table.source import FileSource
from sfumato.table.unit import Neighbors, Unit

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS = 3
UNITS = {"rows": Unit.row(Neighbors.ADD_REMOVE), "persons": Unit(Neighbors.ADD_REMOVE, "who", 1, 1)}
PEERS = {"rows": "count(*)", "persons": "count(DISTINCT who)"}


def cpu_seconds() -> float:
    """Of this process and all that it started."""
    ticks, parents = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks[int(folder.name)], parents[int(folder.name)] = int(fields[11]) + int(fields[12]), int(fields[1])

    def is_mine(pid: int) -> bool:
        return pid == os.getpid() or (pid in parents and is_mine(parents[pid]))

    return sum(n for pid, n in ticks.items() if is_mine(pid)) / os.sysconf("SC_CLK_TCK")


def alternated(runs: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Median wall and CPU seconds of each; one after the other, again and again, after two warm-ups."""
    wall, cpu = {name: [] for name in runs}, {name: [] for name in runs}
    for turn in range(RUNS + 2):
        for name, run in runs.items():
            began, used = time.perf_counter(), cpu_seconds()
            run()
            if turn > 1:
                wall[name].append(time.perf_counter() - began)
                cpu[name].append(cpu_seconds() - used)
    medians = {f"{name}_wall_s": statistics.median(wall[name]) for name in runs}
    return medians | {f"{name}_cpu_s": statistics.median(cpu[name]) for name in runs}


def kept(units: str) -> list[dict[str, object]]:
    """Lines of another unit that were measured before."""
    earlier = RESULTS / "spark_group_by.json"
    rows = json.loads(earlier.read_text())["rows"] if units and earlier.is_file() else []
    return [row | {"measured": "before"} for row in rows if row["unit"] != units]


def main(millions: int, units: str = "") -> None:
    """Time numbers and texts as keys, rows and persons as units; or one of the units alone."""
    session, rows = open_session("local[2]"), []
    session.conf.set("spark.sql.shuffle.partitions", "2")
    engine, n = SparkEngine(session), millions * 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        for key, of in (("number", "rows"), ("text", "rows"), ("text", "persons")):
            if units not in {"", of}:
                continue
            path = Path(folder) / f"{key}.parquet"
            people = pa.array(np.random.default_rng(2).integers(0, n // 5, n))
            pq.write_table(made(n, key).append_column("who", people), path, row_group_size=1_000_000)
            ask = BoundedAsk(UNITS[of], (Term(),), (Keyed("g", Categories(tuple(KEYS[key]))),))
            table, frame = engine.scan(FileSource(path)), session.read.parquet(str(path))
            frame.createOrReplaceTempView("plain")
            query = f"SELECT g, {PEERS[of]} AS n FROM plain GROUP BY g"
            times = alternated(
                {
                    "ours": lambda ask=ask, table=table: (
                        engine.summarize(table, ask).totals[0] + discrete_laplace(1000, 1, bits=SystemBits())
                    ),
                    "plain": lambda query=query: session.sql(query).toArrow(),
                }
            )
            rows.append({"rows": n, "key": key, "unit": of} | times)
    session.stop()
    write("spark_group_by", [*rows, *kept(units)], ("pyspark",), runs=f"{RUNS} in turn")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10, *sys.argv[2:3])
