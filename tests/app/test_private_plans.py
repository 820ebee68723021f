"""Plans under differential privacy, charged to a ledger, and plans that sample: from the plan to the files."""

from fractions import Fraction

import pytest

from sfumato import run
from sfumato.account.ledger.ledger import Ledger
from sfumato.errors import BudgetExceeded, LedgerError, PlanError
from sfumato.release.answer.opening import create, opening_in
from sfumato.release.plan_reader import plan_from, read_plan

PLAN = """
sfumato = 1
[source]
path = "people.csv"
[columns.id]
role = "identifying"
[columns.age]
role = "quasi-identifying"
kind = "integer"
hierarchy = { width = 10, then = [50] }
[columns.sex]
role = "quasi-identifying"
hierarchy = { groups = ["f", "m"] }
[[promise]]
model = "differential-privacy"
kind = "safepub"
epsilon = 2
delta = "1e-4"
search_epsilon = 1
[method]
name = "safepub"
search = "whole"
score = "classes"
[account]
ledger = "sqlite:///ledger.db"
dataset = "people"
analyst = "ada"
request = "first table"
budget = { epsilon = 3, delta = "1e-3" }
[measure]
queries = 20
guesses = 0
[output]
path = "table.csv"
result = "result.json"
suppressed = "drop"
row_order = "shuffled"
"""


def changed(text, *changes):
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def people(folder, n):
    """n rows, as many of each of 40 ages, each age of one sex."""
    rows = [f"{i},{20 + i % 40},{'fm'[i % 2]}" for i in range(n)]
    (folder / "people.csv").write_text("\n".join(["id,age,sex", *rows]) + "\n", encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    people(tmp_path, 2000)
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    create(opening_in(tmp_path / "plan.toml"))
    return tmp_path


def spent(folder):
    with Ledger.open(f"sqlite:///{folder}/ledger.db", create=False) as ledger:
        return tuple(map(float, ledger.statement("people").dataset.spent))


def test_a_private_table_is_charged_written_and_explained(sfumato, folder):
    """With 200 rows of each age every choice of levels publishes: some class is too small with chance below 1e-10."""
    people(folder, 8000)
    ran = sfumato("run", "plan.toml", "--json")
    assert ran.code == 0, ran.err
    result = ran.json
    promise = result["promise"][0]
    assert (promise["kind"], Fraction(promise["parameters"]["epsilon"]), promise["holds"]) == ("proved", 2, True)
    assert promise["parameters"]["delta"] == "1/10000"
    assert result["paid"]["request"] == "first table"
    assert result["paid"]["left"] == ["1", "9/10000"]
    lines = (folder / "table.csv").read_text("utf-8").splitlines()
    assert lines[0] == "age,sex"
    assert 0 < len(lines) - 1 <= 8000
    counts = {line: lines.count(line) for line in lines[1:]}
    assert min(counts.values()) >= promise["parameters"]["k"]
    assert spent(folder) == (2.0, 1e-4)


def test_a_request_is_charged_once_and_released_once(folder):
    run(folder / "plan.toml")
    with pytest.raises(PlanError, match=r"must not overwrite 'table\.csv'"):
        run(folder / "plan.toml")
    (folder / "table.csv").unlink()
    with pytest.raises(LedgerError, match="released before"):
        run(folder / "plan.toml")
    assert spent(folder) == (2.0, 1e-4)
    (folder / "plan.toml").write_text(changed(PLAN, ("first", "second")), encoding="utf-8")
    with pytest.raises(BudgetExceeded):
        run(folder / "plan.toml")
    assert spent(folder) == (2.0, 1e-4)
    assert not (folder / "table.csv").exists()


def test_a_run_that_crashed_after_its_charge_is_run_again_at_no_price(folder, monkeypatch):
    import sfumato.release.recoding.run as module

    def crash(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(module, "published_of", crash)
        with pytest.raises(KeyboardInterrupt):
            run(folder / "plan.toml")
    assert spent(folder) == (2.0, 1e-4)
    assert not (folder / "table.csv").exists()
    run(folder / "plan.toml")
    assert spent(folder) == (2.0, 1e-4)


def test_a_plan_with_a_misspelt_data_set_is_no_new_budget(folder):
    (folder / "plan.toml").write_text(changed(PLAN, ('"people"', '"poeple"')), encoding="utf-8")
    with pytest.raises(LedgerError, match=r"it knows 1, the nearest name is 'people'.*budget DATA --create"):
        run(folder / "plan.toml")
    assert not (folder / "table.csv").exists()
    with Ledger.open(f"sqlite:///{folder}/ledger.db") as ledger:
        assert ledger.datasets() == ("people",)


def test_the_budget_is_asked_before_the_table_is_opened(folder):
    (folder / "people.csv").unlink()
    (folder / "plan.toml").write_text(changed(PLAN, ("epsilon = 3", "epsilon = 1")), encoding="utf-8")
    (folder / "ledger.db").unlink()
    create(opening_in(folder / "plan.toml"))
    with pytest.raises(BudgetExceeded):
        run(folder / "plan.toml")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([('suppressed = "drop"', 'suppressed = "star"')], "leave no trace"),
        ([('row_order = "shuffled"', "")], "order of rows"),
        ([('role = "identifying"', 'role = "insensitive"')], "every published column must be recoded"),
        ([("[columns.age]", '[unit]\nperson = "id"\n[columns.age]')], "a row must be a person"),
        ([("[measure]", "[sample]\nprobability = 0.5\n[measure]")], "by the method alone"),
        ([("{ width = 10, then = [50] }", "{ balanced = 2 }")], "made from its frequencies"),
        ([('path = "people.csv"', 'path = "people.csv"\nmissing = ["", "?"]')], "written alike"),
        (
            [('name = "safepub"\nsearch = "whole"\nscore = "classes"', 'name = "full-domain"')],
            "does not keep differential privacy",
        ),
        ([('kind = "safepub"\nepsilon', 'kind = "other"\nepsilon')], "must be one of"),
        ([("search_epsilon = 1", "search_epsilon = 0")], "must be above 0"),
        ([('search = "whole"\nscore = "classes"', "levels = { age = 1, sex = 0 }")], "must be 0"),
        ([('score = "classes"', 'score = "loss"')], "'age' may have"),
        ([('search = "whole"', 'search = "top-down"')], "takes `steps`"),
        ([('score = "classes"', 'score = "beauty"')], "`score` must be one of"),
    ],
)
def test_a_plan_that_would_not_keep_its_promise_is_refused_before_anything_is_charged(folder, changes, message):
    (folder / "plan.toml").write_text(changed(PLAN, *changes), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        run(folder / "plan.toml")
    assert Ledger.open(f"sqlite:///{folder}/ledger.db").statement("people").charges == ()


def test_only_a_private_release_has_an_account(folder):
    text = changed(PLAN, ('kind = "safepub"\nepsilon = 2\ndelta = "1e-4"\nsearch_epsilon = 1', "k = 3"))
    text = changed(text, ("differential-privacy", "k-anonymity"), ('name = "safepub"', 'name = "mondrian"'))
    (folder / "plan.toml").write_text(changed(text, ('search = "whole"\nscore = "classes"\n', "")), encoding="utf-8")
    with pytest.raises(PlanError, match="Only a release under differential privacy is charged"):
        run(folder / "plan.toml")


SAMPLED = """
sfumato = 1
[source]
path = "people.csv"
[sample]
probability = "1/4"
[columns.id]
role = "identifying"
[columns.age]
role = "quasi-identifying"
kind = "integer"
[columns.sex]
role = "quasi-identifying"
[[promise]]
model = "k-map"
kind = "known"
k = 40
[method]
name = "full-domain"
[measure]
queries = 20
guesses = 0
[output]
path = "table.csv"
result = "result.json"
"""


def test_a_sample_is_judged_beside_the_table_it_was_drawn_from(folder):
    """Each of the 40 ages has 50 rows of one sex, so 50-map holds without recoding; 12 of them are released."""
    (folder / "plan.toml").write_text(SAMPLED, encoding="utf-8")
    result = run(folder / "plan.toml").result.to_dict()
    rows = len((folder / "table.csv").read_text("utf-8").splitlines()) - 1
    assert result["sample"] == {"probability": "1/4", "rows": rows, "of": 2000}
    assert 350 < rows < 650
    assert [a["level"] for a in result["done"]["attributes"]] == [0, 0]
    after = {f["name"]: f["value"] for f in result["risk"]["after"]}
    assert after["prosecutor_highest"] > after["journalist_highest"] == 1 / 50
    assert result["promise"][0]["measured"] == 50


def test_a_sample_is_its_own_population(folder):
    (folder / "plan.toml").write_text(SAMPLED.replace("[measure]", '[population]\nsubset = "sex"\n[measure]'), "utf-8")
    with pytest.raises(PlanError, match="this one does both"):
        read_plan(folder / "plan.toml")


def test_an_account_needs_all_its_keys(folder):
    import tomllib

    document = tomllib.loads(PLAN)
    for key in ("ledger", "dataset", "analyst", "request", "budget"):
        account = {name: value for name, value in document["account"].items() if name != key}
        with pytest.raises(PlanError, match=rf"\[account\] must say `{key}`"):
            plan_from({**document, "account": account}, folder=folder)
