"""Pseudonyms in plans and over several tables: joined, parted by period, stored, refused."""

import csv
import json
import os
import stat
from pathlib import Path

import pytest

from sfumato import run
from sfumato.document.perturb import Hash
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.errors import ParameterError, PlanError, SfumatoError, SourceError
from sfumato.release.plan_reader import plan_from
from sfumato.release.pseudonymize import pseudonymize
from sfumato.release.secrets import alone, read_key, write_new_key
from sfumato.testing.seeded_bits import SeededBits

KEY = "0f1e2d3c4b5a69788796a5b4c3d2e1f00123456789abcdeffedcba9876543210"
VISITS = "patient,day,ward\nann,2026-01-03,a\nann,2026-02-07,b\nBOB,2026-02-08,a\n,2026-02-09,a\nann,,a\n"
LABS = "id;value\nbob;7\nann;6\neve;5\n"
FILE = {"file": "secret.key"}


@pytest.fixture
def folder(tmp_path):
    """Two tables and a key."""
    (tmp_path / "visits.csv").write_text(VISITS)
    (tmp_path / "labs.csv").write_text(LABS)
    (tmp_path / "secret.key").write_text(KEY + "\n")
    return tmp_path


def read(path, delimiter=","):
    """Rows of a CSV file."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def plan(folder, options, *, path="visits.csv"):
    """A plan that gives pseudonyms to patients."""
    return plan_from({
        "sfumato": 1, "source": {"path": path, "missing": [""]}, "output": {"path": "out.csv", "result": "out.json"},
        "columns": {"patient": {"role": "identifying", "perturb": {"method": "pseudonym", "key": FILE} | options},
                    "day": {"role": "insensitive", "kind": "date"}, "ward": {"role": "quasi-identifying"}},
        "method": {"name": "none"}, "measure": {"queries": 0},
    }, folder=folder)  # fmt: skip


def named(folder, options):
    """Pseudonyms by row."""
    run(plan(folder, options))
    return [row["patient"] for row in read(folder / "out.csv")]


def test_equal_names_have_equal_pseudonyms_and_missing_ones_stay_missing(folder):
    first = named(folder, {})
    assert first[0] == first[1] == first[4] != first[2]
    assert first[3] == ""
    assert first == named(folder, {})
    assert all(len(name) == 26 for name in first if name)
    assert set(first).isdisjoint(named(folder, {"domain": "others"})[:3])
    assert set(first).isdisjoint(named(folder, {"edition": "2"})[:3])


def test_the_person_of_a_plan_may_have_pseudonyms(folder):
    """Persons are counted by their names, before these are replaced."""
    from dataclasses import replace

    asked = plan(folder, {})
    release = run(
        replace(asked, schema=replace(asked.schema, person="patient"), source=replace(asked.source, missing=()))
    )
    assert release.result.to_dict()["unit"]["persons"] == 3


def test_pseudonyms_of_different_months_differ_and_rows_without_a_day_have_their_own(folder):
    ann_january, ann_february, bob_february, nobody, ann_some_day = named(folder, {"period": "month", "date": "day"})
    assert len({ann_january, ann_february, bob_february, ann_some_day}) == 4
    assert nobody == ""
    rows = read(folder / "out.csv")
    assert [row["day"] for row in rows] == [row["day"] for row in read(folder / "visits.csv")]
    by_year = named(folder, {"period": "year", "date": "day"})
    assert by_year[0] == by_year[1]


def test_numbers_keep_their_form(folder):
    pytest.importorskip("ffx")
    (folder / "visits.csv").write_text(VISITS.replace("ann", "4111-1111").replace("BOB", "4111-1112"))
    names = named(folder, {"form": "ff1", "keep": "-"})
    assert all(len(name) == 9 and name[4] == "-" and name.replace("-", "").isdigit() for name in (*names[:3], names[4]))
    assert names[0] == names[1] != names[2]


def test_a_stored_table_keeps_random_pseudonyms_and_is_private(folder):
    first = named(folder, {"table": "names.map"})
    raw = (folder / "names.map").read_bytes()
    (folder / "visits.csv").write_text(VISITS + "eve,2026-03-01,a\n")
    again = named(folder, {"table": "names.map"})
    assert again[:5] == first
    assert b"ann" not in raw + (folder / "names.map").read_bytes()
    assert stat.S_IMODE((folder / "names.map").stat().st_mode) == 0o600
    assert not (folder / "names.map.lock").exists()
    assert first != named(folder, {"table": "other.map"})
    unchanged = (folder / "names.map").read_bytes()
    assert again == named(folder, {"table": "names.map"})
    assert unchanged == (folder / "names.map").read_bytes()


def test_the_key_is_nowhere_but_where_it_was(folder):
    (folder / "out").mkdir()
    release = run(plan(folder, {"table": "names.map"}))
    told = release.result.to_json() + release.path.read_text()
    assert KEY not in told
    assert KEY[:16] not in told
    assert "still personal data" in release.result.to_dict()["perturbed"][0]["promise"]["statement"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"key": {"env": "SFUMATO_NO_SUCH_KEY"}}, "must hold the key in 'SFUMATO_NO_SUCH_KEY'"),
        ({"key": {"file": "no.key"}}, "must be readable"),
        ({"key": {"file": "visits.csv"}}, "32 random bytes"),
        ({"key": {}}, "one place"),
        ({"key": {"env": "A", "file": "b"}}, "one place"),
        ({"key": {"text": KEY}}, "unknown"),
        ({"characters": 8}, "between 10 and 51"),
        ({"form": "rot13"}, "form"),
        ({"period": "month"}, "unknown|period"),
        ({"date": "day"}, "period"),
        ({"date": "ward", "period": "week"}, "column of days"),
        ({"form": "ff1"}, "signs of the alphabet"),
        ({"table": "names.map", "date": "day", "period": "week"}, "no `date`"),
    ],
)
def test_mistakes_are_refused_without_a_file_a_name_or_a_key(folder, options, words):
    with pytest.raises(SfumatoError, match=words) as refused:
        run(plan(folder, options))
    said = str(refused.value)
    assert KEY not in said
    assert "ann" not in said.replace("cannot", "")
    assert not (folder / "out.csv").exists()


def test_a_hash_without_a_key_needs_names_that_nobody_can_list(folder):
    ids = ("b3d9f6a2-7c1e-4f58-9a6d-2e8b1c4f7d05", "0c8e4b1f-52a7-4d93-8f0e-6a1d9b3c7e24")
    (folder / "visits.csv").write_text(f"patient,day,ward\n{ids[0]},2026-01-03,a\n{ids[1]},2026-01-03,a\n")
    document = plan(folder, {})
    from dataclasses import replace

    hashed = replace(document.perturb[0], said=Hash(bits=122.0), options={"bits": 122})
    run(replace(document, perturb=(hashed,)))
    assert all(len(row["patient"]) == 64 for row in read(folder / "out.csv"))
    (folder / "out.csv").unlink()
    (folder / "visits.csv").write_text(VISITS)
    with pytest.raises(ParameterError, match="tried in about"):
        run(replace(document, perturb=(hashed,)))
    assert not (folder / "out.csv").exists()
    small = replace(hashed, said=Hash(bits=40.0), options={"bits": 40})
    with pytest.raises(ParameterError, match="have at most"):
        run(replace(document, perturb=(small,)))


def document(folder, **more):
    """The document of both tables."""
    text = f"""
sfumato_pseudonyms = 1
key = {{ file = "secret.key" }}
[[table]]
path = "visits.csv"
output = "{more.get("first", "visits.out.csv")}"
missing = [""]
keep = ["ward"]
drop = {more.get("drop", '["day"]')}
[table.pseudonyms.patient]
domain = "patients"
fold_case = true
[[table]]
path = "labs.csv"
output = "labs.out.csv"
keep = ["value"]
[table.pseudonyms.id]
domain = "{more.get("domain", "patients")}"
fold_case = true
"""
    (folder / "both.toml").write_text(text)
    return folder / "both.toml"


def test_tables_of_one_domain_can_be_joined_as_before(folder):
    done = pseudonymize(document(folder)).to_dict()
    visits, labs = read(folder / "visits.out.csv"), read(folder / "labs.out.csv", ";")
    value = {row["id"]: row["value"] for row in labs}
    assert [value.get(row["patient"]) for row in visits] == ["6", "6", "7", None, "6"]
    assert [list(row) for row in (visits[0], labs[0])] == [["patient", "ward"], ["id", "value"]]
    assert not {"ann", "bob", "BOB", "eve"} & {cell for row in (*visits, *labs) for cell in row.values()}
    assert [table["rows"] for table in done["tables"]] == [5, 3]
    assert done["tables"][0]["dropped"] == ["day"]
    assert "secret.key" not in json.dumps(done)


def test_a_table_without_rows_is_written_without_rows(folder):
    (folder / "labs.csv").write_text("id;value\n", encoding="utf-8")
    done = pseudonymize(document(folder))
    assert [table.rows for table in done.tables] == [5, 0]
    assert read(folder / "labs.out.csv", ";") == []


def test_what_is_written_is_read_again_before_it_has_its_place(folder, monkeypatch):
    """A table that came out otherwise than was decided is refused, and no table of the document has its place."""
    write = DuckDBEngine.write

    def damaged(self, table, sink):
        receipt = write(self, table, sink)
        if sink.path.name == "labs.out.csv":
            text = sink.path.read_text("utf-8")
            sink.path.write_text(text.replace(text.splitlines()[-1] + "\n", ""), encoding="utf-8")
        return receipt

    monkeypatch.setattr(DuckDBEngine, "write", damaged)
    with pytest.raises(SfumatoError):
        pseudonymize(document(folder))
    assert not list(folder.glob("*.out.csv"))


def test_tables_of_different_domains_cannot_be_joined(folder):
    pseudonymize(document(folder, domain="others"))
    names = [
        {row[k] for row in read(folder / f"{f}.out.csv", d)}
        for f, k, d in (("visits", "patient", ","), ("labs", "id", ";"))
    ]
    assert names[0].isdisjoint(names[1])


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"drop": "[]"}, "undeclared: \\['day'\\]"),
        ({"first": "labs.csv"}, "must not overwrite"),
        ({"first": "labs.out.csv"}, "must not overwrite"),
    ],
)
def test_every_column_is_named_and_no_file_overwritten(folder, more, words):
    with pytest.raises((PlanError, SfumatoError), match=words):
        pseudonymize(document(folder, **more))
    assert (folder / "labs.csv").read_text() == LABS
    assert not (folder / "visits.out.csv").exists()


def test_new_keys_are_private_and_never_overwritten(tmp_path):
    path = tmp_path / "new.key"
    write_new_key(path, bits=SeededBits(1))
    assert len(read_key(path).material) == 32
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(SourceError, match="new file"):
        write_new_key(path, bits=SeededBits(2))


def test_two_runs_do_not_change_one_table_of_names_at_once(tmp_path):
    path = tmp_path / "names.map"
    with alone(path), pytest.raises(SourceError, match="another run"), alone(path):
        pass
    with alone(path):
        assert Path(f"{path}.lock").exists()


def test_a_cluster_gives_the_same_pseudonyms_as_this_machine(folder, sail):
    """By period and by column, on Spark."""
    frame = [row | {"patient": row["patient"] or None} for row in read(folder / "visits.csv")]
    columns = {name: [row[name] or None for row in frame] for name in frame[0]}
    import pyarrow as pa

    asked = plan(folder, {"period": "month", "date": "day"})
    here = run(asked, pa.table(columns)).frame["patient"].to_pylist()
    there = run(asked, sail.createDataFrame(pa.table(columns))).frame.toArrow()["patient"]
    assert there.to_pylist() == here
    assert here[3] is None
