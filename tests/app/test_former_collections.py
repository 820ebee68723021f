"""Reports, counts, documents and stores that version 0.1.0 wrote are read as it read them."""

import json
import shutil
from pathlib import Path

import httpx
import pytest
from tests.app.serve_processes import PATIENCE, READER, serving

FORMER = Path(__file__).parents[1] / "data" / "collect-0.1.0"


@pytest.fixture
def folder(tmp_path):
    """What 0.1.0 wrote of 3,000 persons: strings under RAPPOR, and one declared question under OUE."""
    shutil.copytree(FORMER, tmp_path, dirs_exist_ok=True)
    return tmp_path


def former(name):
    """A document of 0.1.0, with `level` under the name that it has now."""
    text = (FORMER / name).read_text("utf-8")
    return json.loads(text.replace('"level"', '"significance"' if name == "strings.json" else '"confidence"'))


def without(document, *keys):
    """A document without some keys."""
    return {key: value for key, value in document.items() if key not in keys}


def near(found, known):
    """Whether two documents agree, numbers up to what processors add up in different orders."""
    if isinstance(known, dict):
        return found.keys() == known.keys() and all(near(found[key], one) for key, one in known.items())
    if isinstance(known, list):
        return len(found) == len(known) and all(map(near, found, known))
    return found == (pytest.approx(known, rel=1e-9) if isinstance(known, float) else known)


@pytest.mark.parametrize("command", [("collect", "aggregate"), ("rappor", "count")])
def test_batches_of_strings_give_the_same_counts(sfumato, folder, command):
    found = sfumato(*command, "params.json", "batches.jsonl", "--json").json
    assert (found["format"], found["collection"]) == ("sfumato.counts/1", former("string-counts.json")["collection"])
    assert found["reports"] == former("string-counts.json")["reports"]
    assert found["support"] == former("string-counts.json")["ones"]


@pytest.mark.parametrize("command", [("collect", "estimate"), ("rappor", "decode")])
def test_counts_of_strings_give_the_same_result(sfumato, folder, command):
    found = sfumato(*command, "params.json", "string-counts.json", "--candidates", "names.txt", "--json").json
    assert near(found, former("strings.json"))


def test_reports_of_a_question_give_the_same_counts_and_shares(sfumato, folder):
    assert sfumato("collect", "aggregate", "asked.toml", "reports.csv", "--json").json == former("counts.json")
    assert sfumato("collect", "estimate", "asked.toml", "counts.json", "--json").json == former("estimates.json")
    ran = sfumato("collect", "estimate", "asked.toml", "counts.json", "counts.json")
    assert (ran.code, "counted already" in ran.err) == (9, True)


def test_a_store_and_its_server_document_go_on(folder):
    """The totals are those of before; a batch that 0.1.0 counted is known, and one of its clients' batches is taken."""
    known = json.loads((FORMER / "server.json").read_text("utf-8"))
    sent = (FORMER / "batches.jsonl").read_text("utf-8").splitlines()
    with serving(folder) as address, httpx.Client(base_url=address, headers=READER, timeout=PATIENCE) as client:
        strings, color = (client.get(f"/collections/{name}/counts").json() for name in ("home", "color"))
        assert strings["support"] == known["home"]["counts"]["ones"]
        assert strings["reports"] == known["home"]["counts"]["reports"]
        assert without(color, "batches") == known["color"]["counts"]
        for name in ("home", "color"):
            told = client.get(f"/collections/{name}").json()
            assert without(told, "device", "spent") == known[name]["document"]
        found = client.get("/collections/home/estimate").json()
        assert near(without(found, "significance"), without(known["home"]["estimate"], "level"))
        again = client.post("/collections/home/batches", content=sent[0]).json()
        assert (again["reports"], again["counted"]) == (1500, False)
        new = json.dumps(json.loads(sent[0]) | {"batch": "another"})
        assert client.post("/collections/home/batches", content=new).json()["counted"] is True
        assert sum(client.get("/collections/home/counts").json()["reports"]) == 4500


def test_a_new_batch_of_strings_is_about_as_long_as_its_bits(sfumato, folder):
    """One wire form for all: base64 of a header, three bits of cohort and four bytes for each report."""
    (folder / "values.csv").write_text("page\n" + "a.org\n" * 800, "utf-8")
    assert sfumato("collect", "randomize", "params.json", "values.csv", "--column", "page", "-o", "b.jsonl").code == 0
    batch = json.loads((folder / "b.jsonl").read_text("utf-8"))
    assert set(batch) == {"format", "collection", "batch", "reports"}
    assert len(batch["reports"]) == 4 * -(-(2 + len("RAPPOR") + 8 + 2 + 300 + 3200) // 3)


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".jsonl"])
@pytest.mark.parametrize("document", ["params.json", "asked.toml"])
def test_reports_of_every_collection_are_written_and_counted_in_every_form(sfumato, folder, suffix, document):
    (folder / "values.csv").write_text("page,color\n" + "a.org,red\n" * 500, "utf-8")
    column = ("--column", "page") if document == "params.json" else ()
    made = sfumato(
        "collect", "randomize", document, "values.csv", *column, "-o", f"r{suffix}", "--batch", "99", "--json"
    )
    assert (made.code, made.json["batches"]) == (0, 6)
    counted = sfumato("collect", "aggregate", document, f"r{suffix}", "-o", "c.json")
    assert counted.code == 0
    found = sfumato("collect", "estimate", document, "c.json", *(("--candidates", "names.txt") if column else ()))
    assert found.code == 0


def test_a_column_is_named_for_strings_and_only_for_them(sfumato, folder):
    (folder / "values.csv").write_text("page,color\n" + "a.org,red\n" * 5, "utf-8")
    for document, column in (("params.json", ()), ("asked.toml", ("--column", "page"))):
        ran = sfumato("collect", "randomize", document, "values.csv", *column, "-o", "r.csv")
        assert (ran.code, "--column" in ran.err) == (2, True)
    ran = sfumato("collect", "estimate", "asked.toml", "counts.json", "--candidates", "names.txt")
    assert ran.code == 2
