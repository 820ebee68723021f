"""Answers of a phase of Codabench come into a contest, and the scores that it hands out are compared with the judge's."""

import csv
import io
import json
import stat
import zipfile

import pytest
from click.testing import CliRunner
from tests.app.contests import contest, defended

from sfumato.arena.command import opened_at
from sfumato.cli.main import commands
from sfumato.contest.codabench import MOST_BYTES, owners_of, scores_of
from sfumato.errors import SourceError

NAME = "{}_{}_PhaseId3_2026-03-02:10-59_made.zip"


def run(*words, code=0):
    """What a command prints, or what is wrong with what it was given."""
    result = CliRunner().invoke(commands, ["arena", *map(str, words)])
    assert result.exit_code == code, (result.output, result.exception)
    return f"{result.exception}" if code == 1 else result.output


def packed(members):
    """A ZIP archive; a name may stand with the mode of what it is."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            about = zipfile.ZipInfo(name.removeprefix("link:"))
            about.compress_type = zipfile.ZIP_DEFLATED
            about.external_attr = ((stat.S_IFLNK if name.startswith("link:") else stat.S_IFREG) | 0o644) << 16
            archive.writestr(about, content)
    return out.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A contest, and two answers of its phase at Codabench, the second refused."""
    place = contest(tmp_path_factory.mktemp("codabench"))
    made = packed({"made.tsv": defended(place, "rounded", "made.tsv"), "__MACOSX/._made.tsv": b"clutter"})
    answers = {NAME.format(12, "ada_b"): made, f"../../{NAME.format(7, 'bob')}": packed({"bad.tsv": b"a\tb\n"})}
    (place / "answers.zip").write_bytes(packed(answers))
    return place


def results(lines):
    """Results as Codabench writes them: a column for each task and column of the leaderboard."""
    out = io.StringIO()
    columns = list(dict.fromkeys(name for _, scores in lines for name in scores))
    rows = csv.DictWriter(out, ["Username", "fact_sheet_answers", *(f"Spring (mock)(5)-{name}" for name in columns)])
    rows.writeheader()
    for who, scores in lines:
        rows.writerow(
            {"Username": who} | {f"Spring (mock)(5)-{name}": f"{value:.10f}" for name, value in scores.items()}
        )
    return out.getvalue()


def test_answers_come_in_once_and_their_scores_are_the_judges(folder):
    words = ("--store", folder / "store", "--contest", folder / "contest.toml")
    assert run("import", folder / "answers.zip", *words) == "2 answers, 2 of them new; they wait for the judge.\n"
    assert run("import", folder / "answers.zip", *words) == "2 answers, 0 of them new; they wait for the judge.\n"
    assert run("rejudge", *words).splitlines()[-1].startswith("2 files judged")
    store, room = opened_at(folder / "store", None)
    assert [(one.team, one.state) for one in store.everything()] == [("ada_b", "accepted"), ("bob", "refused")]
    said = store.file(2).result
    store.close()
    assert sorted(path.name for path in (folder / "store/handed").iterdir()) == ["1", "2"]
    assert list(room.arriving.iterdir()) == []
    assert not any(folder.parent.parent.glob("*PhaseId*"))

    theirs = {"score": said["score"], "worth": said["worth"], **said["metrics"]}
    lines = [("ada_b-12", theirs), ("bob-7", {"score": 0.0, "worth": 0.0}), ("eve-9", {"score": 0.5})]
    (folder / "results.csv").write_text(results(lines))
    told = run("scores", folder / "results.csv", "--store", folder / "store")
    assert told.splitlines()[-1] == "2 of 3 are judged here too."
    assert told.splitlines()[1].split()[:3] == ["ada_b", "12", f"{said['score']:.6f}"]
    wrong = results([("ada_b-12", theirs | {"poi": said["metrics"]["poi"] - 0.01, "more": 1.0})])
    (folder / "wrong.zip").write_bytes(packed({"Results - a(3).csv": wrong, "Results - b(4).csv": results(lines)}))
    told = run("scores", folder / "wrong.zip", "--store", folder / "store", code=3).splitlines()[-2:]
    assert [line.split(":")[0] for line in told] == ["ada_b, 12, poi", "ada_b, 12, more"]
    said = json.loads(
        run("scores", folder / "results.csv", "--store", folder / "store", "--json").partition("]\n")[0] + "]"
    )
    assert [one["submission"] for one in said] == [12, 7, 9]


def test_scores_of_one_submission_are_read(tmp_path):
    (tmp_path / "scores.json").write_text('{"score": 0.5, "worth": 1}')
    assert scores_of(tmp_path / "scores.json")[0].scores == {"score": 0.5, "worth": 1.0}
    (tmp_path / "out.zip").write_bytes(packed({"scores.json": '{"score": 0.25}', "metadata": "elapsed: 1"}))
    assert [one.scores for one in scores_of(tmp_path / "out.zip")] == [{"score": 0.25}]


BAD_SCORES = {
    "no number": ("scores.json", b'{"score": "high"}', "a number"),
    "not finite": ("scores.json", b'{"score": NaN}', "a number"),
    "a list": ("scores.json", b"[1]", "a number"),
    "no json": ("scores.json", b"{", "must be JSON"),
    "deep": ("scores.json", b"[" * 99_999, "must be JSON"),
    "no head": ("a.csv", b"a,b\n1,2\n", "Username"),
    "ragged": ("a.csv", b"Username,b\nx-1,2,3\n", "as long as its head"),
    "not UTF-8": ("a.csv", b"Username\n\xff-1\n", "UTF-8"),
    "no scores": ("a.zip", packed({"a.txt": b"x"}), "holds none"),
    "bomb": ("a.zip", packed({"scores.json": bytes(MOST_BYTES + 1)}), "at most"),
    "link": ("a.zip", packed({"link:scores.json": b"/etc/passwd"}), "plain files"),
    "damaged": ("a.zip", packed({"scores.json": b"{}"})[:-9], "damaged"),
}


@pytest.mark.parametrize("what", BAD_SCORES)
def test_what_are_no_scores_is_told(tmp_path, what):
    name, content, says = BAD_SCORES[what]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError, match=says):
        scores_of(tmp_path / name)


@pytest.mark.parametrize("how", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_damage_is_told_however_scores_are_packed(tmp_path, how):
    with zipfile.ZipFile(tmp_path / "a.zip", "w", how) as archive:
        archive.writestr("scores.json", b'{"score": 1.0}' * 40)
    content = bytearray((tmp_path / "a.zip").read_bytes())
    content[55:65] = bytes(255 - one for one in content[55:65])
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(SourceError, match="damaged"):
        scores_of(tmp_path / "a.zip")


def test_scores_and_lists_that_are_not_there_are_told(tmp_path):
    for read in (scores_of, owners_of):
        with pytest.raises(SourceError, match=r"must be a file 'none\.csv'"):
            read(tmp_path / "none.csv")


BAD_ANSWERS = {
    "no names": ({"made.zip": b"x"}, (), "called as Codabench"),
    "no owner": ({"ID_7_made.zip": b"x"}, (), "must have an owner"),
    "no team": ({NAME.format(1, "judge"): b"x"}, (), "not that of the judge"),
    "script": ({NAME.format(1, "a" * 61): b"x"}, (), "60 printable"),
    "link": ({f"link:{NAME.format(1, 'a')}": b"/etc/passwd"}, (), "plain files"),
    "none": ({"__MACOSX/x": b""}, (), "holds none"),
    "bomb": ({NAME.format(1, "a"): bytes(2_000_001)}, (), "at most 2000000"),
    "in all": ({NAME.format(i, "a"): bytes(900_000) for i in (1, 2)}, ("--most-bytes", "1000000"), "at most 100000 "),
}


@pytest.mark.parametrize("what", BAD_ANSWERS)
def test_hostile_archives_of_answers_are_refused(folder, tmp_path, what):
    members, more, says = BAD_ANSWERS[what]
    (tmp_path / "a.zip").write_bytes(packed(members))
    words = ("--store", tmp_path / "store", "--contest", folder / "contest.toml")
    result = CliRunner().invoke(commands, ["arena", "import", str(tmp_path / "a.zip"), *map(str, words), *more])
    assert (result.exit_code, says in str(result.exception)) == (1, True), result.exception
    assert list((tmp_path / "store/arriving").iterdir()) == []


def test_owners_come_from_the_list_where_names_do_not_tell_them(folder, tmp_path):
    (tmp_path / "a.zip").write_bytes(packed({"ID_7_made.zip": b"x"}))
    (tmp_path / "list.csv").write_text("Submission ID,File Name,Owner\n7,made.zip,ada\n")
    words = ("--store", tmp_path / "store", "--contest", folder / "contest.toml", "--list", tmp_path / "list.csv")
    run("import", tmp_path / "a.zip", *words)
    store, _ = opened_at(tmp_path / "store", None)
    assert [one.team for one in store.everything()] == ["ada"]
    store.close()
    (tmp_path / "b.zip").write_bytes(packed({"ID_7_made.zip": b"other"}))
    assert "another one" in run("import", tmp_path / "b.zip", *words, code=1)
