"""Plans that publish means of groups, from the plan to the files."""

import csv
import io
import statistics

import numpy as np
import pytest

import sfumato
from sfumato.errors import ParameterError, PlanError

HEIGHTS = """
sfumato = 1
[source]
path = "people.csv"
missing = [""]
[columns.name]
role = "identifying"
[columns.height]
role = "quasi-identifying"
kind = "integer"
[columns.born]
role = "quasi-identifying"
kind = "date"
[columns.town]
role = "quasi-identifying"
hierarchy = { tree = { north = ["Lille", "Arras"], south = ["Nice", "Pau"] } }
[columns.pay]
role = "sensitive"
kind = "decimal"
[columns.sick]
role = "sensitive"
[[promise]]
model = "k-anonymity"
k = 5
[method]
name = "microaggregation"
digits = { height = 1 }
[measure]
loss_by_k = [3, 5]
queries = 10
guesses = 0
[output]
path = "release.csv"
result = "result.json"
report = "report.html"
"""


def people(n=200, seed=8):
    """Rows of a small table."""
    rng = np.random.default_rng(seed)
    rows = ["name,height,born,town,pay,sick"]
    for i in range(n):
        year, town = int(rng.integers(1940, 2000)), ["Lille", "Arras", "Nice", "Pau"][rng.integers(4)]
        height = "" if i % 50 == 7 else int(rng.normal(170, 9))
        rows.append(f"p{i},{height},{year}-0{rng.integers(1, 10)}-15,{town},{rng.integers(10, 40)}.5,{'yn'[i % 2]}")
    return "\n".join(rows) + "\n"


@pytest.fixture
def plan(tmp_path):
    """A plan beside its table."""
    (tmp_path / "people.csv").write_text(people(), encoding="utf-8")
    path = tmp_path / "plan.toml"
    path.write_text(HEIGHTS, encoding="utf-8")
    return path


def table(path):
    """The rows of a CSV."""
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


def test_a_release_of_centers_is_written_verified_and_measured(plan, tmp_path):
    """Every class has five rows, its means are the means of its rows, and what is not measured is said."""
    result = sfumato.run(sfumato.read_plan(plan)).result.to_dict()
    before, after = table(tmp_path / "people.csv"), table(tmp_path / "release.csv")
    groups = {}
    for old, new in zip(before, after, strict=True):
        groups.setdefault((new["height"], new["born"], new["town"]), []).append(old)
        assert old["pay"] == new["pay"]
    assert min(map(len, groups.values())) >= 5
    for (height, _, town), rows in groups.items():
        assert town in ("north", "south", "*") or {row["town"] for row in rows} == {town}
        if height not in ("", "*"):
            assert float(height) == pytest.approx(statistics.mean(int(row["height"]) for row in rows), abs=0.0501)
    assert result["done"]["method"] == "microaggregation"
    assert (5, True) == (result["promise"][0]["measured"], result["promise"][0]["holds"])
    worth = {figure["name"]: figure for figure in result["worth"]}
    assert 0 < worth["information_loss"]["value"] < 1
    assert worth["gcp"]["value"] is None
    assert "height, born hold centers" in worth["gcp"]["definition"]
    assert worth["query_error_median"]["value"] is not None
    losses = [one["loss"] for one in result["loss_by_k"]]
    assert 0 < losses[0] < losses[1] == result["done"]["loss"]


def test_a_text_column_has_no_digits(plan):
    """The message names the columns that have."""
    plan.write_text(HEIGHTS.replace("digits = { height = 1 }", "digits = { town = 1 }"), encoding="utf-8")
    with pytest.raises(ParameterError, match="'town' is none"):
        sfumato.run(sfumato.read_plan(plan))


@pytest.mark.parametrize(
    ("extra", "private"),
    [("", False), ('epsilon = 2.0\nrows = "shuffled"', True), ('epsilon = 2.0\nrows = "ranked"', True)],
)
def test_a_column_is_published_by_individual_ranking(plan, tmp_path, extra, private):
    """Pay in groups of 20 by rank; promise, worth and risk are in the result."""
    ranking = f'bounds = [0, 50]\n[columns.pay.perturb]\nmethod = "individual-ranking"\nk = 20\ndigits = 1\n{extra}\n'
    text = HEIGHTS.replace('kind = "decimal"\n', f'kind = "decimal"\n{ranking}')
    plan.write_text(text, encoding="utf-8")
    (one,) = sfumato.run(sfumato.read_plan(plan)).result.to_dict()["perturbed"]
    values = [row["pay"] for row in table(tmp_path / "release.csv")]
    assert len(set(values)) <= 10
    assert min(values.count(value) for value in values) >= 20
    assert ("epsilon" in one["promise"]["parameters"]) is private
    assert {"unchanged", "mean_error"} <= {f["name"] for f in (*one["worth"], *one["risk"])}


def test_privacy_needs_bounds_and_says_who_gets_which_value(plan):
    """Neither has a default."""
    bounds, epsilon = "bounds = [0, 50]\n", "k = 20\ndigits = 1\nepsilon = 2.0"
    for before, options, words in (("", epsilon, "declared range"), (bounds, epsilon, "`rows`"), ("", "", "`k`")):
        text = f'kind = "decimal"\n{before}[columns.pay.perturb]\nmethod = "individual-ranking"\n{options}\n'
        plan.write_text(HEIGHTS.replace('kind = "decimal"\n', text), encoding="utf-8")
        with pytest.raises(PlanError, match=words):
            sfumato.run(sfumato.read_plan(plan))
