"""How long does something take, and on what? Medians of runs, the machine and its load, for every bench.

A peer either ran in the same run, turn by turn with ours, or its figure was recorded elsewhere; a result says which, and
only what ran in the same run is a measurement of both.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import threading
import time
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS = Path(__file__).parent / "results"
WAIT = 10
"""Wall seconds that a process may take for each CPU second of its cap; the machine may be busy with others."""


def shared_folder() -> Path:
    """The folder with public data; without it the bench says so and ends."""
    folder = Path(os.environ.get("SFUMATO_SHARED", Path(__file__).parents[2] / "shared"))
    if not folder.is_dir():
        print("no shared data folder: set SFUMATO_SHARED")
        raise SystemExit(0)
    return folder


def median_of(run: Callable[[], object], times: int) -> dict[str, float]:
    """Median wall and CPU seconds of several runs; the caller warms up."""
    wall, cpu = [], []
    for _ in range(times):
        began, used = time.perf_counter(), time.process_time()
        run()
        wall.append(time.perf_counter() - began)
        cpu.append(time.process_time() - used)
    return {"wall_s": statistics.median(wall), "cpu_s": statistics.median(cpu), "runs": times}


def process(words: list[str], folder: Path, cpu_cap: int | None = None) -> dict[str, float]:
    """A command as a process of its own, alone or within a cap of CPU seconds, wall seconds and 8 GB.

    Returns:
        Exit code, CPU seconds of the process and all that it waited for, wall seconds, peak memory in MiB. What it said is
        in said.txt.
    """
    capped = f"ulimit -t {cpu_cap}; ulimit -v 8000000; " if cpu_cap else ""
    began = time.perf_counter()
    with (folder / "said.txt").open("w") as said:
        command = ["sh", "-c", f'{capped}exec "$@"', "sh", *words]
        running = subprocess.Popen(command, cwd=folder, stdout=said, stderr=subprocess.STDOUT)
        timer = threading.Timer(WAIT * (cpu_cap or 3600), running.kill)
        timer.start()
        _, status, used = os.wait4(running.pid, 0)
        timer.cancel()
    running.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - began
    cpu = used.ru_utime + used.ru_stime
    return {"code": running.returncode, "cpu_s": cpu, "wall_s": wall, "peak_mib": used.ru_maxrss / 1024}


def is_present(package: str) -> bool:
    """Whether a peer can be imported; says so when it cannot."""
    if find_spec(package) is None:
        print(f"{package} is not installed here: its column is left out")
        return False
    return True


def write(
    name: str,
    rows: list[dict[str, object]],
    peers: tuple[str, ...] = (),
    *,
    runs: int | str,
    recorded: tuple[str, ...] = (),
) -> None:
    """Print the rows and keep them as JSON with machine, load, versions and where the peers ran.

    Args:
        name: of the bench.
        rows: its figures.
        peers: packages whose versions matter: peers and floors that ran here, turn by turn with ours.
        runs: of how many runs a figure is the median; in words where lines differ.
        recorded: peers that did not run here; their figures were recorded elsewhere.
    """
    for row in rows:
        print("  ".join(f"{key} {_short(value)}" for key, value in row.items()))
    RESULTS.mkdir(exist_ok=True)
    document = {
        "bench": name,
        "versions": _versions(peers),
        "machine": machine(),
        "load": {"at_start": _AT_START, "at_end": load_average()},
        "runs": runs,
        "peers": {"same run": [peer for peer in peers if find_version(peer)], "recorded elsewhere": list(recorded)},
        "rows": rows,
    }
    (RESULTS / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n")
    sys.stdout.flush()


def machine() -> dict[str, object]:
    """System, processor and memory; no name of a machine."""
    told = {"system": platform.system(), "machine": platform.machine(), "cpus": os.cpu_count()}
    listed = Path("/proc/cpuinfo")
    if listed.is_file():
        models = [line.split(":", 1)[1].strip() for line in listed.read_text().splitlines() if "model name" in line]
        told["processor"] = models[0] if models else platform.machine()
    if hasattr(os, "sysconf"):
        told["memory_gib"] = round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30, 1)
    return told


def find_version(package: str) -> str | None:
    """The version of a package; None: it is not there."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _versions(packages: tuple[str, ...]) -> dict[str, str]:
    """Of Python and the packages that are there."""
    found = {package: find_version(package) for package in ("numpy", "sfumato", *packages)}
    return {"python": platform.python_version()} | {package: said for package, said in found.items() if said}


def load_average() -> list[float] | None:
    """Processes that wanted to run, on average over one, five and fifteen minutes."""
    return [round(value, 2) for value in os.getloadavg()] if hasattr(os, "getloadavg") else None


_AT_START = load_average()


def _short(value: object) -> str:
    """A value for the terminal."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
