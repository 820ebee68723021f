"""`sfumato demonstrate`: each attack succeeds on exact answers and fails on private ones."""

import csv
import json
import math
import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from sfumato.cli.main import commands
from sfumato.study.catalog import DEMONSTRATIONS
from sfumato.study.reproduce.experiment import Order
from sfumato.study.reproduce.french import typeset

NAMES = ("differencing", "averaging", "reconstruction", "linkage", "survey", "rappor")


def run(*words):
    """Output of a command."""
    result = CliRunner().invoke(commands, ["demonstrate", *words])
    assert result.exception is None, result.exception
    return result.stdout


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """The folder of a quick run of a demonstration; each is run once."""
    pytest.importorskip("scipy")
    folders = {}

    def folder(name):
        if name not in folders:
            folders[name] = tmp_path_factory.mktemp(name)
            run(name, "--quick", "-o", str(folders[name]))
        return folders[name]

    return folder


@pytest.fixture
def rows(drawn):
    """The measured rows of a quick run."""
    return lambda name: json.loads((drawn(name) / f"{name}.json").read_text("utf-8"))["rows"]


def test_they_are_listed():
    assert all(name in run() for name in NAMES)
    assert [one["name"] for one in json.loads(run("--json"))["experiments"]] == list(NAMES)


def test_an_unknown_one_is_refused():
    result = CliRunner().invoke(commands, ["demonstrate", "magic"])
    assert "must be one of differencing" in str(result.exception)


def test_exact_means_betray_the_salary_and_private_ones_do_not(rows):
    exact, none, *private = rows("differencing")
    assert exact["attack_error"] == 0
    assert none["best"] == none["insider"] == 15 / 201
    for row in private:
        assert none["best"] < row["best"] < row["insider"] <= row["most"]
        assert row["naive"] < row["best"]
    by_epsilon = {row["epsilon"]: row for row in private}
    assert by_epsilon[1.0]["attack_error"] > 2 * 156_000
    assert by_epsilon[1.0]["best"] < 0.09
    assert by_epsilon[1.0]["mean_error"] < 5_000
    assert by_epsilon[100.0]["best"] > 0.7


def test_averaging_helps_until_the_ledger_refuses(rows):
    found = rows("averaging")
    assert [row["answered"] for row in found] == [1, 3, 10, 10, 10, 10, 10]
    assert found[-1]["free_error"] < 1 < found[-1]["kept_error"] < found[-1]["same_error"]
    assert found[-1]["free_error"] == pytest.approx(found[-1]["expected"], rel=0.3)
    assert found[-1]["kept_epsilon"] == 1
    assert found[-1]["free_epsilon"] == 100
    assert "it gave 1 answer for epsilon 0.1." in run("averaging", "--quick")


def test_small_noise_is_undone_and_private_noise_is_not(rows):
    found = {(row["noise"], row["size"]): row for row in rows("reconstruction")}
    assert found["bounded", 0]["recovered"] == found["bounded", 0]["squares"] == 1
    assert found["bounded", 0.125]["recovered"] > 0.97
    assert found["rounded", 10]["recovered"] > 0.75
    assert found["wrong", 0.3]["recovered"] > 0.97 > found["wrong", 0.3]["squares"]
    assert found["total", 1]["low"] < found["total", 1]["most"]
    assert found["total", 1]["most"] == pytest.approx(0.731, abs=1e-3)
    assert found["total", 1000]["recovered"] > 0.97
    assert found["each 1/4", 16]["recovered"] > 0.85 > found["ledger", 16]["recovered"] + 0.1


@pytest.mark.parametrize("name", NAMES)
def test_tables_and_pictures_are_the_same_for_the_same_seed(name, drawn, tmp_path):
    first = drawn(name)
    run(name, "--quick", "-o", str(tmp_path))
    files = sorted(path.name for path in first.iterdir())
    assert f"{name}.svg" in files
    for file in files:
        assert (first / file).read_bytes() == (tmp_path / file).read_bytes()
    with (first / f"{name}.csv").open() as table:
        assert len(list(csv.DictReader(table))) >= 5
    if name in ("survey", "rappor"):
        for picture in first.glob("*.svg"):
            embedded(picture)


def embedded(picture):
    """A picture of the tutorials is what the demonstration draws; `make pictures` writes it anew."""
    there = Path(__file__).parents[2] / "docs" / "pictures" / f"demonstrate-{picture.name}"
    if os.environ.get("SFUMATO_TEST_PICTURES"):
        there.write_bytes(picture.read_bytes())
    assert there.read_bytes() == picture.read_bytes()


def test_a_coin_survey_tells_of_all_and_not_of_one(rows):
    found = rows("survey")
    assert [row["epsilon"] for row in found] == sorted((row["epsilon"] for row in found), reverse=True)
    for row in found:
        assert row["belief"] < 0.12 * math.exp(row["epsilon"])
        assert (
            abs(row["estimate"] - row["truth"]) < 5 * (row["high"] - row["low"]) / 3.92
        )  # false alarm 4 · 6e-7, seeded
    assert found[0]["belief"] > 0.9
    assert found[-1]["belief"] < 0.2


def test_every_stage_of_rappor_follows_from_the_one_before(rows):
    found = rows("rappor")
    assert sum(row["bloom"] for row in found) == 2
    for row in found:  # 400 coins: 0.75 or 0.5 within five standard errors of 0.025
        assert abs(row["often"] - (0.75 if row["permanent"] else 0.5)) < 0.125


@pytest.mark.parametrize("name", ["survey", "rappor"])
def test_a_course_is_told_in_french_with_its_pictures(name, tmp_path, monkeypatch):
    """Every title, meaning, step and word, in the terminal, the files and the pictures; keys of JSON stay as they are."""
    pytest.importorskip("scipy")
    told = DEMONSTRATIONS[name]
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    text = run(name, "--quick", "-o", str(tmp_path))
    assert "Graine" not in text
    assert "graine" in text
    outcome = told.run(Order(1, True, 1, lambda *_: None))
    said = [told.what, *(word for column in outcome.columns for word in (column.title, column.meaning))]
    said += [
        word
        for figure in outcome.figures
        for word in (figure.title, *figure.axes, *(line.name for line in figure.lines))
    ]
    assert [word for word in said if word not in told.french] == []
    assert len(outcome.french) == len(outcome.notes)
    assert all(note not in text for note in outcome.notes)
    pictures = sorted(tmp_path.glob("*.svg"))
    assert len(pictures) == 3
    assert all(any(ord(letter) > 127 for letter in picture.read_text("utf-8")) for picture in pictures)
    head = (tmp_path / f"{name}.csv").read_text("utf-8").splitlines()[0].split(",")
    assert head == [told.french[column.title] for column in outcome.columns]
    document = json.loads((tmp_path / f"{name}.json").read_text("utf-8"))
    columns = [(one["key"], one["label"]) for one in document["columns"]]
    assert columns == [(column.key, told.french[column.title]) for column in outcome.columns]
    assert set(document["rows"][0]) == {column.key for column in outcome.columns}
    assert document["notes"] == [typeset(note) for note in outcome.french]
    assert not re.search(r"\d\.\d", "".join(text.splitlines(keepends=True)[4:10]))
