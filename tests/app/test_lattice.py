"""`sfumato sweep --lattice`: every node that a search judges is the release that fixed levels make."""

import csv
import json
from itertools import product

import pytest
from tests.app.test_sweep import PEOPLE

import sfumato
from sfumato.document.result.codec import read
from sfumato.document.result.lattice import LatticeResult
from sfumato.errors import NoSolution, ParameterError, PlanError
from sfumato.release.sweep.lattice import fixed_method, lattice, opened_node, states_of

PLAN = """
sfumato = 1
[source]
path = "people.csv"
[output]
path = "release.csv"
[columns.age]
role = "quasi-identifying"
kind = "integer"
hierarchy = { width = 10, then = [50] }
[columns.sex]
role = "quasi-identifying"
[columns.illness]
role = "sensitive"
[[promise]]
model = "k-anonymity"
k = 5
[[promise]]
model = "l-diversity"
kind = "distinct"
column = "illness"
l = 2
[method]
name = "full-domain"
suppression_limit = 0.1
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


def every_node(found):
    names = [column.name for column in found.columns]
    ranges = (range(column.lowest, column.highest + 1) for column in found.columns)
    return [dict(zip(names, levels, strict=True)) for levels in product(*ranges)]


def test_every_node_is_the_release_that_fixed_levels_make(folder):
    """Anonymity, suppressed rows and loss, node by node, by a run of its own."""
    some = lattice(folder / "plan.toml")
    found = lattice(folder / "plan.toml", nodes=every_node(some))
    assert found.size == len(found.nodes) == 8
    assert set(some.nodes) <= set(found.nodes)
    for node in found.nodes:
        levels = dict(zip(("age", "sex"), node.levels, strict=True))
        document = {**found.plan, "method": fixed_method(found.plan["method"], levels)}
        try:
            run = sfumato.run(sfumato.plan_from(document, folder=folder)).result
        except NoSolution:
            assert (node.anonymous, node.loss, node.suppressed_rows) == (False, None, None)
        else:
            assert node.anonymous
            assert run.done.loss == node.loss
            assert run.done.suppressed.rows == node.suppressed_rows
        one = opened_node(folder / "plan.toml", levels)
        assert one.node == node
        assert bool(one.rows) == node.anonymous
    chosen = sfumato.run(folder / "plan.toml").result
    assert tuple(one.level for one in chosen.done.attributes) == found.optimum


def test_the_document_is_read_again_and_its_states_are_counted(folder):
    found = lattice(folder / "plan.toml")
    assert read(LatticeResult, found.to_json(), "sweep") == found
    states = states_of(found).tolist()
    assert [states.count(state) for state in (3, 4)] == [found.settled_anonymous, found.settled_not]
    assert len(states) == found.size


def test_fixed_levels_have_the_lattice_of_their_search(folder):
    before = lattice(folder / "plan.toml")
    text = (folder / "plan.toml").read_text()
    text = text.replace('name = "full-domain"', 'name = "fixed"\nlevels = { age = 1, sex = 1 }')
    (folder / "plan.toml").write_text(text)
    assert lattice(folder / "plan.toml").nodes == before.nodes


def test_the_command_prints_and_writes_the_nodes(sfumato, folder):
    ran = sfumato("sweep", "plan.toml", "--lattice", "--node", "age=3,sex=0", "-o", "out")
    assert ran.code == 0, ran.err
    assert "optimum" in ran.out
    found = json.loads((folder / "out/lattice.json").read_text())
    assert [3, 0] in [node["levels"] for node in found["nodes"]]
    with (folder / "out/lattice.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [[int(row["age"]), int(row["sex"])] for row in rows] == [node["levels"] for node in found["nodes"]]
    told = sfumato("sweep", "plan.toml", "--lattice", "--json")
    assert json.loads(told.out)["format"] == "sfumato.lattice/1"


@pytest.mark.parametrize("words", [[], ["--lattice", "--vary", "k=2"], ["--vary", "k=2", "--node", "age=1"]])
def test_a_sweep_varies_or_shows_the_lattice(sfumato, folder, words):
    ran = sfumato("sweep", "plan.toml", *words)
    assert ran.code != 0
    assert "either --vary or --lattice" in ran.err


@pytest.mark.parametrize("node", ["age=1", "age=9,sex=0", "age=x", "age=1,sex=0,zip=2", "="])
def test_a_node_must_be_one(sfumato, folder, node):
    ran = sfumato("sweep", "plan.toml", "--lattice", "--node", node)
    assert ran.code != 0
    assert "Remedy" in ran.err


def test_what_has_no_lattice_is_refused(folder):
    text = (folder / "plan.toml").read_text()
    (folder / "plan.toml").write_text(text.replace('"full-domain"\nsuppression_limit = 0.1', '"mondrian"'))
    with pytest.raises(PlanError, match="full-domain"):
        lattice(folder / "plan.toml")
    (folder / "plan.toml").write_text(text)
    with pytest.raises(ParameterError, match="level"):
        opened_node(folder / "plan.toml", {"age": 1, "sex": 5})
