"""A collection server as a process of its own, for tests that talk to it, stop it and kill it."""

import hashlib
import os
import signal
import socket
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
from tests.app.copies import begun

from sfumato.mechanism.local.rappor.params import RapporParams

PARAMS = RapporParams("home", bits=24, hashes=2, cohorts=4, f="1/2", p="1/2", q="3/4")
SURVEY = """
format = "sfumato.survey/1"
name = "students"
consent = { en = "Your phone changes your answers at random." }
languages = ["en"]
epsilon = 6.0
ends = 2099-12-31
[[question]]
kind = "yes-no"
name = "cheated"
text = { en = "Did you ever cheat?" }
mechanism = "GRR"
epsilon = 1.0
[[question]]
kind = "number"
name = "hours"
text = { en = "How many hours do you sleep?" }
bounds = [0, 12]
steps = 12
mechanism = "piecewise"
epsilon = 1.0
[[question]]
kind = "scale"
name = "mood"
text = { en = "How are you?" }
bounds = [1, 3]
mechanism = "L-OSUE"
epsilon = 2.0
repeat = { every = "day", times = 2, first = 0.5, distinct = 2 }
[experiment]
name = "wording"
arm = [{ name = "plain" }, { name = "kind" }]
[stop]
respondents = 40
"""
"""A survey that the server of the tests serves."""
WRITER, READER = ({"Authorization": f"Bearer {word}"} for word in ("writer", "reader"))
NAMES = [f"page {i}" for i in range(20)]
PATIENCE = 600
"""Seconds after which a silent server is broken; no machine is that slow."""
PLAIN = {"timeout": PATIENCE, "verify": False}
"""For single requests without TLS, which need not read the certificates of authorities each time."""


def prepare(folder, store="sqlite:///store.db", limits=""):
    """A server document with one RAPPOR collection and one of a frequency oracle."""
    writer, reader = (hashlib.sha256(word.encode()).hexdigest() for word in ("writer", "reader"))
    (folder / "home.json").write_text(PARAMS.to_json(), "utf-8")
    (folder / "names.txt").write_text("\n".join(NAMES), "utf-8")
    (folder / "color.toml").write_text(
        'sfumato_collection = 1\n[[question]]\ncolumn = "color"\nvalues = ["red", "blue", "green"]\n'
        '[protocol]\nname = "GRR"\nepsilon = 1\n', "utf-8",
    )  # fmt: skip
    (folder / "survey.toml").write_text(SURVEY, "utf-8")
    (folder / "server.toml").write_text(
        f'sfumato-server = 1\nstore = "{store}"\n{limits}\n[collections.home]\nrappor = "home.json"\n'
        f'candidates = "names.txt"\ntoken_sha256 = "{writer}"\nreader_sha256 = "{reader}"\n'
        f'[collections.color]\ncollection = "color.toml"\nopen = true\nreader_sha256 = "{reader}"\n'
        f'[collections.students]\ncollection = "survey.toml"\nopen = true\nreader_sha256 = "{reader}"\n', "utf-8",
    )  # fmt: skip


def free_port():
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def scheme(words):
    """How a server with these words of its command is reached."""
    return "https" if "--tls-cert" in words else "http"


def start(folder, port, words=("collect", "server.toml")):
    """A running server that answers."""
    number, path = tempfile.mkstemp(suffix=".log")
    os.close(number)
    process = begun(["serve", *words, "--port", str(port)], folder, path)
    try:
        with httpx.Client(**PLAIN) as client:
            while process.poll() is None:
                try:
                    client.get(f"{scheme(words)}://127.0.0.1:{port}/health")
                except httpx.TransportError:
                    time.sleep(0.1)
                else:
                    return process
        raise RuntimeError(process.stdout.read().decode())
    finally:
        Path(path).unlink()  # it is open


@contextmanager
def serving(folder):
    """The address of a server that is told to stop at the end."""
    with running(folder) as (_, address):
        yield address


@contextmanager
def running(folder, *words):
    """The process and the address of a server that is told to stop at the end."""
    port = free_port()
    process = start(folder, port, words) if words else start(folder, port)
    try:
        yield process, f"{scheme(words)}://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(PATIENCE)
        finally:
            process.kill()
            process.stdout.close()
