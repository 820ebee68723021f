"""`sfumato attack`, from the command to the document."""

import json

import pytest
from click.testing import CliRunner

from sfumato import attack_release, run
from sfumato.cli.main import commands
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.errors import SfumatoError

ATTACKS = [
    "singling out", "singling out", "singling out", "linkability", "inference", "homogeneity", "background knowledge",
    "membership", "downcoding",
]  # fmt: skip


@pytest.fixture
def released(six, tmp_path, monkeypatch):
    """The folder of the course's release, entered."""
    monkeypatch.chdir(tmp_path)
    run(six)
    return six


def said(*words):
    """What the command prints, in this process."""
    ran = CliRunner().invoke(commands, ["attack", *map(str, words)], catch_exceptions=False)
    assert ran.exit_code == 0
    return ran.output


def test_a_release_is_attacked_and_the_document_written_twice_the_same(released, tmp_path):
    words = ("six.csv", "release.csv", "--plan", released)
    printed = said(*words, "-o", "attack.json")
    assert "Accepted risk: 20.0 %" in printed
    assert "2.0 of 6 expected right by CP, Age" in printed
    written = (tmp_path / "attack.json").read_text("utf-8")
    assert said(*words, "--json") == written
    found = json.loads(written)
    assert found["format"] == "sfumato.attack/1"
    assert [one["attack"] for one in found["attacks"] if one["target"] != "Conso, 2 excluded"] == ATTACKS
    assert found["control"] is None
    assert next(o for o in found["attacks"] if o["attack"] == "membership")["verdict"] == "inconclusive"


def test_each_table_is_read_once(released, monkeypatch):
    read, scan = [], DuckDBEngine.scan
    monkeypatch.setattr(DuckDBEngine, "scan", lambda engine, source: read.append(source) or scan(engine, source))
    said("six.csv", "release.csv", "--plan", released)
    assert len(read) == 2


@pytest.mark.usefixtures("released")
def test_the_table_itself_is_broken():
    """Attacked as if it were a release: every description fits one person, every row is found."""
    words = ("--quasi-identifier", "CP", "--quasi-identifier", "Age", "--sensitive", "Conso")
    found = json.loads(said("six.csv", "six.csv", *words, "--json"))
    by_class = next(o for o in found["attacks"] if o["target"] == "all quasi-identifiers")
    assert (by_class["main"]["successes"], by_class["main"]["n"]) == (6, 6)
    assert found["matches"][0]["expected"] == pytest.approx(6.0)
    assert found["matches"][0]["nearest"] is True


@pytest.mark.usefixtures("released")
def test_a_control_group_may_hold_values_of_its_own(tmp_path):
    (tmp_path / "others.csv").write_text("Nom,CP,Age,Conso\n" + "Eve,18500,24,65\nIan,69100,29,80\n" * 4, "utf-8")
    words = (
        "--control",
        "others.csv",
        "--quasi-identifier",
        "CP",
        "--quasi-identifier",
        "Age",
        "--sensitive",
        "Conso",
        "--json",
    )
    found = json.loads(said("six.csv", "release.csv", *words))
    assert found["control"]["rows"] == 8
    tried = {one["attack"]: one for one in found["attacks"]}
    assert tried["inference"]["control"]["n"] == 8
    assert tried["membership"]["main"] is not None


@pytest.mark.usefixtures("released")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("nowhere.csv", "release.csv", "--quasi-identifier", "CP"), 4),
        (("six.csv", "release.csv", "--quasi-identifier", "CP", "--confidence", "1"), 2),
        (("six.csv", "release.csv"), 5),
    ],
)
def test_mistakes_are_messages(words, code):
    ran = CliRunner().invoke(commands, ["attack", *words])
    assert isinstance(ran.exception, SfumatoError)
    assert ran.exception.exit_code == code


def test_from_python_tables_in_memory_are_attacked():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": [17, 20, 37, 40] * 5, "ill": ["yes", "no"] * 10})
    found = attack_release(frame, frame, quasi_identifiers=["age"], sensitive=["ill"], guesses=20).to_dict()
    homogeneous = next(o for o in found["attacks"] if o["attack"] == "homogeneity")
    assert homogeneous["main"]["value"] == 1.0
    assert homogeneous["verdict"] == "elevated"


def test_the_three_questions_of_a_run_are_answered_by_attack_and_by_formula(six):
    found = run(six).result.to_dict()["wp216"]
    by = {(a["criterion"], a["by"]) for a in found}
    questions = ("singling out", "linkability", "inference")
    assert by == {(question, how) for question in questions for how in ("attack", "formula")}
    for answer in found:
        if answer["by"] == "attack" and answer["value"] is not None:
            assert answer["low"] <= answer["value"] <= answer["high"]


def test_a_plan_may_ask_for_formulas_alone(six):
    text = six.read_text("utf-8").replace("[output]", "[measure]\nguesses = 0\n[output]")
    six.write_text(text, "utf-8")
    assert {a["by"] for a in run(six).result.to_dict()["wp216"]} == {"formula"}
