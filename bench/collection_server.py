"""How many reports a second does the collection server take, durably, from clients on the same machine?

Batches of 100 reports of 64 bytes, every one with an id of its own, over kept-alive connections; the sender shares
the machine with the server. A bare Starlette endpoint with group commit (`bare_endpoint.py`), which checks and counts
nothing, is asked the same in turns. On a busy machine only the processor seconds of the server processes say anything:
user and system time of each process while it is asked, for one batch, and the ratio of both, turn by turn.

Run: python bench/collection_server.py [seconds of a turn] [turns]
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import numpy as np
from timing import write

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.app import serve_processes as served
from tests.postgres_server import binaries, fresh_database, private_server

from sfumato.mechanism.local.rappor.batch import packed, to_bytes
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.release.collect.base import Sent
from sfumato.release.collect.batch import to_json
from sfumato.release.collect.rappor import RapporCollection

PARAMS = RapporParams("load", bits=512, hashes=2, cohorts=16, f="1/2", p="1/2", q="3/4")
REPORTS, CONNECTIONS = 100, 32
BARE = str(Path(__file__).with_name("bare_endpoint.py"))


def bodies():
    """A batch cut in two around its id, so that making another one costs the sender nothing."""
    rng = np.random.default_rng(1)
    reports = packed(rng.integers(0, 16, REPORTS), rng.random((REPORTS, 512)) < 0.6)
    sent = Sent("@@@@@@@@@@@@", REPORTS, to_bytes(PARAMS, reports))
    return to_json(RapporCollection(PARAMS), sent).encode().split(b"@@@@@@@@@@@@")


async def one_sender(port, mark, until, parts, latencies, counter):
    """Send batch after batch over one connection; ids begin with a mark that no other one has."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    length = len(parts[0]) + len(parts[1]) + 12
    head = (
        f"POST /collections/home/batches HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer writer\r\n"
        f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    ).encode()
    i = 0
    while time.perf_counter() < until:
        start = time.perf_counter()
        writer.write(head + parts[0] + f"{mark}{i:07d}".encode() + parts[1])
        answer = await reader.readuntil(b"\r\n\r\n")
        size = int(answer.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        await reader.readexactly(size)
        if b" 200 " in answer[:20]:
            counter["good"] += 1
            latencies.append(time.perf_counter() - start)
        else:
            counter["refused"] += 1
        i += 1
    writer.close()


async def load(port, seconds, turn):
    """All senders for some seconds."""
    parts, latencies, counter = bodies(), [], {"good": 0, "refused": 0}
    start = time.perf_counter()
    senders = (
        one_sender(port, f"{turn:03d}{n:02d}", start + seconds, parts, latencies, counter) for n in range(CONNECTIONS)
    )
    await asyncio.gather(*senders)
    return time.perf_counter() - start, np.array(latencies), counter


def used(pid):
    """CPU seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def below(pid):
    """A process and those that it started."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    return [pid, *(one for one, parent in parents.items() if parent == pid)] if pid else []


def asked(process, port, seconds, turn, database):
    """One turn of a server: what it took, and at which cost, its database and the senders apart."""
    before, sent, kept = used(process.pid), time.process_time(), {pid: used(pid) for pid in below(database)}
    took, latencies, counter = asyncio.run(load(port, seconds, turn))
    cpu, sent = used(process.pid) - before, time.process_time() - sent
    kept = sum(used(pid) - was for pid, was in kept.items())
    return {
        "batches": counter["good"], "refused": counter["refused"], "reports_per_second": counter["good"] * REPORTS / took,
        "cpu_ms_of_a_batch": 1000 * cpu / counter["good"],
        "database_ms_of_a_batch": 1000 * kept / counter["good"], "sender_ms_of_a_batch": 1000 * sent / counter["good"],
        "p50_ms": float(1000 * np.median(latencies)),
        "p99_ms": float(1000 * np.quantile(latencies, 0.99)),
    }  # fmt: skip


def bare(folder, port, store):
    """A running bare endpoint that answers."""
    process = subprocess.Popen([sys.executable, BARE, store, str(port)], cwd=folder)
    while process.poll() is None:
        with contextlib.suppress(httpx.TransportError):
            httpx.get(f"http://127.0.0.1:{port}/health", timeout=60)
            return process
        time.sleep(0.1)
    raise RuntimeError("the bare endpoint has ended")


def measure(store, other, seconds, turns, database=None):
    """One kind of store under load: ours and the bare endpoint in turns.

    Args:
        store: of the collection server.
        other: of the bare endpoint.
        seconds: of a turn.
        turns: of each.
        database: the process whose children write; None: none but the server.
    """
    with tempfile.TemporaryDirectory() as name:
        folder, ports = Path(name), (served.free_port(), served.free_port())
        served.prepare(folder, store=store)
        (folder / "home.json").write_text(PARAMS.to_json(), "utf-8")
        processes = served.start(folder, ports[0]), bare(folder, ports[1], other)
        for process, port in zip(processes, ports, strict=True):
            asked(process, port, 1, turns, database)
        runs = [
            [asked(*one, seconds, at, database) for one in zip(processes, ports, strict=True)] for at in range(turns)
        ]
        reader = f"http://127.0.0.1:{ports[0]}/collections/home/counts"
        counts = httpx.get(reader, headers=served.READER, timeout=60).json()
        for process in processes:
            process.send_signal(signal.SIGTERM)
            process.wait(60)
    ours, theirs = ([pair[at] for pair in runs] for at in (0, 1))
    ratios = [one["cpu_ms_of_a_batch"] / two["cpu_ms_of_a_batch"] for one, two in runs]
    acknowledged = REPORTS * sum(one["batches"] for one in ours)
    return {
        "store": store.split(":", 1)[0], "turns": turns, "seconds_of_a_turn": seconds,
        **{f"ours_{key}": float(np.median([one[key] for one in ours])) for key in ours[0]},
        **{f"bare_{key}": float(np.median([one[key] for one in theirs])) for key in theirs[0]},
        "ratio_of_cpu": float(np.median(ratios)), "ratio_of_cpu_each": [round(one, 3) for one in ratios],
        "acknowledged": acknowledged, "lost": max(0, acknowledged - sum(counts["reports"])),
    }  # fmt: skip


def main():
    """Both stores."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    rows = [measure("sqlite:///store.db", "sqlite:///bare.db", seconds, turns)]
    if binaries() is not None:
        with private_server() as server:
            number = int((server.folder / "data/postmaster.pid").read_text().split()[0])
            rows.append(measure(server.url, fresh_database(server.url), seconds, turns, number))
    write("collection_server", rows, ("uvicorn", "fastapi", "starlette"), runs=f"{turns} in turn")


if __name__ == "__main__":
    main()
