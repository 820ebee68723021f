"""Documents, ledgers and stores that version 0.1.0 wrote are read, and mean what they meant."""

import json
import shutil
from pathlib import Path

import httpx
import pytest
from tests.app.serve_processes import PATIENCE, READER, serving
from tests.golden.before.driver import carry_out, on_paper
from tests.golden.test_before import RECORDED, RENAMES

DATA = Path(__file__).parents[1] / "data" / "version-0.1.0"
REPORTED = [
    name for name, case in RECORDED.items() if {"result.json", "report.html"} <= case["outcome"]["files"].keys()
]
COLLECTED = [name for name in RECORDED if name.startswith(("collect ", "rappor")) and "counts.json" in RECORDED[name]["outcome"]["files"]]  # fmt: skip
READING = {"estimate", "decode"}
"""Commands that read counts."""


def written(name, *files):
    """Files that a command of version 0.1.0 wrote."""
    return {file: RECORDED[name]["outcome"]["files"][file]["text"] for file in files}


def differences(folder, name, steps, given, files=()):
    """What differs when some steps of a recorded case are done again with files that 0.1.0 wrote."""
    case = RECORDED[name]
    again = {"name": name, "files": case["files"] | given, "steps": [case["steps"][i] for i in steps]}
    before = {"steps": [case["outcome"]["steps"][i] for i in steps], "files": outcomes(case, files)}
    found = carry_out(again, on_paper(folder / "case"), RENAMES.command_line)
    return RENAMES.differences(name, before, found | {"files": {file: found["files"].get(file) for file in files}})


def outcomes(case, files):
    """What a case gave, of some of its files."""
    return {file: case["outcome"]["files"][file] for file in files}


@pytest.mark.parametrize("name", REPORTED)
def test_a_result_gives_the_report_that_it_gave(tmp_path, name):
    case = {"name": name, "files": written(name, "result.json"), "steps": [{"words": ["report", "result.json", "-o", "report.html"]}]}  # fmt: skip
    found = carry_out(case, on_paper(tmp_path / "case"))
    assert found["steps"][0]["code"] == 0, found["steps"][0]["err"]
    before = {"steps": [], "files": outcomes(RECORDED[name], ["report.html"])}
    assert not RENAMES.differences(name, before, {"steps": [], "files": found["files"]})


def test_a_result_is_applied_to_new_rows(tmp_path):
    given = written("apply", "result.json")
    assert not differences(tmp_path, "apply", [1], given, ["again.csv"])


@pytest.mark.parametrize("name", COLLECTED)
def test_counts_give_the_estimates_that_they_gave(tmp_path, name):
    files = [file for file in RECORDED[name]["outcome"]["files"] if file in {"counts.json", "params.json", "made.json"}]
    other = {one["step"] for one in RENAMES.steps if one["case"] == name}
    steps = [i for i, step in enumerate(RECORDED[name]["steps"]) if step["words"][1] in READING and i not in other]
    assert steps
    assert not differences(tmp_path, name, steps, written(name, *files))


@pytest.mark.parametrize("name", [name for name in COLLECTED if "OLH" not in name])
def test_reports_give_the_counts_that_they_gave(tmp_path, name):
    files = [file for file in RECORDED[name]["outcome"]["files"] if file in {"reports.csv", "b.jsonl", "params.json", "made.json"}]  # fmt: skip
    steps = [i for i, step in enumerate(RECORDED[name]["steps"]) if step["words"][1] in {"aggregate", "count"}][:1]
    assert not differences(tmp_path, name, steps, written(name, *files), ["counts.json"])


def test_a_ledger_knows_its_answers_and_charges_nothing_for_them(tmp_path):
    """Every question is asked again in the order of then: what was answered is told again, and the statement is the same."""
    told = json.loads((DATA / "ledger" / "told.json").read_text("utf-8"))
    shutil.copytree(DATA / "ledger", tmp_path / "case")
    steps = [{"words": one["words"]} for one in told]
    before = {"steps": [{key: one[key] for key in ("code", "out", "err")} for one in told], "files": {}}
    found = carry_out({"name": "ledger", "files": {}, "steps": steps}, tmp_path / "case", RENAMES.command_line)
    assert not RENAMES.differences("ledger", before, found | {"files": {}})


def test_a_store_of_the_collection_server_keeps_its_counts(tmp_path):
    shutil.copytree(DATA / "server", tmp_path / "server")
    told = json.loads((tmp_path / "server" / "told.json").read_text("utf-8"))
    batch = json.loads((tmp_path / "server" / "again.json").read_text("utf-8"))
    with serving(tmp_path / "server") as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        assert client.post("/collections/color/batches", json=batch).json()["counted"] is False
        found = {path: client.get(path, headers=READER).json() for path in told}
    before, now = ({"steps": [], "files": {path: {"text": json.dumps(one, sort_keys=True)} for path, one in documents.items()}} for documents in (told, found))  # fmt: skip
    assert not RENAMES.differences("store", before, now)
