"""A release is there when it was verified and measured, with its result and report, or not at all."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import duckdb
import pytest
import tomlkit

import sfumato
from sfumato.account.ledger.ledger import Ledger
from sfumato.errors import InternalError, LedgerError, SfumatoError, SourceError
from sfumato.release import publish
from sfumato.release.stage import staged
from sfumato.table.source import SqlSink
from sfumato.table.unit import Neighbors, Unit

ROWS = [f"{i},{20 + i % 30},{'fm'[i % 2]},{('flu', 'gout', 'asthma')[i % 3]}" for i in range(120)]
OUTPUTS = ("out.csv", "report.html", "result.json")


def plan(**sections):
    """A plan of full-domain recoding that publishes into the three outputs, with other sections."""
    return {
        "sfumato": 1,
        "source": {"path": "t.csv"},
        "columns": {
            "id": {"role": "identifying"},
            "age": {"role": "quasi-identifying", "kind": "integer", "hierarchy": {"width": 5, "then": [10]}},
            "sex": {"role": "quasi-identifying"},
            "illness": {"role": "sensitive"},
        },
        "promise": [{"model": "k-anonymity", "k": 3}],
        "method": {"name": "full-domain", "suppression_limit": 0.1},
        "output": {"path": "out.csv", "report": "report.html", "result": "result.json"},
    } | sections


@pytest.fixture
def folder(tmp_path):
    """A folder with a table and an older release, report and result."""
    (tmp_path / "t.csv").write_text("\n".join(["id,age,sex,illness", *ROWS]) + "\n", encoding="utf-8")
    for name in OUTPUTS:
        (tmp_path / name).write_text("old", encoding="utf-8")
    return tmp_path


def found(folder):
    """Every file of a folder, hidden ones too."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def run(folder, document):
    return sfumato.run(sfumato.plan_from(document, folder=folder))


def output(**changes):
    return {"output": plan()["output"] | changes}


@pytest.mark.parametrize(
    "sections",
    [
        {"population": {"size": 5}},
        {"measure": {"posterior": 2}},
        {"measure": {"loss_by_k": [0]}},
        {"measure": {"target": "id"}},
        {"promise": [{"model": "k-anonymity", "k": 1000}]},
        {"source": {"path": "t.csv", "kind": "x"}},
        output(kind="x"),
        output(path="out.xyz"),
        output(report="nowhere/report.html"),
        output(result="nowhere/result.json"),
    ],
    ids=str,
)
def test_what_is_refused_leaves_the_old_release_as_it_was(folder, sections):
    before = found(folder)
    with pytest.raises(SfumatoError):
        run(folder, plan(**sections))
    assert found(folder) == before


@pytest.mark.parametrize(
    "stage", ["release.recoding.run.measure", "release.recoding.run.record", "release.publish._documents"]
)
@pytest.mark.parametrize("failure", [KeyboardInterrupt, ImportError, MemoryError, InternalError("a")], ids=repr)
def test_whatever_fails_after_the_release_was_written_leaves_the_old_one(folder, monkeypatch, stage, failure):
    """A library that is missing, a full disk, Ctrl-C: the verified draft is gone and nothing else has changed."""

    def fails(*_, **__):
        raise failure

    monkeypatch.setattr(f"sfumato.{stage}", fails)
    before = found(folder)
    with pytest.raises(failure if isinstance(failure, type) else type(failure)):
        run(folder, plan())
    assert found(folder) == before


@pytest.mark.parametrize("name", OUTPUTS)
def test_if_one_file_cannot_get_its_place_all_old_ones_come_back(folder, monkeypatch, name):
    rename, before = Path.replace, found(folder)

    def stubborn(self, target):
        if Path(target) == folder / name and ".before" not in self.name:
            raise PermissionError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", stubborn)
    with pytest.raises(SourceError, match="writable"):
        run(folder, plan())
    assert found(folder) == before


def test_result_and_report_hold_the_digest_of_their_release(folder):
    """If a machine stops between two renames, the digests tell which files belong together."""
    import hashlib

    run(folder, plan())
    digest = hashlib.sha256((folder / "out.csv").read_bytes()).hexdigest()
    assert json.loads((folder / "result.json").read_text("utf-8"))["files"][0]["sha256"] == digest
    assert digest in (folder / "report.html").read_text("utf-8")
    assert sorted(found(folder)) == sorted(("t.csv", *OUTPUTS))


def test_internal_documents_are_for_their_owner_unless_the_old_ones_were_not(folder):
    (folder / "report.html").chmod(0o640)
    (folder / "result.json").unlink()
    run(folder, plan())
    assert [(folder / name).stat().st_mode & 0o777 for name in ("report.html", "result.json")] == [0o640, 0o600]


PAID = {
    "promise": [{"model": "differential-privacy", "kind": "safepub", "epsilon": 2, "delta": "1e-4", "search_epsilon": 1}],
    "method": {"name": "safepub", "search": "whole", "score": "classes"},
    "columns": plan()["columns"] | {"illness": {"role": "identifying"}},
    "account": {
        "ledger": "sqlite:///ledger.db", "dataset": "d", "analyst": "a", "request": "r",
        "budget": {"epsilon": 4, "delta": "1e-3"},
    },
}  # fmt: skip


def paid(folder, **changes):
    """A plan that is charged, and no old release; with 200 rows of each age, no class is too small by chance."""
    (folder / "t.csv").write_text("\n".join(["id,age,sex,illness", *(ROWS * 50)]) + "\n", encoding="utf-8")
    for name in OUTPUTS:
        (folder / name).unlink(missing_ok=True)
    with Ledger.open(f"sqlite:///{folder / 'ledger.db'}", create=True) as ledger:
        ledger.open_dataset("d", Unit.row(Neighbors.ADD_REMOVE), sfumato.Budget.approx(4, "1e-3"), create=True)
    document = plan(**PAID)
    document["output"] = {"suppressed": "drop", "row_order": "shuffled", **plan()["output"], **changes}
    return document


def test_two_racing_runs_of_one_paid_request_leave_one_release(folder, monkeypatch):
    """Both are charged once, both write a draft, one settles first; the other leaves no file and says why."""
    meet, ends = threading.Barrier(2), []

    def meeting(*arguments, **named):
        meet.wait(60)
        return settle(*arguments, **named)

    settle = publish.settle
    monkeypatch.setattr(publish, "settle", meeting)
    documents = [paid(folder), paid(folder, path="two.csv", report="two.html", result="two.json")]

    def race(document):
        try:
            ends.append(run(folder, document).path.name)
        except LedgerError as error:
            ends.append(error)

    threads = [threading.Thread(target=race, args=(one,)) for one in documents]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    names = [end for end in ends if isinstance(end, str)]
    assert len(names) == 1, ends
    assert sum((folder / name).exists() for name in ("out.csv", "two.csv")) == 1
    assert (folder / names[0]).exists()
    assert sum((folder / name).exists() for name in ("result.json", "two.json")) == 1
    assert "faster" in str(next(end for end in ends if isinstance(end, LedgerError)))
    assert not list(folder.glob(".sfumato-*"))


def test_a_paid_release_that_cannot_get_its_place_is_kept_and_named(folder, monkeypatch):
    document, rename = paid(folder), Path.replace

    def stubborn(self, target):
        if Path(target) == folder / "out.csv" and ".before" not in self.name:
            raise PermissionError(13, "Permission denied")
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", stubborn)
        with pytest.raises(LedgerError, match=r"ready in '\.sfumato-\w+\.paid'"):
            run(folder, document)
    (kept,) = folder.glob(".sfumato-*.paid")
    assert {p.name for p in kept.iterdir()} == set(OUTPUTS)
    with pytest.raises(LedgerError, match=r"\.paid"):
        run(folder, document)
    assert kept.exists()
    with Ledger.open(f"sqlite:///{folder / 'ledger.db'}", create=False) as ledger:
        assert kept.joinpath("out.csv").exists()
        assert "SHA-256" in ledger.answer("r")


def test_a_run_that_failed_before_it_settled_is_run_again_at_no_price(folder, monkeypatch):
    document = paid(folder)
    with monkeypatch.context() as patch:
        patch.setattr(
            "sfumato.release.recoding.run.measure", lambda *_, **__: (_ for _ in ()).throw(ImportError("none"))
        )
        with pytest.raises(ImportError):
            run(folder, document)
    assert not (folder / "out.csv").exists()
    run(folder, document)
    assert (folder / "out.csv").exists()
    with Ledger.open(f"sqlite:///{folder / 'ledger.db'}", create=False) as ledger:
        assert [float(part) for part in ledger.statement("d").dataset.spent] == [2, 1e-4]


SLOW = """
import os, signal, sys, time
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests may have it ignored
signal.signal(signal.SIGINT, signal.default_int_handler)
from sfumato.release.recoding import run
from sfumato.table.unit import Neighbors, Unit
def slow(*arguments, **named):
    print("measuring", flush=True)
    while True:
        time.sleep(0.05)
run.measure = slow
from sfumato.cli.main import main
main()
"""


def measuring(folder, document):
    """A run of its own process that measures for ever."""
    (folder / "plan.toml").write_text(tomlkit.dumps(document), encoding="utf-8")
    environment = {**os.environ, "TMPDIR": str(folder / "tmp")}
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, "run", "plan.toml"], cwd=folder, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout.readline() == "measuring\n"
    return process


def stopped(folder, number, document=None):
    """A run that is stopped by a signal while it measures: its exit code and what it said."""
    process = measuring(folder, document or plan())
    process.send_signal(number)
    _, said = process.communicate()
    return process.returncode, said


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_leaves_nothing_behind_and_says_so(folder, name):
    (folder / "tmp").mkdir()
    before = found(folder)
    code, said = stopped(folder, getattr(signal, name))
    (folder / "plan.toml").unlink()
    assert code > 0
    assert "nothing was published" in said
    assert "Traceback" not in said
    assert found(folder) == before
    assert [p.name for p in (folder / "tmp").iterdir()] == []
    assert not list(folder.glob(".sfumato-*"))


def test_what_a_killed_run_left_is_removed_by_the_next_one(folder, monkeypatch):
    """The drafts beside the release and the store in the folder for temporary files."""
    (folder / "tmp").mkdir()
    code, _ = stopped(folder, signal.SIGKILL)
    assert code == -signal.SIGKILL
    assert len(list(folder.glob(".sfumato-*.part"))) == len(list((folder / "tmp").glob("sfumato-*.store"))) == 1
    assert all((folder / name).read_text("utf-8") == "old" for name in OUTPUTS)
    environment = {**os.environ, "TMPDIR": str(folder / "tmp")}
    command = [sys.executable, "-c", "from sfumato.cli.main import main; main()", "run", "plan.toml"]
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    assert not list(folder.glob(".sfumato-*"))
    assert not list((folder / "tmp").iterdir())


def tables(url):
    """Names of the tables of a database."""
    if url.startswith("duckdb"):
        with duckdb.connect(url.removeprefix("duckdb:///")) as base:
            return base.execute("SELECT table_name FROM information_schema.tables").fetchall()
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as base:
        return base.execute("SELECT name FROM sqlite_master").fetchall()


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
@pytest.mark.parametrize("stage", ["release.recoding.run.measure", "release.publish._documents", "rename"])
def test_a_table_of_a_database_has_its_name_when_the_files_have_theirs(folder, monkeypatch, kind, stage):
    url = f"{kind}:///{folder}/base.{kind}"
    document = plan(output={"url": url, "table": "people", "result": "result.json"})
    before, rename = found(folder), Path.replace

    def fails(*arguments):
        if stage != "rename" or Path(arguments[1]) == folder / "result.json":
            raise PermissionError(13, "Permission denied")
        return rename(*arguments)

    with monkeypatch.context() as patch:
        if stage == "rename":
            patch.setattr(Path, "replace", fails)
        else:
            patch.setattr(f"sfumato.{stage}", fails)
        with pytest.raises((PermissionError, SourceError)):
            run(folder, document)
    assert tables(url) == []
    assert {name: held for name, held in found(folder).items() if not name.startswith("base.")} == before
    assert run(folder, document).result.files[0].path == "people"
    assert tables(url) == [("people",)]
    with pytest.raises(SourceError, match="never replaces a table; 'people'"):
        run(folder, document)
    assert tables(url) == [("people",)]


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_the_draft_table_of_a_killed_run_is_removed_by_the_next_one_and_no_other(folder, kind):
    """Of this database: a draft of one beside it, and one that is held, stay."""
    (folder / "tmp").mkdir()
    url, beside = f"{kind}:///{folder}/base.{kind}", f"{kind}:///{folder}/beside.{kind}"
    assert stopped(folder, signal.SIGKILL, plan(output={"url": url, "table": "people"}))[0] == -signal.SIGKILL
    assert stopped(folder, signal.SIGKILL, plan(output={"url": beside, "table": "people"}))[0] == -signal.SIGKILL
    running = measuring(folder, plan(output={"url": url, "table": "slow"}))
    (held,) = tables(url)
    assert held[0].startswith("sfumato_draft_")
    run(folder, plan(output={"url": url, "table": "people"}))
    assert sorted(tables(url)) == sorted([("people",), held])
    assert [name[:14] for (name,) in tables(beside)] == ["sfumato_draft_"]
    running.kill()
    running.communicate()
    run(folder, plan(output={"url": url, "table": "more"}))
    run(folder, plan(output={"url": beside, "table": "people"}))
    assert (sorted(tables(url)), tables(beside)) == ([("more",), ("people",)], [("people",)])
    assert not list(folder.glob(".sfumato-*"))


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_paid_table_that_could_not_get_its_name_is_kept_by_later_runs(folder, monkeypatch, kind):
    url = f"{kind}:///{folder}/base.{kind}"

    def fails(*_):
        raise SourceError("No.", "none.")

    with staged() as stage:
        draft = stage.draft_table(SqlSink(url, "people"))
        with closing({"sqlite": sqlite3, "duckdb": duckdb}[kind].connect(folder / f"base.{kind}")) as base:
            base.execute(f"CREATE TABLE {draft.written} (a INTEGER)")
        stage.pay(lambda: None)
        monkeypatch.setattr("sfumato.release.stage.rename_table", fails)
        with pytest.raises(LedgerError, match=r"ready as 'sfumato_paid_[a-z0-9_]{8}'"):
            stage.commit()
    monkeypatch.undo()
    run(folder, plan(output={"url": url, "table": "people"}))
    assert sorted(name[:13] for (name,) in tables(url)) == ["people", "sfumato_paid_"]


@pytest.mark.postgres
def test_a_killed_run_leaves_no_draft_in_postgresql_once_another_has_run(folder, postgres):
    from adbc_driver_postgresql import dbapi

    def drafts():
        with dbapi.connect(postgres) as base, base.cursor() as cursor:
            cursor.execute("SELECT tablename FROM pg_tables WHERE tablename ~ '^sfumato_draft' ORDER BY 1")
            return cursor.fetchall()

    (folder / "tmp").mkdir()
    running = measuring(folder, plan(output={"url": postgres, "table": "held for long"}))
    (held,) = drafts()
    killed = plan(output={"url": postgres, "table": "a killed release"})
    assert stopped(folder, signal.SIGKILL, killed)[0] == -signal.SIGKILL
    assert len(drafts()) == 2
    until = time.monotonic() + 60  # the server notes that a client is gone when it next listens to it
    while len(drafts()) == 2 and time.monotonic() < until:
        run(folder, plan(output={"url": postgres, "table": f"release {uuid4().hex}"}))
    assert drafts() == [held]
    running.kill()
    running.communicate()
    while drafts() and time.monotonic() < until:
        run(folder, plan(output={"url": postgres, "table": f"release {uuid4().hex}"}))
    assert drafts() == []


@pytest.mark.postgres
def test_a_table_of_postgresql_has_its_name_when_it_is_measured(folder, monkeypatch, postgres):
    from adbc_driver_postgresql import dbapi

    def names():
        with dbapi.connect(postgres) as base, base.cursor() as cursor:
            cursor.execute("SELECT tablename FROM pg_tables WHERE tablename ~ '^release of people$|^sfumato_draft'")
            return cursor.fetchall()

    def fails(*_):
        raise KeyboardInterrupt

    document = plan(output={"url": postgres, "table": "release of people"})
    with monkeypatch.context() as patch:
        patch.setattr("sfumato.release.recoding.run.measure", fails)
        with pytest.raises(KeyboardInterrupt):
            run(folder, document)
    assert names() == []
    run(folder, document)
    assert names() == [("release of people",)]
