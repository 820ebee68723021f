"""`sfumato sweep`: worth and risk of one plan with many values."""

import csv
import json
import xml.etree.ElementTree as ET

import pytest
from tests.app.conftest import SIX, SIX_PLAN

import sfumato
from sfumato.cli.sweep import read
from sfumato.errors import NoSolution, ParameterError, PlanError
from sfumato.release.recoding import run as recoding
from sfumato.release.sweep import sweep as sweep_module
from sfumato.report.chart.standalone import standalone
from sfumato.report.sweep import picture

PEOPLE = "\n".join(["age,sex,illness", *(f"{20 + i % 40},{'fm'[i % 2]},{'abc'[i * 7 % 3]}" for i in range(240))]) + "\n"
LETTERS = """
sfumato = 1
[source]
path = "people.csv"
[columns.age]
role = "quasi-identifying"
kind = "integer"
hierarchy = { width = 10, then = [50] }
[columns.sex]
role = "quasi-identifying"
[columns.illness]
role = "sensitive"
[[promise]]
model = "l-diversity"
kind = "distinct"
column = "illness"
l = 2
[method]
name = "full-domain"
suppression_limit = 0.1
[measure]
queries = 30
"""
PRIVATE = """
sfumato = 1
[source]
path = "people.csv"
[columns.age]
role = "quasi-identifying"
kind = "integer"
hierarchy = { width = 10, then = [50] }
[columns.sex]
role = "quasi-identifying"
hierarchy = { groups = ["f", "m"] }
[columns.illness]
role = "identifying"
[[promise]]
model = "differential-privacy"
kind = "safepub"
epsilon = 2
delta = "1e-2"
search_epsilon = 1
[method]
name = "safepub"
search = "whole"
score = "classes"
[account]
ledger = "sqlite:///ledger.db"
dataset = "people"
analyst = "ada"
request = "first"
budget = { epsilon = 3, delta = "1e-1" }
[measure]
queries = 20
[output]
path = "table.csv"
suppressed = "drop"
row_order = "shuffled"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with two tables and three plans."""
    files = {
        "six.csv": SIX, "plan.toml": SIX_PLAN, "people.csv": PEOPLE, "letters.toml": LETTERS, "private.toml": PRIVATE,
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def states(found):
    return [point.state for point in found.points]


def test_a_point_is_the_release_that_the_same_plan_makes(folder):
    found = sfumato.sweep("plan.toml", {"k": [2], "method": ["full-domain", "mondrian"]})
    assert found.to_dict()["format"] == "sfumato.sweep/1"
    assert states(found) == ["done"] * 2
    for point in found.points:
        text = SIX_PLAN.replace("k = 3", f"k = {point.values['k']}")
        (folder / "one.toml").write_text(text.replace("full-domain", point.values["method"]), encoding="utf-8")
        result = sfumato.run("one.toml").result.to_dict()
        figures = {one["name"]: one["value"] for one in (*result["worth"], *result["risk"]["after"])}
        assert point.figures == {name: value for name, value in figures.items() if value is not None}


def test_nothing_is_written_and_the_table_is_counted_once(folder, monkeypatch):
    counted = []
    summarize = recoding.summarize
    monkeypatch.setattr(recoding, "summarize", lambda run: counted.append(1) or summarize(run))
    before = sorted(path.name for path in folder.iterdir())
    sfumato.sweep("plan.toml", {"k": [2, 3, 4]})
    assert sorted(path.name for path in folder.iterdir()) == before
    assert counted == [1]
    sfumato.sweep("plan.toml", {"columns.Age.top": [25, 26], "k": [2, 3]})
    assert len(counted) == 3


def test_points_without_a_release_are_kept(folder):
    found = sfumato.sweep("plan.toml", {"k": [3, 7]})
    assert states(found) == ["done", "no solution"]
    assert found.points[1].worth is None
    assert not found.points[1].front
    with pytest.raises(NoSolution, match="there is none"):
        sfumato.sweep("plan.toml", {"k": [7, 8]})


def test_buckets_and_classes_are_asked_the_same_and_options_of_another_method_are_left_out(folder):
    found = sfumato.sweep("letters.toml", {"method": ["full-domain", "mondrian", "anatomy"], "l": [2, 3]})
    assert states(found) == ["done"] * 6
    assert (found.worth.name, found.risk.name) == ("bucket_query_error_mean", "bucket_guess_mean")
    for point in found.points:
        assert point.risk <= 1 / point.values["l"] + 1e-9 or point.values["method"] != "anatomy"
    refused = sfumato.sweep("letters.toml", {"method": ["full-domain", "mondrian"], "suppression_limit": [0.1]})
    assert states(refused) == ["done", "refused"]


def test_the_figures_that_anatomy_compares_itself_with_are_those_of_mondrian(folder):
    found = sfumato.sweep("letters.toml", {"method": ["mondrian", "anatomy"]})
    mondrian, anatomy = (point.figures for point in found.points)
    assert mondrian["bucket_query_error_mean"] == pytest.approx(anatomy["generalized_query_error_mean"], rel=1e-12)


def test_an_attack_can_be_the_risk(folder):
    found = sfumato.sweep("letters.toml", {"l": [2]}, risk="attack.inference", worth="gcp")
    assert 0 <= found.points[0].risk <= 1


def test_what_must_be_paid_is_not_swept(folder):
    with pytest.raises(PlanError, match="would have to be paid"):
        sfumato.sweep("private.toml", {"epsilon": [2, 3]})
    found = sfumato.sweep("private.toml", {"epsilon": [2, 3]}, simulate=True, risk="promised_epsilon")
    assert set(states(found)) <= {"done", "no solution"}
    assert [point.risk for point in found.points if point.state == "done"] == [
        point.values["epsilon"] for point in found.points if point.state == "done"
    ]
    assert not (folder / "ledger.db").exists()


@pytest.mark.parametrize("key", ["source.path", "output.path", "measure.queries"])
def test_tables_and_measures_are_not_varied(folder, key):
    with pytest.raises(PlanError, match="neither"):
        sfumato.sweep("plan.toml", {key: ["a"]})


def test_a_figure_must_be_there(folder):
    with pytest.raises(ParameterError, match="'nope'"):
        sfumato.sweep("plan.toml", {"k": [2]}, worth="nope")


def test_a_frame_and_a_plan_in_memory(folder):
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv("six.csv", dtype=str)
    assert states(sfumato.sweep(sfumato.read_plan("plan.toml"), {"k": [2]}, frame)) == ["done"]


def test_stopped_work_shows_what_is_done(folder, monkeypatch):
    def stop(done, total, message):
        if done == 2:
            raise KeyboardInterrupt

    found = sweep_module.sweep("plan.toml", {"k": [2, 3, 4, 5]}, progress=stop)
    assert found.interrupted
    assert states(found) == ["done", "done", "not run", "not run"]


def test_the_command_writes_table_and_picture(sfumato, folder):
    ran = sfumato("sweep", "plan.toml", "--vary", "k=2..4,9", "--vary", "method=full-domain,mondrian", "-o", "out")
    assert ran.code == 0, ran.err
    assert "8 runs" in ran.err
    assert "no solution (1)" in ran.out
    document = json.loads((folder / "out" / "sweep.json").read_text("utf-8"))
    rows = list(csv.DictReader((folder / "out" / "sweep.csv").read_text("utf-8").splitlines()))
    assert [row["front"] == "true" for row in rows] == [point["front"] for point in document["points"]]
    svg = ET.parse(folder / "out" / "sweep.svg").getroot()
    assert len([t for t in svg.iter("{http://www.w3.org/2000/svg}title") if "risk" in (t.text or "")]) == 6
    wrong = sfumato("sweep", "plan.toml", "--vary", "t=0.1", "--json")
    assert (wrong.code, wrong.out) == (5, "")


@pytest.mark.parametrize("text", ["k", "=2", "k=", "k=1..401..1"])
def test_the_command_says_what_is_wrong(text):
    with pytest.raises(ParameterError):
        read([text])


def test_the_command_says_which_values_of_a_long_range_are_taken():
    values, notes = read(["k=2..30", "l=2,3"])
    assert notes == [f"k: {len(values['k'])} values of 2..30: {', '.join(map(str, values['k']))}", "22 runs"]
    with pytest.raises(ParameterError, match="each key once"):
        read(["k=2", "k=3"])


def test_numbers_in_the_legend_are_told_with_their_key(folder):
    found = sfumato.sweep("plan.toml", {"k": [2, 3], "suppression_limit": [0, 0.4, 0.5]})
    assert ">k 2<" in standalone(picture(found))
    named = standalone(picture(sfumato.sweep("plan.toml", {"k": [2], "method": ["mondrian", "full-domain"]})))
    assert ">mondrian<" in named
    assert ">beaten by none, with k<" in named


def test_a_value_that_makes_no_hierarchy_is_refused_and_the_others_are_run(folder):
    found = sfumato.sweep("letters.toml", {"columns.age.hierarchy.width": [10, -1]})
    assert states(found) == ["done", "refused"]
