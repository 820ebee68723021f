"""The plan is written as TOML that reads back as the plan."""

import json
import tomllib
from pathlib import Path

from sfumato.report.document import result_from
from sfumato.report.section.record import ordered_plan, plan_text

SAMPLE = json.loads((Path(__file__).parents[3] / "app" / "sample_result.json").read_text("utf-8"))


def test_the_written_plan_reads_back_as_the_plan():
    assert tomllib.loads(plan_text(SAMPLE["plan"])) == SAMPLE["plan"]


def test_columns_stand_in_the_order_of_the_table():
    assert list(ordered_plan(result_from(SAMPLE))["columns"]) == [column["name"] for column in SAMPLE["columns"]]


def test_parts_stand_in_the_order_of_the_documentation():
    plan = {"output": {}, "method": {}, "sfumato": 1}
    assert list(ordered_plan(result_from(SAMPLE | {"plan": plan}))) == ["sfumato", "method", "output"]


def test_nested_lists_and_tables_read_back():
    plan = {
        "sfumato": 1,
        "columns": {"a b": {"role": "quasi-identifying", "hierarchy": {"groups": [["x", "y"], ["z"]], "n": {"m": 1}}}},
        "promise": [{"model": "k-anonymity", "k": 2}, {"model": "t-closeness", "t": 0.1}],
        "unit": {},
    }
    assert tomllib.loads(plan_text(plan)) == plan


def test_null_values_are_left_out():
    assert tomllib.loads(plan_text({"sfumato": 1, "unit": {"person": None}, "output": None})) == {
        "sfumato": 1,
        "unit": {},
    }


def test_no_plan_is_no_text():
    assert plan_text({}) == ""
