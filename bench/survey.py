"""What do 100,000 phones cost that answer a survey: to simulate, to read and count one by one, to estimate, and over HTTP?

Each phone sends one report of its own, as over HTTP. There is no peer that does the same; the floor is reading the same JSON
and base64 without looking at it.

Run: python bench/survey.py [phones]
"""

from __future__ import annotations

import asyncio
import base64
import json
import resource
import signal
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from timing import write

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.app import serve_processes as served

from sfumato.collect.sender import Sender
from sfumato.mechanism.local.survey.wire import Filled, to_bytes
from sfumato.noise.bits import SystemBits
from sfumato.release.collect.base import Sent, counts_of, size_of
from sfumato.release.collect.batch import from_json, to_json
from sfumato.release.collect.survey.estimates import estimates
from sfumato.release.collect.survey.people import filled_by
from sfumato.release.collect.survey.survey import survey_from
from sfumato.table.values import parsed_toml

CONNECTIONS = 32


def people(n):
    """Answers of n persons to the survey of the tests."""
    rng = np.random.default_rng(1)
    mood = rng.integers(0, 3, n)
    return [[rng.integers(0, 2, n)], [rng.random(n) * 12], [mood, mood]]


def bodies(survey, n):
    """What each of n phones posts at the first time."""
    whole, out = next(filled_by(survey, people(n), bits=SystemBits())), []
    for i in range(n):
        here = slice(i, i + 1)
        one = Filled(
            whole.time[here], whole.group[here], whole.asked[here], tuple(rows[here] for rows in whole.reports)
        )
        out.append(to_json(survey, Sent(f"{i:032x}", 1, to_bytes(survey.shape, one))).encode())
    return out


def cpu():
    """Processor seconds of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measured(what, n, work):
    """CPU seconds of a piece of work."""
    start = cpu()
    result = work()
    return {
        "what": what,
        "phones": n,
        "cpu_seconds": cpu() - start,
        "microseconds_each": 1e6 * (cpu() - start) / n,
    }, result


def together(survey, n):
    """All phones at once, and their counts."""
    total = np.zeros(size_of(survey), np.int64)
    for filled in filled_by(survey, people(n), bits=SystemBits()):
        total += survey.count(filled)
    return total


async def posted(port, sent):
    """All bodies over some connections; how many were counted."""
    counted = 0

    async def one(part):
        nonlocal counted
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for body in part:
            head = f"POST /collections/students/batches HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            writer.write(head.encode() + body)
            answer = await reader.readuntil(b"\r\n\r\n")
            size = int(answer.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            await reader.readexactly(size)
            counted += b" 200 " in answer[:20]
        writer.close()

    await asyncio.gather(*(one(sent[i::CONNECTIONS]) for i in range(CONNECTIONS)))
    return counted


def over_http(sent):
    """The server as a process of its own: its processor seconds and memory, and what it counted."""
    import httpx

    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), served.free_port()
        served.prepare(folder)
        process = served.start(folder, port)
        start = time.perf_counter()
        counted = asyncio.run(posted(port, sent))
        took = time.perf_counter() - start
        counts = httpx.get(
            f"http://127.0.0.1:{port}/collections/students/counts", headers=served.READER, timeout=600
        ).json()
        process.send_signal(signal.SIGTERM)
        process.wait(600)
        process.stdout.close()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "what": "over HTTP, the server alone", "phones": len(sent), "cpu_seconds": used.ru_utime + used.ru_stime,
        "microseconds_each": 1e6 * (used.ru_utime + used.ru_stime) / len(sent), "wall_seconds": took,
        "peak_mib": used.ru_maxrss / 1024, "acknowledged": counted, "counted": counts["reports"][0],
    }  # fmt: skip


def by_command(survey, sent):
    """What `sfumato collect send` costs the machine that sends, one batch after another over one connection."""
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), served.free_port()
        served.prepare(folder)
        (folder / "reports.jsonl").write_bytes(b"\n".join(sent) + b"\n")
        process = served.start(folder, port)
        sender = Sender(f"http://127.0.0.1:{port}/collections/students", "")
        row, told = measured(
            "sent by `collect send`, the sender alone", len(sent),
            lambda: sender.send(survey, folder / "reports.jsonl", lambda *_: None),
        )  # fmt: skip
        process.send_signal(signal.SIGTERM)
        process.wait(600)
        process.stdout.close()
    return row | {"acknowledged": told.counted}


def main():
    """All steps."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    survey = survey_from(parsed_toml(served.SURVEY, "the survey"))
    rows = []
    row, total = measured("simulated together, two times, counted", n, lambda: together(survey, n))
    rows.append(row)
    row, _ = measured("estimated", n, lambda: estimates(survey, counts_of(survey, total)))
    rows.append(row)
    row, sent = measured("one report of each phone made", n, lambda: bodies(survey, n))
    rows.append(row)
    row, _ = measured(
        "floor: JSON and base64 read", n, lambda: [base64.b64decode(json.loads(body)["reports"]) for body in sent]
    )
    rows.append(row)
    row, _ = measured("read and counted one by one", n, lambda: [from_json(survey, body) for body in sent])
    rows.append(row)
    rows.append(over_http(sent))
    rows.append(by_command(survey, sent[: max(1, n // 10)]))
    write("survey", rows, ("json", "base64"), runs=1)


if __name__ == "__main__":
    main()
