"""Strings under RAPPOR with `sfumato collect`: from epsilons to parameters, from strings to batches, from counts to a table of shares."""

import json
from fractions import Fraction

import pytest

from sfumato.mechanism.local.rappor.params import RapporParams

DESIGN = ("collect", "design", "--epsilon-first", "3", "--reports", "6000", "--candidates", "30", "--name", "pages")


@pytest.fixture
def files(tmp_path):
    """Parameters, 6,000 persons (a half, a third and a sixth hold three strings) and 30 candidates."""
    home = RapporParams("pages", bits=32, hashes=1, cohorts=8, f="1/16", p="1/8", q="3/4")
    (tmp_path / "params.json").write_text(home.to_json(), encoding="utf-8")
    rows = ["a.org" if i % 6 < 3 else "bé.org" if i % 6 < 5 else "c.org" for i in range(6000)]
    (tmp_path / "values.csv").write_text("page\n" + "\n".join(rows) + "\n", encoding="utf-8")
    names = ["a.org", "bé.org", "c.org", *(f"x{i}.org" for i in range(27))]
    (tmp_path / "list.txt").write_text("\n".join(names) + "\r\n\n", encoding="utf-8")
    return tmp_path


def test_strings_come_back_as_a_table(sfumato, files):
    """Report, count and decode; an estimate's deviation is below 0.02, so 0.2 is ten of them: missed below 1e-20.

    The smallest string stands 8 deviations above nothing at an adjusted threshold of about 3: not found below 1e-6.
    """
    made = sfumato(
        "collect",
        "randomize",
        "params.json",
        "values.csv",
        "--column",
        "page",
        "-o",
        "b.jsonl",
        "--batch",
        "1000",
        "--json",
    )
    assert (0, 6) == (made.code, made.json["batches"])
    counted = sfumato("collect", "aggregate", "params.json", "b.jsonl", "b.jsonl", "-o", "counts.json")
    assert "6,000 reports of 6 batches; 6 came again" in counted.out
    ran = sfumato("collect", "estimate", "params.json", "counts.json", "--candidates", "list.txt", "-o", "result.json",
                  "--picture", "found.svg", "--correction", "bonferroni", "--significance", "0.000001", "--json")  # fmt: skip
    found = {row["names"][0]: row["share"] for row in ran.json["candidates"] if row["found"]}
    assert found == {"a.org": pytest.approx(1 / 2, abs=0.2), "bé.org": pytest.approx(1 / 3, abs=0.2), "c.org": pytest.approx(1 / 6, abs=0.2)}  # fmt: skip
    assert ran.json == json.loads((files / "result.json").read_text("utf-8"))
    assert "bé.org" in (files / "found.svg").read_text("utf-8")
    twice = sfumato("collect", "estimate", "params.json", "counts.json", "counts.json", "--candidates", "list.txt")
    assert (9, True) == (twice.code, "counted already" in twice.err)
    sfumato("collect", "randomize", "params.json", "values.csv", "--column", "page", "-o", "c.parquet")
    assert 0 == sfumato("collect", "aggregate", "params.json", "c.parquet", "-o", "others.json").code
    text = sfumato("collect", "estimate", "params.json", "counts.json", "others.json", "--candidates", "list.txt")
    assert "12,000 reports" in text.out
    assert "a.org" in text.out


def test_a_design_keeps_both_epsilons_and_is_a_document_for_the_others(sfumato, files):
    ran = sfumato(
        *DESIGN, "--epsilon-permanent", "6", "-o", "made.json", "--picture", "made.svg", "--runs", "2", "--json"
    )
    params = RapporParams.from_json((files / "made.json").read_text("utf-8"))
    assert params.epsilon_permanent <= 6
    assert params.epsilon_first <= 3
    assert max(x.denominator for x in (params.f, params.p, params.q)) <= 1024
    assert json.loads(params.to_json()) == ran.json["parameters"]
    assert ran.json["simulated_power"] >= 0.5
    assert "<svg" in (files / "made.svg").read_text("utf-8")
    assert 0 == sfumato("collect", "randomize", "made.json", "values.csv", "--column", "page", "-o", "b.jsonl").code
    text = sfumato(*DESIGN, "--once", "--runs", "0").out
    assert "once" in text
    assert "chosen" in text


def test_declared_values_need_no_candidates(sfumato, files):
    (files / "list.txt").write_text("a.org\nbé.org\nc.org\n", encoding="utf-8")
    assert 0 == sfumato(*DESIGN, "--once", "--values", "list.txt", "-o", "made.json", "--runs", "0").code
    params = RapporParams.from_json((files / "made.json").read_text("utf-8"))
    assert ("basic one-time RAPPOR", 3, Fraction(0)) == (params.variant, params.bits, params.f)
    sfumato("collect", "randomize", "made.json", "values.csv", "--column", "page", "-o", "b.jsonl", "--batch", "700")
    sfumato("collect", "aggregate", "made.json", "b.jsonl", "-o", "counts.json")
    found = sfumato("collect", "estimate", "made.json", "counts.json", "--json").json
    assert 3 == len(found["candidates"])
    assert "a.org" == found["candidates"][0]["names"][0]


def test_wrong_input_ends_with_its_exit_code_and_no_value(sfumato, files):
    """2: parameters; 3: the table; 4: files; 9: reports. No message shows a person's string."""
    report = ("collect", "randomize", "params.json", "values.csv", "-o", "b.jsonl", "--batch", "1000", "--column")
    assert 0 == sfumato(*report, "page").code
    assert 3 == sfumato(*report, "nothing").code
    assert 4 == sfumato("collect", "aggregate", "params.json", "absent.jsonl").code
    first, next_line, *_ = (files / "b.jsonl").read_text("utf-8").splitlines()
    changed = json.loads(first) | {"collection": "0"}
    other = json.loads(first) | {"reports": json.loads(next_line)["reports"]}
    for bad in ("no json", json.dumps(changed), f"{first}\n{json.dumps(other)}"):
        (files / "bad.jsonl").write_text(bad + "\n", encoding="utf-8")
        ran = sfumato("collect", "aggregate", "params.json", "bad.jsonl")
        assert 9 == ran.code
        assert "bad.jsonl" in ran.err
    (files / "bad.json").write_text('{"format": "x"}', encoding="utf-8")
    assert 9 == sfumato("collect", "estimate", "params.json", "bad.json", "--candidates", "list.txt").code
    assert 2 == sfumato("collect", "estimate", "params.json", "bad.json").code
    assert 2 == sfumato("collect", "aggregate", "bad.json", "b.jsonl").code
    assert 2 == sfumato(*DESIGN).code
    assert 2 == sfumato(*DESIGN, "--epsilon-permanent", "-1").code
    (files / "values.csv").write_text("page,n\nC4NARY,1\n,2\n", encoding="utf-8")
    basic = RapporParams("pages", bits=2, hashes=1, cohorts=1, f=0, p="1/8", q="3/4", values=("a", "b"))
    (files / "params.json").write_text(basic.to_json(), encoding="utf-8")
    ran = sfumato(*report, "page")
    assert ran.code in {2, 3}
    assert "C4NARY" not in ran.out + ran.err
