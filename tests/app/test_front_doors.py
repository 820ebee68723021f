"""The Python front door and the command do the same: every document of one is that of the other, key by key."""

import json
from pathlib import Path

import pytest
import tomlkit

import sfumato
from sfumato.cli.main import commands
from sfumato.report.document import read_result
from sfumato.table.hierarchy.propose import to_csv

ROWS = [f"{20 + i % 12},{'fm'[i % 2]},{('flu', 'gout', 'asthma')[i % 3]}" for i in range(144)]
PLAN = {
    "sfumato": 1,
    "source": {"path": "t.csv"},
    "columns": {
        "age": {"role": "quasi-identifying", "kind": "integer", "hierarchy": {"width": 3, "then": [6]}},
        "sex": {"role": "quasi-identifying"},
        "ill": {"role": "sensitive"},
    },
    "promise": [{"model": "k-anonymity", "k": 5}],
    "method": {"name": "full-domain"},
    "output": {"path": "out.csv", "report": "report.html", "result": "result.json"},
}
QI = {"quasi_identifiers": ["age", "sex"], "sensitive": ["ill"]}
ASKED = ("--quasi-identifier", "age", "--quasi-identifier", "sex", "--sensitive", "ill")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The working folder, with a table, a plan and a release."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("\n".join(["age,sex,ill", *ROWS]) + "\n", encoding="utf-8")
    (tmp_path / "new.csv").write_text("\n".join(["age,sex,ill", *ROWS, *ROWS]) + "\n", encoding="utf-8")
    (tmp_path / "plan.toml").write_text(tomlkit.dumps(PLAN), encoding="utf-8")
    sfumato.run("plan.toml")
    return tmp_path


@pytest.fixture
def told(here, capsys):
    """The document that a command prints."""

    def call(*arguments):
        capsys.readouterr()
        commands([*map(str, arguments), "--json"], standalone_mode=False)
        return json.loads(capsys.readouterr().out)

    return call


def same(ours, theirs, where=""):
    """Both hold the same keys and values; how long work took is no part of it."""
    assert type(ours) is type(theirs), where
    if isinstance(ours, dict):
        assert sorted(ours) == sorted(theirs), where
        for key in ours:
            if key not in {"seconds", "replay"}:
                same(ours[key], theirs[key], f"{where}.{key}")
    elif isinstance(ours, list):
        assert len(ours) == len(theirs), where
        for i, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            same(one, other, f"{where}[{i}]")
    else:
        assert ours == theirs or (ours != ours and theirs != theirs), where  # noqa: PLR0124


def plainly(document):
    """A document as JSON brings it back."""
    return json.loads(document.to_json() if hasattr(document, "to_json") else json.dumps(document))


OUTPUTS = ("out.csv", "report.html", "result.json")


def test_run_prints_and_writes_the_same(here, told):
    ours = sfumato.run(here / "plan.toml")
    written = {name: (here / name).read_bytes() for name in OUTPUTS}
    for name in OUTPUTS:
        (here / name).unlink()
    same(plainly(ours.result), told("run", "plan.toml"))
    assert {name: (here / name).read_bytes() for name in OUTPUTS} == written


def test_a_table_in_memory_gets_its_report_and_result_too(here):
    import pandas as pd

    for name in OUTPUTS:
        (here / name).unlink()
    release = sfumato.run("plan.toml", pd.read_csv("t.csv"))
    assert json.loads((here / "result.json").read_text("utf-8")) == json.loads(release.result.to_json())
    assert (here / "report.html").read_text("utf-8") == sfumato.render_html(release.result)
    assert not (here / "out.csv").exists()


def test_apply_writes_the_same_and_leaves_the_earlier_documents(here, told):
    stored = read_result((here / "result.json").read_text("utf-8"))
    before = {name: (here / name).read_bytes() for name in OUTPUTS}
    ours = sfumato.apply(sfumato.read_plan("plan.toml"), stored, Path("new.csv"), Path("a.csv"))
    theirs = told("apply", "plan.toml", "result.json", "new.csv", "-o", "b.csv")
    theirs["files"][0]["path"] = "a.csv"
    same(plainly(ours.result), theirs)
    assert (here / "a.csv").read_bytes() == (here / "b.csv").read_bytes()
    assert {name: (here / name).read_bytes() for name in OUTPUTS} == before


def test_report_writes_the_same(here, told):
    told("report", "result.json", "-o", "again.html")
    page = sfumato.render_html(read_result((here / "result.json").read_text("utf-8")))
    assert (here / "again.html").read_text("utf-8") == page == (here / "report.html").read_text("utf-8")


@pytest.mark.parametrize(("python", "command"), [
    (lambda: sfumato.assess_risk("t.csv", **QI), ("risk", "t.csv", *ASKED)),
    (lambda: sfumato.assess_risk("out.csv", plan=sfumato.read_plan("plan.toml")), ("risk", "out.csv", "--plan", "plan.toml")),
    (lambda: sfumato.compare("t.csv", "out.csv", **QI), ("compare", "t.csv", "out.csv", *ASKED)),
    (
        lambda: sfumato.attack_release("t.csv", "out.csv", plan=sfumato.read_plan("plan.toml"), guesses=50),
        ("attack", "t.csv", "out.csv", "--plan", "plan.toml", "--guesses", "50"),
    ),
    (
        lambda: sfumato.sweep("plan.toml", {"k": [2, 5]}),
        ("sweep", "plan.toml", "--vary", "k=2,5"),
    ),
], ids=["risk", "risk of a plan", "compare", "attack", "sweep"])  # fmt: skip
def test_what_is_measured_is_the_same(here, told, python, command):
    same(plainly(python()), told(*command))


def test_versions_are_the_same(here, told):
    from sfumato import versions

    ours = versions("t.csv", ["out.csv", "out.csv"], plan=sfumato.read_plan("plan.toml"))
    same(plainly(ours), told("versions", "t.csv", "out.csv", "out.csv", "--plan", "plan.toml"))


def test_a_hierarchy_is_the_same(here, told):
    ours = sfumato.hierarchy("t.csv", "age", plan=sfumato.read_plan("plan.toml"))
    theirs = told("hierarchy", "t.csv", "age", "--plan", "plan.toml")
    assert theirs == {
        "format": "sfumato.hierarchy/1",
        "column": "age",
        "nodes": [len(names) for names in ours.labels],
        "csv": to_csv(ours),
    }


def test_a_draft_is_the_same(here, told):
    ours = sfumato.draft("t.csv")
    theirs = told("draft", "t.csv", "-o", "drafted.toml")
    roles = [(g.column.name, g.column.role.value, g.column.kind.value, g.reason) for g in ours.guesses]
    assert [(c["name"], c["role"], c["kind"], c["reason"]) for c in theirs["columns"]] == roles


def test_a_copy_is_the_same(here, told):
    from sfumato.front.tables import convert
    from sfumato.table.source import FileSink

    receipt = convert("t.csv", FileSink(Path("one.parquet")))
    theirs = told("convert", "t.csv", "-o", "two.parquet")
    assert (theirs["rows"], theirs["kind"], theirs["bytes"]) == (receipt.n_rows, receipt.kind, receipt.n_bytes)
    assert theirs["sha256"] == receipt.sha256
