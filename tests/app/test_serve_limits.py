"""The collection server as a process among people without a token: floods, a store that vanishes, who reads what."""

import hashlib
import socket
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from tests.app.serve_processes import PATIENCE, READER, prepare, serving
from tests.app.test_serve import HOME, WRITER, batch

WATCHER = {"Authorization": "Bearer watcher"}
FLOOD = 10_000_000


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A server that several tests share: its folder and a client."""
    folder = tmp_path_factory.mktemp("limits")
    digest = hashlib.sha256(b"watcher").hexdigest()
    prepare(folder, limits=f'[metrics]\ncollections = true\ntoken_sha256 = "{digest}"')
    with serving(folder) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        yield folder, client


def memory_of_children():
    """The highest memory that any process below this one has had, in bytes."""
    own, found = str(Path("/proc/self").resolve().name), []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            facts = dict(line.split(":", 1) for line in status.read_text().splitlines())
        except OSError:
            continue
        if facts["PPid"].strip() == own and "VmHWM" in facts:
            found.append(1024 * int(facts["VmHWM"].split()[0]))
    return max(found)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("kind", [b"a:b\r\n" * 10_000, b"a" * 50_000])
def test_a_flood_of_headers_takes_no_memory(served, kind):
    """Before there was a limit, ten megabytes of short headers took 250 MB."""
    _, client = served
    at, before = urlsplit(str(client.base_url)), memory_of_children()
    with socket.create_connection((at.hostname, at.port), timeout=PATIENCE) as flood:
        flood.sendall(b"GET /health HTTP/1.1\r\nx: ")
        with pytest.raises(OSError):  # noqa: PT011, PT012 - reset or broken pipe: the server has hung up
            for _ in range(FLOOD // len(kind)):
                flood.sendall(kind)
    assert memory_of_children() - before < FLOOD
    assert client.get("/health").status_code == 200


def until(client, status):
    """Ask for health until it has a status: an answer of the store is used for a second."""
    answer = client.get("/health")
    while answer.status_code != status:
        time.sleep(0.1)
        answer = client.get("/health")
    return answer


def test_a_store_that_vanished_is_told_and_nothing_is_acknowledged(served):
    folder, client = served
    place, away = folder / "store.db", folder / "away"
    assert client.post(HOME, content=batch("before"), headers=WRITER).status_code == 200
    place.rename(away)
    try:
        answer = client.post(HOME, content=batch("lost"), headers=WRITER)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
        assert "vanished" in until(client, 503).json()["problem"]
        assert client.get("/collections/home/counts", headers=READER).status_code == 503
        assert client.get("/collections/home/events", headers=READER).text == ""  # it ends
    finally:
        away.rename(place)
    until(client, 200)
    assert client.post(HOME, content=batch("lost"), headers=WRITER).json()["counted"] is True


def test_metrics_name_collections_where_the_document_says_so_to_who_has_the_token(served):
    _, client = served
    assert client.get("/metrics").status_code == 401
    assert client.get("/metrics", headers=READER).status_code == 401
    assert client.post(HOME, content=batch("named"), headers=WRITER).status_code == 200
    text = client.get("/metrics", headers=WATCHER).text
    assert 'sfumato_batches_total{collection="home",fate="counted"}' in text


def test_a_websocket_is_no_way_round(served):
    _, client = served
    headers = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Key": "eA==",
        "Sec-WebSocket-Version": "13",
    }
    assert client.get("/health", headers=headers).status_code == 200
