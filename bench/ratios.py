"""CPU seconds of two states of the package, in turn, as ratios.

    python bench/ratios.py OLD_PYTHON NEW_PYTHON [ROUNDS]

Each task is a process of its own that does its work once to warm up and then several times. The least of the rounds counts.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROWS = 20_000
TASKS = {
    "start": (1, "import sfumato.cli.main"),
    "full-domain": (5, 'run("full-domain")'),
    "mondrian": (3, 'run("mondrian")'),
    "microaggregation": (2, 'run("microaggregation")'),
    "answers": (1, "answers(60)"),
    "local estimates": (4, "local()"),
    "attack": (1, "attack()"),
}
"""How often, and what."""
PLAN = """
sfumato = 1
[source]
path = "people.csv"
[columns.zip]
role = "quasi-identifying"
hierarchy = { mask = "right", width = 5 }
[columns.age]
role = "quasi-identifying"
kind = "integer"
hierarchy = { width = 5, then = [10, 20] }
[columns.sex]
role = "quasi-identifying"
[columns.illness]
role = "sensitive"
[[promise]]
model = "k-anonymity"
k = 5
[method]
name = "METHOD"
[measure]
queries = 20
guesses = 20
[output]
path = "METHOD.csv"
"""
COLLECTION = """
sfumato_collection = 1
[[question]]
column = "illness"
values = ["a", "b", "c", "d"]
[protocol]
name = "OUE"
epsilon = 1.0
"""


def run(method):
    """A plan from the command line."""
    command("run", f"{method}.toml")


def command(*words):
    """A command in this process."""
    import contextlib
    import io

    from sfumato.cli.main import commands

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        commands(list(words), standalone_mode=False)


def answers(n):
    """Counts and means, each charged to a ledger in a file."""
    import pyarrow as pa

    import sfumato

    table = pa.table({"age": [20, 40, 60] * 10_000, "sex": ["f", "m", "f"] * 10_000})
    columns = {"age": sfumato.Range(0, 120, step=1), "sex": sfumato.Categories(("f", "m"))}
    place = f"sqlite:///{tempfile.mkdtemp()}/ledger.db"
    more = {"ledger": place, "dataset": "t", "create": True}
    unit, budget = sfumato.Unit.row(sfumato.Neighbors.ADD_REMOVE), sfumato.Budget.pure(1000)
    with sfumato.Session(table, columns, unit=unit, budget=budget, **more) as session:
        for i in range(n):
            session.count(by="sex", epsilon=f"1/{i + 2}")
            session.mean("age", epsilon=f"1/{i + 2}")


def local():
    """Devices, server and estimate of one question."""
    command("collect", "randomize", "asked.toml", "people.csv", "-o", "reports.csv")
    command("collect", "aggregate", "asked.toml", "reports.csv", "-o", "counts.json")
    command("collect", "estimate", "asked.toml", "counts.json", "--json")


def attack():
    """All attacks on a release."""
    import sfumato

    run("mondrian")
    plan = sfumato.read_plan("mondrian.toml")
    sfumato.attack_release(release="mondrian.csv", original="people.csv", plan=plan, guesses=100)


def prepare(folder):
    """The table and the documents."""
    rows = "".join(
        f"{i * 7919 % 90000 + 10000},{20 + i * 31 % 60},{'fm'[i % 2]},{'abcd'[i * 13 % 17 % 4]}\n" for i in range(ROWS)
    )
    (folder / "people.csv").write_text(f"zip,age,sex,illness\n{rows}", "utf-8")
    for method in ("full-domain", "mondrian", "microaggregation"):
        (folder / f"{method}.toml").write_text(PLAN.replace("METHOD", method), "utf-8")
    (folder / "asked.toml").write_text(COLLECTION, "utf-8")


def seconds(python, task, folder):
    """CPU seconds of the task's repetitions, the warm-up left out; of the whole process for the start."""
    done = subprocess.run(
        [python, __file__, "--task", task], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": ""},
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return float(done.stdout.split()[-1])


def one(task):
    """Do a task, and print its CPU seconds."""
    times, code = TASKS[task]
    if task != "start":
        exec(code)  # noqa: S102
    before = time.process_time() if task != "start" else 0.0
    for _ in range(times):
        exec(code)  # noqa: S102
    print(time.process_time() - before)


def main(old, new, rounds):
    """Both in turn."""
    with tempfile.TemporaryDirectory() as name:
        prepare(Path(name))
        for task in TASKS:
            found = {python: [] for python in (old, new)}
            for _ in range(rounds):
                for python in (old, new):
                    found[python].append(seconds(python, task, name))
            before, now = (min(found[python]) for python in (old, new))
            print(f"{task:18} {before:8.2f} s {now:8.2f} s   ratio {now / before:.3f}", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--task":
        one(sys.argv[2])
    else:
        main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 3)
