"""Publication without a trusted publisher in real processes: three hospitals of a million rows, with and without secure
sums in which values steer, and 100,000 tokens.

`python bench/together.py` makes the rows, keys and terms in a temporary folder, runs a publisher and its holders as commands
on this machine, and prints for each party wall and processor seconds, peak memory, messages and bytes; beside it what the
plain plan costs on the union. `--quick`: a tenth of the rows. `--only sums` writes `together_sums`, the others `together`.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from timing import write

COMMAND = [sys.executable, "-c", "from sfumato.cli.main import main; main()"]
TIMED = """import resource, sys
from sfumato.cli.main import main
try:
    main()
finally:
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(f"cost {used.ru_utime + used.ru_stime:.1f} {used.ru_maxrss / 1024:.0f}", file=sys.stderr)
"""
"""A command that tells in the end what it cost; a file, as DuckDB draws its progress for code of a command line."""
PLAN = """format = "sfumato.plan/1"
{source}[columns.id]
role = "identifying"
[columns.age]
role = "quasi-identifying"
kind = "integer"
[columns.zip]
role = "quasi-identifying"
[columns.sex]
role = "quasi-identifying"
[columns.illness]
role = "sensitive"
[columns.stay]
role = "insensitive"
[[promise]]
model = "k-anonymity"
k = 5
[method]
name = "mondrian"
[output]
path = "{path}"
suppressed = "drop"
"""
STEERED = PLAN.replace('stay]\nrole = "insensitive"', 'stay]\nrole = "identifying"').replace(
    "[method]",
    '[[promise]]\nmodel = "l-diversity"\nkind = "distinct"\ncolumn = "illness"\nl = 20\n[method]',
)
"""Every class has all twenty illnesses, which a third of the 40,000 tuples of 75 rows have not; stays are not published, as
the second sum has a number for each class and combination of carried values."""
ZIPS, FEWER_ZIPS = 300, 200
SUMS = f"""holders = 3
values = "construction"
[sums]
threshold = 2
colluding = 0
most_rows = 1000000
[[sums.domain]]
column = "age"
between = [0, 99]
[[sums.domain]]
column = "zip"
between = [1000, {999 + FEWER_ZIPS}]
[[sums.domain]]
column = "sex"
values = ["F", "M"]
[[sums.domain]]
column = "illness"
values = {json.dumps([f"D{i:02}" for i in range(20)])}
"""
"""800,000 numbers in the first sum."""


def write_rows(folder: Path, names: list[str], n: int, zips: int) -> None:
    rng = np.random.default_rng(1)
    whole = (folder / "all.csv").open("w")
    whole.write("id,age,zip,sex,illness,stay\n")
    for name in names:
        columns = (
            rng.integers(0, 10**9, n), rng.integers(0, 100, n), rng.integers(1000, 1000 + zips, n), rng.integers(0, 2, n),
            rng.integers(0, 20, n), rng.integers(1, 60, n),
        )  # fmt: skip
        text = "\n".join(
            f"{i},{a},{z},{'FM'[s]},D{d:02},{t}"
            for i, a, z, s, d, t in zip(*(c.tolist() for c in columns), strict=True)
        )
        (folder / f"{name}.csv").write_text(f"id,age,zip,sex,illness,stay\n{text}\n")
        whole.write(text + "\n")
    whole.close()


def told(folder: Path, *words: str) -> str:
    return subprocess.run([*COMMAND, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def prepare(folder: Path, names: list[str], terms: str, plan: str) -> None:
    said = {name: dict(line.split(": ") for line in told(folder, "together", "key", name, "-o", f"{name}.key").splitlines())
            for name in (*names, "Press")}  # fmt: skip
    (folder / "plan.toml").write_text(plan.format(source="", path="release.csv"))
    (folder / "plain.toml").write_text(plan.format(source='[source]\npath = "all.csv"\n', path="plain.csv"))
    holders = "".join(f'[[holder]]\nname = "{name}"\nfingerprint = "{said[name]["fingerprint"]}"\n' for name in names)
    (folder / "terms.toml").write_text(
        f'format = "sfumato.together/1"\nplan = "plan.toml"\npublisher = "{said["Press"]["fingerprint"]}"\n{terms}\n{holders}'
    )


def measured(
    name: str, n: int, names: list[str], terms: str, port: int, *, more: tuple[str, ...] = (), plan: str = PLAN
) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_rows(folder, names, n, ZIPS if plan is PLAN else FEWER_ZIPS)
        (folder / "timed.py").write_text(TIMED)
        timed = [sys.executable, "timed.py"]
        prepare(folder, names, terms, plan)
        if more:
            told(folder, "pseudonymize", "--new-key", more[1])
        server = subprocess.Popen(
            [*timed, "serve", "together", "terms.toml", "--key", "Press.key", "--port", str(port)],
            cwd=folder,
            stderr=subprocess.PIPE,
            text=True,
        )
        begun = time.perf_counter()
        holders = {
            one: subprocess.Popen(
                [*timed, "join", f"http://127.0.0.1:{port}", "terms.toml", f"{one}.csv", "--key", f"{one}.key", "--state", f"state-{one}", "--json", *more],
                cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
            for one in names
        }  # fmt: skip
        ended = {one: process.communicate() for one, process in holders.items()}
        wall = time.perf_counter() - begun
        server.send_signal(signal.SIGTERM)
        _, errors = server.communicate()
        found: dict[str, object] = {"variant": name, "rows": n * len(names), "wall_seconds": round(wall, 1)}
        for one, (out, err) in ended.items():
            if holders[one].returncode:
                raise RuntimeError(err)
            answer = json.loads(out)
            found[one] = {key: answer[key] for key in ("messages", "sent", "received")} | cost(err)
            found["published"], found["classes"] = answer["release"]["rows"], answer["classes"]
        found["Press"] = cost(errors)
        begun = time.perf_counter()
        plain = subprocess.run([*timed, "run", "plain.toml"], cwd=folder, check=True, capture_output=True, text=True)
        found["plain plan"] = {"wall_seconds": round(time.perf_counter() - begun, 1)} | cost(plain.stderr)
        return found


def cost(errors: str) -> dict[str, float]:
    line = next(line for line in errors.splitlines() if line.startswith("cost "))
    return {"cpu_seconds": float(line.split()[1]), "peak_MiB": float(line.split()[2])}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=("hospitals", "tokens", "sums"))
    asked = parser.parse_args()
    share = 10 if asked.quick else 1
    rows, steered = [], []
    if asked.only in (None, "sums"):
        steered.append(
            measured("steered sums", 1_000_000 // share, ["East", "North", "South"], SUMS, 18393, plan=STEERED)
        )
    if asked.only in (None, "hospitals"):
        rows.append(measured("hospitals", 1_000_000 // share, ["East", "North", "South"], "holders = 3", 18391))
    if asked.only in (None, "tokens"):
        terms = f'kind = "tokens"\nholders = {100_000 // share}\npartition = 500'
        rows.append(
            measured("tokens", 50_000 // share, ["East", "North"], terms, 18392, more=("--group-key", "group.key"))
        )
    if asked.quick or asked.only in ("hospitals", "tokens"):
        print(json.dumps(steered + rows, indent=1))
        return
    write("together_sums", steered, ("cryptography", "numpy"), runs=1)
    if rows:
        write("together", rows, ("cryptography", "numpy"), runs=1)


if __name__ == "__main__":
    main()
