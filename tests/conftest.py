"""Fixtures that several tests share."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with public data sets and reference values; tests that need it skip without it."""
    folder = Path(os.environ.get("SFUMATO_SHARED", Path(__file__).parents[2] / "shared"))
    if not folder.is_dir():
        if os.environ.get("SFUMATO_REQUIRE_ALL"):
            pytest.fail("the shared data folder is required here; set SFUMATO_SHARED")
        pytest.skip("no shared data folder")
    return folder
