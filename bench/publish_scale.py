"""How large a table can be published, how fast, and within how much memory? Beside plain DuckDB.

    python bench/publish_scale.py [million rows:thousand persons in the pool:recode|assign ...]

Each row of the answer is a Parquet file of nine columns (Adult-like marginals, seeded) summarized,
decided at fixed levels, recoded, suppressed and written as Parquet in a process of its own. The peer
is DuckDB's own group-by of the eight quasi-identifiers, joined back to the same file and written.
The data are made in a process of their own: the system counts the memory of whoever starts a process as that process's.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from timing import RESULTS, write

from sfumato.summary.ask import MarginalOf

SHARES = {
    "sex": (0.67, 0.33),
    "race": (0.855, 0.096, 0.031, 0.010, 0.008),
    "marital": (0.46, 0.33, 0.136, 0.031, 0.03, 0.012, 0.001),
    "education": (
        0.32,
        0.22,
        0.16,
        0.05,
        0.042,
        0.036,
        0.035,
        0.03,
        0.028,
        0.02,
        0.018,
        0.014,
        0.012,
        0.01,
        0.003,
        0.002,
    ),
    "country": (0.9, 0.02, *[0.08 / 39] * 39),
    "workclass": (0.74, 0.08, 0.065, 0.042, 0.034, 0.03, 0.008, 0.001),
    "occupation": (0.13, 0.13, 0.125, 0.12, 0.115, 0.105, 0.065, 0.052, 0.045, 0.042, 0.032, 0.028, 0.009, 0.002),
    "salary": (0.75, 0.25),
}
LEVELS = {"sex": 0, "age": 2, "race": 0, "marital": 1, "education": 1, "country": 2, "workclass": 1, "occupation": 1}
QUASI = tuple(LEVELS)
K = 5
MEMORY, THREADS = "2GB", 2
STEP = 1_000_000
FLAT_FROM = 5_000_000
"""From this pool on the marginals are flattened: Adult's own do not hold so many distinct tuples."""


def make(path: Path, n: int, distinct: int, seed: int = 1) -> None:
    """Rows drawn from a pool of `distinct` persons' quasi-identifiers, in steps of a million."""
    rng = np.random.default_rng(seed)
    power = 1.0 if distinct < FLAT_FROM else 0.4
    shares = {name: np.array(p) ** power / (np.array(p) ** power).sum() for name, p in SHARES.items()}
    pool = {name: rng.choice(len(p), distinct, p=p).astype(np.int32) for name, p in shares.items()}
    pool["age"] = np.clip(rng.gamma(8.6, 4.5, distinct), 17, 90).astype(np.int64)
    texts = {name: pa.array([f"{name} {i}" for i in range(len(p))]) for name, p in SHARES.items()}
    writer = None
    for start in range(0, n, STEP):
        pick = rng.integers(0, distinct, min(STEP, n - start))
        columns = {name: pool[name][pick] for name in QUASI}
        columns["salary"] = rng.choice(2, len(pick), p=SHARES["salary"]).astype(np.int32)
        batch = pa.table(
            {
                name: pa.array(codes)
                if name == "age"
                else pa.DictionaryArray.from_arrays(codes, texts[name]).cast(pa.string())
                for name, codes in columns.items()
            }
        )
        writer = writer or pq.ParquetWriter(path, batch.schema)
        writer.write_table(batch)
    if writer:
        writer.close()


def attributes(engine, table):
    """The columns bound to trees: ages to 5 and 10 years, others to groups of four."""
    from sfumato.table.attribute import Attribute
    from sfumato.table.hierarchy.tree import ROOT, Hierarchy
    from sfumato.table.schema import Column, Kind, Role

    out = []
    for name in (*QUASI, "salary"):
        values = sorted(engine.summarize(table, MarginalOf(name)).values, key=lambda text: (len(text), text))
        paths = []
        for i, value in enumerate(values):
            groups = (
                [f"{int(value) // w * w}-{int(value) // w * w + w - 1}" for w in (5, 10)]
                if name == "age"
                else [f"group {i // 4}"]
            )
            paths.append((value, *groups, ROOT))
        kind = Kind.INTEGER if name == "age" else Kind.TEXT
        out.append(Attribute(Column(name, Role.QUASI_IDENTIFYING, kind), Hierarchy.from_paths(name, paths), None))
    return out


def ours(source: Path, target: Path, how: str) -> dict[str, object]:
    """Sfumato, from file to file; seconds of each part."""
    from sfumato.engine.duckdb.engine import DuckDBEngine
    from sfumato.noise.bits import SystemBits
    from sfumato.recipe.recipe import Recipe
    from sfumato.recipe.steps import Recode, Suppress
    from sfumato.summary.ask import Tuples
    from sfumato.summary.classes import roll_up
    from sfumato.table.source import FileSink, FileSource

    parts, began = {}, time.perf_counter()

    def lap(name):
        nonlocal began
        parts[name], began = time.perf_counter() - began, time.perf_counter()

    engine = DuckDBEngine(memory_limit=MEMORY, threads=THREADS)
    table = engine.scan(FileSource(source))
    *quasi, salary = attributes(engine, table)
    lap("scan_s")
    finest = engine.summarize(table, Tuples(tuple(quasi), (salary,) if how == "recode" else ()))
    lap("summarize_s")
    levels = tuple(LEVELS[a.name] for a in quasi)
    coarse, membership = roll_up(finest, quasi, levels)
    small = coarse.rows < K
    lap("decide_s")
    if how == "recode":
        recipe = Recipe(tuple(map(Recode, quasi, levels)), Suppress(tuple(quasi), levels, coarse.codes[small]))
    else:
        recipe = Recipe((), assignment(quasi, levels, finest, coarse, np.where(small[membership], -1, membership)))
    released = engine.apply(table, recipe, bits=SystemBits())
    lap("apply_s")
    receipt = engine.write(released, FileSink(target))
    lap("write_s")
    return parts | {"tuples": finest.n_classes, "suppressed": int(coarse.rows[small].sum()), "rows": receipt.n_rows}


def assignment(quasi, levels, finest, coarse, member):
    """The same classes as labels of each tuple, as Mondrian and local recoding hand them over."""
    from sfumato.recipe.steps import Assign

    labels = tuple(
        tuple(np.array(a.hierarchy.labels[level], object)[coarse.codes[:, j]])
        for j, (a, level) in enumerate(zip(quasi, levels, strict=True))
    )
    return Assign(tuple(quasi), finest.codes, member, labels)


def plain(source: Path, target: Path, _: str) -> dict[str, object]:
    """DuckDB alone: group by, join back, write."""
    import duckdb

    names = ", ".join(QUASI)
    base = duckdb.connect(config={"memory_limit": MEMORY, "threads": THREADS})
    base.execute(f"SET temp_directory = '{target.parent / 'spill'}'")
    base.execute(f"CREATE TEMP TABLE g AS SELECT {names}, count(*) AS n FROM '{source}' GROUP BY ALL")
    base.execute(f"COPY (SELECT t.*, g.n FROM '{source}' t JOIN g USING ({names})) TO '{target}' (COMPRESSION zstd)")
    return {"tuples": base.sql("SELECT count(*) FROM g").fetchall()[0][0]}


def alone(what: str, source: Path, target: Path, how: str) -> dict[str, object]:
    """One run in a process of its own: seconds and peak resident memory."""
    run = [sys.executable, __file__, "--run", what, str(source), str(target), how]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    target.unlink(missing_ok=True)
    return json.loads(done.stdout)


def measured(what: str, source: str, target: str, how: str) -> None:
    """What the process of its own prints."""
    began = time.perf_counter()
    found = {"ours": ours, "plain": plain}[what](Path(source), Path(target), how)
    used = resource.getrusage(resource.RUSAGE_SELF)
    own = {
        "wall_s": time.perf_counter() - began,
        "cpu_s": used.ru_utime + used.ru_stime,
        "peak_gib": used.ru_maxrss / 2**20,
    }
    print(json.dumps(own | found))


def kept(cases: list[str]) -> list[dict[str, object]]:
    """Earlier rows of other cases."""
    earlier = RESULTS / "publish_scale.json"
    rows = json.loads(earlier.read_text())["rows"] if earlier.is_file() else []
    return [row for row in rows if row["case"] not in cases]


def main(cases: list[str]) -> None:
    """Make the data of each case, run both, keep the ratios."""
    rows = kept(cases)
    for case in cases:
        millions, thousands, how = case.split(":")
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder) / "in.parquet", Path(folder) / "out.parquet"
            n, distinct = int(float(millions) * 1e6), int(float(thousands) * 1e3)
            subprocess.run([sys.executable, __file__, "--make", str(source), str(n), str(distinct)], check=True)
            runs = {what: alone(what, source, target, how) for what in ("plain", "ours")}
        ours_, peer = runs["ours"], runs["plain"]
        rows.append(
            {"case": case, "million_rows": float(millions), "how": how}
            | {f"ours_{key}": value for key, value in ours_.items()}
            | {f"duckdb_{key}": value for key, value in peer.items()}
            | {"wall_ratio": ours_["wall_s"] / peer["wall_s"], "cpu_ratio": ours_["cpu_s"] / peer["cpu_s"]}
        )
    write("publish_scale", rows, ("duckdb", "pyarrow"), runs=1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        measured(*sys.argv[2:])
    elif sys.argv[1:2] == ["--make"]:
        make(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
    else:
        main(sys.argv[1:] or ["10:900:recode", "10:900:assign", "10:16000:assign", "30:2500:recode"])
