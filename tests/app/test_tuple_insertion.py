"""A plan that publishes a set of tuples by α-β insertion."""

import tomllib
from dataclasses import replace
from fractions import Fraction

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sfumato import run
from sfumato.account.ledger.ledger import Ledger
from sfumato.errors import PlanError
from sfumato.mechanism.central.tuple_insertion import TupleInsertion
from sfumato.release.answer.opening import create, opening_in
from sfumato.release.plan_reader import plan_from

PLAN = """
sfumato = 1
[source]
path = "people.csv"
[columns.id]
role = "identifying"
[columns.town]
role = "quasi-identifying"
hierarchy = { tree = { north = ["n1", "n2"], south = ["s1", "s2", "s3"] } }
[columns.age]
role = "quasi-identifying"
[[promise]]
model = "differential-privacy"
kind = "tuple-insertion"
epsilon = 4
[method]
name = "tuple-insertion"
values.age = AGES
[account]
ledger = "sqlite:///ledger.db"
dataset = "people"
analyst = "ada"
request = "set"
budget = { epsilon = 5 }
[output]
path = "set.csv"
"""
AGES = [str(age) for age in range(100)]
TOWNS = ["n1", "n2", "s1", "s2", "s3"]


@pytest.fixture
def folder(tmp_path):
    rows = [f"{i};{TOWNS[i % 5]};{(7 * i) % 60}" for i in range(900)]
    outside = ["900;n1;999", "901;n1;"]
    (tmp_path / "people.csv").write_text("\n".join(["id;town;age", *rows, *outside]) + "\n", encoding="utf-8")
    write(tmp_path)
    create(opening_in(tmp_path / "plan.toml"))
    return tmp_path


def write(folder, *changes):
    text = PLAN.replace("AGES", str(AGES))
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "plan.toml").write_text(text, encoding="utf-8")


def test_a_set_of_tuples_is_published_and_counted(sfumato, folder):
    ran = sfumato("run", "plan.toml", "--json")
    assert ran.code == 0, ran.err
    found = ran.json
    lines = (folder / "set.csv").read_text("utf-8").splitlines()
    assert lines[0] == "town,age"
    assert len(set(lines)) == len(lines)
    tuples = [line.split(",") for line in lines[1:]]
    assert all(town in TOWNS and age in AGES for town, age in tuples)
    told = found["insertion"]
    method = TupleInsertion((5, 100), Fraction(told["alpha"]), Fraction(told["beta"]))
    assert method.event.epsilon <= 4
    assert (told["domain"], told["published"]) == (500, len(tuples))
    first = told["estimates"][0]
    assert first["estimate"] == pytest.approx(method.estimate(len(tuples), 500).value)
    true = len({(i % 5, (7 * i) % 60) for i in range(900)})
    assert abs(first["estimate"] - true) <= 6 * float(method.variance(true, 500)) ** 0.5
    assert found["promise"][0]["kind"] == "proved"
    assert found["paid"]["cost"] == {"event": "PureDP", "epsilon": "4"}
    with Ledger.open(f"sqlite:///{folder}/ledger.db", create=False) as ledger:
        assert ledger.statement("people").dataset.spent == (4,)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_table_in_memory_gives_one_of_its_kind(folder, kind):
    plan = plan_from(tomllib.loads((folder / "plan.toml").read_text()) | {"output": {}}, folder=folder)
    plan = replace(plan, source=None, account=None)
    given = kind({"id": ["1", "2"], "town": ["n1", "s1"], "age": ["7", "8"]})
    release = run(plan, given)
    assert type(release.frame) is type(given)


def test_labels_of_a_hierarchy_make_a_coarser_domain(folder):
    write(folder, ("values.age", "levels.town = 1\nvalues.age"))
    assert run(folder / "plan.toml").result.to_dict()["insertion"]["domain"] == 200
    towns = {line.split(",")[0] for line in (folder / "set.csv").read_text("utf-8").splitlines()[1:]}
    assert towns <= {"north", "south"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([("values.age", "levels.town = 3\nvalues.age")], "must lie in 0 to 2"),
        ([("values.age = ", "values.town = ")], "'age' has none"),
        ([('[columns.id]\nrole = "identifying"', '[columns.id]\nrole = "sensitive"')], "must be recoded"),
        ([("values.age", "levels.age = 1\nvalues.age")], "without a level"),
        ([("values.age", "extra = 1\nvalues.age")], "does not know extra"),
        ([('kind = "tuple-insertion"\nepsilon = 4', 'kind = "safepub"\nepsilon = 4\ndelta = 0.1\nsearch_epsilon = 0')], "keeps one promise"),
        ([('name = "tuple-insertion"\nvalues.age =', 'name = "mondrian"\n#')], "does not keep differential privacy"),
    ],
)  # fmt: skip
def test_a_plan_without_a_declared_domain_is_refused_before_anything_is_charged(folder, changes, message):
    write(folder, *changes)
    with pytest.raises(PlanError, match=message):
        run(folder / "plan.toml")
    assert Ledger.open(f"sqlite:///{folder}/ledger.db").statement("people").charges == ()
