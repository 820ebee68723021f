"""The report in a real browser: quiet, offline, without overflow, and printable."""

import base64
import contextlib
import fcntl
import json
import os
import shutil
import signal
import tempfile
import time
from pathlib import Path

import pytest

from sfumato.report import render_html

pytestmark = pytest.mark.chromium

SAMPLE = json.loads((Path(__file__).parent / "sample_result.json").read_text("utf-8"))
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
A4_WIDTH, A4_HEIGHT = 665, 971
"""CSS pixels between the margins of the printed page: 176 × 257 mm."""


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
        deadline = time.monotonic() + 60
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


@pytest.fixture(scope="module")
def browser():
    names = ("chromium", "chromium-browser", "google-chrome")
    binary = os.environ.get("SFUMATO_TEST_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if binary is None:
        if os.environ.get("SFUMATO_REQUIRE_ALL"):
            pytest.fail("Chromium is required here; install it or set SFUMATO_TEST_CHROMIUM")
        pytest.skip("no Chromium")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        one = Browser(binary, profile)
        yield one
        one.close()


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render_html(SAMPLE), "utf-8")
    return path.as_uri()


@pytest.mark.parametrize("width", [400, 768, 1280])
def test_nothing_overflows_to_the_side(browser, url, width):
    browser.open(url, width)
    assert browser.value("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [400, 1280])
def test_hostile_names_do_not_overflow_either(browser, tmp_path, width):
    result = json.loads(json.dumps(SAMPLE).replace("marital-status", "m" * 120).replace("adult.csv", "n" * 200))
    path = tmp_path / "long.html"
    path.write_text(render_html(result), "utf-8")
    browser.open(path.as_uri(), width)
    assert browser.value("document.documentElement.scrollWidth") <= width


def test_the_console_stays_silent(browser, url):
    browser.open(url, 1280)
    noise = {"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"}
    assert [event for event in browser.events if event.get("method") in noise] == []


def test_only_the_file_itself_is_requested(browser, url):
    browser.open(url, 1280)
    browser.value("document.body.offsetHeight")
    requests = [e["params"]["request"]["url"] for e in browser.events if e.get("method") == "Network.requestWillBeSent"]
    assert requests == [url]


def test_every_picture_is_drawn_and_its_labels_stay_inside(browser, url):
    browser.open(url, 1280)
    outside = """[...document.querySelectorAll('svg.chart')].flatMap(svg => {
        const frame = svg.getBoundingClientRect();
        return [...svg.querySelectorAll('text')].filter(t => {
            const box = t.getBoundingClientRect();
            return box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1;
        }).map(t => t.textContent);
    })"""
    assert browser.value("document.querySelectorAll('svg.chart').length") >= 15
    assert browser.value(outside) == []


def test_small_text_keeps_its_contrast(browser, url):
    """Every text color stands at least 4.5 : 1 against white (WCAG 2.1, 1.4.3)."""
    browser.open(url, 1280)
    script = """(() => {
        const part = c => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
        const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
        const rgb = text => text.match(/[\\d.]+/g).map(Number);
        return [...document.querySelectorAll('body *')].filter(e => {
            const style = getComputedStyle(e);
            const fill = e instanceof SVGTextElement ? style.fill : style.color;
            if (!e.textContent.trim() || e.matches('.elevated, .broken, rect, circle, title')) return false;
            return 1.05 / (light(rgb(fill)) + 0.05) < 4.5;
        }).map(e => e.className + ' ' + e.tagName);
    })()"""
    assert browser.value(script) == []


def test_every_figure_fits_on_a_printed_page(browser, url):
    browser.open(url, A4_WIDTH, media="print")
    assert browser.value("Math.max(...[...document.querySelectorAll('figure')].map(f => f.offsetHeight))") < A4_HEIGHT
    assert browser.value(
        "[...document.querySelectorAll('figure, tr, .test')].every(e => getComputedStyle(e).breakInside === 'avoid')"
    )
    assert browser.value("document.documentElement.scrollWidth") <= A4_WIDTH


def test_it_prints_on_about_ten_pages(browser, url):
    browser.open(url, 1280, media="")
    answer = browser.call("Page.printToPDF", preferCSSPageSize=True)
    pdf = base64.b64decode(answer["data"])
    assert pdf.startswith(b"%PDF")
    assert 8 <= pdf.count(b"/Type /Page\n") <= 12
