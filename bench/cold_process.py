"""How long does the whole process take, from a CSV file to a release? Adult, nine quasi-identifiers, k = 5.

`sfumato run` is started anew each time, with its modules compiled to bytecode, as on a user's second day. The lean
plan writes the release and verifies it; the full one also asks random queries, attacks, and writes the report.

ARX is a Java program and does not run here: its figures are those of the reference, CPU seconds of its process.

Run: python bench/cold_process.py
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import adult_tables
from timing import shared_folder, write

LIMITS = {"0": 3.1, "0.02": 4.8, "1": 7.9}
"""Suppression limit → ARX's CPU seconds, recorded elsewhere."""
NAMES = [
    "sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation", "salary-class",
]  # fmt: skip
TIMES = 7


def plan_text(hierarchies: Path, limit: str, *, lean: bool) -> str:
    """The plan, ARX's hierarchies read from their files."""
    parts = ['sfumato = 1\n[source]\npath = "adult.csv"\n']
    for name in NAMES:
        kind = "integer" if name == "age" else "text"
        path = hierarchies / f"adult_hierarchy_{name}.csv"
        parts.append(
            f'[columns.{name}]\nrole = "quasi-identifying"\nkind = "{kind}"\nhierarchy = {{ file = "{path}" }}\n'
        )
    parts.append('[[promise]]\nmodel = "k-anonymity"\nk = 5\n')
    parts.append(f'[method]\nname = "full-domain"\nsuppression_limit = {limit}\nloss = "loss"\n')
    parts.append("[measure]\nguesses = 0\nqueries = 0\nloss_by_k = []\n" if lean else "")
    parts.append(
        '[output]\npath = "release.csv"\nresult = "result.json"\n' + ("" if lean else 'report = "report.html"\n')
    )
    return "".join(parts)


def cpu_seconds(folder: Path, plan: str) -> float:
    """User and system seconds of one process."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [Path(sys.executable).parent / "sfumato", "run", plan]
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> None:
    """Print and keep the figures."""
    shared = shared_folder()
    table = adult_tables.texts(shared)
    out = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = zip(*(table[column] for column in NAMES), strict=True)
        (folder / "adult.csv").write_text("\n".join([";".join(NAMES), *(";".join(row) for row in rows)]) + "\n")
        for limit, arx in LIMITS.items():
            for lean in (True, False):
                plan = f"{limit}-{lean}.toml"
                text = plan_text(shared / "data" / "adult_arx" / "hierarchies", limit, lean=lean)
                (folder / plan).write_text(text)
                used = median([cpu_seconds(folder, plan) for _ in range(TIMES + 1)][1:])
                form = "release" if lean else "release, attacks and report"
                out.append({"limit": limit, "form": form, "cpu_seconds": round(used, 2), "arx_cpu_seconds": arx})

    write("cold_process", out, runs=TIMES, recorded=("ARX",))


if __name__ == "__main__":
    main()
