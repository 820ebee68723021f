"""A private PostgreSQL server for the tests that need one."""

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest


def _binaries():
    """The folder with initdb and pg_ctl, or None."""
    found = shutil.which("initdb")
    if found and shutil.which("pg_ctl"):
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders and (folders[-1] / "initdb").is_file() else None


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


@pytest.fixture(scope="session")
def postgres():
    """URL of a PostgreSQL server: SFUMATO_TEST_POSTGRES, or one started here; else a skip."""
    declared = os.environ.get("SFUMATO_TEST_POSTGRES")
    if declared:
        yield declared
        return
    binaries = _binaries()
    if binaries is None:
        if os.environ.get("SFUMATO_REQUIRE_ALL"):
            pytest.fail("a PostgreSQL server is required here; install its binaries or set SFUMATO_TEST_POSTGRES")
        pytest.skip("no PostgreSQL server")
    account = _unprivileged()
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    if account:
        os.chown(folder, account["user"], account["group"])
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    data, port = folder / "data", _free_port()
    control = [binaries / "pg_ctl", "-D", data, "-w"]
    create = [binaries / "initdb", "-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "-N"]
    subprocess.run(create, check=True, **account, **quiet)
    options = f"-p {port} -k {folder} -h 127.0.0.1 -c fsync=off -c timezone=UTC"
    subprocess.run([*control, "-o", options, "-l", folder / "log", "start"], check=True, **account, **quiet)
    try:
        yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=False, **account, **quiet)
        shutil.rmtree(folder, ignore_errors=True)
