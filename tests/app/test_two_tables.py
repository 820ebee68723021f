"""Two tables that share a bucket number: from a plan to both files, and back to answers."""

import csv
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tomlkit

import sfumato
from sfumato.errors import InternalError, NoSolution, ParameterError, PlanError, SourceError
from sfumato.report.document import check_result
from sfumato.utility.bucket_queries import Between, average, count

RNG = np.random.default_rng(11)
N = 120
PEOPLE = {
    "name": [f"person{i}" for i in range(N)],
    "zip": [f"0{z}000" for z in RNG.integers(1, 5, N)],
    "age": [str(a) for a in RNG.integers(20, 60, N)],
    "illness": sorted(["flu"] * 50 + ["gout"] * 30 + ["asthma"] * 30 + ["?"] * 10),
    "note": [f"n{i % 7}" for i in range(N)],
}
FREQUENCY = {"model": "l-diversity", "kind": "frequency", "column": "illness", "l": 2}


def document(promises=(FREQUENCY,), method=None, output=None, **roles):
    """A plan on the table of persons."""
    plain = {
        "name": "identifying", "zip": "quasi-identifying", "age": "quasi-identifying", "illness": "sensitive", "note": "insensitive"
    }  # fmt: skip
    columns = {name: {"role": role} for name, role in (plain | roles).items()}
    columns["age"]["kind"] = "integer"
    return {
        "sfumato": 1,
        "source": {"path": "people.csv", "missing": ["?"]},
        "columns": columns,
        "promise": list(promises),
        "method": method or {"name": "anatomy"},
        "measure": {"queries": 20},
        "output": output or {"path": "out.csv"},
    }


@pytest.fixture
def folder(tmp_path):
    """A folder with the table as CSV."""
    pd.DataFrame(PEOPLE).to_csv(tmp_path / "people.csv", index=False, sep=";")
    return tmp_path


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """A folder in which the plan was run once, and the release."""
    folder = tmp_path_factory.mktemp("two")
    pd.DataFrame(PEOPLE).to_csv(folder / "people.csv", index=False, sep=";")
    return folder, run(folder)


def run(folder, **changes):
    """Run a plan there."""
    return sfumato.run(sfumato.plan_from(document(**changes), folder=folder))


def rows_of(path, delimiter):
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def test_both_files_hold_what_was_promised(published):
    folder, release = published
    rows, values = rows_of(folder / "out.csv", ";"), rows_of(folder / "out.sensitive.csv", ",")
    assert list(rows[0]) == ["bucket", "zip", "age", "note"]
    assert list(values[0]) == ["bucket", "illness", "count"]
    assert Counter((r["zip"], r["age"], r["note"]) for r in rows) == Counter(
        zip(PEOPLE["zip"], PEOPLE["age"], PEOPLE["note"], strict=True)
    )
    illness = Counter()
    for row in values:
        illness[row["illness"]] += int(row["count"])
    assert illness == Counter(PEOPLE["illness"])
    sizes = Counter(r["bucket"] for r in rows)
    held = {}
    for row in values:
        held.setdefault(row["bucket"], Counter())[row["illness"]] += int(row["count"])
    assert {bucket: sum(counts.values()) for bucket, counts in held.items()} == sizes
    assert len(sizes) == 110 // 2
    for counts in held.values():
        told = {value: n for value, n in counts.items() if value != "?"}
        assert 2 * max(told.values()) <= sum(told.values())
    assert (release.path, release.values_path) == (folder / "out.csv", folder / "out.sensitive.csv")
    assert sorted(p.name for p in folder.iterdir()) == ["out.csv", "out.sensitive.csv", "people.csv"]


def test_the_result_keeps_its_shape_and_names_both_files(published):
    result = published[1].result.to_dict()
    assert check_result(json.loads(json.dumps(result))) == ()
    assert [file["path"] for file in result["files"]] == ["out.csv", "out.sensitive.csv"]
    assert result["promise"][0]["holds"] is True
    assert result["done"]["classes"]["n"] == 55
    risk = {f["name"]: f["value"] for f in result["risk"]["after"]}
    assert risk["bucket_guess_highest"] == 0.5
    assert risk["prosecutor_highest"] == 1
    assert {w["name"] for w in result["worth"]} >= {"reconstruction_error", "bucket_query_error_mean"}


def test_the_order_of_rows_does_not_tell_the_value(published):
    """The source is sorted by illness; a pair of rows in one bucket is in its order in about half of the 55 buckets.

    Kept order would make it all of them. 3 of 1e6 false alarms: 55 fair coins, between 9 and 46 heads (5 deviations).
    """
    folder, _ = published
    illness = {}
    for key, value in zip(
        zip(PEOPLE["zip"], PEOPLE["age"], PEOPLE["note"], strict=True), PEOPLE["illness"], strict=True
    ):
        illness.setdefault(key, set()).add(value)
    rank = {"asthma": 1, "flu": 2, "gout": 3}
    rising = known = 0
    by_bucket = {}
    for row in rows_of(folder / "out.csv", ";"):
        own = illness[row["zip"], row["age"], row["note"]]
        by_bucket.setdefault(row["bucket"], []).append(rank.get(next(iter(own))) if len(own) == 1 else None)
    for ranks in by_bucket.values():
        if len(ranks) == 2 and None not in ranks and ranks[0] != ranks[1]:
            known += 1
            rising += ranks[0] < ranks[1]
    assert known > 25
    assert abs(rising - known / 2) < 5 * (known / 4) ** 0.5


def test_a_receiver_asks_both_files(published):
    folder, _ = published
    pair = sfumato.read_pair(folder / "out.csv", folder / "out.sensitive.csv", kinds={"age": "integer"})
    truth = sum(
        20 <= int(age) < 40 and illness == "flu" for age, illness in zip(PEOPLE["age"], PEOPLE["illness"], strict=True)
    )
    answer = count(pair, {"age": Between(20, 39), "illness": {"flu"}})
    assert answer.low <= truth <= answer.high
    assert answer.low <= answer.value <= answer.high
    ages = [int(age) for age, illness in zip(PEOPLE["age"], PEOPLE["illness"], strict=True) if illness == "flu"]
    mean = average(pair, "age", {"illness": {"flu"}})
    assert mean.low <= np.mean(ages) <= mean.high


def test_files_that_do_not_belong_together_are_refused(published, tmp_path):
    folder, _ = published
    lines = (folder / "out.sensitive.csv").read_text("utf-8").splitlines()
    short = [line for line in lines if not line.startswith("54,")]
    (tmp_path / "short.csv").write_text("\n".join(short), "utf-8")
    with pytest.raises(SourceError, match="same buckets"):
        sfumato.read_pair(folder / "out.csv", tmp_path / "short.csv")
    (tmp_path / "more.csv").write_text("\n".join([*short, "54,flu,7", ""]), "utf-8")
    with pytest.raises(SourceError, match="as many values as rows"):
        sfumato.read_pair(folder / "out.csv", tmp_path / "more.csv")
    with pytest.raises(SourceError, match="share a column"):
        sfumato.read_pair(folder / "out.sensitive.csv", folder / "out.csv")


def test_plain_buckets_and_close_buckets(folder):
    plain = run(
        folder, promises=[{"model": "bucket-size", "k": 4}], method={"name": "bucketization", "grouping": "similar"}
    ).result.to_dict()  # fmt: skip
    assert plain["done"]["classes"]["min"] >= 4
    assert plain["promise"][0]["measured"] >= 4
    close = run(folder, promises=[{"model": "t-closeness", "reference": "original", "column": "illness", "t": 0.1,
                                   "distance": "equal"}]).result.to_dict()  # fmt: skip
    assert close["promise"][0]["measured"] <= 0.1
    ratio = run(folder, promises=[{"model": "ratio-closeness", "column": "illness", "t": 1.5}]).result.to_dict()
    assert 1 <= ratio["promise"][0]["measured"] <= 1.5
    assert ratio["promise"][0]["parameters"]["epsilon"] == pytest.approx(2 * np.log(1.5))


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_table_in_memory_gives_two_of_its_kind(tmp_path, kind):
    changed = document()
    del changed["source"], changed["output"]
    given = kind(PEOPLE)
    release = sfumato.run(sfumato.plan_from(changed, folder=tmp_path), given)
    assert type(release.frame) is type(release.values_frame) is type(given)
    assert len(release.frame) == N
    pair = sfumato.read_pair(release.frame, release.values_frame)
    assert pair.n_rows == N
    assert release.result.to_dict()["files"] == []


def test_parquet_to_parquet_with_null_for_missing(tmp_path):
    table = pd.DataFrame(PEOPLE).replace({"illness": {"?": None}}).astype({"age": int})
    pq.write_table(pa.Table.from_pandas(table, preserve_index=False), tmp_path / "people.parquet")
    changed = document(output={"path": "out.parquet"})
    changed["source"] = {"path": "people.parquet"}
    sfumato.run(sfumato.plan_from(changed, folder=tmp_path))
    values = pq.read_table(tmp_path / "out.sensitive.parquet").to_pandas()
    assert values.loc[values["illness"].isna(), "count"].sum() == 10


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"note": "sensitive"}, "one sensitive column"),
        ({"promises": [{"model": "k-anonymity", "k": 2}]}, "publish quasi-identifiers as they are"),
        ({"output": {"path": "out.csv", "row_order": "kept"}}, "shuffled"),
        ({"output": {"url": "sqlite:///x.db", "table": "t"}}, "both or none"),
        ({"method": {"name": "bucketization"}}, "bucket-size"),
        ({"method": {"name": "anatomy", "grouping": "random"}}, r"does not know grouping \(of bucketization\)"),
        ({"method": {"name": "mondrian"}, "promises": [{"model": "bucket-size", "k": 2}]}, "two tables"),
    ],
)
def test_plans_that_two_tables_cannot_keep_are_refused(folder, changes, reason):
    roles = {name: changes.pop(name) for name in ("note",) if name in changes}
    with pytest.raises(PlanError, match=reason):
        sfumato.plan_from(document(**changes, **roles), folder=folder)


def test_a_value_that_is_too_frequent_has_no_solution_and_leaves_nothing(folder):
    with pytest.raises(NoSolution) as caught:
        run(folder, promises=[FREQUENCY | {"l": 3}])
    assert "flu" not in str(caught.value)
    assert "50" not in str(caught.value)
    assert [p.name for p in folder.iterdir()] == ["people.csv"]


def test_the_second_table_does_not_overwrite_the_source(folder):
    changed = document()
    (folder / "people.csv").rename(folder / "out.sensitive.csv")
    changed["source"]["path"] = "out.sensitive.csv"
    with pytest.raises(SourceError, match="overwrite the source"):
        sfumato.run(sfumato.plan_from(changed, folder=folder))


def test_a_person_with_several_rows_is_refused(folder):
    changed = document()
    changed["unit"] = {"person": "note"}
    with pytest.raises(ParameterError, match="one row a person"):
        sfumato.run(sfumato.plan_from(changed, folder=folder))


def test_an_older_pair_stays_if_the_new_one_fails_its_check(folder, monkeypatch):
    """Whatever fails after writing, neither new file appears and both old ones are untouched."""
    run(folder)
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    from sfumato.release.anatomy import run as module

    def broken(*_):
        raise InternalError("they differ")

    monkeypatch.setattr(module, "check_same", broken)
    with pytest.raises(InternalError):
        run(folder)
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == before


def test_an_older_pair_comes_back_if_a_name_cannot_be_given(folder, monkeypatch):
    run(folder)
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    rename = Path.replace

    def stubborn(self, target):
        if Path(target) == folder / "out.sensitive.csv" and ".before" not in self.name:
            raise PermissionError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", stubborn)
    with pytest.raises(SourceError, match="writable"):
        run(folder)
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == before


def test_a_new_pair_replaces_an_older_one(folder):
    run(folder)
    old = (folder / "out.sensitive.csv").read_bytes()
    run(folder, promises=[{"model": "bucket-size", "k": 11}, FREQUENCY])
    assert (folder / "out.sensitive.csv").read_bytes() != old
    assert sorted(p.name for p in folder.iterdir()) == ["out.csv", "out.sensitive.csv", "people.csv"]


def test_a_column_that_tells_the_value_is_named(folder):
    table = pd.DataFrame(PEOPLE)
    table["note"] = table["illness"].map({"flu": "x", "gout": "y", "asthma": "z", "?": "w"})
    table.to_csv(folder / "people.csv", index=False, sep=";")
    assert any("'note' is published and determines 'illness'" in note for note in run(folder).result.to_dict()["notes"])


def test_the_command_prints_both_files(sfumato, folder):
    (folder / "plan.toml").write_text(tomlkit.dumps(document()), "utf-8")
    ran = sfumato("run", "plan.toml")
    assert ran.code == 0, ran.err
    assert "Anatomy: two tables" in ran.out
    assert "out.sensitive.csv" in ran.out
