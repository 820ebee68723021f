"""Plans in which each person asks for a k and an l, by full-domain search and by Mondrian, checked row by row."""

import csv
import io

import numpy as np
import pytest

import sfumato
from sfumato.errors import NoSolution, PlanError, SchemaError

PLAN = """
sfumato = 1
[source]
path = "people.csv"
missing = [""]
[columns.age]
role = "quasi-identifying"
kind = "integer"
hierarchy = { width = 5, then = [20] }
[columns.town]
role = "quasi-identifying"
hierarchy = { tree = { north = ["Lille", "Arras"], south = ["Nice", "Pau"] } }
[columns.illness]
role = "sensitive"
[columns.wants_k]
role = "identifying"
[columns.wants_l]
role = "identifying"
[[promise]]
model = "personal-k"
column = "wants_k"
[[promise]]
model = "personal-l"
column = "illness"
asked = "wants_l"
kind = "KIND"
[method]
METHOD
[measure]
queries = 10
guesses = 0
[output]
path = "release.csv"
result = "result.json"
report = "report.html"
"""
METHODS = {
    "full-domain": 'name = "full-domain"\nsuppression_limit = 0.1',
    "mondrian": 'name = "mondrian"',
    "local-recoding": 'name = "local-recoding"',
}


def people(n=300, seed=5):
    """Most ask for little, some for much, some for nothing."""
    rng = np.random.default_rng(seed)
    rows = ["age,town,illness,wants_k,wants_l"]
    for i in range(n):
        town, illness = rng.choice(["Lille", "Arras", "Nice", "Pau"]), rng.choice(["flu", "gout", "asthma", "acne"])
        k = 12 if i % 29 == 0 else "" if i % 7 == 0 else 3
        ask = 3 if i % 23 == 0 else 0 if i % 5 == 0 else 2
        rows.append(f"{rng.integers(20, 60)},{town},{illness},{k},{ask}")
    return "\n".join(rows) + "\n"


@pytest.fixture
def plan_of(tmp_path):
    """Write a plan beside its table, and read it."""

    def write(method, kind="distinct", table=None, change=("", "")):
        (tmp_path / "people.csv").write_text(table or people(), encoding="utf-8")
        text = PLAN.replace("METHOD", METHODS[method]).replace("KIND", kind).replace(*change)
        (tmp_path / "plan.toml").write_text(text, encoding="utf-8")
        return sfumato.read_plan(tmp_path / "plan.toml")

    return write


def both(folder):
    """Original and released rows side by side."""
    read = [csv.DictReader(io.StringIO((folder / name).read_text("utf-8"))) for name in ("people.csv", "release.csv")]
    return list(zip(*read, strict=True))


def contented(members, kind):
    """Whether everybody in a class has what they ask for: the slow twin."""
    k = max(int(row["wants_k"] or 0) for row in members)
    ask = max(int(row["wants_l"] or 0) for row in members)
    values = [row["illness"] for row in members]
    top = max(map(values.count, values))
    diverse = len(set(values)) >= ask if kind == "distinct" else top * ask <= len(values)
    return len(members) >= k and diverse


@pytest.mark.parametrize("method", ["full-domain", "mondrian"])
@pytest.mark.parametrize("kind", ["distinct", "frequency"])
def test_everybody_gets_the_crowd_and_the_diversity_asked_for(plan_of, tmp_path, method, kind):
    """Classes of the written release, with the wishes of the original rows; nothing of the wishes is published."""
    result = sfumato.run(plan_of(method, kind)).result.to_dict()
    classes, hidden = {}, []
    for old, new in both(tmp_path):
        assert set(new) == {"age", "town", "illness"}
        key = (new["age"], new["town"])
        hidden.append(old) if key == ("*", "*") and method == "full-domain" else classes.setdefault(key, []).append(old)
    assert all(contented(members, kind) for members in classes.values())
    assert method == "full-domain" or any(len(members) < 12 for members in classes.values())
    assert all(promise["holds"] and promise["measured"] >= 1 for promise in result["promise"])
    asked = [row for row in result["loss_by_wish"] if row["model"] == "personal-k"]
    assert [(row["asked"], row["persons"]) for row in asked] == [([0, 0], 41), ([3, 3], 248), ([12, 12], 11)]
    assert all(0 <= row["suppressed"] <= row["loss"] <= 1 for row in result["loss_by_wish"])
    told = sum(row["suppressed"] * row["persons"] for row in asked)
    assert told == pytest.approx(len(hidden))


def test_who_asks_for_more_loses_more_under_local_recoding(plan_of):
    """The loss by wish rises, and the mean over the wishes is the loss of the release."""
    result = sfumato.run(plan_of("local-recoding")).result.to_dict()
    asked = [row for row in result["loss_by_wish"] if row["model"] == "personal-k"]
    assert asked[0]["loss"] < asked[-1]["loss"]
    gcp = next(figure["value"] for figure in result["worth"] if figure["name"] == "gcp")
    assert sum(row["loss"] * row["persons"] for row in asked) / 300 == pytest.approx(gcp)


def test_members_who_ask_2_2_and_5_make_a_group_of_3_invalid(plan_of):
    """No class of three can content them; without the last, the first two are content."""
    three = "age,town,illness,wants_k,wants_l\n20,Lille,flu,2,1\n20,Lille,gout,2,1\n20,Lille,flu,5,1\n"
    with pytest.raises(NoSolution):
        sfumato.run(plan_of("mondrian", table=three))
    two = three.rsplit("20,", 1)[0]
    assert sfumato.run(plan_of("mondrian", table=two)).result.to_dict()["done"]["classes"]["n"] == 1


def test_rare_wishes_are_told_together(plan_of):
    """Four persons alone are not shown; the report has the table."""
    table = people().replace(",12,", ",13,", 2).replace(",12,", ",14,", 2)
    rows = sfumato.run(plan_of("mondrian", table=table)).result.to_dict()["loss_by_wish"]
    assert [r["asked"] for r in rows if r["model"] == "personal-k"] == [[0, 0], [3, 3], [12, 14]]


def test_wishes_that_are_no_whole_numbers_are_refused_without_showing_them(plan_of):
    """For l as for k."""
    for wrong in ("-2", "2.5", "many"):
        table = people().replace(",2\n", f",{wrong}\n", 1)
        with pytest.raises(SchemaError) as error:
            sfumato.run(plan_of("mondrian", table=table))
        assert "wants_l" in str(error.value)
        assert wrong not in str(error.value)


def test_two_columns_of_wishes_for_l_are_refused(plan_of):
    """One person asks for one l."""
    more = '[[promise]]\nmodel = "personal-l"\ncolumn = "illness"\nasked = "wants_k"\nkind = "distinct"\n[method]'
    with pytest.raises(PlanError, match="one l each"):
        plan_of("mondrian", change=("[method]", more))
