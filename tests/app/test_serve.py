"""The collection server as a process: what it counts, refuses, survives, and shows."""

import base64
import json
import os
import signal
import socket
import sqlite3
import threading
import time
from urllib.parse import urlsplit

import httpx
import numpy as np
import pytest
from tests.app.serve_processes import NAMES, PARAMS, PATIENCE, PLAIN, READER, WRITER, free_port, prepare, serving, start
from tests.postgres_server import fresh_database

from sfumato.mechanism.local.rappor.batch import packed, to_bytes
from sfumato.mechanism.local.rappor.bloom import design_bits
from sfumato.mechanism.local.rappor.fleet import first_reports
from sfumato.noise.bits import SystemBits
from sfumato.release.collect.base import Sent
from sfumato.release.collect.batch import to_json
from sfumato.release.collect.collection import read_collection
from sfumato.release.collect.rappor import RapporCollection

HOME = "/collections/home/batches"
DESIGN = design_bits(PARAMS, NAMES)


def batch(name, n=10, value=0):
    """A batch of clients who all hold one string."""
    cohorts = np.arange(n) % PARAMS.cohorts
    reports = packed(cohorts, first_reports(PARAMS, DESIGN[value, cohorts], bits=SystemBits()))
    return to_json(RapporCollection(PARAMS), Sent(name, n, to_bytes(PARAMS, reports)))


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A server that several tests share."""
    folder = tmp_path_factory.mktemp("server")
    prepare(folder, limits="[limits]\nbody = 100000\nseconds = 2")
    with serving(folder) as found:
        yield found


@pytest.fixture
def client(address):
    """A client of the shared server."""
    with httpx.Client(base_url=address, timeout=PATIENCE) as found:
        yield found


def counts(client):
    """Reports that were counted."""
    return sum(client.get("/collections/home/counts", headers=READER).json()["reports"])


def test_a_batch_is_counted_once_however_often_it_is_sent(client):
    before, body = counts(client), batch("once")
    answers = [client.post(HOME, content=body, headers=WRITER).json() for _ in range(3)]
    assert [answer["counted"] for answer in answers] == [True, False, False]
    assert counts(client) == before + 10
    assert client.post(HOME, content=batch("once", 11), headers=WRITER).status_code == 409
    assert counts(client) == before + 10


def test_frequency_oracles_are_collected_too(client, tmp_path):
    prepare(tmp_path)
    collection = read_collection(tmp_path / "color.toml")
    oracle = collection.oracle()
    values = np.array([0] * 300 + [1] * 150 + [2] * 50)
    line = base64.b64encode(oracle.to_bytes(oracle.randomize(values, bits=SystemBits()))).decode()
    body = {"format": "sfumato.batch/1", "collection": collection.digest(), "batch": "a", "reports": line}
    assert client.post("/collections/color/batches", json=body).json() == {
        "batch": "a",
        "reports": 500,
        "counted": True,
    }
    found = client.get("/collections/color/estimate", headers=READER).json()
    assert [answer["value"] for answer in found["questions"][0]["answers"]] == ["red", "blue", "green"]
    for change in (
        {"format": "x"},
        {"collection": "0"},
        {"batch": ""},
        {"batch": "a\x00b"},
        {"reports": "?"},
        {"reports": "é"},
        {"reports": "AAAA"},
        {"more": 1},
    ):
        answer = client.post("/collections/color/batches", json=body | {"batch": "b"} | change)
        assert answer.status_code == 422, change


def test_an_empty_collection_has_an_estimate(tmp_path):
    prepare(tmp_path)
    with serving(tmp_path) as address, httpx.Client(base_url=address, headers=READER) as client:
        assert client.get("/collections/home/estimate").json()["reports"] == 0
        assert client.get("/collections/color/estimate").json()["questions"] == []


def changed(**parts):
    """A batch with some parts replaced."""
    return json.dumps(json.loads(batch("hostile")) | parts)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("{", 400), ("", 400), (b"\xff", 400), ("[" * 60_000, 400), ("[]", 422), ("null", 422), ("{}", 422),
        (changed(format="x"), 422), (changed(collection="0" * 64), 422), (changed(cohorts=[99] * 10), 422),
        (changed(cohorts=[0]), 422), (changed(reports="AAAA"), 422), (changed(batch=""), 422), (changed(batch="x" * 129), 422),
        ("x" * 100_001, 413), (changed(extra="y"), 422), (changed(cohorts=[1e300] * 10), 422),
    ],
)  # fmt: skip
def test_hostile_bodies_get_their_status_and_count_nothing(client, body, status):
    before = counts(client)
    answer = client.post(HOME, content=body, headers=WRITER)
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"problem", "remedy"}
    assert counts(client) == before


def test_no_address_and_no_report_is_repeated(client):
    answer = client.post(HOME, content=changed(reports="canary7319"), headers=WRITER)
    assert "canary" not in answer.text
    assert "127.0.0.1" not in client.get("/metrics").text


def test_tokens_are_asked_for(client):
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic writer"}, READER):
        assert client.post(HOME, content=batch("t"), headers=headers).status_code == 401
    for place in ("counts", "estimate", "events"):
        assert client.get(f"/collections/home/{place}").status_code == 401
        assert client.get(f"/collections/home/{place}", headers=WRITER).status_code == 401
    assert client.get("/collections/home").json()["parameters"] == json.loads(PARAMS.to_json())


def test_what_is_not_there_is_404_and_other_methods_405(client):
    assert client.get("/collections/nobody").status_code == 404
    assert client.post("/collections/nobody/batches", content="{}").status_code == 404
    assert client.get("/static/../app.py").status_code == 404
    assert client.get("/static/app.py").status_code == 404
    for method, place, allowed in (
        ("DELETE", "/collections/home", "GET"), ("GET", HOME, "POST"), ("POST", "/health", "GET"),
    ):  # fmt: skip
        answer = client.request(method, place)
        assert (answer.status_code, answer.headers["Allow"]) == (405, allowed)
        assert set(answer.json()) == {"problem", "remedy"}


def test_every_answer_has_the_headers_that_guard_it(client):
    for place in ("/health", "/metrics", "/nowhere", "/static/live.js", "/openapi.json", HOME,
                  "/collections/home", "/collections/home/live", "/collections/home/counts"):  # fmt: skip
        found = client.get(place, headers=READER).headers
        assert found.get_list("Cache-Control") == ["no-store"], place
        assert "frame-ancestors 'none'" in found["Content-Security-Policy"], place
        assert (found["X-Content-Type-Options"], found["Referrer-Policy"]) == ("nosniff", "no-referrer"), place


def test_a_slow_client_is_not_waited_for(address):
    at = urlsplit(address)
    with socket.create_connection((at.hostname, at.port), timeout=PATIENCE) as slow:
        head = f"POST {HOME} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer writer\r\nContent-Length: 100\r\n\r\n{{"
        slow.sendall(head.encode())
        assert b" 408 " in slow.recv(1000).split(b"\r\n")[0] + b" "


def test_a_client_that_leaves_is_no_failure_of_the_server(tmp_path):
    """Its half batch is not counted, and nothing about it is printed."""
    prepare(tmp_path)
    port = free_port()
    process = start(tmp_path, port)
    head = f"POST {HOME} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer writer\r\nContent-Length: 100\r\n\r\n{{"
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as leaving:
        leaving.sendall(head.encode())
        time.sleep(0.3)
    time.sleep(0.3)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
        assert counts(client) == 0
    process.send_signal(signal.SIGTERM)
    process.wait(PATIENCE)
    printed = process.stdout.read().decode()
    process.stdout.close()
    assert "Traceback" not in printed


def test_a_body_without_length_is_measured_as_it_comes(client):
    def endless():
        for _ in range(40):
            yield b"x" * 10_000

    try:
        answer = client.post(HOME, content=endless(), headers=WRITER)
    except httpx.TransportError:
        return  # the server may close the connection before all was sent
    assert answer.status_code == 413


def test_too_fast_is_429_and_says_when(tmp_path):
    prepare(tmp_path, limits="[limits]\nbatches_per_second = 1")
    with serving(tmp_path) as address, httpx.Client(base_url=address, headers=WRITER) as client:
        answers = [client.post(HOME, content=batch(f"b{i}")) for i in range(6)]
        assert {answer.status_code for answer in answers} == {200, 429}
        assert all(int(a.headers["Retry-After"]) >= 1 for a in answers if a.status_code == 429)
        assert counts(client) == 10 * sum(answer.status_code == 200 for answer in answers)


def test_metrics_health_and_description(client):
    client.post(HOME, content=batch("metrics"), headers=WRITER)
    text = client.get("/metrics").text
    assert 'sfumato_batches_total{fate="counted"}' in text
    assert "home" not in text
    assert client.get("/health").json()["status"] == "ok"
    document = client.get("/openapi.json").json()
    post = document["paths"]["/collections/{name}/batches"]["post"]
    assert {"200", "400", "401", "404", "408", "409", "413", "422", "429", "503"} <= set(post["responses"])


def test_no_described_request_makes_the_server_fail(address):
    """Schemathesis sends what the description allows, and what it forbids."""
    schemathesis = pytest.importorskip("schemathesis")
    from hypothesis import HealthCheck, given, settings

    schema = schemathesis.openapi.from_url(f"{address}/openapi.json")
    for operation in schema.get_all_operations():
        one = operation.ok()
        if one.path.endswith("/events"):
            continue  # an endless answer; its refusals are tested above

        @settings(max_examples=15, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
        @given(case=one.as_strategy())
        def sends(case):
            assert case.call(headers=WRITER).status_code < 500

        sends()


def test_a_full_queue_refuses_instead_of_growing(tmp_path):
    """The store is locked from outside, so nothing can be written: one batch waits, the next ones are told to."""
    prepare(tmp_path, limits="[limits]\nwaiting = 1")
    with serving(tmp_path) as address:
        lock = sqlite3.connect(tmp_path / "store.db", isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        codes = []

        def send(i):
            codes.append(httpx.post(address + HOME, content=batch(f"b{i}"), headers=WRITER, **PLAIN).status_code)

        threads = [threading.Thread(target=send, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        end = time.monotonic() + PATIENCE
        while 503 not in codes and time.monotonic() < end:
            time.sleep(0.02)
        lock.execute("ROLLBACK")
        lock.close()
        for thread in threads:
            thread.join()
        assert set(codes) == {200, 503}
        total = sum(httpx.get(f"{address}/collections/home/counts", headers=READER).json()["reports"])
        assert total == 10 * codes.count(200)


def grows(names, by):
    """Wait until a set has so many more entries; however slow the machine is."""
    end, wanted = time.monotonic() + PATIENCE, len(names) + by
    while len(names) < wanted and time.monotonic() < end:
        time.sleep(0.02)
    assert len(names) >= wanted


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def test_killed_at_any_moment_it_loses_nothing_and_counts_nothing_twice(kind, request, tmp_path):
    """Senders retry each batch until it is acknowledged, while the server is killed again and again."""
    url = "sqlite:///store.db" if kind == "sqlite" else fresh_database(request.getfixturevalue("postgres"))
    prepare(tmp_path, store=url)
    port, chance = free_port(), np.random.default_rng(11)
    acknowledged, bodies, stop = set(), {}, threading.Event()

    def send(worker):
        i = 0
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=WRITER, **PLAIN) as client:
            while not stop.wait(0.03):  # more of the same batches would only cost time
                name = f"{worker} {i}"
                body = bodies.setdefault(name, batch(name, 3))
                try:
                    answer = client.post(HOME, content=body)
                except httpx.TransportError:
                    continue
                if answer.status_code == 200:
                    acknowledged.add(name)
                    i += 1

    process = start(tmp_path, port)
    workers = [threading.Thread(target=send, args=(w,)) for w in range(4)]
    for worker in workers:
        worker.start()
    for _ in range(2):
        grows(acknowledged, 8)
        time.sleep(chance.random() * 0.2)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        process = start(tmp_path, port)
    grows(acknowledged, 8)
    stop.set()
    for worker in workers:
        worker.join()
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=READER, timeout=PATIENCE) as client:
        before = client.get("/collections/home/counts").json()
        for name in acknowledged:
            assert client.post(HOME, content=bodies[name], headers=WRITER).json()["counted"] is False
        after = client.get("/collections/home/counts").json()
    process.send_signal(signal.SIGTERM)
    process.wait(PATIENCE)
    process.stdout.close()
    assert len(acknowledged) >= 24
    assert after == before
    assert sum(before["reports"]) == 3 * before["batches"]
    assert len(acknowledged) <= before["batches"] <= len(bodies)


def test_told_to_stop_it_writes_what_waits_and_ends(tmp_path):
    prepare(tmp_path)
    port = free_port()
    process = start(tmp_path, port)
    answers = []

    def send(i):
        try:
            answers.append(
                httpx.post(f"http://127.0.0.1:{port}{HOME}", content=batch(f"b{i}"), headers=WRITER, **PLAIN)
            )
        except httpx.TransportError:
            return

    threads = [threading.Thread(target=send, args=(i,)) for i in range(40)]
    for thread in threads[:20]:
        thread.start()
    process.send_signal(signal.SIGTERM)
    for thread in threads[20:]:
        thread.start()
    for thread in threads:
        thread.join()
    assert process.wait(PATIENCE) in {0, -signal.SIGTERM}
    process.stdout.close()
    good = sum(answer.status_code == 200 for answer in answers)
    with sqlite3.connect(tmp_path / "store.db") as connection:
        (reports,) = connection.execute("SELECT reports FROM collections WHERE name = 'home'").fetchone()
    assert reports >= 10 * good


@pytest.mark.chromium
def test_the_page_redraws_itself_as_reports_arrive(tmp_path, browser):
    prepare(tmp_path)
    with serving(tmp_path) as address, httpx.Client(base_url=address, headers=WRITER) as client:
        for width in (400, 1280):
            browser.open(f"{address}/collections/home/live", width)
            assert browser.value("document.documentElement.scrollWidth") <= width
        assert "readers of the collection" in browser.value("document.getElementById('state').textContent")
        browser.value(
            "document.getElementById('token').value = 'reader'; document.querySelector('form button').click(); true"
        )
        for i in range(3):
            client.post(HOME, content=batch(f"b{i}", 4000, value=i % 2))
            wanted = f"{4000 * (i + 1):,}"
            for _ in range(100):
                if wanted in (browser.value("document.getElementById('facts').textContent") or ""):
                    break
                time.sleep(0.1)
            assert wanted in browser.value("document.getElementById('facts').textContent")
        assert browser.value("getComputedStyle(document.getElementById('key')).display") == "none"
        rows = browser.value("[...document.querySelectorAll('tbody tr')].map(row => row.cells[0].textContent)")
        assert rows[:2] == ["page 0", "page 1"]
        assert browser.value("document.querySelectorAll('svg .band').length") == len(rows)
        noise = {"Runtime.consoleAPICalled", "Runtime.exceptionThrown"}
        assert [event for event in browser.events if event.get("method") in noise] == []
        asked = [
            e["params"]["request"]["url"] for e in browser.events if e.get("method") == "Network.requestWillBeSent"
        ]
        assert all(url.startswith(address) for url in asked)
        assert all("reader" not in url for url in asked)
