"""How fast are traces protected, searched and attacked, and how does it grow? Beside scikit-mobility where it runs.

Traces are simulated: taxis that stay and go, a fix a minute, 20,000 fixes each. Each line is a process of its own, which
reads a Parquet file and (where it says so) writes one; its peak of memory is that of the process.

scikit-mobility needs an interpreter of its own (numpy < 2, shapely < 2, setuptools < 81): SFUMATO_BENCH_SKMOB names it. Both
sides attack the same visits: 50 persons with 30 visits to 15 places. Theirs attacks one person, ours all 50. Without it only ours run,
and the peer's figures are those recorded elsewhere (location attack: 181.5 s).

Run: python bench/traces.py [largest number of fixes, 10000000; 0: attacks alone]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from timing import median_of, process, write

from sfumato import TraceColumns, read_traces
from sfumato.attack.traces.background import Visits, home_and_work, risks
from sfumato.attack.traces.stays import stays
from sfumato.attack.traces.unicity import unicity
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
from sfumato.mechanism.location.predictive import Predictive
from sfumato.mechanism.location.promesse import Promesse
from sfumato.mechanism.location.remembered import Remembered
from sfumato.noise.bits import SystemBits
from sfumato.recipe.columns import Coded
from sfumato.table.plane import Plane, Region
from sfumato.table.source import FileSink
from sfumato.table.traces import Traces

PER_PERSON = 20_000
COLUMNS = TraceColumns("person", "time", "latitude", "longitude", zone="Europe/Paris", written="seconds")
LAW = GeoIndistinguishable(Region(Plane(45.0, 4.0), 50, 4000, 4000), "0.01")
STEPS = ("read", "promesse", "planar", "memoised", "predictive", "stays", "unicity of 10^6")
RECORDED_S = 181.5


def simulate(n: int, path: Path) -> None:
    """A Parquet file of n fixes, persons in order, by lots of persons."""
    rng, persons = np.random.default_rng(1), max(1, n // PER_PERSON)
    per = n // persons
    schema = pa.schema(
        [("person", pa.string()), ("time", pa.int64()), ("latitude", pa.float64()), ("longitude", pa.float64())]
    )
    with pq.ParquetWriter(path, schema, compression="zstd") as file:
        for first in range(0, persons, 50):
            lot = min(50, persons - first)
            moves = np.repeat(rng.random((lot, per // 30 + 1)) < 0.5, 30, axis=1)[:, :per, None]
            steps = np.where(moves, rng.normal(0, 1e-3, (lot, per, 2)), rng.normal(0, 1e-5, (lot, per, 2)))
            place = np.abs((np.cumsum(steps, axis=1) + 0.2) % 0.8 - 0.4).reshape(-1, 2)
            who = pa.DictionaryArray.from_arrays(np.repeat(np.arange(lot), per), [f"p{first + i}" for i in range(lot)])
            when = (
                1_780_000_000 + rng.integers(0, 10**7, (lot, 1)) + np.arange(per) * 60 + rng.integers(0, 50, (lot, per))
            ).ravel()
            columns = [who.dictionary_decode(), when, place[:, 0] + 45.3, place[:, 1] + 4.3]
            file.write_table(pa.table(columns, schema=schema))


def kept(traces: Traces, path: Path) -> None:
    """Written as a release is."""
    engine = DuckDBEngine()
    cells = {"person": Coded(traces.persons, traces.person), "time": traces.time, "latitude": traces.latitude, "longitude": traces.longitude}  # fmt: skip
    engine.write(engine.make(cells), FileSink(path))


def step(name: str, given: Path, out: Path) -> None:
    """One line, in this process."""
    traces, _ = read_traces(given, COLUMNS)
    region, cells = LAW.region, LAW.region.cells_of(traces.latitude, traces.longitude)

    def moved(told):
        return Traces(traces.zone, traces.persons, traces.person, traces.time, *region.centers_of(told))

    match name:
        case "promesse":
            kept(Promesse(100, 3600).smooth(traces), out)
        case "planar":
            kept(moved(LAW.randomize(cells, bits=SystemBits())), out)
        case "memoised":
            kept(moved(Remembered(LAW).randomize(traces.person, cells, bits=SystemBits())[0]), out)
        case "predictive":
            kept(
                moved(Predictive(LAW, "0.002", 600, None).randomize(traces.person, cells, bits=SystemBits()).cells), out
            )
        case "stays":
            stays(traces, seconds=900, metres=200)
        case "unicity of 10^6":
            few = slice(0, 10**6)
            point = (cells[few, 0] * region.columns + cells[few, 1]) * 10**6 + traces.time[few] // 3_600_000 % 10**6
            began = time.perf_counter()
            unicity(traces.person[few], point, 4, trials=2000, rng=np.random.default_rng(1))
            print("seconds without reading", time.perf_counter() - began)


def visits() -> tuple[Visits, list[int]]:
    """50 persons with 30 visits, and the one whom the peer attacks."""
    rng = np.random.default_rng(1)
    person, place = np.repeat(np.arange(50), 30), rng.integers(0, 15, 1500)
    when = np.concatenate([np.sort(rng.choice(30 * 86_400, 30, replace=False)) for _ in range(50)])
    return Visits(person, place, when), [0]


PEER = """
import json, sys, time, warnings
from importlib.metadata import version
warnings.filterwarnings("ignore")
import pandas as pd
from skmob import TrajDataFrame
from skmob.privacy import attacks
given = json.load(sys.stdin)
frame = pd.DataFrame({"uid": given["person"], "lat": given["lat"], "lng": given["lon"], "datetime": pd.to_datetime(given["time"], unit="s")})
trips = TrajDataFrame(frame, latitude="lat", longitude="lng", datetime="datetime", user_id="uid")
attack = {"places": attacks.LocationAttack, "sequence": attacks.LocationSequenceAttack}.get(given["attack"])
began, used = time.perf_counter(), time.process_time()
found = attacks.HomeWorkAttack().assess_risk(trips) if attack is None else attack(2).assess_risk(trips, targets=given["targets"])
print(json.dumps({"wall_s": time.perf_counter() - began, "cpu_s": time.process_time() - used, "version": version("scikit-mobility"), "risk": [float(found.risk[found.uid == u].iloc[0]) for u in given["targets"]]}))
"""


def peer(attack: str, python: str) -> dict[str, object]:
    """The same attack by scikit-mobility."""
    seen, targets = visits()
    given = {"attack": attack, "person": seen.person.tolist(), "lat": (45 + seen.place * 0.01).tolist(), "lon": [5.0] * 1500, "time": seen.time.tolist(), "targets": targets}  # fmt: skip
    run = subprocess.run([python, "-c", PEER], input=json.dumps(given), capture_output=True, text=True, check=True)
    return json.loads(run.stdout.splitlines()[-1])


def attacks(python: str | None) -> list[dict[str, object]]:
    """Ours and theirs on the same visits; risks must be equal."""
    seen, targets = visits()
    ours = {
        "places": lambda: risks(seen, "places", 2),
        "sequence": lambda: risks(seen, "sequence", 2),
        "home and work": lambda: home_and_work(seen, compat=True),
    }
    rows = []
    for name, run in ours.items():
        row = {"line": f"attack: {name}", "ours_all_persons_s": median_of(run, 5)["cpu_s"]}
        if python:
            theirs = peer(name, python)
            row |= {
                "peer": f"scikit-mobility {theirs['version']}",
                "peer_cpu_s": theirs["cpu_s"],
                "times": theirs["cpu_s"] / row["ours_all_persons_s"],
            }
            if name != "home and work":
                row["times_per_person"] = 50 * row["times"]
            row["equal"] = bool(np.allclose(theirs["risk"], run()[targets]))
        elif name == "places":
            row |= {"recorded_s": RECORDED_S, "times": RECORDED_S / row["ours_all_persons_s"]}
        rows.append(row)
    return rows


def grow(most: int) -> None:
    """All lines at each size."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for n in (10**k for k in range(5, 9) if 10**k <= most):
            given = folder / f"{n}.parquet"
            simulate(n, given)
            for line in STEPS:
                words = [sys.executable, str(Path(__file__).resolve()), "--step", line, str(given)]
                used = process([*words, str(folder / "out.parquet")], folder)
                said = (folder / "said.txt").read_text()
                row = {"line": line, "fixes": n, **used}
                if "without reading" in said:
                    row["alone_s"] = float(said.split()[-1])
                rows.append(row)
            given.unlink()
    write("traces", rows, ("numba", "duckdb", "pyarrow"), runs=1, recorded=())


def main(most: int) -> None:
    """Attacks beside the peer, then growth."""
    python = os.environ.get("SFUMATO_BENCH_SKMOB")
    peers = () if python else ("scikit-mobility",)
    write("trace_attacks", attacks(python), runs="ours 5, the peer 1", recorded=peers)
    if most:
        grow(most)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--step"]:
        step(sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))
    else:
        main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**7)
