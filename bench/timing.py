"""How long does something take, and on what? Medians of runs, and the machine, for every bench."""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
import time
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS = Path(__file__).parent / "results"


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


def is_present(package: str) -> bool:
    """Whether a peer can be imported; says so when it cannot."""
    if find_spec(package) is None:
        print(f"{package} is not installed here: its column is left out")
        return False
    return True


def write(name: str, rows: list[dict[str, object]], peers: tuple[str, ...] = ()) -> None:
    """Print the rows and keep them as JSON with machine and versions."""
    versions = {"python": platform.python_version()}
    for package in ("numpy", "sfumato", *peers):
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    machine = {"system": platform.system(), "machine": platform.machine(), "cpus": os.cpu_count()}
    for row in rows:
        print("  ".join(f"{key} {_short(value)}" for key, value in row.items()))
    RESULTS.mkdir(exist_ok=True)
    document = {"bench": name, "versions": versions, "machine": machine, "rows": rows}
    (RESULTS / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n")
    sys.stdout.flush()


def _short(value: object) -> str:
    """A value for the terminal."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
