"""Surveys by command and over HTTP: designed, simulated, sent, counted once, estimated; the same bytes for every client."""

import json
import math
import os
import signal

import httpx
import pytest
from tests.app.serve_processes import PATIENCE, PLAIN, READER, SURVEY, free_port, prepare, serving, start
from tests.app.survey_cases import DRAWN, EVERY, SMALL, VECTORS, survey_of_text, vectors

from sfumato.cli.survey_text import _within, attack_text
from sfumato.collect.sender import Sender
from sfumato.document.result.survey import GuessedQuestion, SurveyAttackResult
from sfumato.errors import NoSolution, SourceError
from sfumato.release.collect.batch import from_json


def test_every_client_writes_the_same_bytes():
    """`python -m tests.app.test_survey` writes them anew."""
    assert VECTORS.read_text(encoding="utf-8") == vectors()


@pytest.mark.parametrize(("text", "place"), [(EVERY, 0), (SMALL, 1), (DRAWN, 2)])
def test_the_bytes_are_counted_as_what_they_say(text, place):
    survey, case = survey_of_text(text), json.loads(VECTORS.read_text(encoding="utf-8"))[place]
    assert case["public"]["digest"] == survey.digest()
    for one in case["cases"]:
        counted = from_json(survey, json.dumps(one["body"])).read
        assert counted.persons == 1
        at = one["time"] * len(survey.groups) + one["group"]
        assert counted.content[len(survey.sizes) + at] == 1
        n_reports = int(counted.content[1 : len(survey.sizes)].sum())
        assert n_reports == len(one["reports"])


PEOPLE = "cheated,hours,mood,mood 2\n" + "".join(
    f"{'no' if i % 4 else 'yes'},{5 + i % 4},{1 + i % 3},3\n" for i in range(60)
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a survey and answers."""
    (tmp_path / "survey.toml").write_text(SURVEY, "utf-8")
    (tmp_path / "people.csv").write_text(PEOPLE, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_survey_goes_through_every_command(sfumato, folder):
    text = SURVEY.replace('mechanism = "GRR"\nepsilon = 1.0', "difference = 1.0")
    (folder / "open.toml").write_text(text, "utf-8")
    found = sfumato(
        "survey", "design", "open.toml", "--respondents", "9000", "-o", "asked.toml", "--picture", "d.svg", "--json"
    ).json
    assert found["epsilon"] <= 6.0
    assert found["questions"][0]["mechanism"] == "GRR"
    assert (folder / "d.svg").read_text("utf-8").count("<rect") > 5
    simulated = sfumato(
        "survey", "simulate", "asked.toml", "people.csv", "--runs", "2", "--picture", "s.svg", "--json"
    ).json
    truths = {(one["question"], one["time"], one["value"]): one["truth"] for one in simulated["answers"]}
    assert truths["cheated", 1, "yes"] == 0.25
    assert truths["hours", 1, None] == 6.5
    assert truths["mood", 1, "3"] == pytest.approx(1 / 3)
    assert truths["mood", 2, "3"] == 1
    assert sfumato("collect", "randomize", "survey.toml", "people.csv", "--batch", "1", "-o", "r.jsonl").code == 0
    assert sfumato("collect", "aggregate", "survey.toml", "r.jsonl", "r.jsonl", "-o", "c.json").code == 0
    one = sfumato("collect", "estimate", "survey.toml", "c.json", "--json").json
    other = sfumato("survey", "estimate", "survey.toml", "r.jsonl", "--picture", "e.svg", "--json").json
    assert one == other
    assert "hours: mean" in (folder / "e.svg").read_text("utf-8")
    assert "hours: mean" in (folder / "s.svg").read_text("utf-8")
    assert one["persons"] == 60
    assert one["reports"] == 120
    assert one["stop"] == 40
    assert sum(one["groups"].values()) == 60
    assert [len(question["parts"]) for question in one["questions"]] == [3, 3, 6]
    assert "differences from 'plain'" in sfumato("survey", "estimate", "survey.toml", "r.jsonl").out


def test_a_mean_is_drawn_as_a_share_of_its_range():
    assert _within((2.0, 12.0), (7.0, 2.0, 14.5)) == (0.5, 0.0, 1.25)


def test_a_regression_reads_whole_reports(sfumato, folder):
    """2,000 persons at epsilon 1: a quarter is seven standard errors from nobody, where there would be no solution."""
    (folder / "many.csv").write_text(PEOPLE + "".join(PEOPLE.splitlines(keepends=True)[1:]) * 33, "utf-8")
    assert sfumato("collect", "randomize", "survey.toml", "many.csv", "-o", "m.jsonl").code == 0
    found = sfumato("survey", "regress", "survey.toml", "m.jsonl", "--question", "cheated", "--json").json
    assert [c["name"] for c in found["coefficients"]] == ["control at the first time", "kind"]
    assert found["reports"] == 60 * 34
    assert abs(found["coefficients"][0]["estimate"] - math.log(1 / 3)) < 6 * found["coefficients"][0]["error"]
    assert "yes-no question" in sfumato("survey", "regress", "survey.toml", "m.jsonl", "--question", "mood").err


def test_a_hopeless_survey_is_refused_with_what_would_help(sfumato, folder):
    refused = sfumato("survey", "design", "survey.toml", "--respondents", "5")
    assert refused.code == NoSolution.exit_code
    assert "ask " in refused.err
    assert "line " in refused.err


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A server that several tests share."""
    where = tmp_path_factory.mktemp("survey-server")
    prepare(where)
    with serving(where) as found:
        yield found


def test_reports_are_sent_until_they_are_counted_and_never_twice(sfumato, folder, address, monkeypatch):
    there = f"{address}/collections/students"
    assert sfumato("collect", "randomize", "survey.toml", "people.csv", "--batch", "1", "-o", "r.jsonl").code == 0
    public = httpx.get(there, **PLAIN).json()
    assert public["open"] is True
    assert public["digest"] == survey_of_text(SURVEY).digest()
    first = sfumato("collect", "send", "survey.toml", "r.jsonl", "--to", there, "--json").json
    assert (first["batches"], first["counted"], first["known"]) == (120, 120, 0)
    note = folder / "r.jsonl.sent"
    note.write_text(
        "".join(note.read_text("utf-8").splitlines(keepends=True)[:30])[:-1], "utf-8"
    )  # killed while it noted
    again = sfumato("collect", "send", "survey.toml", "r.jsonl", "--to", there, "--json").json
    assert (again["counted"], again["known"]) == (0, 120)
    assert sfumato("collect", "aggregate", "survey.toml", "r.jsonl", "-o", "c.json").code == 0
    served = httpx.get(f"{there}/counts", headers=READER, **PLAIN).json()
    counted = json.loads((folder / "c.json").read_text("utf-8"))
    assert served["reports"] == counted["reports"]
    assert served["support"] == counted["support"]
    told = httpx.get(f"{there}/estimate", headers=READER, **PLAIN).json()
    assert told["format"] == "sfumato.survey-estimates/1"
    assert told["persons"] == 60
    assert httpx.get(there, **PLAIN).json()["open"] is False  # 40 were enough
    other = folder / "other.toml"
    other.write_text(SURVEY.replace("[0, 12]", "[0, 13]"), "utf-8")
    assert "something else" in sfumato("collect", "send", other, "r.jsonl", "--to", there).err
    assert (
        "https" in sfumato("collect", "send", "survey.toml", "r.jsonl", "--to", "http://example.org/collections/a").err
    )


def test_no_described_request_makes_the_server_of_a_survey_fail(address):
    """Whatever fits the description of the addresses is answered by something below 500."""
    schemathesis = pytest.importorskip("schemathesis")
    from hypothesis import HealthCheck, given, settings

    for operation in schemathesis.openapi.from_url(f"{address}/openapi.json").get_all_operations():
        one = operation.ok()
        if "{name}" not in one.path or one.path.endswith("/events"):
            continue

        @settings(max_examples=10, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
        @given(case=one.as_strategy())
        def sends(case):
            case.path_parameters["name"] = "students"
            assert case.call(headers=READER).status_code < 500

        sends()


def test_a_sender_waits_for_a_server_that_is_away(folder):
    slept = []
    sender = Sender("http://127.0.0.1:9/collections/a", "", patience=5.0, clock=lambda: sum(slept), sleep=slept.append)
    with pytest.raises(SourceError, match="within 5 seconds"):
        sender.send(survey_of_text(SURVEY), folder / "none.jsonl", lambda *_: None)
    assert slept == [0.25, 0.5, 1.0, 2.0]


def test_a_survey_that_has_ended_takes_nothing_and_loses_nothing(tmp_path):
    """The last day is over; the server refuses reports and still tells what came before."""
    prepare(tmp_path)
    (tmp_path / "survey.toml").write_text(SURVEY.replace("2099-12-31", "2020-01-01"), "utf-8")
    case = json.loads(VECTORS.read_text(encoding="utf-8"))[1]["cases"][0]
    with serving(tmp_path) as found:
        refused = httpx.post(f"{found}/collections/students/batches", json=case["body"], **PLAIN)
        assert refused.status_code == 410
        assert httpx.get(f"{found}/collections/students", **PLAIN).json()["open"] is False


def test_killed_at_any_moment_a_survey_counts_every_phone_once(sfumato, folder):
    """The server is killed again and again while phones send; each retries the bytes that it holds."""
    prepare(folder)
    assert sfumato("collect", "randomize", "survey.toml", "people.csv", "--batch", "1", "-o", "r.jsonl").code == 0
    bodies, port, taken = (folder / "r.jsonl").read_text("utf-8").splitlines(), free_port(), 0
    there = f"http://127.0.0.1:{port}/collections/students"
    while taken < len(bodies):
        process = start(folder, port)
        for body in bodies[taken : taken + 70]:
            assert httpx.post(f"{there}/batches", content=body, **PLAIN).status_code == 200
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        taken += 60  # ten answers of each life are taken as lost, and sent again
    process = start(folder, port)
    served = httpx.get(f"{there}/counts", headers=READER, **PLAIN).json()
    process.send_signal(signal.SIGTERM)
    process.wait(PATIENCE)
    process.stdout.close()
    assert served["reports"][0] == len(bodies) == served["batches"]


def test_an_intruder_gains_what_the_epsilons_allow(sfumato, folder):
    """At a large epsilon answers are read off, at a small one hardly more than the most frequent answer."""
    (folder / "many.csv").write_text(PEOPLE + "".join(PEOPLE.splitlines(keepends=True)[1:]) * 9, "utf-8")
    loud = (
        SURVEY.replace("epsilon = 6.0", "epsilon = 60")
        .replace("epsilon = 2.0", "epsilon = 40")
        .replace("epsilon = 1.0", "epsilon = 10")
    )
    (folder / "loud.toml").write_text(loud.replace("first = 0.5", "first = 10.0"), "utf-8")
    told = sfumato("survey", "attack", "loud.toml", "many.csv", "--json").json
    smokes, hours, mood = told["questions"]
    assert min(smokes["right"], smokes["expected"]) > 0.98
    assert min(mood["right"], mood["expected"]) > 0.6  # L-OSUE forgets the own value of every second person for good
    assert mood["right"] > mood["baseline"] + 0.2
    assert (told["left_out"], hours["question"], mood["unknown"]) == ([], "hours", None)
    assert min(hours["right"], hours["expected"]) > hours["baseline"]
    quiet = sfumato("survey", "attack", "survey.toml", "many.csv", "--json").json
    for one, epsilon in zip(quiet["questions"][::2], (1.0, 1.0), strict=True):
        assert one["right"] < one["baseline"] * math.exp(epsilon)
        assert one["baseline"] < 0.8
    assert told["named"]["10"] > quiet["named"]["10"] > quiet["by_chance"]["10"]


def test_a_chance_that_is_not_computed_says_why():
    one = GuessedQuestion(question="mood", mechanism="GRR", reports=9, right=0.5, low=0.4, high=0.6, baseline=0.3,
                          expected=None, unknown="nobody was asked")  # fmt: skip
    found = SurveyAttackResult(
        survey="s", persons=9, confidence=0.95, questions=(one,), left_out=(), named={}, by_chance={}
    )
    assert "mood: the best guess is not computed: nobody was asked" in attack_text(found)
    assert found.to_dict()["questions"][0]["unknown"] == "nobody was asked"


def test_an_audit_of_every_question_proves_less_than_is_stated(sfumato, folder):
    """Refuted with probability at most 3e-6 in all; with so many reports the smallest bound is twelve deviations above 0; a mechanism that spends twice as much is caught by the same bound."""
    found = sfumato("collect", "audit", "survey.toml", "--reports", "20000", "--confidence", "0.999999", "--json").json
    assert [one["mechanism"] for one in found["questions"]] == ["GRR", "piecewise", "L-OSUE"]
    assert not any(one["refuted"] for one in found["questions"])
    assert all(one["lower"] > 0 for one in found["questions"])
    (folder / "asked.toml").write_text(
        'format = "sfumato.collection/1"\n[[question]]\ncolumn = "a"\nvalues = ["x", "y"]\n[[question]]\ncolumn = "b"\n'
        'values = ["x", "y"]\n[protocol]\nname = "SMP[GRR]"\nepsilon = 3.0\n', "utf-8",
    )  # fmt: skip
    (scheme,) = sfumato(
        "collect", "audit", "asked.toml", "--reports", "4000", "--confidence", "0.999999", "--json"
    ).json["questions"]
    assert 2.0 < scheme["lower"] <= scheme["stated"] <= 3.0


def test_known_shares_bring_realistic_fakes_into_the_comparison(sfumato):
    words = ("collect", "recommend", "--epsilon", "1", "--values", "3", "--values", "2", "--persons", "1000")
    found = sfumato(*words, "--prior", "0.7,0.2,0.1", "--prior", "0.5,0.5", "--by", "rare", "--json").json
    assert found["attributes"][0]["decided_by"] == "rare"
    rare = [one["rare_variance"] for one in found["attributes"][0]["oracles"]]
    assert rare == sorted(rare)
    assert any(one["name"].startswith("RS+RFD") for one in found["schemes"]["whole record"])
    assert not any(
        "RFD" in one["name"] for schemes in sfumato(*words, "--json").json["schemes"].values() for one in schemes
    )
    assert sfumato(*words, "--prior", "a").code == 2


if __name__ == "__main__":
    VECTORS.write_text(vectors(), encoding="utf-8")
