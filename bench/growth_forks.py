"""Commands in processes of their own, forked from one that has loaded what they use: a size costs what it costs, no start."""

from __future__ import annotations

import gc
import os
import resource
import sys
import threading
import time
import traceback
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

WAIT = 10
"""Wall seconds that a process may take for each CPU second of its cap; the machine may be busy with others."""
MOST = 8_000_000_000
"""Bytes of address space of a capped process."""
LOADED = (
    "duckdb", "pyarrow.csv", "pyarrow.parquet", "sfumato.cli.main", "sfumato.cli.work", "sfumato.release.trials.questions",
    "sfumato.report.html",
)  # fmt: skip
"""What most commands load in the end."""


def load() -> None:
    """Load it once, before anything is forked."""
    for name in LOADED:
        import_module(name)
    gc.freeze()


def command(*words: str) -> None:
    """A command of Sfumato in this process; leaves with its exit code as the program does."""
    from sfumato.cli.main import main

    sys.argv = ["sfumato", *words]
    main()


def forked(work: Callable[[], object], folder: Path, cpu_cap: int, said: str = "said.txt") -> dict[str, float]:
    """Some work in a fork, within a cap of CPU seconds, wall seconds and memory.

    Returns:
        Exit code, CPU seconds of the fork and all that it waited for, peak memory in MiB. What it said is in the file.
    """
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os._exit(_worked(work, folder, cpu_cap, said))
    began = time.perf_counter()
    timer = threading.Timer(WAIT * cpu_cap, os.kill, (child, 9))
    timer.start()
    _, status, used = os.wait4(child, 0)
    timer.cancel()
    return {
        "code": os.waitstatus_to_exitcode(status),
        "cpu_s": used.ru_utime + used.ru_stime,
        "wall_s": time.perf_counter() - began,
        "peak_mib": used.ru_maxrss / 1024,
    }


def _worked(work: Callable[[], object], folder: Path, cpu_cap: int, said: str) -> int:
    """In the fork: the exit code."""
    code = 1
    try:
        os.chdir(folder)
        told = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(told, 1)
        os.dup2(told, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_cap, cpu_cap))
        resource.setrlimit(resource.RLIMIT_AS, (MOST, MOST))
        work()
        code = 0
    except SystemExit as done:
        code = done.code if isinstance(done.code, int) else int(done.code is not None)
        if isinstance(done.code, str):
            print(done.code, file=sys.stderr)
    except BaseException:  # noqa: BLE001  the fork must not go back into its parent's code
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return code
