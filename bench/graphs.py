"""How fast are core numbers found, exactly and privately, from a table of edges? Beside networkx.

R-MAT graphs (a, b, c, d = 0.57, 0.19, 0.19, 0.05; seed 19) of 2^20 vertices (2^17 beside networkx), and a path of 10^6
vertices, in Parquet. Each line is a process of its own that reads the file; lines take turns. `exact` is
`sfumato.graph_numbers(file, "cores")`; `private` reads the graph and peels it by rising thresholds at epsilon 1;
`networkx` reads the file, makes a graph and asks it for `core_number`. On 10^7 edges networkx takes too long and too much
memory; it runs on 10^6, and so do we.

Source: D. Chakrabarti, Y. Zhan, C. Faloutsos, "R-MAT: A Recursive Model for Graph Mining", SDM 2004.

Run: python bench/graphs.py [edges of the largest R-MAT graph, 10000000]
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from timing import is_present, process, write

SEED, SHARES = 19, (0.57, 0.19, 0.19)
BESIDE = 1_000_000
"""Edges of the graph that networkx gets."""
PATH = 1_000_000
TURNS = 3


def rmat(scale: int, edges: int, seed: int = SEED) -> pa.Table:
    """Edges between 2^scale vertices, bit by bit; loops and doubles are there."""
    rng, (a, b, c) = np.random.default_rng(seed), SHARES
    ends = np.zeros((2, edges), np.int64)
    for _ in range(scale):
        drawn = rng.random(edges)
        down, right = drawn >= a + b, ((drawn >= a) & (drawn < a + b)) | (drawn >= a + b + c)
        ends = 2 * ends + np.stack([down, right])
    return pa.table({"u": ends[0], "v": ends[1]})


def step(name: str, path: Path) -> dict[str, float]:
    """One line, in this process; CPU seconds without imports."""
    import sfumato

    if name == "networkx":
        import networkx as nx
    began = time.process_time()
    if name == "networkx":
        read = pq.read_table(path)
        graph = nx.Graph(zip(read["u"].to_pylist(), read["v"].to_pylist(), strict=True))
        graph.remove_edges_from(list(nx.selfloop_edges(graph)))
        numbers = nx.core_number(graph).values()
        return {"work_s": time.process_time() - began, "largest": max(numbers), "sum": sum(numbers)}
    if name == "private":
        from sfumato.mechanism.graph.cores.rising import RisingPeeling
        from sfumato.noise.bits import SystemBits

        named, _ = sfumato.read_graph(path)
        found = RisingPeeling(named.graph.vertices, Fraction(1)).decide(named.graph, bits=SystemBits()).numbers
        return {"work_s": time.process_time() - began, "largest": int(found.max())}
    exact = sfumato.graph_numbers(path, "cores")
    told = {
        "rounds": exact.rounds,
        "messages": exact.messages,
        "edges": exact.tidied.edges,
        "vertices": len(exact.names),
    }  # type: ignore[attr-defined]
    largest, total = int(exact.numbers.max()), int(exact.numbers.sum())
    return {"work_s": time.process_time() - began, "largest": largest, "sum": total, **told}


def line(name: str, path: Path, folder: Path) -> dict[str, float]:
    """A process, and what it said."""
    used = process([sys.executable, __file__, "--step", name, str(path)], folder)
    said = (folder / "said.txt").read_text()
    if used["code"]:
        print(said)
        raise SystemExit(1)
    return used | json.loads(said.splitlines()[-1])


def compared(names: list[str], path: Path, folder: Path) -> dict[str, dict[str, float]]:
    """Medians of turns."""
    turns = [{name: line(name, path, folder) for name in names} for _ in range(TURNS)]
    return {
        name: {key: statistics.median(turn[name][key] for turn in turns) for key in turns[0][name]} for name in names
    }


def main() -> None:
    """All lines."""
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        pq.write_table(rmat(17, BESIDE), folder / "beside.parquet")
        pq.write_table(pa.table({"u": np.arange(PATH - 1), "v": np.arange(1, PATH)}), folder / "path.parquet")
        pq.write_table(rmat(20, largest), folder / "large.parquet")
        peers = ["networkx"] if is_present("networkx") else []
        for file, what, names in (
            ("beside", f"R-MAT of {BESIDE} edges", ["exact", "private", *peers]),
            ("path", f"path of {PATH} vertices", ["exact", "private"]),
            ("large", f"R-MAT of {largest} edges", ["exact", "private"]),
        ):
            found = compared(names, folder / f"{file}.parquet", folder)
            if "networkx" in found and found["exact"]["sum"] != found["networkx"]["sum"]:
                raise SystemExit("core numbers differ from those of networkx")
            rows += [{"graph": what, "line": name, **used} for name, used in found.items()]
    write("graphs", rows, ("networkx", "duckdb", "numba"), runs=TURNS)


if __name__ == "__main__":
    if "--step" in sys.argv:
        print(json.dumps(step(sys.argv[-2], Path(sys.argv[-1]))))
    else:
        main()
