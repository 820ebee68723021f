"""Fixtures that several tests share."""

import os
from pathlib import Path

import pytest
from tests.postgres_server import binaries, private_server


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with public data sets and reference values; tests that need it skip without it."""
    folder = Path(os.environ.get("SFUMATO_SHARED", Path(__file__).parents[2] / "shared"))
    if not folder.is_dir():
        if os.environ.get("SFUMATO_REQUIRE_ALL"):
            pytest.fail("the shared data folder is required here; set SFUMATO_SHARED")
        pytest.skip("no shared data folder")
    return folder


@pytest.fixture(scope="session")
def postgres():
    """URL of a PostgreSQL server: SFUMATO_TEST_POSTGRES, or one started here; else a skip."""
    declared = os.environ.get("SFUMATO_TEST_POSTGRES")
    if declared:
        yield declared
        return
    if binaries() is None:
        if os.environ.get("SFUMATO_REQUIRE_ALL"):
            pytest.fail("a PostgreSQL server is required here; install its binaries or set SFUMATO_TEST_POSTGRES")
        pytest.skip("no PostgreSQL server")
    with private_server() as server:
        yield server.url
