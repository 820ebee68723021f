"""Work in another process: it survives the studio, and however it ends, the page tells so and nothing half-made stays."""

import fcntl
import json
import os
import signal
import time

import pytest

from sfumato.errors import PlanError
from sfumato.studio import jobs
from sfumato.studio.shelf import Project

PLAN = """format = "sfumato.plan/1"
[source]
path = "t.csv"
[columns.age]
role = "quasi-identifying"
kind = "integer"
[columns.sex]
role = "quasi-identifying"
[[promise]]
model = "k-anonymity"
k = 2
[method]
name = "full-domain"
[output]
path = "t.release.csv"
"""


@pytest.fixture
def project(tmp_path):
    """A project with a small table."""
    (tmp_path / "t.csv").write_text("age,sex\n" + "".join(f"{20 + i % 5},{'FM'[i % 2]}\n" for i in range(40)))
    (tmp_path / "plan.toml").write_text(PLAN)
    return Project(tmp_path)


def begun(project):
    """A run that was started."""
    run = project.new_run()
    (run.folder / "plan.toml").write_text(project.plan_path.read_text())
    jobs.start(run.folder, jobs.Job(kind="run", project=str(project.folder)))
    return run


def ended(folder):
    """How a job stands when it is over."""
    found = jobs.state(folder)
    while found.is_going:
        time.sleep(0.02)
        found = jobs.state(folder)
    return found


def test_a_run_writes_its_files_into_its_folder_only(project):
    """The plan of the project keeps its own places."""
    run = begun(project)
    assert ended(run.folder).name == "done"
    assert json.loads(run.result.read_text("utf-8"))["format"] == "sfumato.release/1"
    assert run.report.is_file()
    assert (run.folder / "t.release.csv").is_file()
    assert not (project.folder / "t.release.csv").exists()


def test_a_mistake_is_told_with_its_remedy(project):
    """As the command would tell it."""
    project.plan_path.write_text(PLAN.replace("k = 2", "k = 2000"))
    run = begun(project)
    found = ended(run.folder)
    assert found.name == "failed"
    assert "40" in found.problem
    assert found.remedy
    assert not run.result.exists()


def test_a_killed_run_is_known_as_killed(project):
    """kill -9 leaves no word; the lock tells, and the next run is another one."""
    run = begun(project)
    while not (run.folder / "pid.json").exists():
        time.sleep(0.005)
    os.kill(json.loads((run.folder / "pid.json").read_text())["pid"], signal.SIGKILL)
    found = ended(run.folder)
    assert found.name in {"killed", "done"}
    assert run.result.exists() == (found.name == "done")
    again = begun(project)
    assert again.number == run.number + 1
    assert ended(again.folder).name == "done"


def test_one_job_of_a_folder_at_a_time(project):
    """A second one is refused while the first goes on."""
    folder = project.hidden / "risk"
    jobs.start(folder, jobs.Job(kind="risk", project=str(project.folder)))
    with pytest.raises(PlanError, match="One job at a time"):
        jobs.start(folder, jobs.Job(kind="risk", project=str(project.folder)))
    assert ended(folder).name == "done"


@pytest.mark.parametrize(("word", "name"), [("done", "failed"), ("failed.json", "failed"), ("nothing", "going")])
def test_what_is_not_begun_says_why_though_the_process_before_has_not_ended(tmp_path, word, name):
    """One whose work is over writes nothing more; one that goes on is left alone."""
    (tmp_path / "job.json").write_text("{}")
    (tmp_path / word).write_text('{"problem": "old", "remedy": ""}')
    with (tmp_path / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        jobs.refuse(tmp_path, PlanError("It must be a number.", "type one."))
        found = jobs.state(tmp_path)
    assert (found.name, found.remedy) == (name, "type one." if name == "failed" else "")


def test_runs_are_numbered_in_order(project):
    """Also where a folder of another kind lies among them."""
    (project.folder / "runs" / "notes").mkdir(parents=True)
    assert [project.new_run().number for _ in range(3)] == [1, 2, 3]
    assert [run.number for run in project.runs()] == [3, 2, 1]
