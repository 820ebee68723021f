"""What a promise would cost while its numbers are typed: the figures of the run that would come, or of a sample that says so."""

import json
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest
from tests.studio.conftest import let_in
from tests.studio.furnished import copied

from sfumato.report.sweep import figure_text
from sfumato.studio import estimate
from sfumato.studio.plan_file import PlanFile

PLAN = """
[source]
path = "t.csv"
[columns.who]
role = "identifying"
[columns.age]
role = "quasi-identifying"
kind = "integer"
hierarchy = { width = 10, then = [50], from = 0 }
[[promise]]
model = "k-anonymity"
k = 3
[method]
name = "full-domain"
suppression_limit = 0.05
"""


def shown(room):
    """The part of the page that tells the estimate, as text."""
    page = room.hand.get(room.path("promise")).text
    return " ".join(re.sub(r"<[^>]*>", " ", page[page.index('id="estimate"') :].partition("<details>")[0]).split())


def test_an_estimate_is_what_the_run_then_measures(furniture):
    """Nothing is saved by asking; on another plan it is not shown; what cannot be tried says why in its place."""
    room = copied(furniture)
    before = room.project.plan_path.read_bytes()
    room.done("promise/estimate", kind="k-anonymity", k="7", place="0")
    room.finished("estimate")
    told = shown(room)
    assert "Estimate for k-anonymity, k = 7" in told
    assert "on the whole table" in told
    assert room.project.plan_path.read_bytes() == before
    room.done("promise/add", kind="k-anonymity", k="7", place="0")
    assert shown(room) == told  # of the plan that it became
    room.done("promise/run")
    run = room.project.runs()[0]
    room.finished(f"{run.number:03}")
    worth = {one["name"]: one for one in json.loads(run.result.read_text("utf-8"))["worth"]}
    for name in ("gcp", "suppressed_share"):
        assert f"{worth[name]['label']} {figure_text(worth[name]['value'])}" in told
    room.done("promise/estimate", kind="k-anonymity", k="many", place="0")
    assert "What to do:" in shown(room)
    room.done("promise/add", kind="k-anonymity", k="4", place="0")
    assert "Estimate" not in shown(room)


@pytest.mark.parametrize("person", [None, "who"])
def test_a_large_table_is_tried_on_a_sample(tmp_path, monkeypatch, person):
    """Drawn once: the second try finds it beside, and the same figures; persons stay whole."""
    monkeypatch.setattr(estimate, "MOST", 120)
    drawn = np.random.default_rng(1).integers(0, 100, 400)
    table = pa.table({"who": [f"p{i // 4}" for i in range(400)], "age": drawn})
    pa_csv.write_csv(table, tmp_path / "t.csv")
    unit = f'[unit]\nperson = "{person}"\n' if person else ""
    text = 'format = "sfumato.plan/1"\n' + PLAN + unit
    folder = tmp_path / "job"
    folder.mkdir()
    (folder / "plan.toml").write_text(text)
    plan = PlanFile(tmp_path / "plan.toml", text).plan()
    found = []
    for _ in range(2):
        estimate.work(folder, tmp_path, plan.source, plan, lambda *_: None)
        found.append((folder / "estimate.json").read_text("utf-8"))
    assert found[0] == found[1]
    said = json.loads(found[0])
    assert (said["rows"], said["of"]) == (120, 400)
    (kept,) = folder.glob("sample-*.parquet")
    rows = pq.read_table(kept)["who"].value_counts().to_pylist()
    assert ({one["counts"] for one in rows} == {4}) == (person is not None)
    table.slice(0, 399).to_pandas().to_csv(tmp_path / "t.csv", index=False)
    estimate.work(folder, tmp_path, plan.source, plan, lambda *_: None)
    assert json.loads((folder / "estimate.json").read_text("utf-8"))["of"] == 399
    assert [Path(one) for one in folder.glob("sample-*.parquet")] != [kept]


def test_typing_shows_it(chromium, hand, furniture):
    """No button is pressed: a number is changed, and its estimate arrives."""
    room = copied(furniture)
    with let_in(chromium, hand) as page:
        page.goto(hand.studio.root + room.path("promise"))
        page.locator("#p0-k").fill("9")
        page.locator("#estimate", has_text="k = 9").locator("td").first.wait_for()
        assert page.locator("#p0-k").input_value() == "9"
