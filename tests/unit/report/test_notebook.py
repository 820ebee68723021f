"""What a notebook shows is the report in a frame of its own: nothing of it reaches another cell, a script or the network."""

import re
from html import unescape
from html.parser import HTMLParser

import pandas as pd
import pytest

import sfumato
from sfumato.release.answer.answer import Answer
from sfumato.report import render_html

BAD = "</iframe><script>alert(1)</script>\"' onload=x"


class Frame(HTMLParser):
    """The one element of what is shown, and the page in it."""

    def __init__(self, shown):
        super().__init__()
        self.tags, self.attrs, self.text = [], {}, ""
        self.feed(shown)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attrs = dict(attrs)

    def handle_data(self, data):
        self.text += data


def page_of(thing):
    """The page in the frame, which must hold all and may do nothing."""
    frame = Frame(thing._repr_html_())
    assert (frame.tags, frame.text) == (["iframe"], "")
    assert frame.attrs["sandbox"] == ""
    page = frame.attrs["srcdoc"]
    assert "default-src 'none'; style-src 'unsafe-inline'" in page
    assert not re.search(r"<(script|link|img|iframe|object|embed|base|form)\b|url\(|@import|https?:", page)
    return page


@pytest.fixture
def frame():
    """A table with a hostile name and hostile values."""
    ages = [20, 20, 20, 30, 30, 30]
    return pd.DataFrame({"age": ages, BAD: ["a", "b", "a", "b", BAD, BAD]})


@pytest.fixture
def released(frame, tmp_path):
    """Its release."""
    columns = {"age": {"role": "quasi-identifying"}, BAD: {"role": "insensitive"}}
    document = {
        "sfumato": 1,
        "columns": columns,
        "promise": [{"model": "k-anonymity", "k": 3}],
        "method": {"name": "full-domain"},
    }
    return sfumato.run(sfumato.plan_from(document, folder=tmp_path), frame)


def test_a_release_shows_its_report(released):
    """The very page of `render_html`."""
    assert page_of(released) == render_html(released.result)


def test_a_risk_shows_every_figure_and_question(frame):
    """With the words and numbers of the report."""
    found = sfumato.assess_risk(frame, quasi_identifiers=["age", BAD])
    page = unescape(page_of(found))
    assert all(figure.label in page and figure.definition in page for figure in found.risk)
    assert all(answer.question in page for answer in found.wp216)
    assert "Highest prosecutor risk" in page
    assert "100\u00a0%" in page
    assert "Distinction" in page
    assert "<svg" in page


def test_a_comparison_shows_worth_and_both_risks(frame, released):
    """Before and after."""
    found = sfumato.compare(frame, released.frame, plan=released.plan)
    page = unescape(page_of(found))
    assert all(figure.label in page for figure in (*found.worth, *found.risk.after))
    assert ">Before<" in page
    assert ">After<" in page


def answer(values, low, high, **more):
    """An answer by groups."""
    keys = tuple((f"{BAD}{i}",) for i in range(len(values)))
    rows = (tuple((one,) for one in ends) for ends in (values, low, high))
    parts = {
        "confidence": 0.95,
        "mechanism": "geometric",
        "price": "epsilon 1/2",
        "notes": (BAD,),
        "seeded": False,
    } | more
    return Answer(
        "count by x", ("x",), keys, ("count",), *rows, cost={}, sensitivity="one row", unit="one row", **parts
    )


def test_an_answer_shows_numbers_intervals_and_price():
    """Each number with its interval, as the command prints it; what has no meaning has no picture."""
    nan, endless = float("nan"), float("inf")
    page = unescape(page_of(answer([12.0, nan, 3.25], [10.0, nan, -endless], [14.0, nan, endless])))
    for text in ("10 … 14", "-inf … inf", "3.25", "95\u00a0%", "epsilon 1/2", "geometric", "one row"):
        assert text in page
    assert page.count("<circle") == 2
    assert page.count("after-line") - page.count(".after-line") == 1
    assert "protects nobody" not in page
    assert "<svg" not in page_of(answer([nan], [nan], [nan], confidence=None))
    assert "protects nobody" in page_of(answer([1.0], [0.0], [2.0], seeded=True))


def test_a_document_without_a_page_shows_its_text():
    """Notebooks then use `repr`."""
    from sfumato.document.result.made import ReportResult

    assert ReportResult(report="x")._repr_html_() is None
