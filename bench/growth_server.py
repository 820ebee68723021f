"""The collection server with a sender beside it, for the bench of growth: it takes what is sent, and is told to stop."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from http.client import HTTPConnection
from pathlib import Path

from growth_forks import command


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def send(port: int, batches: list[str]) -> None:
    """Wait for the server, send all to its collection c0, and end it."""
    connection = HTTPConnection("127.0.0.1", port, timeout=600)
    while True:
        try:
            connection.request("GET", "/collections/c0")
            connection.getresponse().read()
            break
        except OSError:
            connection.close()
            time.sleep(0.05)
    head = {"Content-Type": "application/json"}
    for batch in batches:
        connection.request("POST", "/collections/c0/batches", batch, head)
        answer = connection.getresponse()
        said = answer.read()
        if answer.status != 200:
            sys.stderr.write(f"{answer.status} {said.decode()}\n")
            os._exit(1)
    os.kill(os.getpid(), signal.SIGTERM)


def main(document: str, batches: str | None = None) -> None:
    """Serve until all lines of the file of batches are sent."""
    port, lines = free_port(), Path(batches).read_text("utf-8").splitlines() if batches else []
    threading.Thread(target=send, args=(port, lines), daemon=True).start()
    command("serve", "collect", document, "--port", str(port))
