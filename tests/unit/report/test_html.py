"""The page holds all answers, escapes all input and needs nothing from outside."""

import json
import re
from copy import deepcopy
from html.parser import HTMLParser
from pathlib import Path

import pytest

from sfumato.report import html
from sfumato.report.document import result_from

SAMPLE = json.loads((Path(__file__).parents[2] / "app" / "sample_result.json").read_text("utf-8"))
REQUIRED = {"format", "sfumato", "source", "columns", "done", "promise"}
VOID = {"meta", "br", "rect", "line", "circle", "path"}
BAD = '<script>alert("1")</script>&\'"{{7*7}}'


def render_html(given):
    """The page of plain data."""
    return html.render_html(result_from(given))


class Outline(HTMLParser):
    """Tags in order, with a check that they are closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open, self.tags, self.attrs, self.text = [], [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attrs.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attrs.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture(scope="module")
def page():
    return render_html(SAMPLE)


def poison(value):
    """The same document with every free text replaced by an attack."""
    if isinstance(value, dict):
        return {(k if k in KEYS else BAD + k): poison(v) if k not in CHOICES else v for k, v in value.items()}
    if isinstance(value, list):
        return [poison(v) for v in value]
    return BAD if isinstance(value, str) else value


CHOICES = {"format", "verdict", "criterion", "name", "kind", "better", "by"}
KEYS = set(re.findall(r'"(\w+)":', json.dumps({k: v for k, v in SAMPLE.items() if k != "distributions"}))) | set(SAMPLE)


def test_tags_are_closed_in_order(page):
    assert Outline(page).open == []


def test_every_section_is_there(page):
    text = " ".join(Outline(page).text)
    for words in (
        "What was done",
        "What is promised",
        "What it is worth",
        "What breaks it",
        "Suppression by column",
        "What another k would cost",
        "Values before and after",
        "Article 29",
        "Which combinations",
        "Limits and assumptions",
        "The plan in full",
        "sfumato run plan.toml",
        SAMPLE["source"]["sha256"],
        SAMPLE["files"][0]["sha256"],
    ):
        assert words in text


def test_the_four_answers_stand_in_one_row_before_everything_else(page):
    row = page[page.index('class="four"') : page.index("<nav")]
    assert re.findall(r'<h2 id="q\d">([^<]+)</h2>', row) == [
        "What was done",
        "What is promised",
        "What it is worth",
        "What breaks it",
    ]


def test_nothing_is_loaded_from_outside(page):
    outline = Outline(page)
    assert not {"script", "link", "img", "iframe", "object", "embed", "base", "form"} & set(outline.tags)
    links = [v for _, attrs in outline.attrs for k, v in attrs.items() if k in {"href", "src", "action"}]
    assert all(link.startswith("#") for link in links)
    assert "url(" not in page
    assert "@import" not in page
    assert "http:" not in page
    assert "https:" not in page


def test_the_page_forbids_requests_and_scripts_itself(page):
    assert "default-src 'none'; style-src 'unsafe-inline'" in page


def test_links_inside_the_page_lead_somewhere(page):
    attrs = [a for _, a in Outline(page).attrs]
    ids = {a["id"] for a in attrs if "id" in a}
    assert {a["href"][1:] for a in attrs if "href" in a} <= ids
    assert {a["aria-labelledby"] for a in attrs if "aria-labelledby" in a} <= ids


def test_pictures_have_a_text_alternative_and_tables_have_headers(page):
    outline = Outline(page)
    assert all(a.get("aria-label") and a.get("role") == "img" for tag, a in outline.attrs if tag == "svg")
    assert all(a.get("scope") in {"row", "col"} for tag, a in outline.attrs if tag == "th")


def test_input_is_harmless_wherever_it_stands():
    outline = Outline(render_html(poison(deepcopy(SAMPLE))))
    assert "script" not in outline.tags
    assert "49" not in " ".join(outline.text).split("{{7*7}}")[0][-3:]
    assert outline.open == []


def test_a_column_named_script_is_shown_as_text():
    result = deepcopy(SAMPLE)
    result["columns"][0]["name"] = "<script>"
    result["distributions"] = {"<script>": {"before": [["<b>", 1.0]], "after": [["<i>", 1.0]]}}
    page = render_html(result)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "<b>" not in page


def test_a_file_name_cannot_leave_the_style_sheet():
    result = deepcopy(SAMPLE)
    result["source"]["path"] = 'x"; } </style><script>alert(1)</script>.csv'
    assert "script" not in Outline(render_html(result)).tags


@pytest.mark.parametrize("key", sorted(set(SAMPLE) - REQUIRED))
def test_every_part_may_be_absent(key):
    result = {name: value for name, value in SAMPLE.items() if name != key}
    assert Outline(render_html(result)).open == []


def test_a_result_with_nothing_more_than_it_must_have_still_makes_a_page():
    least = {name: value for name, value in SAMPLE.items() if name in REQUIRED}
    assert "Nothing is promised." in render_html(least | {"promise": []})


def test_a_broken_promise_is_visible():
    result = deepcopy(SAMPLE)
    result["promise"][0]["holds"] = False
    assert '<span class="tag broken">does not hold</span>' in render_html(result)


def test_a_question_that_was_not_answered_is_inconclusive_not_low(page):
    card = page[page.index("<h4>inference</h4>") :]
    assert 'class="tag inconclusive"' in card[:200]


def test_a_question_is_low_only_if_every_test_is():
    result = deepcopy(SAMPLE)
    result["wp216"].append(result["wp216"][0] | {"verdict": "elevated", "value": 0.5, "test": "another test"})
    page = render_html(result)
    assert '<dt>singling out</dt><dd><span class="tag elevated">' in page
    assert "Another test." in page


def backward(value):
    """The same document with every object's keys the other way round."""
    if isinstance(value, dict):
        return {key: backward(value[key]) for key in reversed(value)}
    return [backward(item) for item in value] if isinstance(value, list) else value


def test_the_same_result_gives_the_same_bytes_whatever_the_order_of_keys(page):
    assert render_html(backward(SAMPLE)) == page


def test_several_promises_and_missing_labels_are_shown():
    result = deepcopy(SAMPLE)
    result["promise"].append({"name": "t-closeness", "statement": "S.", "definition": "D."})
    result["done"]["attributes"][0] |= {"level": None, "labels": [None, "[1, 3]"], "n_labels": 12}
    page = render_html(result)
    assert "(missing), [1, 3] … and 10 more" in page
    assert "by class" in page
    assert "not checked" in page
