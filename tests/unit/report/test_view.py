"""The page's words are the result's, in the table's order, rounded to the bad side."""

import json
from copy import deepcopy
from pathlib import Path

import pytest

from sfumato.report import record_view, risk_view, view
from sfumato.report.number import ABSENT, NBSP

SAMPLE = json.loads((Path(__file__).parents[2] / "app" / "sample_result.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("path", "title"),
    [("a/b.csv", "Release of b.csv"), ("a\\b.csv", "Release of b.csv"), (None, "Release of a table")],
)
def test_the_title_is_the_name_of_the_file(path, title):
    assert view.title({"source": {"path": path}}) == title


def test_the_suppressed_share_is_rounded_up_and_its_limit_down():
    result = {"source": {"rows": 1000}, "done": {"suppressed": {"rows": 20, "share": 0.020001, "limit": 0.019999}}}
    assert view.facts(result)[0][1] == f"20 of 1,000 (2.01{NBSP}%, limit 1.99{NBSP}%)"


def test_mean_class_sizes_are_rounded_down():
    assert dict(view.facts(SAMPLE))["Mean class"] == "133.5"


def test_a_risk_known_on_one_side_only_is_shown_on_that_side():
    risk = {"name": "x", "label": "X", "definition": "D.", "value": 0.25}
    (row,) = risk_view.risks({"risk": {"before": [risk], "after": []}})
    assert (row["before_text"], row["after_text"]) == (f"25{NBSP}%", ABSENT)


def test_a_risk_beyond_one_is_no_share():
    risk = {"name": "x", "label": "X", "definition": "D.", "value": 3.5}
    (row,) = risk_view.risks({"risk": {"before": [risk], "after": [risk | {"value": 0.5}]}})
    assert (row["before_text"], row["after_text"], row["is_share"]) == ("3.5", "0.5", False)


def test_worth_is_rounded_to_its_bad_side():
    item = {"label": "L", "definition": "D.", "value": 0.123456}
    low, high = view.worth({"worth": [item | {"better": "lower"}, item | {"better": "higher"}]})
    assert (low["value"], high["value"]) == ("0.1235", "0.1234")


def test_columns_keep_the_order_of_the_table():
    names = [c["name"] for c in SAMPLE["columns"]]
    assert list(view.in_order(dict.fromkeys(sorted(names), 1), SAMPLE)) == names


def test_assumptions_and_notes_are_said_once():
    result = {"promise": [{"assumptions": ["A", "B"]}, {"assumptions": ["A"]}], "notes": ["N", "B"]}
    assert view.assumptions(result) == ["A", "B", "N"]


def test_the_highest_prosecutor_risk_is_the_headline():
    rows = risk_view.risks(SAMPLE)
    assert risk_view.headline_risk(list(reversed(rows)))["name"] == "prosecutor_highest"
    assert risk_view.headline_risk([]) is None


def test_line_ends_of_the_dialect_are_visible():
    assert "newline \\n" in dict(record_view.provenance(SAMPLE))["Written form"]


def test_a_table_in_memory_has_no_digest_and_says_so():
    result = deepcopy(SAMPLE)
    result["source"] |= {"path": None, "kind": "polars", "sha256": None, "dialect": None}
    record = dict(record_view.provenance(result))
    assert record["Table"] == "in memory (polars)"
    assert record["SHA-256 of the table"].startswith("none")


def test_the_strictest_promised_k_counts():
    promises = [{"name": "k-anonymity", "parameters": {"k": k}} for k in (3, 7)]
    assert risk_view.promised_k({"promise": promises}) == 7
    assert risk_view.promised_k({}) is None


def test_each_version_stands_once():
    assert record_view.versions({"sfumato": "1", "versions": {"sfumato": "1", "numpy": "2"}}) == [
        ("sfumato", "1"),
        ("numpy", "2"),
    ]


def test_an_attack_shows_the_ends_of_its_interval_and_a_formula_none():
    plain = {"criterion": "inference", "test": "guessed", "value": 0.1, "threshold": 0.2, "verdict": "low"}
    tried = plain | {"by": "attack", "low": 0.0504, "high": 0.1501}
    shown = [risk_view.questions({"wp216": [one]})[0]["tests"][0]["value"].replace(NBSP, " ") for one in (plain, tried)]
    assert shown == ["10 %", "10 % (5.04 % … 15.01 %)"]
