"""Contests by command: from the document to what an attack finds, and every way to be refused."""

import gzip
import json
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from click.testing import CliRunner

from sfumato.cli.main import commands
from sfumato.contest.bundle import bundle
from sfumato.contest.opening import open_judge
from sfumato.errors import PlanError, SourceError

CONTEST = """format = "sfumato.contest/1"
name = "Spring"
game = "insanonym"
[table]
original = "original.tsv"
"""


@pytest.fixture
def folder(tmp_path):
    """A contest on fixes of five persons in two weeks."""
    rng = np.random.default_rng(1)
    moments = np.datetime64("2015-03-02T08:00:00") + np.sort(rng.integers(0, 12 * 86_400, 500))
    rows = [
        f"{i % 5}\t{str(moment).replace('T', ' ')}\t{45 + i % 5 / 10 + rng.normal(0, 0.01):.6f}\t{4 + rng.normal(0, 0.01):.6f}"
        for i, moment in enumerate(moments)
    ]
    (tmp_path / "original.tsv").write_text("\n".join(rows) + "\n")
    (tmp_path / "contest.toml").write_text(CONTEST)
    return tmp_path


def arena(folder, *words, code=0):
    """Run a command beside the contest."""
    paths = [str(folder / word) if "." in word and not word.startswith("-") else word for word in words]
    result = CliRunner().invoke(
        commands, ["arena", *paths, "--contest", str(folder / "contest.toml")], prog_name="sfumato"
    )
    assert result.exit_code == code, result.output
    return result.output


def test_from_a_defence_to_what_an_attack_finds(folder):
    """Each file is made by one command and read by the next."""
    said = arena(folder, "rules")
    assert all(word in said for word in ("heat-map", "noisy", "six hours"))
    arena(folder, "defend", "noisy", "-o", "made.tsv")
    assert arena(folder, "check", "made.tsv") == "The submission keeps the rules.\n"
    scored = json.loads(arena(folder, "score", "made.tsv", "--json"))
    assert scored["worth"] == pytest.approx(np.mean(list(scored["metrics"].values())))
    assert scored["score"] == pytest.approx(scored["worth"] * (1 - max(scored["attacks"].values())))
    arena(folder, "publish", "made.tsv", "-o", "public.tsv", "--key", "key.json")
    assert sorted((folder / "public.tsv").read_text().split("\n")) == sorted(
        (folder / "made.tsv").read_text().split("\n")
    )
    assert (folder / "key.json").stat().st_mode & 0o077 == 0
    arena(folder, "guess", "heat-map", "public.tsv", "-o", "attack.json")
    found = json.loads(
        arena(folder, "attack", "attack.json", "--submission", "made.tsv", "--key", "key.json", "--json")
    )
    assert found["found"] == scored["attacks"]["heat-map"] == 1.0


def test_a_score_is_the_same_wherever_it_is_judged(folder):
    """Twice here, and packed."""
    arena(folder, "defend", "rounded", "-o", "made.tsv")
    first = arena(folder, "score", "made.tsv", "--json")
    (folder / "made.tsv.gz").write_bytes(gzip.compress((folder / "made.tsv").read_bytes()))
    assert arena(folder, "score", "made.tsv.gz", "--json") == first == arena(folder, "score", "made.tsv", "--json")


def test_what_breaks_the_rules_is_told_by_line_with_another_exit_code(folder):
    lines = (folder / "original.tsv").read_text().split("\n")
    lines[3] = lines[3].replace("2015-03-0", "2015-03-2", 1)
    (folder / "bad.tsv").write_text("\n".join(lines))
    assert arena(folder, "check", "bad.tsv", code=3) == "Line 4, date: must stay in its ISO week.\n"
    told = json.loads(arena(folder, "score", "bad.tsv", "--json", code=3))
    assert (told["faults"], told["metrics"], told["score"]) == (
        [{"line": 4, "column": "date", "must": "must stay in its ISO week."}],
        {},
        None,
    )
    (folder / "short.tsv").write_text("\n".join(lines[:9]) + "\n")
    assert (
        arena(folder, "check", "short.tsv", code=3)
        == "The file: must have as many lines as the original: 500, not 9.\n"
    )


def test_weights_and_attacks_are_those_of_the_document(folder):
    first, table = CONTEST.split("[table]")
    chosen = '[[metric]]\nname = "poi"\n[[metric]]\nname = "hour"\n'
    (folder / "contest.toml").write_text(f'{first}worth = "min"\nattacks = ["sums"]\n[table]{table}{chosen}')
    arena(folder, "defend", "noisy", "-o", "made.tsv")
    told = json.loads(arena(folder, "score", "made.tsv", "--json"))
    assert list(told["metrics"]) == ["hour", "poi"]
    assert told["worth"] == min(told["metrics"].values())
    assert list(told["attacks"]) == ["sums"]


WRONG = {
    '[[metric]]\nname = "speed"': (PlanError, "This contest has no metric 'speed'"),
    '[[metric]]\nname = "poi"\nweight = 0': (PlanError, "Weights of metrics"),
    "[rules]\nmost_deleted = 2": (PlanError, "`most_deleted` must be a share"),
    "[rules]\nmost_guesses = 0": (PlanError, "`most_guesses` must be at least 1"),
    '[[phase]]\nname = "a"\nkind = "attack"\nstart = 2026-01-01\nend = 2026-01-02': (
        PlanError,
        "`start` must be a moment",
    ),
    '[[phase]]\nname = "a"\nkind = "attack"\nstart = 2026-01-02T00:00:00Z\nend = 2026-01-01T00:00:00Z': (
        PlanError,
        "A phase must end",
    ),
    "[house]\nroom = 1": (PlanError, "house"),
}


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_a_document_that_is_wrong_is_told(folder, text):
    (folder / "contest.toml").write_text(CONTEST + text + "\n")
    kind, said = WRONG[text]
    with pytest.raises(kind, match=said[:20]):
        open_judge(folder / "contest.toml")


def test_tables_of_a_contest_are_without_fault(folder):
    (folder / "original.tsv").write_text("DEL\t2015-03-02 08:00:00\t1\t2\n")
    with pytest.raises(SourceError, match="must not be DEL"):
        open_judge(folder / "contest.toml")
    (folder / "original.tsv").unlink()
    with pytest.raises(SourceError, match="is not there"):
        open_judge(folder / "contest.toml")


def test_a_bundle_for_codabench_scores_as_the_judge_does(folder):
    """Its scoring program runs as their worker runs it, on folders laid out as theirs."""
    arena(folder, "defend", "noisy", "-o", "made.tsv")
    arena(folder, "bundle", "-o", "bundle.zip", "--image", "example/sfumato")
    with zipfile.ZipFile(folder / "bundle.zip") as archive:
        archive.extractall(folder / "bundle")
    about = json.loads((folder / "bundle/competition.yaml").read_text())
    assert (about["version"], about["docker_image"], about["tasks"][0]["index"]) == (2, "example/sfumato", 0)
    assert about["can_participants_make_submissions_public"] is False  # the order of their lines is the key
    keys = [one["key"] for one in about["leaderboards"][0]["columns"]]
    assert all(
        (folder / "bundle" / one).is_file() for one in (about["image"], about["terms"], about["pages"][0]["file"])
    )
    for name, place in (("scoring_program", "program"), ("reference_data", "input/ref")):
        with zipfile.ZipFile(folder / f"bundle/{name}.zip") as archive:
            archive.extractall(folder / "worker" / place)
    lines = (folder / "made.tsv").read_text()
    local = json.loads(arena(folder, "score", "made.tsv", "--json"))
    for text, score in ((lines, local["score"]), (lines.replace("2015-03-0", "2015-13-0", 1), 0.0)):
        (folder / "worker/input/res").mkdir(exist_ok=True)
        (folder / "worker/input/res/made.tsv").write_text(text)
        (folder / "worker/input/res/__MACOSX").mkdir(exist_ok=True)
        (folder / "worker/input/res/__MACOSX/._made.tsv").write_text("clutter")
        (folder / "worker/output").mkdir(exist_ok=True)
        words = (folder / "worker/program/metadata.yaml").read_text().removeprefix("command: ").split()
        assert words[0] == "python3"
        here = [sys.executable, *(str(folder / "worker" / word.removeprefix("/app/")) for word in words[1:])]
        subprocess.run(here, check=True)
        scores = json.loads((folder / "worker/output/scores.json").read_text())
        assert scores["score"] == score
        assert set(scores) <= set(keys)
    assert "line 1: must be a time" in (folder / "worker/output/detailed_results.html").read_text()


def test_phases_of_a_bundle_are_of_utc_and_follow_each_other(folder):
    """Codabench reads a moment without its offset, and takes no phases that overlap."""
    phase = (
        '[[phase]]\nname = "{}"\nkind = "defence"\nstart = 2026-03-{}T09:00:00+01:00\nend = 2026-03-{}T09:00:00+01:00\n'
    )
    document = folder / "contest.toml"
    document.write_text(CONTEST + phase.format("b", "09", "16") + phase.format("a", "02", "09"))
    arena(folder, "bundle", "-o", "bundle.zip", "--image", "example/sfumato")
    with zipfile.ZipFile(folder / "bundle.zip") as archive:
        phases = json.loads(archive.read("competition.yaml"))["phases"]
    assert [(one["index"], one["name"], one["start"], one["end"]) for one in phases] == [
        (0, "a", "2026-03-02 08:00:00", "2026-03-09 08:00:00"),
        (1, "b", "2026-03-09 08:00:00", "2026-03-16 08:00:00"),
    ]
    document.write_text(CONTEST + phase.format("b", "08", "16") + phase.format("a", "02", "09"))
    with pytest.raises(PlanError, match="must not overlap"):
        bundle(document, "example/sfumato")
