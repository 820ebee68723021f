"""Protections of traces side by side: values and named protections vary, attacks are tried, tables and pictures come out."""

import json
from xml.dom.minidom import parseString

import pytest
from tests.app.test_traces import GEO, PLAN_TEXT, walks

import sfumato as front
from sfumato.errors import ParameterError, PlanError
from sfumato.release.sweep.named import Named, named_in

WAYS = """
["as it is"]
protect = [{ name = "rule", show = "as it is" }]
["constant speed"]
protect = [{ name = "promesse", metres = 200 }]
[coarse]
protect = [{ name = "geo-indistinguishability", epsilon = "0.001" }]
region = { metres = 1000, rows = 12, columns = 10 }
[too-many]
protect = [{ name = "cloak", k = 50, seconds = 3600 }]
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    rows = ["who,at,lat,lon,note", *(",".join(row) for row in walks())]
    (tmp_path / "fixes.csv").write_text("\n".join(rows), encoding="utf-8")
    (tmp_path / "plan.toml").write_text(PLAN_TEXT.replace("PROTECT", GEO), encoding="utf-8")
    (tmp_path / "ways.toml").write_text(WAYS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_values_of_a_protection_vary(folder):
    found = front.sweep("plan.toml", {"ratio": [2, 64]})
    assert [point.state for point in found.points] == ["done", "done"]
    assert (found.worth.name, found.risk.name) == ("traces_cells_f1", "persons_found")
    assert found.points[0].worth < found.points[1].worth  # a larger ratio moves fixes less


def test_named_protections_are_compared_by_what_attacks_find(sfumato, folder):
    ran = sfumato(
        "sweep", "plan.toml", "--vary", "way=@ways.toml", "--risk", "attack.re-identification", "--also", "stays_retrieved",
        "--also", "control.re-identification", "-o", "out",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    lines = {line.split("  ")[0]: line.split() for line in ran.out.splitlines()}
    assert ran.out.splitlines()[0].split()[:5] == [
        "way",
        "worth",
        "risk",
        "stays_retrieved",
        "control.re-identification",
    ]
    assert "as it is" in lines
    document = json.loads((folder / "out" / "sweep.json").read_text())
    points = {point["values"]["way"]: point for point in document["points"]}
    assert document["vary"] == {"way": ["as it is", "constant speed", "coarse", "too-many"]}
    assert (
        points["as it is"]["worth"]
        == points["as it is"]["risk"]
        == points["as it is"]["figures"]["stays_retrieved"]
        == 1
    )
    assert points["as it is"]["figures"]["control.re-identification"] == 0
    assert points["constant speed"]["figures"]["stays_retrieved"] == 0
    assert points["coarse"]["worth"] < points["as it is"]["worth"]
    assert points["too-many"]["state"] == "no solution"
    assert [axis["name"] for axis in document["also"]] == ["stays_retrieved", "control.re-identification"]
    pictures = sorted(path.name for path in (folder / "out").glob("*.svg"))
    assert pictures == ["sweep-control.re-identification.svg", "sweep-stays_retrieved.svg", "sweep.svg"]
    for name in pictures:
        assert "constant speed" in parseString((folder / "out" / name).read_text()).toxml()


def test_what_named_values_change_is_what_a_sweep_may_vary(folder):
    with pytest.raises(PlanError, match="must vary what is done or promised; `source`"):
        front.sweep("plan.toml", {"way": [Named("other", {"source": {"path": "x.csv"}})]})
    with pytest.raises(ParameterError, match="worth or risk of a sweep must be a figure"):
        front.sweep("plan.toml", {"ratio": [4]}, also=["who"])
    (folder / "bad.toml").write_text("[", encoding="utf-8")
    with pytest.raises(PlanError, match="must be TOML"):
        named_in(folder / "bad.toml")


@pytest.mark.parametrize("text", ["", "a = 1", "[a]\nk = 1\n[[b]]\nk = 2"])
def test_a_file_of_values_holds_tables(sfumato, folder, text):
    (folder / "ways.toml").write_text(text, encoding="utf-8")
    ran = sfumato("sweep", "plan.toml", "--vary", "way=@ways.toml")
    assert ran.code == 2
    assert "must hold one table for each value" in ran.err
