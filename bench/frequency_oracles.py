"""How many users a second go through a frequency oracle, device and server together, beside the Python peers?

Ours draws cryptographic bits; multi-freq-ldpy and pure-ldp draw from the Mersenne Twister. All run in turn
in one process, so that a busy machine slows all, each on as many users as it handles in about a second;
figures are users per CPU second, and the ratio is to the faster peer. The peers' hashing needs xxhash < 4.

Run: python bench/frequency_oracles.py
"""

import importlib
import os
import statistics
import warnings

import numpy as np
import timing

from sfumato.mechanism.local.oracle import estimate
from sfumato.mechanism.local.registry import oracle_named, oracles
from sfumato.noise.bits import SystemBits

EPSILON = 1.0
TURNS = int(os.environ.get("SFUMATO_BENCH_TURNS", "3"))
RACES = (
    # oracle, k, our users, the peers' users
    ("GRR", 16, 1_000_000, 100_000),
    ("GRR", 1024, 1_000_000, 100_000),
    ("OUE", 128, 200_000, 10_000),
    ("OUE", 1024, 50_000, 2_000),
    ("OLH", 128, 1_000_000, 4_000),
    ("OLH", 1024, 1_000_000, 500),
)
C_PLUS_PLUS = {"GRR": 10e6}
"""Users a second of private_frequency_oracles, recorded elsewhere on two cores."""

BITS = SystemBits()


def ours(name, k, values):
    """Estimates from the reports of these users."""
    oracle = oracle_named(name, EPSILON, k)
    return estimate(oracle.count_support(oracle.randomize(values, bits=BITS)), len(values), oracle.support)


def multi_freq(name, k, values):
    """The same by multi-freq-ldpy, one call a user."""
    place = {"GRR": "GRR", "OUE": "UE", "OLH": "LH"}[name]
    module = importlib.import_module(f"multi_freq_ldpy.pure_frequency_oracles.{place}")
    match name:
        case "GRR":
            return module.GRR_Aggregator_MI([module.GRR_Client(v, k, EPSILON) for v in values], k, EPSILON)
        case "OUE":
            return module.UE_Aggregator_MI([module.UE_Client(v, k, EPSILON) for v in values], EPSILON)
        case _:
            return module.LH_Aggregator_MI([module.LH_Client(int(v), k, EPSILON) for v in values], k, EPSILON)


def pure_ldp(name, k, values):
    """The same by pure-ldp, one call a user."""
    room, client, server, options = {
        "GRR": ("direct_encoding", "DEClient", "DEServer", {}),
        "OUE": ("unary_encoding", "UEClient", "UEServer", {"use_oue": True}),
        "OLH": ("local_hashing", "LHClient", "LHServer", {"use_olh": True}),
    }[name]
    module = importlib.import_module(f"pure_ldp.frequency_oracles.{room}")
    own = {"index_mapper": lambda x: x}
    device = getattr(module, client)(EPSILON, k, **options, **own)
    collector = getattr(module, server)(EPSILON, k, **options, **own)
    for v in values:
        collector.aggregate(device.privatise(int(v)))
    return collector.estimate_all(range(k), suppress_warnings=True, normalization=0) / len(values)


PEERS = {"multi-freq-ldpy": ("multi_freq_ldpy", multi_freq), "pure-ldp": ("pure_ldp", pure_ldp)}


def race(name, k, our_users, peer_users, peers):
    """All in turn; users per second of each."""
    rng = np.random.default_rng(0)
    many, few = (rng.integers(0, k, n) for n in (our_users, peer_users))
    ours(name, k, many)
    runs = {"sfumato": (ours, many), **{peer: (run, few) for peer, (_, run) in peers.items()}}
    for run, _ in runs.values():
        run(name, k, few[:50])
    speed = {who: {"wall_s": [], "cpu_s": []} for who in runs}
    for _ in range(TURNS):
        for who, (run, values) in runs.items():
            used = timing.median_of(lambda r=run, v=values: r(name, k, v), 3 if who == "sfumato" else 1)
            for clock in ("wall_s", "cpu_s"):
                speed[who][clock].append(len(values) / used[clock])
    row = {"oracle": name, "k": k, "users": our_users, "peer_users": peer_users}
    for who in runs:
        row |= {f"{who}_users_per_cpu_s": statistics.median(speed[who]["cpu_s"])}
        row |= {f"{who}_users_per_s": statistics.median(speed[who]["wall_s"])}
    if peers:
        row["times_best_peer"] = row["sfumato_users_per_cpu_s"] / max(row[f"{p}_users_per_cpu_s"] for p in peers)
    if name in C_PLUS_PLUS:
        row["times_recorded_c_plus_plus"] = row["sfumato_users_per_cpu_s"] / C_PLUS_PLUS[name]
    return row


def every_oracle():
    """Devices and server of all our oracles, apart, at k = 128."""
    values = np.random.default_rng(1).integers(0, 128, 100_000)
    for name in oracles():
        oracle = oracle_named(name, EPSILON, 128)
        reports = oracle.randomize(values, bits=BITS)
        device = timing.median_of(lambda o=oracle: o.randomize(values, bits=BITS), 5)
        server = timing.median_of(lambda o=oracle, r=reports: o.count_support(r), 5)
        yield {
            "oracle": name,
            "k": 128,
            "device_users_per_cpu_s": len(values) / device["cpu_s"],
            "server_users_per_cpu_s": len(values) / server["cpu_s"],
            "bytes_per_report": len(oracle.to_bytes(reports)) / len(values),
        }


def main():
    """Print and keep the figures."""
    warnings.simplefilter("ignore")
    peers = {who: found for who, found in PEERS.items() if timing.is_present(found[0])}
    rows = [race(*line, peers) for line in RACES]
    timing.write(
        "frequency_oracles",
        [*rows, *every_oracle()],
        ("multi-freq-ldpy", "pure-ldp", "numba", "xxhash"),
        runs="several in turn",
        recorded=("private_frequency_oracles",),
    )


if __name__ == "__main__":
    main()
