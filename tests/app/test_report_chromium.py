"""The report in a real browser: quiet, offline, without overflow, and printable."""

import base64
import json
from pathlib import Path

import pytest

from sfumato.report import render_html
from sfumato.report.document import result_from

pytestmark = pytest.mark.chromium

SAMPLE = json.loads((Path(__file__).parent / "sample_result.json").read_text("utf-8"))
A4_WIDTH, A4_HEIGHT = 665, 971
"""CSS pixels between the margins of the printed page: 176 × 257 mm."""


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render_html(result_from(SAMPLE)), "utf-8")
    return path.as_uri()


@pytest.mark.parametrize("width", [400, 768, 1280])
def test_nothing_overflows_to_the_side(browser, url, width):
    browser.open(url, width)
    assert browser.value("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [400, 1280])
def test_hostile_names_do_not_overflow_either(browser, tmp_path, width):
    result = json.loads(json.dumps(SAMPLE).replace("marital-status", "m" * 120).replace("adult.csv", "n" * 200))
    path = tmp_path / "long.html"
    path.write_text(render_html(result_from(result)), "utf-8")
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
