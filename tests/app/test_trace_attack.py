"""`sfumato attack` on traces, from the command to the document."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import sfumato
from sfumato.cli.main import commands
from sfumato.cli.trace_options import WRITTEN
from sfumato.errors import PlanError, SchemaError
from sfumato.front.traces import TraceColumns

COLUMNS = TraceColumns("who", "at", "lat", "lon", zone="Europe/Paris", written="seconds")
OPTIONS = [f"--{name}={getattr(COLUMNS, name)}" for name in
           ("person", "time", "latitude", "longitude", "zone", "written")]  # fmt: skip
PLAN = """format = "sfumato.plan/1"
[source]
path = "fixes.csv"
[traces]
person = "who"
time = "at"
latitude = "lat"
longitude = "lon"
zone = "Europe/Paris"
written = "seconds"
[region]
latitude = 44.9
longitude = 44.9
metres = 100
rows = 500
columns = 400
[[protect]]
name = "geo-indistinguishability"
epsilon = 0.1
[output]
path = "release.csv"
"""
PERSONS, DAYS = 12, 28
MONDAY = 1_699_830_000  # 2023-11-13 00:00 in Paris


def lives(seed=1):
    """Persons at home by night and at work by day, every half an hour, somewhere on the way at noon."""
    rng = np.random.default_rng(seed)
    home, work = rng.uniform(45, 45.3, (PERSONS, 1, 1, 2)), rng.uniform(45, 45.3, (PERSONS, 1, 1, 2))
    at = np.arange(48) * 1800
    is_work = ((at >= 9 * 3600) & (at < 17 * 3600))[None, None, :, None]
    there = np.where(is_work, work, home) + rng.normal(0, 1e-4, (PERSONS, DAYS, 48, 2))
    time = MONDAY + np.arange(DAYS)[:, None] * 86_400 + at
    lat, lon = there.reshape(-1, 2).T
    who = np.repeat([f"p{i}" for i in range(PERSONS)], DAYS * 48)
    return pd.DataFrame({"who": who, "at": np.tile(time.ravel(), PERSONS), "lat": lat, "lon": lon})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An original, a plan for it, and a table that is nowhere near."""
    where = tmp_path_factory.mktemp("traces")
    frame, rng = lives(), np.random.default_rng(2)
    frame.to_csv(where / "fixes.csv", index=False)
    spread = rng.uniform(45, 45.3, (2, len(frame)))
    frame.assign(lat=spread[0], lon=spread[1]).to_csv(where / "noise.csv", index=False)
    (where / "plan.toml").write_text(PLAN, "utf-8")
    (where / "pieces.toml").write_text(PLAN.replace("[source]", 'persons = "dropped"\n[source]'), "utf-8")
    return where


def said(folder, *words):
    """What the command prints, in this process."""
    ran = CliRunner().invoke(commands, ["attack", *map(str, words)], catch_exceptions=False)
    assert ran.exit_code == 0
    return ran.output


def rates(text):
    return {(one["attack"], one["target"]): one for one in json.loads(text)["attacks"]}


def test_traces_as_they_are_are_broken_and_the_document_is_written_twice_the_same(folder):
    words = [folder / "fixes.csv", folder / "fixes.csv", *OPTIONS, "--same-names"]
    printed = said(folder, *words, "-o", folder / "attack.json")
    assert "by any of the three" in printed
    assert "Accepted risk: 20.0 %" in printed
    written = (folder / "attack.json").read_text("utf-8")
    assert said(folder, *words, "--json") == written
    found = json.loads(written)
    assert (found["format"], found["linked"], found["persons"], found["places"]) == (
        "sfumato.trace-attack/1", "names", PERSONS, "stays",
    )  # fmt: skip
    by = rates(written)
    for target in ("places", "Markov chain", "heat map", "all three, by ranks", "any of the three"):
        one = by["re-identification", f"by {target}"]
        assert (one["main"]["value"], one["control"]["value"], one["main"]["n"]) == (1.0, 0.0, PERSONS)
    for target in ("home", "work", "home, from the average of nights"):
        assert by["home and work", target]["main"]["value"] == 1.0
    assert by["pseudonyms of weeks", "by heat map"]["main"]["n"] == 3 * PERSONS
    assert by["pseudonyms of weeks", "by heat map"]["main"]["value"] == 1.0
    assert by["next place", "order 1"]["main"]["value"] > by["next place", "order 1"]["control"]["value"]


def test_renamed_persons_are_linked_by_their_days(folder):
    """As a run numbers them: the numbers are not taken for names. Noise of 20 m on average hides nobody."""
    sfumato.run(folder / "plan.toml")
    text = said(folder, folder / "fixes.csv", folder / "release.csv", "--plan", folder / "plan.toml", "--json")
    assert json.loads(text)["linked"] == "days"
    assert "renamed" in json.loads(text)["notes"][0]
    assert rates(text)["re-identification", "by places"]["main"]["value"] == 1.0


def test_a_release_that_says_nothing_breaks_nobody(folder):
    by = rates(said(folder, folder / "fixes.csv", folder / "noise.csv", *OPTIONS, "--same-names", "--json"))
    assert by["places", "places of interest"]["main"]["value"] == 0
    assert by["home and work", "home"]["main"]["successes"] == 0
    assert by["re-identification", "by places"]["main"]["successes"] == 0
    assert by["known points", "4 points"]["main"]["successes"] == 0


def test_what_cannot_be_attacked_is_refused(folder):
    with pytest.raises(PlanError, match="'dropped'"):
        sfumato.attack_traces(
            folder / "fixes.csv", folder / "fixes.csv", plan=sfumato.read_plan(folder / "pieces.toml")
        )
    with pytest.raises(PlanError, match=r"\[traces\]"):
        sfumato.attack_traces(folder / "fixes.csv", folder / "fixes.csv")
    with pytest.raises(SchemaError, match="12 persons"):
        sfumato.attack_traces(lives(), lives().assign(who="x" + lives().who), COLUMNS, renamed=False)
    with pytest.raises(SchemaError, match="two days"):
        sfumato.attack_traces(lives()[:40], lives()[:40], COLUMNS, renamed=False)
    ran = CliRunner().invoke(commands, ["attack", "a.csv", "b.csv", "--person", "who"])
    assert "--zone" in ran.output + str(ran.exception)


def test_check_ins_are_places_without_lasting():
    few = lives().iloc[::12]
    found = sfumato.attack_traces(few, few, COLUMNS, renamed=False, cells=True)
    assert found.places == "cells"
    assert found.attacks[0].main.value == 1.0


def test_words_of_times_are_those_of_the_clock():
    from typing import get_args

    from sfumato.table.clock import Written

    assert get_args(Written) == WRITTEN
