"""How fast are RS+FD and its relatives on Adult's nine attributes? Ours, with secure bits, beside multi-freq-ldpy.

A run is client and server: values to reports to estimates. The peer runs on fewer persons, one call a person.
"""

import csv
import gzip
import math

import numpy as np
import timing

from sfumato.mechanism.local.several.catalog import scheme_by_label
from sfumato.mechanism.local.several.epsilon import Calibration
from sfumato.noise.bits import SystemBits

NAMES = (
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "native-country",
    "income",
)
EPSILON = math.log(4)
PERSONS, PEERS_PERSONS = 1_000_000, 20_000
LABELS = ("RS+FD[GRR]", "RS+FD[OUE-z]", "RS+FD[OUE-r]", "RS+FD[ADP]", "SMP[ADP]", "SPL[ADP]", "every attribute[ADP]")


def adult(shared):
    """(45222, 9) codes."""
    with gzip.open(shared / "data" / "adult_uci" / "adult_45222.csv.gz", "rt", newline="") as file:
        head, *rows = csv.reader(file)
    columns = list(zip(*rows, strict=True))
    chosen = [np.unique(np.array(columns[head.index(name)]), return_inverse=True)[1] for name in NAMES]
    return np.column_stack(chosen)


def ours(label, persons, sizes):
    """One line of the table."""
    scheme = scheme_by_label(label, EPSILON, sizes, calibration=Calibration.AS_PUBLISHED)
    bits = SystemBits()

    def collect():
        scheme.estimate(scheme.count_support(scheme.randomize(persons, bits=bits)))

    collect()
    taken = timing.median_of(collect, 5)
    return {"who": "sfumato", "scheme": label, "persons": len(persons), **taken, **rates(len(persons), taken)}


def rates(n, taken):
    """Persons per second of wall and of CPU time."""
    return {"persons_per_s": n / taken["wall_s"], "persons_per_cpu_s": n / taken["cpu_s"]}


def peer(label, persons, sizes):
    """The same by multi-freq-ldpy, unmodified."""
    from multi_freq_ldpy.mdim_freq_est import RSpFD_solution as rsfd
    from multi_freq_ldpy.mdim_freq_est import SMP_solution as smp
    from multi_freq_ldpy.mdim_freq_est import SPL_solution as spl

    client, server = {
        "RS+FD[GRR]": (rsfd.RSpFD_GRR_Client, rsfd.RSpFD_GRR_Aggregator_MI),
        "RS+FD[OUE-z]": (rsfd.RSpFD_UE_zero_Client, rsfd.RSpFD_UE_zero_Aggregator_MI),
        "RS+FD[OUE-r]": (rsfd.RSpFD_UE_rnd_Client, rsfd.RSpFD_UE_rnd_Aggregator_MI),
        "RS+FD[ADP]": (rsfd.RSpFD_ADP_Client, rsfd.RSpFD_ADP_Aggregator_MI),
        "SMP[ADP]": (smp.SMP_ADP_Client, smp.SMP_ADP_Aggregator_MI),
        "SPL[ADP]": (spl.SPL_ADP_Client, spl.SPL_ADP_Aggregator_MI),
    }[label]
    d = len(sizes)

    def collect():
        reports = [client(row, sizes, d, EPSILON) for row in persons]
        if label.startswith("SMP"):
            piles = [[] for _ in sizes]
            for at, report in reports:
                piles[at].append((at, report))
            reports = [report for pile in piles for report in pile]
        server(reports, sizes, d, EPSILON)

    collect()
    taken = timing.median_of(collect, 3)
    return {"who": "multi-freq-ldpy", "scheme": label, "persons": len(persons), **taken, **rates(len(persons), taken)}


def main():
    """Ours on a million persons drawn from Adult, the peer's on twenty thousand."""
    table = adult(timing.shared_folder())
    sizes = [int(size) for size in table.max(axis=0) + 1]
    rng = np.random.default_rng(1)
    persons = table[rng.integers(0, len(table), PERSONS)]
    lines = [ours(label, persons, sizes) for label in LABELS]
    if timing.is_present("multi_freq_ldpy"):
        few = persons[:PEERS_PERSONS]
        for mine in lines[:]:
            if mine["scheme"].startswith("every"):
                continue
            theirs = peer(mine["scheme"], few, sizes)
            ratio = mine["persons_per_cpu_s"] / theirs["persons_per_cpu_s"]
            lines.append({**theirs, "times_slower_in_cpu": ratio})
    timing.write(
        "several_attributes", lines, peers=("multi-freq-ldpy", "cryptography"), runs="5 of ours, 3 of the peer"
    )


if __name__ == "__main__":
    main()
