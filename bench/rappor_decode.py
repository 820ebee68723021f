"""How long does RAPPOR's decoder take, and how much memory, for 200, 2000 and 100,000 candidates?

One million reports at k=128, h=2, f=1/2, p=1/2, q=3/4, an exponential population of 100 strings; m = 16, and 64 for
100,000 candidates. Each line runs in a process of its own, so that its peak memory is its own, with one thread of
linear algebra, so that threads that wait are not counted. google/rappor's R decoder is named as recorded elsewhere:
0.45-0.9 s for 200 candidates, 2.8 s for 2000.

Two more lines say how many strings are found among 2000 candidates, as means of 20 collections, at the level of 5 % and
at 11 %, the false share that the R decoder has there at its nominal 5 % (39.8 found: 35.4 true, 4.4 false, over 5
collections). `told` is the same test told which strings to adjust for: more than it no selection can find.

Run: python bench/rappor_decode.py
"""

import json
import os
import resource
import subprocess
import sys
import time

import numpy as np
import timing

from sfumato.mechanism.local.rappor.bloom import design_bits
from sfumato.mechanism.local.rappor.decode.candidates import candidates_from
from sfumato.mechanism.local.rappor.decode.corrected import corrected
from sfumato.mechanism.local.rappor.decode.correction import Correction, adjusted, upper_tail
from sfumato.mechanism.local.rappor.decode.decode import decode
from sfumato.mechanism.local.rappor.decode.fit import fit
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.mechanism.local.rappor.simulate import simulate_counts

LINES = ((200, 16), (2000, 16), (100_000, 64))
RECORDED = {200: "0.45-0.9", 2000: "2.8"}
RECORDED_FOUND = {0.11: "35.4 true, 4.4 false of 39.8 found, 5 draws"}
REPORTS, HELD = 1_000_000, 100
DRAWS, LEVELS = 20, (0.05, 0.11)


def collection(n, cohorts, seed):
    """Parameters, names and counts of one draw; another seed makes other hash functions, persons and noise."""
    params = RapporParams(f"bench {seed}", bits=128, hashes=2, cohorts=cohorts, f="1/2", p="1/2", q="3/4")
    names = [f"string {i}" for i in range(n)]
    shares = np.exp(-10 * np.linspace(0, 0.5, HELD)) + 0.05
    rng = np.random.default_rng(seed)
    persons = rng.multinomial(REPORTS, shares / shares.sum())
    return params, names, simulate_counts(params, persons, design_bits(params, names[:HELD]), rng=rng)


def one(n, cohorts):
    """Seconds and memory of one decoding."""
    params, names, counts = collection(n, cohorts, 0)
    times = [(time.perf_counter(), time.process_time())]
    design = design_bits(params, names)
    times.append((time.perf_counter(), time.process_time()))
    found = decode(params, counts, names, design=design, correction=Correction.ADAPTIVE).found
    times.append((time.perf_counter(), time.process_time()))
    spent = np.diff(np.array(times), axis=0)
    return {
        "candidates": n, "cohorts": cohorts, "hash_cpu_s": spent[0, 1], "decode_cpu_s": spent[1, 1],
        "wall_s": float(spent[:, 0].sum()), "peak_gib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
        "true_found": int(found[:HELD].sum()), "false_found": int(found[HELD:].sum()),
        "recorded_r_decoder_s": RECORDED.get(n, "none"),
    }  # fmt: skip


def scores(seed, n):
    """p-values of one draw: ours, and those of a fit told which strings are there."""
    params, names, counts = collection(n, 16, seed)
    design = design_bits(params, names)
    columns = candidates_from(names, design, params.bits)
    told = fit(corrected(params, counts), columns, tuple(range(HELD)), background=True)
    return {"ours": decode(params, counts, names, design=design).p_value, "told": upper_tail(told.z)}


def power(n):
    """Mean numbers of true and false discoveries, and the mean share of false ones, over all draws."""
    drawn = [scores(seed, n) for seed in range(1, DRAWS + 1)]
    rows = []
    for level in LEVELS:
        row = {"candidates": n, "level": level, "draws": DRAWS}
        for test in ("ours", "told"):
            found = np.array([adjusted(p[test], Correction.ADAPTIVE) <= level for p in drawn])
            true, false = found[:, :HELD].sum(axis=1), found[:, HELD:].sum(axis=1)
            share = false / np.maximum(1, true + false)
            row |= {f"{test}_true": true.mean(), f"{test}_false": false.mean(), f"{test}_false_share": share.mean()}
        rows.append(row | {"recorded_r_decoder": RECORDED_FOUND.get(level, "none")})
    return rows


def main():
    """Print and keep the figures."""
    if len(sys.argv) > 1:
        print(json.dumps(one(int(sys.argv[1]), int(sys.argv[2]))))
        return
    rows, alone = [], os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    for n, cohorts in LINES:
        command = [sys.executable, __file__, str(n), str(cohorts)]
        rows.append(json.loads(subprocess.run(command, capture_output=True, text=True, check=True, env=alone).stdout))
    rows += power(2000)
    timing.write("rappor_decode", rows, runs=1, recorded=("google/rappor's decoder in R",))


if __name__ == "__main__":
    main()
