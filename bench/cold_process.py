"""How long does the whole process take, from a CSV file to a release? Adult, nine quasi-identifiers, k = 5.

`sfumato run` is started anew each time, with its modules compiled to bytecode, as on a user's second day. The lean
plan writes the release and verifies it; the full one also asks random queries, attacks, and writes the report.

The floor is DuckDB alone, in a process of its own: load, group by the nine columns, join back, write.

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
FLOOR = f"""
import duckdb
base, names = duckdb.connect(), {NAMES}
columns = "{{" + ", ".join(f"'{{name}}': 'VARCHAR'" for name in names) + "}}"
quoted = ", ".join(f'"{{name}}"' for name in names)
base.execute(f"CREATE TABLE t AS SELECT * FROM read_csv('adult.csv', delim = ';', header = true, columns = {{columns}})")
base.execute(f"CREATE TABLE g AS SELECT {{quoted}}, count(*) AS n FROM t GROUP BY ALL")
base.execute(f"COPY (SELECT t.*, n FROM t JOIN g USING ({{quoted}})) TO 'floor.csv' (DELIMITER ';')")
"""


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


def cpu_seconds(folder: Path, command: list[str]) -> float:
    """User and system seconds of one process."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
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
                ours = [str(Path(sys.executable).parent / "sfumato"), "run", plan]
                floor = [sys.executable, "-c", FLOOR]
                pairs = [(cpu_seconds(folder, ours), cpu_seconds(folder, floor)) for _ in range(TIMES + 1)][1:]
                used, bare = (median(one) for one in zip(*pairs, strict=True))
                form = "release" if lean else "release, attacks and report"
                line = {
                    "limit": limit,
                    "form": form,
                    "cpu_seconds": round(used, 2),
                    "duckdb_cpu_seconds": round(bare, 2),
                }
                out.append(line | {"times_duckdb": round(used / bare, 2), "arx_cpu_seconds": arx})

    write("cold_process", out, ("duckdb",), runs=TIMES, recorded=("ARX",))


if __name__ == "__main__":
    main()
