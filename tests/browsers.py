"""One browser without a window for all tests of a worker that follow each other and need one."""

import os
import shutil
from contextlib import ExitStack

import pytest


def chromium_binary():
    """Where Chromium is, that without any window first; without one the test fails where it is required, and is skipped elsewhere."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("SFUMATO_TEST_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if found is None:
        if os.environ.get("SFUMATO_REQUIRE_ALL"):
            pytest.fail("Chromium is required here; install it or set SFUMATO_TEST_CHROMIUM")
        pytest.skip("no Chromium")
    return found


class Browsers:
    """Starts Chromium for the first test that asks for it, and ends it before the first that does not.

    Playwright's event loop runs as long, and no test beside may start one of its own.
    """

    def __init__(self):
        self._open, self._one = ExitStack(), None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item):
        if "chromium" not in item.fixturenames:
            self.close()

    def pytest_sessionfinish(self):
        self.close()

    def close(self):
        """End what runs."""
        self._one = None
        self._open.close()

    @pytest.fixture
    def chromium(self):
        """The browser; each test opens a context of its own in it."""
        if self._one is None:
            self._one = self._started()
        return self._one

    def _started(self):
        sync_api = pytest.importorskip("playwright.sync_api")
        sync_api.expect.set_options(timeout=120_000)
        binary = chromium_binary()
        playwright = self._open.enter_context(sync_api.sync_playwright())
        one = playwright.chromium.launch(executable_path=binary, args=["--no-sandbox"])
        self._open.callback(one.close)
        return one
