"""Perturbed columns in plans: what is read, refused, done and told."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from sfumato import run
from sfumato.errors import ParameterError, PlanError, SfumatoError
from sfumato.release.plan_reader import plan_from
from sfumato.report.document import check_result, result_from
from sfumato.report.html import render_html
from sfumato.report.text import render_text

PEOPLE = [
    {"name": f"P{i}", "region": "abc"[i % 3], "age": str(20 + i % 40), "pay": str(1000 + 7 * i), "ill": ["flu", "none"][i % 5 > 1],
     "day": f"2026-0{1 + i % 3}-1{i % 10}"}
    for i in range(120)
]  # fmt: skip
ROLES = {"name": "identifying", "region": "quasi-identifying", "age": "quasi-identifying", "pay": "sensitive", "ill": "sensitive",
         "day": "insensitive"}  # fmt: skip
KINDS = {"age": "integer", "pay": "integer", "day": "date"}


def plan(perturb, *, method="none", promises=(), **more):
    """A plan that perturbs some columns."""
    columns = {name: {"role": role} | ({"kind": KINDS[name]} if name in KINDS else {}) for name, role in ROLES.items()}
    for name, options in more.items():
        columns[name] |= options
    for name, options in perturb.items():
        columns[name]["perturb"] = options
    return {
        "sfumato": 1,
        "columns": columns,
        "promise": list(promises),
        "method": {"name": method},
        "measure": {"queries": 0},
    }


def carried(document, folder):
    """The published rows and the result."""
    with (folder / "in.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, ROLES)
        writer.writeheader()
        writer.writerows(PEOPLE)
    document |= {"source": {"path": "in.csv"}, "output": {"path": "out.csv"}}
    release = run(plan_from(document, folder=folder))
    with (folder / "out.csv").open(newline="") as file:
        return list(csv.DictReader(file)), json.loads(release.result.to_json())


PRAM = {"method": "pram", "values": ["flu", "none"], "keep": 0.8}
RANKS = {"method": "rank-swapping", "share": 0.1}
NOISE = {"method": "noise", "law": "gaussian", "deviation": 3}
SWAP = {"method": "record-swapping", "match": ["age"], "at_risk": 3}
K5 = {"model": "k-anonymity", "k": 5}


def test_sensitive_columns_are_perturbed_beside_recoding(tmp_path):
    rows, result = carried(plan({"ill": PRAM, "pay": RANKS}, method="mondrian", promises=[K5]), tmp_path)
    assert Counter(row["pay"] for row in rows) == Counter(person["pay"] for person in PEOPLE)
    moved = [abs(PEOPLE.index(p) - int((int(r["pay"]) - 1000) / 7)) for r, p in zip(rows, PEOPLE, strict=True)]
    assert 0 < max(moved) <= 12
    flips = sum(r["ill"] != p["ill"] for r, p in zip(rows, PEOPLE, strict=True))
    assert 2 <= flips <= 55  # Bin(120, 0.2), beyond 1e-6 on both sides
    assert result["promise"][0]["holds"]
    by_column = {one["column"]: one for one in result["perturbed"]}
    assert by_column["ill"]["promise"]["parameters"]["epsilon"] == pytest.approx(1.3862943611)
    assert by_column["pay"]["promise"] is None
    assert check_result(result) == ()


def test_quasi_identifiers_are_perturbed_where_nothing_is_recoded_and_no_class_is_measured(tmp_path):
    rows, result = carried(plan({"age": NOISE, "region": SWAP}), tmp_path)
    assert Counter(row["region"] for row in rows) == Counter(person["region"] for person in PEOPLE)
    assert sum(r["age"] != p["age"] for r, p in zip(rows, PEOPLE, strict=True)) > 60
    assert sum(r["region"] != p["region"] for r, p in zip(rows, PEOPLE, strict=True)) > 0
    assert result["risk"]["before"]
    assert result["risk"]["after"] == result["worth"] == result["wp216"] == []
    assert any("class sizes of the release mean nothing" in note for note in result["notes"])
    assert result["done"]["method"] == "none"
    assert check_result(result) == ()


def test_nothing_recoded_and_nothing_perturbed_is_the_table_without_names(tmp_path):
    rows, result = carried(plan({}), tmp_path)
    assert rows == [{k: v for k, v in person.items() if k != "name"} for person in PEOPLE]
    assert result["promise"] == result["perturbed"] == []
    assert result["risk"]["after"]
    assert result["worth"]
    assert not any(figure["name"].startswith("query") for figure in result["worth"])  # `queries = 0`


def test_coding_states_the_risk_that_it_leaves(tmp_path):
    rows, result = carried(plan({}, pay={"top": 1700, "round": 100}), tmp_path)
    assert {row["pay"] for row in rows} == {str(pay) for pay in range(1000, 1701, 100)}
    [one] = result["perturbed"]
    figures = {figure["name"]: figure["value"] for figure in (*one["risk"], *one["worth"])}
    away = [abs(int(r["pay"]) - int(p["pay"])) for r, p in zip(rows, PEOPLE, strict=True)]
    assert (one["method"], one["parameters"]) == ("coding", {"top": 1700.0, "round": 100.0})
    assert figures["mean_error"] == pytest.approx(sum(away) / 120)
    assert figures["unchanged"] == pytest.approx(sum(a == 0 for a in away) / 120)


def test_the_report_and_the_terminal_show_every_perturbed_column(tmp_path):
    _, result = carried(plan({"ill": PRAM, "age": NOISE}), tmp_path)
    page, text = render_html(result_from(result)), render_text(result_from(result))
    for shown in (page, text):
        assert "ill" in shown
        assert "noise" in shown
        assert "Unchanged cells" in shown
    assert "Nothing is promised of a single cell." in text


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (plan({"ill": {"method": "magic"}}), "must be one of"),
        (plan({"ill": PRAM | {"keep": 2}}), "keep"),
        (plan({"ill": PRAM | {"speed": 2}}), "speed"),
        (plan({"name": PRAM}), "pseudonyms only"),
        (plan({"age": NOISE}, method="full-domain", promises=[K5]), "recode these columns or perturb them"),
        (plan({"age": NOISE}, promises=[K5]), "not both"),
        (plan({"pay": NOISE | {"relative": 0.1}}), "either `deviation` or `relative`"),
        (plan({"pay": {"method": "noise", "law": "laplace", "relative": 0.1}}), "bounds"),
        (plan({"pay": NOISE | {"clamp": True}}), "bounds"),
        (plan({"pay": NOISE | {"step": 0.5}}), "whole"),
        (plan({"pay": NOISE}, pay={"kind": "decimal"}), "step"),
        (plan({"ill": PRAM}, method="mondrian",
              promises=[{"model": "l-diversity", "kind": "distinct", "column": "ill", "l": 2}]), "judged"),
        (plan({"region": SWAP, "age": SWAP | {"match": ["region"]}}), "changed row by row"),
        (plan({"region": SWAP | {"match": []}}), "match"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_before_data_are_read(document, words):
    with pytest.raises((PlanError, ParameterError), match=words):
        run(plan_from(document, folder=Path()), object())


def test_no_refusal_names_a_cell(tmp_path):
    with pytest.raises(SfumatoError, match="do not") as refused:
        carried(plan({"ill": PRAM | {"values": ["none", "cold"]}}), tmp_path)
    assert "flu" not in str(refused.value)
    assert not (tmp_path / "out.csv").exists()


def test_a_table_that_keeps_its_promise_as_it_is_may_be_published_unchanged(tmp_path):
    weak = {"model": "k-anonymity", "k": 1}
    assert carried(plan({}, promises=[weak]), tmp_path)[1]["promise"][0]["holds"]
    with pytest.raises(SfumatoError, match="as it is must keep"):
        carried(plan({}, promises=[K5]), tmp_path)
