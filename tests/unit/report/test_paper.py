"""The report on paper says what the page says; nothing in a table can become a command of the typesetter."""

import io
import json
import re
import sys
from copy import deepcopy
from hashlib import sha256
from html import unescape
from pathlib import Path

import pypdf
import pytest

from sfumato.errors import ParameterError
from sfumato.report.document import result_from
from sfumato.report.html import render_html
from sfumato.report.outline import Element, outline_of
from sfumato.report.paper import render_pdf

SAMPLE = json.loads((Path(__file__).parents[2] / "app" / "sample_result.json").read_text("utf-8"))
BAD = '#panic("x") #{1+1} $x^2$ *b* _i_ \\u{41} \\ [c] @ref `raw` // no /* no */ <label> a -- b ... ~ = "q" \'s\' ]'
FOOT = re.compile(r"(?:SHA-256ofthe(?:result|release|plan)[0-9a-f]{64}){2,4}\d+/\d+$")


def pages(pdf):
    """The text of each page, without spaces."""
    read = pypdf.PdfReader(io.BytesIO(pdf))
    return ["".join(page.extract_text().split()) for page in read.pages]


def body(pdf, title):
    """All text of a file in one, without what stands at the head and foot of each page."""
    told = []
    for i, page in enumerate(pages(pdf)):
        inner = FOOT.sub("", page).removeprefix("" if i == 0 else "".join(f"{title}Anonymization report".split()))
        told.append(inner)
    return "".join(told)


def texts(element):
    """Texts of a tree, without spaces; parts of a sentence are joined."""
    if isinstance(element, str):
        return ["".join(element.split())]
    if element.tag in {"p", "dt", "dd", "td", "th", "h1", "h2", "h3", "h4", "li", "blockquote", "pre", "figcaption"}:
        return ["".join(part for one in element.inner for part in texts(one))]
    return [part for one in element.inner for part in texts(one)]


def hostile(given):
    """The sample with every name, value and sentence an attack."""
    told = json.dumps(given)
    for name in ("marital-status", "native-country", "Female", "adult.csv", "North America", "Iyengar"):
        told = told.replace(name, json.dumps(f"{name} {BAD}")[1:-1])
    return json.loads(told)


@pytest.mark.parametrize("given", [SAMPLE, hostile(SAMPLE)], ids=["plain", "hostile"])
def test_the_paper_says_what_the_page_says(given):
    """Each paragraph, cell and heading of the page stands on paper, sign by sign."""
    result = result_from(given)
    outline = outline_of(render_html(result))
    told = body(render_pdf(result), f"Release of {given['source']['path']}")
    wanted = [text for text in texts(outline) if text]
    assert len(wanted) > 300
    assert [text for text in wanted if text not in told] == []


def test_the_outline_has_all_visible_words_of_the_page():
    """Nothing is lost between page and paper, apart from the contents list."""
    page = render_html(result_from(hostile(SAMPLE)))
    visible = re.sub(r"<(head|nav|svg)\b.*?</\1>|<!DOCTYPE html>", "", page, flags=re.DOTALL)
    assert "".join(texts(outline_of(page))) == "".join(unescape(re.sub(r"<[^>]+>", "", visible)).split())


def test_pictures_have_their_text_alternative():
    """As many as the page has, with its words."""
    result = result_from(SAMPLE)
    page = render_html(result)

    def pictures(element):
        inner = [one for one in element.inner if isinstance(one, Element)]
        return [element] * (element.tag == "svg") + [found for one in inner for found in pictures(one)]

    drawn = pictures(outline_of(page))
    assert [one.alt for one in drawn] == re.findall(r'aria-label="([^"]*)"', page[page.index("<main") :])
    assert b"/Alt" in b"".join(_objects(render_pdf(result)))


def _objects(pdf):
    read = pypdf.PdfReader(io.BytesIO(pdf))
    return [repr(read.get_object(i)).encode() for i in range(1, len(read.xref[0]) + len(read.xref_objStm))]


def test_every_page_has_its_number_and_the_digests():
    """So that a sheet alone tells what it belongs to."""
    result = result_from(SAMPLE)
    told = pages(render_pdf(result))
    of_result = sha256(result.to_json().encode()).hexdigest()
    for i, page in enumerate(told):
        assert f"{i + 1}/{len(told)}" in page
        assert f"SHA-256oftheresult{of_result}" in page
        assert f"SHA-256oftherelease{SAMPLE['files'][0]['sha256']}" in page
        assert f"SHA-256oftheplan{SAMPLE['plan_sha256']}" in page


def test_the_same_result_gives_the_same_bytes_without_a_time():
    """And the order of keys does not matter."""
    once = render_pdf(result_from(SAMPLE))
    assert once == render_pdf(
        result_from(json.loads(json.dumps(SAMPLE, sort_keys=True))), result_from(SAMPLE).to_json()
    )
    assert b"CreationDate" not in once
    assert b"ModDate" not in once
    assert b"CreateDate" not in once


SIGNS = ("\0", "\x07", "\x1b[31m", "\u202e", "\ud800", "東京", "עברית", "العربية", "🙂", "x" * 3000, "&#38;", "</svg>")


def test_no_sign_stops_it():
    """Controls, other scripts and endless words, each in a column, a promise and a picture of its own, all in what was done."""
    given = deepcopy(SAMPLE)
    for name in [f"a{sign}b" for sign in SIGNS]:
        given["columns"].append(given["columns"][0] | {"name": name})
        given["promise"].append(given["promise"][0] | {"statement": name})
        given["distributions"][name] = {"before": [[name[1:-1], 1.0]], "after": [[name[1:-1], 1.0]]}
    given["done"]["summary"] = " ".join(given["distributions"])
    assert render_pdf(result_from(given)).startswith(b"%PDF-")


def test_the_least_result_makes_a_page():
    """What was not measured is left out."""
    least = {key: SAMPLE[key] for key in ("format", "sfumato", "source", "columns", "done")} | {"promise": []}
    assert "Nothingispromised." in "".join(pages(render_pdf(result_from(least))))


def test_without_typst_the_command_is_told(monkeypatch):
    """The extra `pdf` brings it."""
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(ParameterError, match=r"needs typst") as told:
        render_pdf(result_from(SAMPLE))
    assert 'pip install "sfumato[pdf]"' in str(told.value)
