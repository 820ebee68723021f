"""The terminal shows the same answers in plain text."""

import json
from copy import deepcopy
from pathlib import Path

import pytest

from sfumato.report import text
from sfumato.report.document import result_from
from sfumato.report.number import WIDTH

SAMPLE = json.loads((Path(__file__).parents[2] / "app" / "sample_result.json").read_text("utf-8"))

REQUIRED = {"format", "sfumato", "source", "columns", "done", "promise"}


def render_text(given):
    """The text of plain data."""
    return text.render_text(result_from(given))


def test_no_line_is_wider_than_the_terminal():
    assert max(len(line) for line in render_text(SAMPLE).splitlines()) <= WIDTH


def test_long_names_do_not_widen_it():
    result = deepcopy(SAMPLE)
    result["columns"][0]["name"] = result["done"]["attributes"][0]["name"] = "x" * 300
    result["source"]["path"] = "y" * 300
    result["files"][0]["path"] = "z" * 300
    result["worth"][0]["label"] = "w" * 300
    assert max(len(line) for line in render_text(result).splitlines()) <= WIDTH


def test_the_four_answers_are_there():
    shown = render_text(SAMPLE)
    for words in (
        "What was done: Full-domain",
        "What is promised: k-anonymity (k = 5)",
        "What it is worth",
        "What breaks it",
    ):
        assert words in shown


def test_verdicts_and_levels_are_there():
    shown = render_text(SAMPLE)
    assert "inconclusive" in shown
    assert "level 3 of 4" in shown
    assert "100 % before, 20 % after" in shown


def test_control_characters_cannot_steer_the_terminal():
    result = deepcopy(SAMPLE)
    result["done"]["summary"] = "clear \x1b[2J\x07"
    assert "\x1b" not in render_text(result)
    assert "\x07" not in render_text(result)


@pytest.mark.parametrize("key", sorted(set(SAMPLE) - REQUIRED))
def test_every_part_may_be_absent(key):
    assert render_text({name: value for name, value in SAMPLE.items() if name != key}).endswith("\n")
