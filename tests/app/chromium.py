"""Chromium without a screen, for tests that look at pages as their readers do."""

import contextlib
import fcntl
import json
import os
import signal
import time

import pytest

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
)


class Browser:
    """Chromium steered through its debugging pipe: JSON messages that end in a zero byte."""

    def __init__(self, binary: str, profile: str) -> None:
        (to_read, self._to), (self._from, from_write) = os.pipe(), os.pipe()
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for fd in (to_read, from_write)]
        actions = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (1, 2)]
        actions += [(os.POSIX_SPAWN_DUP2, fd, place) for fd, place in zip(high, (3, 4), strict=True)]
        command = [binary, *FLAGS, f"--user-data-dir={profile}"]
        self._pid = os.posix_spawn(binary, command, os.environ, file_actions=actions)
        for fd in (to_read, from_write, *high):
            os.close(fd)
        self._buffer, self._n, self._session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.call(f"{domain}.enable")

    def call(self, method, **params):
        """One command and its answer."""
        self._n += 1
        message = {"id": self._n, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + 600
        while time.monotonic() < deadline:
            answer = self._read()
            if answer.get("id") == self._n:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)
        pytest.fail(f"no answer to {method}")

    def open(self, url, width, media="screen"):
        """Load a page at a width and wait until it is drawn."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media=media)
        self.events.clear()
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._read())

    def value(self, expression):
        """The value of a JavaScript expression."""
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"]["value"]

    def close(self):
        """Ask it to end, and make sure."""
        with contextlib.suppress(OSError):
            self._session = None
            os.write(self._to, b'{"id": 0, "method": "Browser.close"}\0')
        deadline = time.monotonic() + 20
        while os.waitpid(self._pid, os.WNOHANG) == (0, 0):
            if time.monotonic() > deadline:
                os.kill(self._pid, signal.SIGKILL)
            time.sleep(0.05)
        os.close(self._to)
        os.close(self._from)

    def _read(self):
        while b"\0" not in self._buffer:
            part = os.read(self._from, 1 << 16)
            if not part:
                pytest.fail("Chromium ended")
            self._buffer += part
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)
