"""How fast are persons hidden among others, and how does it grow? And a block retrieved in private, beside a floor.

Each line is a process of its own (CPU seconds with start and made-up data, taken off by `alone_cpu_s`). Asked: 10^6 points
cloaked in 10 s; 10^5 traces of 50 points made one of k in 120 s and 4 GiB; a block of 10^5 cells of 1 KiB in 50 ms on one
core. The floor of retrieval is numpy's exclusive or over all blocks of the catalogue, half of which an answer adds up.

Run: python bench/crowds.py [largest number of positions, 1000000]
"""

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from timing import process, write

from sfumato.attack.traces.matchings import matchings
from sfumato.mechanism.location import dummies
from sfumato.mechanism.location.by_design.catalogue import Catalogue
from sfumato.mechanism.location.by_design.retrieval import answer, questions
from sfumato.mechanism.location.crowds.cloak import by_delay, by_hilbert, by_quadtree
from sfumato.mechanism.location.crowds.mix_zones import MixZones, meetings
from sfumato.mechanism.location.crowds.near_paths import NearPaths
from sfumato.mechanism.location.crowds.presence import presence
from sfumato.mechanism.location.crowds.shared_paths import SharedPaths
from sfumato.mechanism.location.rules import Circle, Rule, apply
from sfumato.noise.bits import SystemBits
from sfumato.summary.movement import movement_of
from sfumato.table.plane import Plane, Region
from sfumato.table.traces import Traces

REGION = Region(Plane(45.60, 4.70), 100, 256, 256)
POINTS, K = 50, 10
LINES = (
    "cloak, Hilbert", "cloak, quadtree", "cloak, delay", "shared paths", "near paths", "mix zones", "rules", "dummies", "retrieval",
)  # fmt: skip


def walkers(n: int) -> Traces:
    """n fixes of persons who walk for a day and a half, 50 half hours each, in five towns of a region."""
    rng, persons = np.random.default_rng(1), n // POINTS
    town = rng.integers(0, 5, persons)
    start = np.array([45.64, 4.74]) + np.stack([town * 0.035, town * 0.05], axis=1) + rng.normal(0, 0.008, (persons, 2))
    way = start[:, None] + rng.normal(0, 0.002, (persons, POINTS, 2)).cumsum(axis=1)
    time_of = 1_780_000_000_000 + np.tile(np.arange(POINTS) * 1_800_000, persons)
    names = tuple(map(str, range(persons)))
    place = np.clip(way.reshape(-1, 2), [45.60, 4.70], [45.82, 5.02])
    return Traces("UTC", names, np.repeat(np.arange(persons), POINTS), time_of, place[:, 0], place[:, 1])


def work_of(line: str, n: int):
    """What is timed, over data that are there."""
    if line == "retrieval":
        catalogue = Catalogue(
            REGION, "bench", np.random.default_rng(1).integers(0, 2**63, (n, 128), dtype=np.int64).view(np.uint64)
        )
        question = questions(n // 2, n, bits=SystemBits())[0]
        return lambda: answer(catalogue, question), lambda: np.bitwise_xor.reduce(catalogue.blocks, axis=0)
    traces = walkers(n)
    if line == "mix zones":
        zone = np.full((REGION.rows, REGION.columns), -1)
        zone[::16, ::16] = np.arange(zone[::16, ::16].size).reshape(16, 16)

        def mixed():
            met = meetings(MixZones(REGION, zone, 3).passed(traces, bits=SystemBits()).passings)
            small = [len(entered) for entered, _ in met if len(entered) <= 10]
            return [matchings(np.ones((size, size))).bits for size in small[:100]]

        return mixed, None
    if line == "rules":
        rules = (Rule("nothing", Circle(45.70, 4.80, 2000)), Rule(2000.0))
        return lambda: apply(rules, traces), None
    if line == "dummies":
        moves = movement_of(traces.only(np.arange(min(200, len(traces.persons)))), REGION.coarser(8), 1800, 7200)
        start = dummies.started(moves, n // POINTS, bits=SystemBits())
        return lambda: dummies.walked(moves, start, POINTS - 1, bits=SystemBits()), None
    if line == "near paths":
        return lambda: NearPaths(K, 0, 5000, 3600).edit(traces, REGION.plane, lambda _done: None), None
    seen = presence(traces, REGION, 1800)[0]
    return {
        "cloak, Hilbert": lambda: by_hilbert(seen, K),
        "cloak, quadtree": lambda: by_quadtree(seen, K),
        "cloak, delay": lambda: by_delay(seen, K, cells=4, longest=7200),
        "shared paths": lambda: SharedPaths(K, 5000, 7200).decide(seen, lambda _done: None),
    }[line], None


def step(line: str, n: int) -> None:
    """One line, in this process; ours and the floor in turns."""
    work, floor = work_of(line, n)
    times = {"alone_cpu_s": [], "floor_cpu_s": []}
    for _ in range(9 if floor else 1):
        for name, one in (("alone_cpu_s", work), ("floor_cpu_s", floor)):
            if one:
                began = time.process_time()
                one()
                times[name].append(time.process_time() - began)
    told = {name: float(np.median(found)) for name, found in times.items() if found}
    told["alone_peak_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(told))


def main(most: int) -> None:
    """All lines at each size; whole traces up to five times as many positions."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        for line in LINES:
            sizes = (10**3, 10**4, 10**5) if line == "retrieval" else (10**4, 10**5, 10**6)
            sizes += (5 * 10**6,) if line in ("shared paths", "near paths") and most >= 10**6 else ()
            for n in (size for size in sizes if size <= 5 * most):
                used = process([sys.executable, str(Path(__file__).resolve()), "--step", line, str(n)], Path(name))
                said = (Path(name) / "said.txt").read_text().strip().splitlines()[-1]
                rows.append(
                    {"line": line, "cells" if line == "retrieval" else "positions": n, **used, **json.loads(said)}
                )
    write("crowds", rows, ("numba",), runs="retrieval 9, others 1", recorded=())


if __name__ == "__main__":
    if sys.argv[1:2] == ["--step"]:
        step(sys.argv[2], int(sys.argv[3]))
    else:
        main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**6)
