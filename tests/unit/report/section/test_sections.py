"""The page's words are the result's, in the table's order, rounded to the bad side."""

import json
from copy import deepcopy
from pathlib import Path

import pytest

from sfumato.report.document import result_from
from sfumato.report.number import ABSENT, NBSP, in_table_order, title_of
from sfumato.report.section import base, breaks, done, promised, record, worth
from sfumato.report.section.base import all_sections

SAMPLE = json.loads((Path(__file__).parents[3] / "app" / "sample_result.json").read_text("utf-8"))
FIGURE = {"name": "x", "label": "X", "definition": "D.", "source": "S", "value": 0.25}
PROMISE = {"name": "k-anonymity", "statement": "S.", "definition": "D."}


def result(**parts):
    """The sample with other parts."""
    return result_from(deepcopy(SAMPLE) | parts)


def of_both(**parts):
    """Its risks before and after."""
    known = result(**parts).risk
    return breaks.risks(known.before, known.after)


def test_the_parts_of_a_report_are_found_in_their_order():
    known = ["done", "promised", "perturbed", "worth", "breaks", "limits", "record"]
    assert [section.name for section in all_sections() if section.name in known] == known


def test_a_part_has_a_template_of_its_name():
    templates = {path.name for path in (Path(base.__file__).parents[1] / "templates").iterdir()}
    assert {f"{section.name}.html" for section in all_sections()} <= templates


@pytest.mark.parametrize(
    ("path", "title"),
    [("a/b.csv", "Release of b.csv"), ("a\\b.csv", "Release of b.csv"), (None, "Release of a table")],
)
def test_the_title_is_the_name_of_the_file(path, title):
    assert title_of(result(source={"path": path, "rows": 1})) == title


def test_the_suppressed_share_is_rounded_up_and_its_limit_down():
    gone = {"rows": 20, "share": 0.020001, "limit": 0.019999}
    found = result(source={"rows": 1000}, done={"method": "none", "summary": "", "suppressed": gone})
    assert done.facts(found)[0][1] == f"20 of 1,000 (2.01{NBSP}%, limit 1.99{NBSP}%)"


def test_mean_class_sizes_are_rounded_down():
    assert dict(done.facts(result()))["Mean class"] == "133.5"


def test_what_no_release_goes_below_is_rounded_down_and_the_loss_up():
    found = result(done={"method": "local-recoding", "summary": "", "loss": 0.024501, "loss_at_least": 0.0108857})
    told = dict(done.facts(found))["Loss of the cells"]
    assert told == "0.02451; proved: no classes with as many persons lose less than 0.01088"
    assert "Loss of the cells" not in dict(done.facts(result(done={"method": "none", "summary": "", "loss": 0.1})))


def test_a_risk_known_on_one_side_only_is_shown_on_that_side():
    (risk,) = of_both(risk={"before": [FIGURE], "after": []})
    assert (risk.before_text, risk.after_text) == (f"25{NBSP}%", ABSENT)


def test_a_risk_beyond_one_is_no_share():
    (risk,) = of_both(risk={"before": [FIGURE | {"value": 3.5}], "after": [FIGURE | {"value": 0.5}]})
    assert (risk.before_text, risk.after_text, risk.is_share) == ("3.5", "0.5", False)


def test_worth_is_rounded_to_its_bad_side():
    item = FIGURE | {"value": 0.123456}
    low, high = worth.view(result(worth=[item | {"better": "lower"}, item | {"better": "higher"}])).figures
    assert (low.value, high.value) == ("0.1235", "0.1234")


def test_columns_keep_the_order_of_the_table():
    names = [c["name"] for c in SAMPLE["columns"]]
    assert list(in_table_order(dict.fromkeys(sorted(names), 1), result())) == names


def test_assumptions_and_notes_are_said_once():
    promises = [PROMISE | {"assumptions": ["A", "B"]}, PROMISE | {"assumptions": ["A"]}]
    assert promised.limits(result(promise=promises, notes=["N", "B"])) == ["A", "B", "N"]


def test_the_highest_prosecutor_risk_is_the_headline():
    assert breaks.headline_risk(list(reversed(of_both()))).name == "prosecutor_highest"
    assert breaks.headline_risk([]) is None


def test_line_ends_of_the_dialect_are_visible():
    assert "newline \\n" in dict(record.provenance(result()))["Written form"]


def test_a_table_in_memory_has_no_digest_and_says_so():
    source = SAMPLE["source"] | {"path": None, "kind": "polars", "sha256": None, "dialect": None}
    told = dict(record.provenance(result(source=source)))
    assert told["Table"] == "in memory (polars)"
    assert told["SHA-256 of the table"].startswith("none")


def test_the_strictest_promised_k_counts():
    assert breaks.promised_k(result(promise=[PROMISE | {"parameters": {"k": k}} for k in (3, 7)])) == 7
    assert breaks.promised_k(result(promise=[])) is None


def test_each_version_stands_once():
    found = record.versions(result(sfumato="1", versions={"sfumato": "1", "numpy": "2"}))
    assert found == [("sfumato", "1"), ("numpy", "2")]


def test_an_attack_shows_the_ends_of_its_interval_and_a_formula_none():
    plain = {"criterion": "inference", "question": "Q?", "test": "guessed", "value": 0.1, "threshold": 0.2,
             "verdict": "low", "definition": "D."}  # fmt: skip
    tried = plain | {"by": "attack", "low": 0.0504, "high": 0.1501}
    shown = [breaks.questions(result(wp216=[one]).wp216)[0].tests[0].value.replace(NBSP, " ") for one in (plain, tried)]
    assert shown == ["10 %", "10 % (5.04 % … 15.01 %)"]
