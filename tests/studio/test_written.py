"""A plan that was made in Python opens in the studio."""

import tomllib

from tests.studio.furnished import Room

import sfumato
from sfumato.studio.shelf import Project

PLAN = {
    "format": "sfumato.plan/1", "source": {"path": "t.csv"},
    "columns": {"age": {"role": "quasi-identifying", "kind": "integer"}, "sex": {"role": "quasi-identifying"}},
    "promise": [{"model": "k-anonymity", "k": 2}], "method": {"name": "full-domain"}, "output": {"path": "t.release.csv"},
}  # fmt: skip


def test_a_plan_of_a_notebook_is_a_project(hand):
    """It is in the list, its pages show it, its run is the release, and what a page changes is what Python reads."""
    folder = hand.studio.folder / "notebook"
    folder.mkdir()
    (folder / "t.csv").write_text("age,sex\n" + "".join(f"{20 + i % 5},{'FM'[i % 2]}\n" for i in range(40)))
    path = sfumato.write_plan(sfumato.plan_from(PLAN, folder=folder), folder)
    room = Room(hand, Project(folder))
    assert 'href="' in hand.get("/").text
    assert "/p/notebook/" in hand.get("/").text
    for page in ("table", "hierarchy", "promise", "risk", "explore", "history"):
        assert hand.get(room.path(page)).status_code == 200, page
    assert 'value="2"' in hand.get(room.path("promise")).text
    room.done("promise/add", kind="k-anonymity", k="4", place="0")
    read = sfumato.read_plan(path)
    assert [one.k for one in read.promises] == [4]
    room.done("promise/run")
    room.finished("001")
    assert (folder / "runs/001/t.release.csv").is_file()
    sfumato.write_plan({**tomllib.loads(path.read_text("utf-8")), "most_tuples": 500}, folder, over=read)
    assert "most_tuples" in path.read_text("utf-8")
    assert hand.get(room.path("promise")).status_code == 200
