"""`sfumato demonstrate`: each attack succeeds on exact answers and fails on private ones."""

import csv
import json

import pytest
from click.testing import CliRunner

from sfumato.cli.main import commands

NAMES = ("differencing", "averaging", "reconstruction")


def run(*words):
    """Output of a command."""
    result = CliRunner().invoke(commands, ["demonstrate", *words])
    assert result.exception is None, result.exception
    return result.output


def rows(name):
    """The measured rows of a quick run."""
    pytest.importorskip("scipy")
    return json.loads(run(name, "--quick", "--json"))["rows"]


def test_they_are_listed():
    assert all(name in run() for name in NAMES)
    assert [one["name"] for one in json.loads(run("--json"))["experiments"]] == list(NAMES)


def test_an_unknown_one_is_refused():
    result = CliRunner().invoke(commands, ["demonstrate", "magic"])
    assert "must be one of differencing" in str(result.exception)


def test_exact_means_betray_the_salary_and_private_ones_do_not():
    exact, *private = rows("differencing")
    assert exact["attack_error"] == 0
    by_epsilon = {row["epsilon"]: row for row in private}
    assert by_epsilon[1.0]["attack_error"] > 156_000
    assert by_epsilon[1.0]["near"] < 0.1
    assert by_epsilon[1.0]["mean_error"] < 5_000
    assert by_epsilon[20.0]["near"] > by_epsilon[0.1]["near"]


def test_averaging_helps_until_the_ledger_refuses():
    found = rows("averaging")
    assert [row["answered"] for row in found] == [1, 3, 10, 10, 10, 10, 10]
    assert found[-1]["free_error"] < 1 < found[-1]["kept_error"] < found[-1]["same_error"]
    assert found[-1]["kept_epsilon"] == 1
    assert found[-1]["free_epsilon"] == 100


def test_small_noise_is_undone_and_private_noise_is_not():
    found = {(row["noise"], row["size"]): row for row in rows("reconstruction")}
    assert found["bounded", 0.0]["recovered"] == 1
    assert found["bounded", 0.125]["recovered"] > 0.97
    assert found["bounded", 2.0]["recovered"] < 0.75
    assert found["Laplace", 1.0]["low"] < 0.5 < found["Laplace", 1.0]["recovered"] + 0.15
    assert found["Laplace", 1000.0]["recovered"] > 0.97


@pytest.mark.parametrize("name", NAMES)
def test_tables_and_pictures_are_the_same_for_the_same_seed(name, tmp_path):
    pytest.importorskip("scipy")
    for folder in ("a", "b"):
        run(name, "--quick", "-o", str(tmp_path / folder))
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert f"{name}.svg" in files
    for file in files:
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
    with (tmp_path / "a" / f"{name}.csv").open() as table:
        assert len(list(csv.DictReader(table))) >= 6
