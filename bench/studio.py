"""How long does a page of the studio take, and how much memory has its process? Adult, and ten million rows of Parquet.

A project is made through the pages themselves: a dropped table, roles, a promise, a run. Then each page is asked for many
times over one connection. The studio is a process of its own; what it does in child processes (drafts, runs) is not in its
memory.

Run: python bench/studio.py [rows of the large table]
"""

from __future__ import annotations

import io
import re
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
from timing import shared_folder, write

PAGES = (
    "table",
    "hierarchy",
    "risk",
    "promise",
    "explore",
    "lattice",
    "result",
    "history",
    "compare",
    "collect",
    "declare",
    "ask",
)
ROWS = 10_000_000
TIMES = 15
WAIT = 0.05
SENSITIVE = "salary-class"
START = "from sfumato.cli.main import main; main()"


@contextmanager
def studio(folder: Path):
    """A studio on a folder, and somebody who was let in."""
    command = [sys.executable, "-c", START, "studio", str(folder), "--no-browser", "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        with let_in(process.stderr.readline()) as (client, root):
            yield process, client, root
    finally:
        process.terminate()
        process.communicate()


@contextmanager
def let_in(told: str):
    """Somebody who came in by the address that a studio told, and the root of its pages."""
    entrance = re.search(r"http\S+", told).group()
    root = entrance.rpartition("/")[0]
    with httpx.Client(headers={"origin": root.rpartition("/")[0]}, timeout=600, follow_redirects=True) as client:
        client.get(entrance).raise_for_status()
        yield client, root


def awaited(path: Path) -> None:
    """Wait until a file is there."""
    while not path.is_file():
        time.sleep(WAIT)


def dropped(client, root: str, folder: Path, name: str, content: bytes) -> Path:
    """The folder of a table that was dropped, once it was looked at and its plan drafted."""
    client.post(root + "/", files={"table": (name, content)}).raise_for_status()
    (made,) = (one for one in folder.iterdir() if one.name.startswith(Path(name).stem))
    awaited(made / ".studio" / "look.json")
    awaited(made / "plan.toml")
    return made


def project(client, root: str, folder: Path, name: str, content: bytes, columns: list[str]) -> str:
    """A project with a release; its address."""
    made = dropped(client, root, folder, name, content)
    address = f"{root}/p/{made.name}/"

    def done(page: str, **form: str) -> None:
        shown = client.get(address + "promise").text
        seen = re.search(r'name="seen" value="([^"]*)"', shown).group(1)
        answer = client.post(address + page, data={"seen": seen, **form})
        if answer.is_error:
            raise SystemExit(re.sub(r"<[^>]*>|\s+", " ", answer.text))

    roles = {f"role-{i}": "sensitive" if one == SENSITIVE else "quasi-identifying" for i, one in enumerate(columns)}
    done("table/roles", **roles)
    done("promise/propose", scenario="inside")
    done("promise/run")
    awaited(made / "runs" / "001" / "result.json")
    return address


def memory(process: subprocess.Popen, key: str) -> float:
    """MiB of the studio's process: VmRSS now, VmHWM at most."""
    told = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(rf"{key}:\s+(\d+) kB", told).group(1)) / 1024


def measured(process, client, address: str, table: str, rows: int) -> list[dict[str, object]]:
    """A line for each page."""
    lines = []
    for page in PAGES:
        taken = []
        for _ in range(TIMES + 1):
            began = time.perf_counter()
            client.get(address + page).raise_for_status()
            taken.append(time.perf_counter() - began)
        lines.append(
            {"table": table, "rows": rows, "page": page, "wall_s": statistics.median(taken[1:]), "first_s": taken[0]}
        )
    middle = statistics.median(line["wall_s"] for line in lines)
    now, most = memory(process, "VmRSS"), memory(process, "VmHWM")
    return [
        *lines,
        {"table": table, "rows": rows, "page": "median", "wall_s": middle, "rss_mib": now, "peak_mib": most},
    ]


def main(many: int) -> None:
    """Both tables, each in a studio of its own."""
    path = shared_folder() / "data" / "adult_arx" / "adult.csv.gz"
    adult = pa_csv.read_csv(path, parse_options=pa_csv.ParseOptions(delimiter=";"))
    text, large = io.BytesIO(), io.BytesIO()
    pa_csv.write_csv(adult, text)
    drawn = np.random.default_rng(42).integers(0, adult.num_rows, many)
    pq.write_table(adult.take(pa.array(drawn)), large)
    lines = []
    for name, content, rows in (("adult.csv", text, adult.num_rows), ("large.parquet", large, many)):
        with tempfile.TemporaryDirectory() as place, studio(Path(place)) as (process, client, root):
            address = project(client, root, Path(place), name, content.getvalue(), adult.column_names)
            lines += measured(process, client, address, name, rows)
    write("studio", lines, peers=("starlette", "pyarrow"), runs=f"median of {TIMES} after the first")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)
