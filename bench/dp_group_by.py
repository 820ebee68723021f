"""What does a differentially private GROUP BY cost beside the same GROUP BY without privacy?

    python bench/dp_group_by.py [million rows …]

Rows fall into 1000 groups, named by whole numbers or by texts; the table is a Parquet file or Arrow in memory.
Ours is end to end on an open table: bounded totals of the declared groups and discrete Laplace noise (ε = 1) on
all of them, from the system's chance. The peer is DuckDB's own `SELECT g, count(*) GROUP BY g` over the same
file or Arrow table, on an open connection with as many threads; runs of both alternate. Opening is shown too
(ours reads the file's digest). Where OpenDP and Polars are installed, OpenDP's group-by with known keys is
timed on the same data.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from timing import is_present, write

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.noise.bits import SystemBits
from sfumato.noise.discrete_laplace import discrete_laplace
from sfumato.summary.bounded import BoundedAsk, Keyed, Term
from sfumato.table.domain import Categories
from sfumato.table.source import FileSource, FrameSource
from sfumato.table.unit import Neighbors, Unit

GROUPS, THREADS, RUNS = 1000, 2, 15
KEYS = {"number": [str(i) for i in range(GROUPS)], "text": [f"group {i:04d}" for i in range(GROUPS)]}


def made(n: int, key: str) -> pa.Table:
    """Rows of a seeded table: the key, and a number that nobody reads."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, GROUPS, n)
    cells = pa.array(codes) if key == "number" else pa.array(KEYS["text"]).take(pa.array(codes))
    return pa.table({"g": cells, "x": rng.random(n)})


def alternated(runs: dict, times: int) -> dict[str, float]:
    """Median wall and CPU seconds of each; one after the other, again and again, after one warm-up."""
    wall, cpu = {name: [] for name in runs}, {name: [] for name in runs}
    for run in runs.values():
        run()
    for _ in range(times):
        for name, run in runs.items():
            began, used = time.perf_counter(), time.process_time()
            run()
            wall[name].append(time.perf_counter() - began)
            cpu[name].append(time.process_time() - used)
    out = {}
    for name in runs:
        out |= {f"{name}_wall_s": statistics.median(wall[name]), f"{name}_cpu_s": statistics.median(cpu[name])}
    return out


def ours(table, engine, key):
    """Totals of the declared groups, with noise."""
    ask = BoundedAsk(Unit.row(Neighbors.ADD_REMOVE), (Term(),), (Keyed("g", Categories(tuple(KEYS[key]))),))

    def run():
        totals = engine.summarize(table, ask).totals[0]
        return totals + discrete_laplace(len(totals), 1, bits=SystemBits())

    return run


def plain(origin, frame):
    """DuckDB without privacy."""
    base = duckdb.connect(config={"threads": THREADS})
    if frame is not None:
        base.register("cells", frame)
    return lambda: base.sql(f"SELECT g, count(*) AS n FROM {origin} GROUP BY g").to_arrow_table()


def opendp(path, frame, key):
    """OpenDP over Polars with known keys: the whole query, as its documentation writes it."""
    import opendp.prelude as dp
    import polars as pl

    dp.enable_features("contrib")
    rows = pl.scan_parquet(path) if frame is None else pl.from_arrow(frame).lazy()
    values = list(range(GROUPS)) if key == "number" else KEYS["text"]
    keys = pl.LazyFrame({"g": values}, schema_overrides={"g": pl.Int64 if key == "number" else pl.String})

    def run():
        context = dp.Context.compositor(
            data=rows, privacy_unit=dp.unit_of(contributions=1), privacy_loss=dp.loss_of(epsilon=1.0)
        )
        query = context.query(epsilon=1.0).group_by("g").agg(dp.len()).with_keys(keys)
        return query.release().collect()

    return run


def compared(where: str, key: str, n: int, folder: Path) -> dict[str, object]:
    """One row of the answer."""
    frame, path = made(n, key), folder / f"{key}.parquet"
    pq.write_table(frame, path)
    engine = DuckDBEngine(threads=THREADS)
    began = time.perf_counter()
    table = engine.scan(FileSource(path) if where == "parquet" else FrameSource(frame))
    opened = time.perf_counter() - began
    held = None if where == "parquet" else frame
    runs = {"ours": ours(table, engine, key), "duckdb": plain(f"'{path}'" if held is None else "cells", held)}
    row = {"table": where, "key": key, "million_rows": n / 1e6, "ours_open_s": opened} | alternated(runs, RUNS)
    row |= {f"{what}_ratio": row[f"ours_{what}_s"] / row[f"duckdb_{what}_s"] for what in ("wall", "cpu")}
    row["added_cpu_ms"] = 1000 * (row["ours_cpu_s"] - row["duckdb_cpu_s"])
    if is_present("opendp") and is_present("polars"):
        row |= alternated({"opendp": opendp(path, held, key)}, 3)
        row["opendp_wall_ratio"] = row["opendp_wall_s"] / row["ours_wall_s"]
    return row


def main(sizes: list[float]) -> None:
    """Two kinds of table, two kinds of key, of each size."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            compared(where, key, int(millions * 1e6), Path(folder))
            for millions in sizes
            for where in ("parquet", "arrow")
            for key in ("number", "text")
        ]
    write("dp_group_by", rows, ("duckdb", "pyarrow", "opendp", "polars"), runs=f"{RUNS} of ours and DuckDB in turn")


if __name__ == "__main__":
    main([float(said) for said in sys.argv[1:]] or [10, 1, 0.1])
