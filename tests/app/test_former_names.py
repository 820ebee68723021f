"""Names that options and commands had are understood, and shown nowhere."""

import json

import pytest
from click.testing import CliRunner

from sfumato.cli.main import commands

ROWS = "zip,age,ill\n" + "1,20,a\n1,20,b\n2,30,a\n" * 4


@pytest.fixture(autouse=True)
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(ROWS, "utf-8")


def told(*words):
    ran = CliRunner().invoke(commands, words)
    assert ran.exit_code == 0, ran.output
    return ran.output


@pytest.mark.parametrize(
    ("former", "now"),
    [
        (("--qi", "zip", "--qi", "age"), ("--quasi-identifier", "zip", "--quasi-identifier", "age")),
        (("--qi", "zip", "--threshold", "0.05"), ("--quasi-identifier", "zip", "--risk-threshold", "0.05")),
    ],
)
def test_an_option_that_was_renamed_does_the_same(former, now):
    assert json.loads(told("risk", "t.csv", *former, "--json")) == json.loads(told("risk", "t.csv", *now, "--json"))


def test_a_command_that_was_renamed_does_the_same():
    assert told("init", "t.csv", "-o", "one.toml", "--json").replace("one", "two") == told(
        "draft", "t.csv", "-o", "two.toml", "--json"
    )


@pytest.mark.parametrize(
    ("command", "former"),
    [
        (("risk",), "--qi "),
        (("risk",), " --threshold"),
        (("collect", "estimate"), "--level"),
        (("collect", "randomize"), "--size"),
        ((), " init "),
    ],
)
def test_help_shows_no_former_name(command, former):
    assert former not in told(*command, "--help")
