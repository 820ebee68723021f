"""A finished contest as one file: it is verified, opened elsewhere, and judged again with equal scores."""

import hashlib
import json
import shutil
import stat
import time
import zipfile

import pytest
from click.testing import CliRunner
from tests.app.contests import contest, defended
from tests.postgres_server import fresh_database

from sfumato.arena.archive import CONTENTS, SUMS
from sfumato.arena.command import opened_at
from sfumato.arena.store import Store
from sfumato.arena.worker import Worker
from sfumato.cli.main import commands


def run(*words, code=0):
    """What a command prints."""
    result = CliRunner().invoke(commands, ["arena", *map(str, words)])
    assert result.exit_code == code, (result.output, result.exception)
    return result.output if not code else str(result.exception)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A contest of two teams: an accepted submission, published and attacked, and a refused one."""
    folder = contest(tmp_path_factory.mktemp("played"))
    store, room = opened_at(folder / "store", None)
    for name in ("red", "blue"):
        store.add_team(name, name, now=1)
    made = defended(folder, "rounded", "made.tsv")

    def handed(team, target, content):
        digest = hashlib.sha256(content).hexdigest()
        number, _ = store.hand_in(team, target, digest, now=time.time(), most=9)
        room.file(number).write_bytes(content)
        worker.next_one()
        return number

    worker = Worker(store, room, folder / "contest.toml", 60)
    first = handed("red", None, made)
    assert store.publish(first, "red", now=2, most=9)
    run("guess", "sums", room.public(first), "--contest", folder / "contest.toml", "-o", folder / "attack.json")
    handed("blue", first, (folder / "attack.json").read_bytes())
    handed("blue", None, b"a\tb\n")
    assert [one.state for one in store.everything()] == ["refused", "accepted", "accepted"]
    store.close()
    return folder


@pytest.fixture(scope="module")
def packed(played):
    """Its archive with secrets, and one without."""
    words = ("archive", "--store", played / "store", "--contest", played / "contest.toml")
    said = run(*words, "--with-secrets", "-o", played / "whole.zip")
    assert said.split()[0] == hashlib.sha256((played / "whole.zip").read_bytes()).hexdigest()
    run(*words, "-o", played / "plain.zip")
    return played


def test_an_archive_is_for_its_owner_and_holds_secrets_only_where_asked(packed):
    names = {one: set(zipfile.ZipFile(packed / one).namelist()) for one in ("whole.zip", "plain.zip")}
    assert names["plain.zip"] == {CONTENTS, SUMS, "contest.toml", "handed/1", "handed/2", "handed/3", "public/1"}
    assert names["whole.zip"] - names["plain.zip"] == {"keys/1", "tables/original.tsv"}
    assert stat.S_IMODE((packed / "whole.zip").stat().st_mode) == 0o600
    listed = json.loads(zipfile.ZipFile(packed / "plain.zip").read(CONTENTS))
    assert "token" not in json.dumps(listed["files"]) + json.dumps(listed["teams"])
    assert [what for _, _, what, _ in listed["audit"]] == ["token", "token", "submission", "accepted", "publish", "attack", "accepted", "submission", "refused"]  # fmt: skip


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_an_opened_contest_is_the_same_and_scores_the_same(kind, request, packed, tmp_path):
    database = ("--database", fresh_database(request.getfixturevalue("postgres"))) if kind == "postgresql" else ()
    assert run("open", packed / "whole.zip", tmp_path / "again", *database) == "Spring: 2 teams, 3 files, with tables and keys\n"  # fmt: skip
    assert stat.S_IMODE((tmp_path / "again/store/keys/1").stat().st_mode) == 0o600
    place = (tmp_path / "again/store/arena.db") if kind == "sqlite" else database[1]
    before, after = Store(packed / "store/arena.db"), Store(place)
    assert (after.teams(), after.everything(), after.audit()) == (before.teams(), before.everything(), before.audit())
    before.close()
    after.close()
    if kind == "sqlite":
        said = run("rejudge", "--store", tmp_path / "again/store", "--contest", tmp_path / "again/contest.toml")
        assert said == "3 files judged, 0 otherwise than before.\n"
        lines = json.loads(run("audit", "--store", tmp_path / "again/store", "--json"))
        assert [one["what"] for one in lines][-4:] == ["again", "accepted", "accepted", "refused"]
    else:
        assert "must be empty" in run("open", packed / "whole.zip", tmp_path / "more", *database, code=1)
        assert not (tmp_path / "more").exists()


def test_without_secrets_nothing_is_judged_again(packed, tmp_path):
    run("open", packed / "plain.zip", tmp_path / "plain")
    words = ("rejudge", "--store", tmp_path / "plain/store", "--contest", tmp_path / "plain/contest.toml")
    assert "'original.tsv' is not there" in run(*words, code=1)
    shutil.copy(packed / "original.tsv", tmp_path / "plain/original.tsv")
    assert "submission 1 has none" in run(*words, code=1)
    assert "must not be there" in run("open", packed / "plain.zip", tmp_path / "plain", code=1)


def changed(path, out, what):
    """A copy of an archive in which something is otherwise."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w") as new:
        for one in old.infolist():
            name, content = one.filename, old.read(one)
            if what == "score" and name == CONTENTS:
                content = content.replace(b'"accepted"', b'"refused"', 1)
            if what == "file" and name == "handed/1":
                content += b" "
            if what == "absent" and name == "public/1":
                continue
            about = zipfile.ZipInfo(name)
            if what == "link" and name == "handed/1":
                about.external_attr = (stat.S_IFLNK | 0o777) << 16
            new.writestr(about, content)
        for extra in {"more": ["handed/9"], "out": ["../../out"], "twice": []}.get(what, []):
            new.writestr(extra, b"x")


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("what", ["score", "file", "absent", "link", "more", "out", "cut", "none"])
def test_an_archive_that_was_changed_leaves_nothing(packed, tmp_path, what):
    if what == "cut":
        (tmp_path / "a.zip").write_bytes((packed / "plain.zip").read_bytes()[:-200])
    elif what == "none":
        (tmp_path / "a.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    else:
        changed(packed / "plain.zip", tmp_path / "a.zip", what)
    said = run("open", tmp_path / "a.zip", tmp_path / "in/opened", code=1)
    assert any(word in said for word in ("as it was written", "plain files", "damaged"))
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["a.zip"]


def test_what_was_changed_on_the_disk_is_not_archived(packed, tmp_path):
    shutil.copytree(packed / "store", tmp_path / "store")
    (tmp_path / "store/handed/1").write_bytes(b"other")
    said = run("archive", "--store", tmp_path / "store", "--contest", packed / "contest.toml", "-o", tmp_path / "a.zip", code=1)  # fmt: skip
    assert "File 1 must be as it was handed in" in said
    assert not (tmp_path / "a.zip").exists()
