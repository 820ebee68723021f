"""How long does RAPPOR's decoder take, and how much memory, for 200, 2000 and 100,000 candidates?

One million reports at k=128, h=2, f=1/2, p=1/2, q=3/4, an exponential population of 100 strings; m = 16, and 64 for
100,000 candidates. Each line runs in a process of its own, so that its peak memory is its own. google/rappor's R
decoder is named as recorded elsewhere: 0.45-0.9 s for 200 candidates, 2.8 s for 2000.

Run: python bench/rappor_decode.py
"""

import json
import resource
import subprocess
import sys
import time

import numpy as np
import timing

from sfumato.mechanism.local.rappor.bloom import design_bits
from sfumato.mechanism.local.rappor.decode.correction import Correction
from sfumato.mechanism.local.rappor.decode.decode import decode
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.mechanism.local.rappor.simulate import simulate_counts

LINES = ((200, 16), (2000, 16), (100_000, 64))
RECORDED = {200: "0.45-0.9", 2000: "2.8"}
REPORTS, HELD = 1_000_000, 100


def one(n, cohorts):
    """Seconds and memory of one decoding."""
    params = RapporParams("bench", bits=128, hashes=2, cohorts=cohorts, f="1/2", p="1/2", q="3/4")
    names = [f"string {i}" for i in range(n)]
    shares = np.exp(-10 * np.linspace(0, 0.5, HELD)) + 0.05
    rng = np.random.default_rng(0)
    persons = rng.multinomial(REPORTS, shares / shares.sum())
    counts = simulate_counts(params, persons, design_bits(params, names[:HELD]), rng=rng)
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


def main():
    """Print and keep the figures."""
    if len(sys.argv) > 1:
        print(json.dumps(one(int(sys.argv[1]), int(sys.argv[2]))))
        return
    rows = []
    for n, cohorts in LINES:
        command = [sys.executable, __file__, str(n), str(cohorts)]
        rows.append(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
    timing.write("rappor_decode", rows, runs=1, recorded=("google/rappor's decoder in R",))


if __name__ == "__main__":
    main()
