"""A server with whoever asks it beside it, for the bench of growth: it takes what is sent, and is told to stop."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import threading
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING

import growth_studio
from growth_forks import command

from sfumato.mechanism.location.by_design.proximity import LENGTH

if TYPE_CHECKING:
    from collections.abc import Iterator


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def send(port: int, requests: list[tuple[str, str, bytes, dict[str, str]]], alive: str = "/health") -> None:
    """Wait for the server, send all (method, path, body, headers), and end it."""
    connection = HTTPConnection("127.0.0.1", port, timeout=600)
    while True:
        try:
            connection.request("GET", alive)
            connection.getresponse().read()
            break
        except OSError:
            connection.close()
            time.sleep(0.05)
    for request in requests:
        connection.request(*request)
        answer = connection.getresponse()
        said = answer.read()
        if answer.status != 200:
            sys.stderr.write(f"{answer.status} {said.decode()}\n")
            os._exit(1)
    os.kill(os.getpid(), signal.SIGTERM)


def main(kind: str, document: str, asked: str | None = None) -> None:
    """Serve until all that is asked was answered: batches of a file, so many looks or tokens, or the pages of a studio."""
    if kind == "studio":
        growth_studio.serve(document)
        return
    port, alive, requests = free_port(), "/health", []
    if kind == "collect":
        alive = "/collections/c0"
        lines = Path(asked).read_text("utf-8").splitlines() if asked else []
        head = {"Content-Type": "application/json"}
        requests = [("POST", "/collections/c0/batches", line.encode(), head) for line in lines]
    elif kind == "places":
        requests = list(looks(document, int(asked or 0)))
    elif kind == "friends":
        requests = list(tokens(int(asked or 0)))
    threading.Thread(target=send, args=(port, requests, alive), daemon=True).start()
    command("serve", kind, document, "--port", str(port))


def looks(catalogue: str, n: int) -> Iterator[tuple[str, str, bytes, dict[str, str]]]:
    """So many random sets of cells."""
    from sfumato.mechanism.location.by_design.retrieval import questions
    from sfumato.nearby.shelf import read_catalogue
    from sfumato.noise.bits import SystemBits

    cells = read_catalogue(Path(catalogue))[0].cells
    for _ in range(n):
        yield "POST", "/blocks", questions(0, cells, bits=SystemBits())[0], {}


def tokens(n: int) -> Iterator[tuple[str, str, bytes, dict[str, str]]]:
    """So many persons who each leave a token and ask for nine."""
    for i in range(n):
        secret = {"Authorization": f"Bearer {i:040}", "Content-Type": "application/json"}
        drawn = [os.urandom(LENGTH).hex() for _ in range(9)]
        yield "PUT", "/token", json.dumps({"token": drawn[0], "number": 1}).encode(), secret
        yield "POST", "/near", json.dumps({"tokens": drawn}).encode(), {"Content-Type": "application/json"}
