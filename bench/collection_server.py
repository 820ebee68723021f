"""How many reports a second does the collection server take, durably, from clients on the same machine?

Batches of 100 reports of 64 bytes, every one with an id of its own, over kept-alive connections; the sender shares
the machine with the server. A bare Starlette endpoint with group commit was recorded elsewhere at 241,000 (SQLite,
full sync) and 256,000 (PostgreSQL) reports a second; it is named, not run.

Run: python bench/collection_server.py [seconds]
"""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
import time
from pathlib import Path

import httpx
import numpy as np
from timing import write

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.app import serve_processes as served
from tests.postgres_server import binaries, private_server

from sfumato.mechanism.local.rappor.batch import packed, to_bytes
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.release.collect.base import Sent
from sfumato.release.collect.batch import to_json
from sfumato.release.collect.rappor import RapporCollection

PARAMS = RapporParams("load", bits=512, hashes=2, cohorts=16, f="1/2", p="1/2", q="3/4")
REPORTS, CONNECTIONS = 100, 32


def bodies():
    """A batch cut in two around its id, so that making another one costs the sender nothing."""
    rng = np.random.default_rng(1)
    reports = packed(rng.integers(0, 16, REPORTS), rng.random((REPORTS, 512)) < 0.6)
    sent = Sent("@@@@@@@@@@@@", REPORTS, to_bytes(PARAMS, reports))
    return to_json(RapporCollection(PARAMS), sent).encode().split(b"@@@@@@@@@@@@")


async def one_sender(port, number, until, parts, latencies, counter):
    """Send batch after batch over one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    length = len(parts[0]) + len(parts[1]) + 12
    head = (
        f"POST /collections/home/batches HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer writer\r\n"
        f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    ).encode()
    i = 0
    while time.perf_counter() < until:
        start = time.perf_counter()
        writer.write(head + parts[0] + f"{number:04d}{i:08d}".encode() + parts[1])
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


async def load(port, seconds):
    """All senders for some seconds."""
    parts, latencies, counter = bodies(), [], {"good": 0, "refused": 0}
    start = time.perf_counter()
    await asyncio.gather(*(one_sender(port, n, start + seconds, parts, latencies, counter) for n in range(CONNECTIONS)))
    return time.perf_counter() - start, np.array(latencies), counter


def measure(store, seconds):
    """One store under load."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        served.prepare(folder, store=store)
        (folder / "home.json").write_text(PARAMS.to_json(), "utf-8")
        port = served.free_port()
        process = served.start(folder, port)
        took, latencies, counter = asyncio.run(load(port, seconds))
        counts = httpx.get(f"http://127.0.0.1:{port}/collections/home/counts", headers=served.READER, timeout=60).json()
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        process.stdout.close()
    kept = sum(counts["reports"])
    return {
        "store": store.split(":", 1)[0], "seconds": took, "reports_per_second": counter["good"] * REPORTS / took,
        "p50_ms": float(1000 * np.median(latencies)), "p99_ms": float(1000 * np.quantile(latencies, 0.99)),
        "refused": counter["refused"], "acknowledged": counter["good"] * REPORTS, "counted": kept,
        "lost": counter["good"] * REPORTS - kept,
    }  # fmt: skip


def main():
    """Both stores."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 15.0
    rows = [measure("sqlite:///store.db", seconds)]
    if binaries() is not None:
        with private_server() as server:
            rows.append(measure(server.url, seconds))
    write("collection_server", rows, ("uvicorn", "fastapi"), runs=1, recorded=("bare Starlette",))


if __name__ == "__main__":
    main()
