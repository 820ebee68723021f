"""A private PostgreSQL server for the tests that need one; it can be killed and started again."""

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

GUARDED = "guarded"
"""A user whom no server of these tests lets in without a password, once somebody has made it; all others need none."""


def binaries():
    """The folder with initdb and pg_ctl, or None."""
    found = shutil.which("initdb")
    if found and shutil.which("pg_ctl"):
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders and (folders[-1] / "initdb").is_file() else None


class Server:
    """A server in a folder of its own."""

    def __init__(self, folder):
        self.folder, self.account, self.port = folder, _unprivileged(), _free_port()
        if self.account:
            os.chown(folder, self.account["user"], self.account["group"])
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"
        self._run("initdb", "-D", folder / "data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "-N")

        rules = folder / "data/pg_hba.conf"
        rules.write_text(f"host all {GUARDED} 127.0.0.1/32 scram-sha-256\n" + rules.read_text())

    def start(self, *settings):
        options = f"-p {self.port} -k {self.folder} -h 127.0.0.1 -c timezone=UTC " + " ".join(
            f"-c {s}" for s in settings
        )
        self._control("-o", options, "-l", self.folder / "log", "start")

    def kill(self):
        """Stop at once, without writing anything: the server must recover when it starts."""
        self._control("-m", "immediate", "stop")

    def _control(self, *arguments):
        self._run("pg_ctl", "-D", self.folder / "data", "-w", *arguments)

    def _run(self, name, *arguments):
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        command = [binaries() / name, *arguments]
        subprocess.run(command, check=True, cwd=self.folder, **self.account, **quiet)


@contextmanager
def private_server(*settings):
    """A running server that is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    try:
        server = Server(folder)
        server.start(*settings)
        try:
            yield server
        finally:
            server.kill()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _unprivileged():
    """PostgreSQL refuses to run as root: the account to run it as, as arguments of subprocess."""
    if os.geteuid() != 0:
        return {}
    import pwd

    accounts = {entry.pw_name: entry for entry in pwd.getpwall()}
    account = accounts.get("postgres") or accounts["nobody"]
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def fresh_database(url):
    """The URL of a new database of a server."""
    import psycopg

    name = f"t{secrets.token_hex(8)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return urlsplit(url)._replace(path=f"/{name}").geturl()
