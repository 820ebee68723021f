"""How many RAPPOR reports a second do clients make, one at a time, together, and in JavaScript?

All draw cryptographic bits. google/rappor's Python client is named as recorded elsewhere: 17,000 reports a second at
32 bits, 128 bits being more than it can do. Figures are reports per CPU second.

Run: python bench/rappor_client.py
"""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import timing

from sfumato.mechanism.local.rappor.bloom import design_bits
from sfumato.mechanism.local.rappor.client import RapporClient
from sfumato.mechanism.local.rappor.counts import count_reports
from sfumato.mechanism.local.rappor.fleet import first_reports
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.noise.bits import SystemBits

BITS, PERSONS, SINGLE = SystemBits(), 200_000, 2_000
RECORDED = {32: 17_000}
JAVASCRIPT = Path(__file__).parents[1] / "src" / "sfumato" / "collect" / "client"
SCRIPT = """
import { RapporClient, newSecret, readParameters } from "./src/index.js";
const client = new RapporClient(readParameters(process.argv[1]), newSecret());
const n = Number(process.argv[2]);
for (let i = 0; i < 300; i++) client.report("warm " + i);
const began = process.cpuUsage();
for (let i = 0; i < n; i++) client.report("page " + (i % 10));
const { user, system } = process.cpuUsage(began);
console.log(n / ((user + system) / 1e6));
"""


def parameters(k):
    """The paper's setting with k bits."""
    return RapporParams("bench", bits=k, hashes=2, cohorts=16, f="1/2", p="1/2", q="3/4")


def fleet(k):
    """First reports of many persons, drawn together, and their counting."""
    params = parameters(k)
    design = design_bits(params, [f"page {i}" for i in range(100)])
    rng = np.random.default_rng(0)
    values, cohorts = rng.integers(0, 100, PERSONS), rng.integers(0, 16, PERSONS)
    places = design[values, cohorts]
    reports = first_reports(params, places, bits=BITS)
    drawn = timing.median_of(lambda: first_reports(params, places, bits=BITS), 5)
    counted = timing.median_of(lambda: count_reports(params, cohorts, reports), 5)
    row = {
        "client": "fleet",
        "k": k,
        "reports_per_cpu_s": PERSONS / drawn["cpu_s"],
        "counted_per_cpu_s": PERSONS / counted["cpu_s"],
    }
    if k in RECORDED:
        row |= {"recorded_google_python": RECORDED[k], "times_recorded": row["reports_per_cpu_s"] / RECORDED[k]}
    return row


def single(k):
    """One client, one report at a time: permanent response derived again each time."""
    client = RapporClient(parameters(k), bytes(range(32)))

    def run():
        for i in range(SINGLE):
            client.report(f"page {i % 10}", bits=BITS)

    run()
    return {"client": "one at a time", "k": k, "reports_per_cpu_s": SINGLE / timing.median_of(run, 5)["cpu_s"]}


def javascript(k):
    """The same in Node."""
    node = shutil.which("node")
    if node is None:
        print("node is not installed here: its line is left out")
        return []
    command = [node, "--input-type=module", "-e", SCRIPT, parameters(k).to_json(), str(SINGLE)]
    rate = subprocess.run(command, cwd=JAVASCRIPT, capture_output=True, text=True, check=True).stdout
    return [{"client": "JavaScript", "k": k, "reports_per_cpu_s": float(rate)}]


def main():
    """Print and keep the figures."""
    rows = []
    for k in (32, 128):
        rows += [fleet(k), single(k), *javascript(k)]
    timing.write("rappor_client", rows, runs=5, recorded=("google/rappor",))


if __name__ == "__main__":
    main()
