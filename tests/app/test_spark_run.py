"""The same plan on a cluster: the same release, from the command line and from a notebook; workers that die."""

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.spark_sessions import has_java

from sfumato import run
from sfumato.account.ledger.ledger import Ledger
from sfumato.engine.spark.engine import SparkEngine
from sfumato.release.answer.opening import create, opening_in
from sfumato.release.plan_reader import plan_from

COLUMNS = """
sfumato = 1
[source]
path = "people.parquet"
missing = ["?"]
[columns.zip]
role = "quasi-identifying"
hierarchy = { mask = "right", width = 5 }
[columns.age]
role = "quasi-identifying"
kind = "integer"
hierarchy = { width = 5, then = [10, 20] }
[columns.sex]
role = "quasi-identifying"
hierarchy = { groups = ["f", "m"] }
[columns.illness]
role = "ROLE"
[columns.id]
role = "identifying"
"""
OUTPUT = """
[measure]
queries = 50
[output]
path = "out.parquet"
result = "out.json"
"""
PROMISE = """
[[promise]]
model = "k-anonymity"
k = 5
[[promise]]
model = "l-diversity"
kind = "distinct"
column = "illness"
l = 2
[method]
"""
METHODS = {
    "full-domain": 'name = "full-domain"\nsuppression_limit = 0.05',
    "mondrian": 'name = "mondrian"',
    "local-recoding": 'name = "local-recoding"',
    "cell-suppression": 'name = "cell-suppression"',
    "microaggregation": 'name = "microaggregation"',
}
DRAWN = {
    "anatomy": '[[promise]]\nmodel = "l-diversity"\nkind = "frequency"\ncolumn = "illness"\nl = 3\n[method]\nname = "anatomy"',
    "buckets": '[[promise]]\nmodel = "bucket-size"\nk = 5\n[method]\nname = "bucketization"',
    "sample": '[sample]\nprobability = "1/2"\n[[promise]]\nmodel = "k-anonymity"\nk = 5\n[method]\nname = "mondrian"',
}
PRIVATE = """
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
"""


@pytest.fixture(scope="module")
def people():
    """6,000 persons, some cells missing by null and by code."""
    rng = np.random.default_rng(7)
    n = 6000
    zips = [None if z % 97 == 0 else "?" if z % 89 == 0 else f"{10000 + 100 * (z % 30) + z % 7}" for z in range(n)]
    return pa.table(
        {
            "zip": zips,
            "age": pa.array(rng.integers(20, 40, n).astype(np.int32)),
            "sex": [("f", "m")[i] for i in rng.integers(0, 2, n)],
            "illness": [("flu", "gout", "mumps", "cough")[i] for i in rng.integers(0, 4, n)],
            "id": np.arange(n),
        }
    )


def plan_of(method):
    return COLUMNS.replace("ROLE", "sensitive") + PROMISE + METHODS[method] + OUTPUT


def told(result):
    """All that does not name the files and the engine."""
    return {key: value for key, value in result.items() if key not in ("files", "replay", "versions", "source")}


def in_memory(text):
    """The plan for a table that is handed over."""
    document = tomllib.loads(text) | {"source": {"path": "unused", "missing": ["?"]}, "output": {}}
    return plan_from(document, folder=Path())


@pytest.mark.parametrize("method", METHODS)
def test_a_notebooks_session_gives_the_same_release(people, sail, method):
    """A Spark DataFrame in, one out; the same rows, classes, figures and promises as the embedded engine."""
    plan = in_memory(plan_of(method))
    here, there = run(plan, people), run(plan, sail.createDataFrame(people))
    assert there.frame.toArrow().to_pylist() == here.frame.to_pylist()
    assert told(there.result.to_dict()) == told(here.result.to_dict())
    assert there.result.to_dict()["source"] | {"kind": ""} == here.result.to_dict()["source"] | {"kind": ""}


def illnesses(table, counts=None):
    """How often each illness stands in a table, or in the second of two."""
    out = Counter()
    for illness, n in zip(table["illness"].to_pylist(), counts or [1] * table.num_rows, strict=True):
        out[illness] += n
    return out


@pytest.mark.parametrize("method", DRAWN)
def test_what_rests_on_chance_keeps_the_same_promises(people, sail, method):
    """Rows, values and promises are those of the table; which bucket or which half a row is in was drawn there."""
    plan = in_memory(COLUMNS.replace("ROLE", "sensitive") + DRAWN[method])
    here, there = run(plan, people), run(plan, sail.createDataFrame(people))
    rows = there.frame.toArrow()
    assert rows.schema.names == here.frame.schema.names
    assert (
        [p["holds"] for p in there.result.to_dict()["promise"]]
        == [p["holds"] for p in here.result.to_dict()["promise"]]
        == [True]
    )
    if there.values_frame is None:
        # a binomial with n = 6000, p = 1/2 leaves 2750 … 3250 with a chance below 1e-10
        assert 2750 <= rows.num_rows <= 3250
        assert not illnesses(rows) - illnesses(people)
        return
    values = there.values_frame.toArrow()
    assert illnesses(values, values["count"].to_pylist()) == illnesses(people)
    kept = ("zip", "age", "sex")
    as_rows = [Counter(tuple(row[name] for name in kept) for row in table.to_pylist()) for table in (rows, here.frame)]
    assert as_rows[0] == as_rows[1]
    assert Counter(rows["bucket"].to_pylist()) == Counter(
        dict(values.group_by("bucket").aggregate([("count", "sum")]).select(["bucket", "count_sum"]).to_pandas().values)
    )


INSERTION = """
sfumato = 1
[columns]
zip = { role = "identifying" }
age = { role = "identifying" }
id = { role = "identifying" }
sex = { role = "quasi-identifying" }
illness = { role = "quasi-identifying" }
[[promise]]
model = "differential-privacy"
kind = "tuple-insertion"
epsilon = 20
[method]
name = "tuple-insertion"
values.sex = ["f", "m", "x"]
values.illness = ["flu", "gout", "mumps", "cough"]
"""


def test_inserted_tuples_come_back_as_a_spark_table(people, sail):
    """At ε = 20 each of twelve tuples is told as it is but with a chance near e^-10; the run reads again what it wrote."""
    release = run(in_memory(INSERTION), sail.createDataFrame(people))
    assert release.frame.toArrow().schema.names == ["sex", "illness"]
    assert release.result.to_dict()["insertion"]["domain"] == 12


def test_an_engine_can_be_handed_over(people, sail, tmp_path):
    pq.write_table(people, tmp_path / "people.parquet")
    (tmp_path / "plan.toml").write_text(plan_of("mondrian"), encoding="utf-8")
    first = run(tmp_path / "plan.toml", engine=sail)
    assert first.path.is_dir()
    rows = pq.read_table(first.path).to_pylist()
    first.path.rename(tmp_path / "first")
    run(tmp_path / "plan.toml", engine=SparkEngine(sail))
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == rows


@pytest.mark.slow
def test_the_command_line_gives_the_same_release_on_spark_itself(people, spark, sfumato, sfumato_process, tmp_path):
    """`spark` is here so that Java is known to be there."""
    del spark
    pq.write_table(people, tmp_path / "people.parquet")
    (tmp_path / "plan.toml").write_text(plan_of("full-domain"), encoding="utf-8")
    here = sfumato("run", "plan.toml", "--json")
    rows = pq.read_table(tmp_path / "out.parquet").to_pylist()
    (tmp_path / "out.parquet").unlink()
    (tmp_path / "plan.toml").write_text('engine = "local[2]"\n' + plan_of("full-domain"), encoding="utf-8")
    there = sfumato_process("run", "plan.toml", "--json")
    assert there.code == 0, there.err
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == rows
    kept = [told(ran.json) | {"plan": 0, "plan_sha256": 0} for ran in (here, there)]
    assert kept[0] == kept[1]
    assert "Traceback" not in there.err


def test_another_word_is_no_engine(sfumato, tmp_path):
    (tmp_path / "plan.toml").write_text(plan_of("mondrian"), encoding="utf-8")
    ran = sfumato("run", "plan.toml", "--engine", "hadoop")
    assert ran.code != 0
    assert "`engine` must be duckdb, spark, or the URL" in ran.err
    assert "Traceback" not in ran.err


def workers_of(pid):
    """Processes of executors below a process."""
    parents, commands = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                commands[int(entry.name)] = (entry / "cmdline").read_bytes()
            except OSError:
                continue
    family, new = {pid}, {pid}
    while new:
        new = {one for one, parent in parents.items() if parent in new} - family
        family |= new
    return [one for one in family if b"CoarseGrainedExecutorBackend" in commands.get(one, b"")]


def started(folder):
    """A private plan on a cluster of two executors, and the moment at which both are there."""
    command = [sys.executable, "-c", "from sfumato.cli.main import main; main()", "run", "plan.toml"]
    running = subprocess.Popen(
        [*command, "--engine", "local-cluster[2,1,1024]"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"},
    )  # fmt: skip
    until = time.monotonic() + 1800
    while len(workers_of(running.pid)) < 2 and running.poll() is None and time.monotonic() < until:
        time.sleep(0.2)
    return running


def charges(folder):
    """What the ledger says was spent, as text."""
    with Ledger.open(f"sqlite:///{folder}/ledger.db") as ledger:
        if ledger.head().entries == 0:
            return []
        return [str(part) for part in ledger.statement("people").dataset.spent]


@pytest.mark.slow
@pytest.mark.parametrize("deaths", [1, 16], ids=["one dies", "all die again and again"])
def test_when_workers_die_the_run_ends_right_or_fails_whole_and_is_charged_once(people, tmp_path, deaths):
    if not has_java():
        if os.environ.get("SFUMATO_REQUIRE_ALL"):
            pytest.fail("Java 17 is required here")
        pytest.skip("no Java")
    pq.write_table(people, tmp_path / "people.parquet", row_group_size=500)
    some = COLUMNS.replace('zip]\nrole = "quasi-identifying"', 'zip]\nrole = "identifying"')
    plan = some.replace("ROLE", "identifying") + PRIVATE + OUTPUT
    (tmp_path / "plan.toml").write_text(plan + 'suppressed = "drop"\nrow_order = "shuffled"\n', encoding="utf-8")
    create(opening_in(tmp_path / "plan.toml"))
    running = started(tmp_path)
    killed = 0
    while running.poll() is None and killed < deaths:
        for worker in workers_of(running.pid):
            if killed < deaths:
                os.kill(worker, signal.SIGKILL)
                killed += 1
        time.sleep(0.3)
    _, err = running.communicate(timeout=1800)
    assert killed > 0
    assert "Traceback" not in err
    left = sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("out"))
    if running.returncode == 0:
        assert left == ["out.json", "out.parquet"]
        rows, result = (
            pq.read_table(tmp_path / "out.parquet").to_pylist(),
            json.loads((tmp_path / "out.json").read_text()),
        )
        sizes = Counter(tuple(row.values()) for row in rows)
        assert len(rows) == result["files"][0]["rows"] > 0
        assert min(sizes.values()) >= result["promise"][0]["parameters"]["k"]
        assert charges(tmp_path) == ["2", "1/10000"]
    else:
        assert running.returncode == 7
        assert left == []
        assert not [path for path in tmp_path.iterdir() if path.name.endswith(".part")]
        assert charges(tmp_path) in ([], ["0", "0"], ["2", "1/10000"])
    if running.returncode != 0:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run(tmp_path / "plan.toml", engine="duckdb")
        assert charges(tmp_path) == ["2", "1/10000"]
