"""A new method is one file: the pipeline, the ledger, the stage, a sweep and the report carry it without knowing it."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from tests.unit.release.method.noisy_histogram import METHOD, NoisyCounts, Options

import sfumato
from sfumato.account.ledger.ledger import Ledger
from sfumato.document import codec, method, plan
from sfumato.errors import InternalError, LedgerError, PlanError
from sfumato.guarantee import registry as criteria
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.l_diversity import DistinctLDiversity
from sfumato.guarantee.personal_l import PersonalL
from sfumato.release.answer.opening import create, opening_in
from sfumato.release.method.registry import METHODS, every_method, method_named

PLAN = """
sfumato = 1
[source]
path = "people.csv"
[columns.id]
role = "identifying"
[columns.sex]
role = "quasi-identifying"
[[promise]]
model = "differential-privacy"
kind = "noisy-histogram"
epsilon = 2
[method]
name = "noisy-histogram"
values = ["f", "m", "x"]
[account]
ledger = "sqlite:///ledger.db"
dataset = "people"
analyst = "ada"
request = "counts"
budget = { epsilon = 3 }
[output]
path = "counts.csv"
result = "result.json"
report = "report.html"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a table and a plan, and a package that knows the method: its name, its options, its promise."""
    monkeypatch.setitem(METHODS, "noisy-histogram", "tests.unit.release.method.noisy_histogram")
    monkeypatch.setattr(plan, "Method", method.Method | Options)
    found = criteria.criteria
    monkeypatch.setattr(criteria, "criteria", lambda: [*found(), NoisyCounts])
    codec._reader.cache_clear()
    rows = [f"{i},{'fm'[i % 3 == 0]}" for i in range(300)]
    (tmp_path / "people.csv").write_text("\n".join(["id,sex", *rows]) + "\n", encoding="utf-8")
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    create(opening_in(tmp_path / "plan.toml"))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    codec._reader.cache_clear()


def spent(folder):
    with Ledger.open(f"sqlite:///{folder}/ledger.db", create=False) as ledger:
        return tuple(map(float, ledger.statement("people").dataset.spent))


def test_it_is_charged_written_verified_and_reported(folder):
    phases = []
    release = sfumato.run("plan.toml", progress=lambda done, of, what: phases.append((done, of, what)))
    lines = (folder / "counts.csv").read_text("utf-8").splitlines()
    assert lines[0] == "value,count"
    assert [line.split(",")[0] for line in lines[1:]] == ["f", "m", "x"]
    assert sum(int(line.split(",")[1]) for line in lines[1:]) == pytest.approx(
        300, abs=60
    )  # beyond with chance < 1e-40
    assert (spent(folder)[0], release.result.paid.left) == (2, ("1",))
    assert phases == [(0, 5, "reading"), (2, 5, "deciding"), (3, 5, "writing"), (4, 5, "verifying and measuring")]
    assert json.loads((folder / "result.json").read_text("utf-8"))["done"]["summary"] == METHOD.done
    assert METHOD.title in (folder / "report.html").read_text("utf-8")


def test_its_request_buys_one_release(folder):
    sfumato.run("plan.toml")
    (folder / "counts.csv").unlink()
    with pytest.raises(LedgerError, match="released before"):
        sfumato.run("plan.toml")
    assert spent(folder)[0] == 2


@pytest.mark.parametrize("stage", ["verify", "measure", "record"])
@pytest.mark.parametrize("failure", [KeyboardInterrupt, MemoryError, InternalError("a")], ids=repr)
def test_whatever_fails_leaves_nothing_and_is_run_again_at_no_price(folder, monkeypatch, stage, failure):
    before = sorted(path.name for path in folder.iterdir())

    def fails(*_):
        raise failure

    with monkeypatch.context() as patch:
        patch.setattr(type(METHOD), stage, fails)
        with pytest.raises(failure if isinstance(failure, type) else type(failure)):
            sfumato.run("plan.toml")
    assert sorted(path.name for path in folder.iterdir()) == before
    sfumato.run("plan.toml")
    assert spent(folder)[0] == 2
    assert (folder / "counts.csv").exists()


def test_a_sweep_runs_it(folder):
    with pytest.raises(PlanError, match="each point would have to be paid"):
        sfumato.sweep("plan.toml", {"epsilon": [1, 2]})
    found = sfumato.sweep("plan.toml", {"epsilon": [1, 2, 4]}, simulate=True)
    assert [point.state for point in found.points] == ["done"] * 3
    assert (found.worth.name, found.risk.name) == ("count_error", "promised_epsilon")
    assert spent(folder)[0] == 0


def test_other_methods_name_it_where_it_keeps_what_they_do_not(folder):
    text = PLAN.replace('name = "noisy-histogram"\nvalues = ["f", "m", "x"]', 'name = "mondrian"')
    (folder / "plan.toml").write_text(text, encoding="utf-8")
    with pytest.raises(PlanError, match='or `name = "noisy-histogram"`'):
        sfumato.run("plan.toml")


def test_names_titles_and_tags_of_options_are_told_apart():
    found = list(every_method())
    assert [one.name for one in found] == list(METHODS) == [one.options.tag[1] for one in found]
    assert len({one.title for one in found}) == len(found)


def test_a_price_is_known_of_private_methods_alone(folder):
    assert [one.name for one in every_method() if one.private] == ["safepub", "tuple-insertion", "noisy-histogram"]
    asked = sfumato.read_plan("plan.toml")
    assert method_named("noisy-histogram").event(asked).epsilon == Fraction(2)
    assert method_named("mondrian").event(asked) is None


def test_plans_share_counts_unless_a_promise_reads_a_column_beside(folder):
    asked = sfumato.read_plan("plan.toml")

    def counts(*promises):
        return method_named("mondrian").counts_of(replace(asked, promises=promises))

    assert counts(KAnonymity(2)) == counts(KAnonymity(5), DistinctLDiversity("id", 2)) != asked
    assert (
        counts(PersonalL("id", "sex", "distinct")) != counts(PersonalL("id", "id", "distinct")) != counts(KAnonymity(2))
    )
