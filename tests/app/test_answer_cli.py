"""`sfumato query | budget | accuracy | simulate` as a user meets them."""

import json

import pytest
from click.testing import CliRunner

from sfumato.account.ledger.ledger import Ledger
from sfumato.cli.main import commands

DATA = """
sfumato-data = 1
[source]
path = "t.csv"
[columns.age]
low = 0
high = 120
step = 1
[columns.sex]
values = ["F", "M"]
[columns.town]
open = true
[unit]
neighbors = "add or remove"
[budget]
epsilon = 2
delta = 1e-5
[ledger]
url = "sqlite:///ledger.db"
dataset = "patients"
[public.regions]
path = "regions.csv"
on = "town"
[public.regions.columns.region]
values = ["north", "south"]
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A private table, a public one and a data document."""
    rows = "".join(f"{20 + i % 40},{'FM'[i % 2]},{'AB'[i % 3 % 2]}\n" for i in range(3000))
    (tmp_path / "t.csv").write_text(f"age,sex,town\n{rows}", "utf-8")
    (tmp_path / "regions.csv").write_text("town,region\nA,north\nB,south\n", "utf-8")
    (tmp_path / "data.toml").write_text(DATA, "utf-8")
    monkeypatch.chdir(tmp_path)
    run("budget", "data.toml", "--create")
    return tmp_path


def run(*words, code=0):
    """Output of a command with its exit code."""
    result = CliRunner().invoke(commands, words)
    found = getattr(result.exception, "exit_code", result.exit_code) if result.exception else result.exit_code
    assert found == code, (result.output, result.exception)
    return result.output if code == 0 else str(result.exception)


def test_a_query_is_answered_and_asked_again_for_nothing(folder):
    select = "SELECT sex, COUNT(*), AVG(age) FROM t GROUP BY sex"
    first = run("query", "data.toml", select, "--epsilon", "1/2")
    assert "F · count: 1" in first
    assert "F · mean of age: " in first
    assert "left: 1, 1/100000" in first
    assert run("query", "data.toml", select, "--epsilon", "1/2") == first
    data = json.loads(run("query", "data.toml", select, "--epsilon", "1/2", "--json"))
    assert data["format"] == "sfumato.answers/1"
    assert [answer["question"].split("(")[0] for answer in data["answers"]] == ["count", "mean"]


def test_an_answer_is_written_as_a_table(folder):
    run("query", "data.toml", "SELECT region, COUNT(*) FROM t JOIN regions USING (town) GROUP BY region", "--epsilon", "1",
        "-o", "answer.csv")  # fmt: skip
    lines = (folder / "answer.csv").read_text("utf-8").splitlines()
    assert lines[0].replace('"', "") == "region,count,count low,count high"
    assert [line.split(",")[0].strip('"') for line in lines[1:]] == ["north", "south"]


def test_the_budget_shows_and_explains(folder):
    run("query", "data.toml", "SELECT COUNT(*) FROM t", "--epsilon", "1/2")
    shown = run("budget", "data.toml", "--explain")
    for part in ("Data set patients", "left 1.5", "analyst", "count()", "basic", "pld"):
        assert part in shown
    data = json.loads(run("budget", "data.toml", "--explain", "--json"))
    assert data["format"] == "sfumato.budget/1"
    assert {one["accountant"] for one in data["readings"]} >= {"basic", "zcdp"}


def test_accuracy_and_simulation_do_not_open_the_table(folder):
    (folder / "t.csv").unlink()
    assert "within 50 at 95 % for epsilon 1483/25000" in run(
        "accuracy", "data.toml", "SELECT COUNT(*) FROM t", "--error", "50"
    )
    assert "rho" in run("accuracy", "data.toml", "SELECT AVG(age) FROM t", "--error", "0.5", "--rows", "1000")
    shown = run(
        "simulate",
        "data.toml",
        "SELECT COUNT(*), MEDIAN(age) FROM t",
        "--epsilon",
        "0.5",
        "--rows",
        "200",
        "--runs",
        "20",
    )
    assert "200 even rows, 20 answers" in shown
    assert shown == run(
        "simulate",
        "data.toml",
        "SELECT COUNT(*), MEDIAN(age) FROM t",
        "--epsilon",
        "0.5",
        "--rows",
        "200",
        "--runs",
        "20",
    )
    assert Ledger.open("sqlite:///ledger.db").statement("patients").charges == ()


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("query", "data.toml", "SELECT MAX(age) FROM t", "--epsilon", "1"), 12, "one person's value"),
        (("query", "data.toml", "SELECT COUNT(*) FROM t"), 2, "no default"),
        (("query", "data.toml", "SELECT COUNT(*) FROM t", "--epsilon", "3"), 10, "left 2"),
        (("query", "data.toml", "SELECT COUNT(*) FROM t", "--epsilon", "1", "--delta", "1"), 2, "delta"),
        (("query", "absent.toml", "SELECT COUNT(*) FROM t", "--epsilon", "1"), 5, "readable"),
        (("query", "data.toml", "SELECT town, COUNT(*) FROM t GROUP BY town", "--epsilon", "1"), 12, "delta"),
        (("accuracy", "data.toml", "SELECT VAR_POP(age) FROM t", "--error", "1"), 12, "simulate"),
        (("accuracy", "data.toml", "SELECT AVG(age) FROM t", "--error", "1"), 12, "number of rows"),
        (("accuracy", "data.toml", "SELECT COUNT(*) FROM t", "--error", "-1"), 2, "error"),
        (
            ("simulate", "data.toml", "SELECT town, COUNT(*) FROM t GROUP BY town", "--epsilon", "1", "--rows", "5"),
            12,
            "select",
        ),
    ],
)
def test_mistakes_have_an_exit_code_and_a_message_without_values(folder, words, code, message):
    assert message in run(*words, code=code)


def test_analysts_must_be_listed(folder):
    text = DATA + "[analysts.ada]\nepsilon = 1\n[analysts.bob]\nepsilon = 1\n"
    (folder / "data.toml").write_text(text, "utf-8")
    count = ("query", "data.toml", "SELECT COUNT(*) FROM t", "--epsilon", "1")
    assert "--analyst" in run(*count, code=5)
    assert "not listed" in run(*count, "--analyst", "eve", code=5)
    run(*count, "--analyst", "ada")
    assert "ada" in run("query", "data.toml", "SELECT SUM(age) FROM t", "--epsilon", "1/2", "--analyst", "ada", code=10)


def test_a_source_that_cannot_be_read_is_no_charge(folder):
    (folder / "t.csv").unlink()
    run("query", "data.toml", "SELECT COUNT(*) FROM t", "--epsilon", "1", code=4)
    assert Ledger.open("sqlite:///ledger.db").statement("patients").charges == ()


def test_a_ledger_is_made_once_and_by_nobody_else(folder):
    """A ledger that vanished is not a full budget: nothing but the explicit act makes one."""
    (folder / "ledger.db").unlink()
    count = ("query", "data.toml", "SELECT COUNT(*) FROM t", "--epsilon", "1")
    assert "budget --create" in run(*count, code=11)
    assert "budget --create" in run("budget", "data.toml", code=11)
    assert not (folder / "ledger.db").exists()
    assert "spent 0 and 0; left 2" in run("budget", "data.toml", "--create")
    run(*count)
    assert "there already" in run("budget", "data.toml", "--create", code=11)
    assert "left 1" in run("budget", "data.toml")
    (folder / "ledger.db").unlink()
    assert "not a full budget" in run(*count, code=11)


def test_a_misspelt_data_set_is_no_new_budget_and_a_second_one_is_opened_by_the_explicit_act(folder):
    count = ("query", "data.toml", "SELECT COUNT(*) FROM t", "--epsilon", "1")
    run(*count)
    (folder / "data.toml").write_text(DATA.replace('dataset = "patients"', 'dataset = "patient"'), "utf-8")
    for words in (count, ("budget", "data.toml")):
        told = run(*words, code=11)
        assert "it knows 1, the nearest name is 'patients'" in told
        assert "budget DATA --create" in told
    assert Ledger.open("sqlite:///ledger.db").datasets() == ("patients",)
    assert "spent 0 and 0; left 2" in run("budget", "data.toml", "--create")
    run(*count)
    (folder / "data.toml").write_text(DATA, "utf-8")
    assert "left 1 and" in run("budget", "data.toml")


def test_a_version_and_immutable_columns_stand_in_the_document_and_in_the_ledger(folder):
    declared = DATA.replace('dataset = "patients"', 'dataset = "patients"\nversion = "2026-03"\nimmutable = ["sex"]')
    (folder / "data.toml").write_text(declared, "utf-8")
    (folder / "ledger.db").unlink()
    run("budget", "data.toml", "--create")
    for sex in "FM":
        run("query", "data.toml", f"SELECT COUNT(*) FROM t WHERE sex = '{sex}'", "--epsilon", "1")
    data = json.loads(run("budget", "data.toml", "--json"))
    assert (data["immutable"], data["dataset"]["left"][0]) == (["sex"], "1")
    assert [one["version"] for one in data["charges"]] == ["2026-03"] * 2
    (folder / "data.toml").write_text(declared.replace('["sex"]', '["age"]'), "utf-8")
    assert "declared categories" in run("budget", "data.toml", code=3)
    (folder / "data.toml").write_text(DATA, "utf-8")
    assert "immutable columns" in run("query", "data.toml", "SELECT COUNT(*) FROM t", "--epsilon", "1", code=11)
