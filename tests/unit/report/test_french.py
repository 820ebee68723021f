"""The report in French: words and numbers, but never values, names or the plan."""

import json
import re
from copy import deepcopy
from pathlib import Path

import pytest

from sfumato.report.document import result_from
from sfumato.report.html import render_html
from sfumato.report.text import render_text

SAMPLE = json.loads((Path(__file__).parents[2] / "app" / "sample_result.json").read_text("utf-8"))


def test_words_and_numbers_are_french():
    """Headings, figures with a comma and narrow spaces, the language of the page."""
    page = render_html(result_from(SAMPLE), "fr")
    assert '<html lang="fr">' in page
    assert "Ce qui est promis" in page
    assert "What is promised" not in page
    rows = SAMPLE["source"]["rows"]
    assert f"{rows:,}".replace(",", "\u202f") in page
    assert re.search(r"\d,\d+\u00a0%", page)
    assert not re.search(r">\d+\.\d+\u00a0%", page)


def test_names_and_values_stay():
    """A column that is called like a word of ours keeps its name; so do published labels."""
    given = deepcopy(SAMPLE)
    text = json.dumps(given).replace(json.dumps(given["columns"][0]["name"]), '"Classes"')
    page = render_html(result_from(json.loads(text)), "fr")
    assert '<th scope="row">Classes</th>' in page


def test_hostile_texts_are_escaped_in_french_too():
    """Whatever a result says is text."""
    given = deepcopy(SAMPLE)
    given["done"]["summary"] = given["notes"] = "<script>%(x)s{y}</script>"
    given["notes"] = ["<script>", "%s {0}"]
    page = render_html(result_from(given), "fr")
    assert "<script" not in page
    assert "%s {0}" in page


def test_a_terminal_reads_french():
    """At most 100 characters a line, as in English."""
    told = render_text(result_from(SAMPLE), "fr")
    assert "Ce qui a été fait" in told
    assert max(map(len, told.splitlines())) <= 100


def test_paper_is_french():
    """The PDF says what the page says."""
    pytest.importorskip("typst")
    from io import BytesIO

    from pypdf import PdfReader

    from sfumato.report.paper import render_pdf

    read = " ".join(
        page.extract_text() for page in PdfReader(BytesIO(render_pdf(result_from(SAMPLE), language="fr"))).pages
    )
    assert "Ce qui est promis" in read
    assert "SHA-256 du résultat" in read
