"""Limits of the process that judges one file: time, memory, sizes of files, no core, and no network where the system can."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.contest import ContestLimits

GRACE = 5.0
"""Seconds between the end of processor time and that of the clock."""
_KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT")


def bound(limits: ContestLimits) -> None:
    """Bind this process; what it starts is bound too."""
    try:
        import resource
    except ImportError:
        return  # Windows has no such limits
    seconds = max(1, int(limits.seconds))
    for what, asked in (
        (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_DATA, limits.memory), (resource.RLIMIT_FSIZE, 2 * limits.bytes),
        (resource.RLIMIT_CORE, 0),
    ):  # fmt: skip
        _, hard = resource.getrlimit(what)
        most = asked if hard == resource.RLIM_INFINITY else min(asked, hard)
        resource.setrlimit(what, (most, most))


@cache
def apart() -> tuple[str, ...]:
    """Words before a command that runs it without a network; none: the system gives no such thing."""
    found = shutil.which("unshare")
    if found is None:
        return ()
    words = (found, "--user", "--map-current-user", "--net")
    done = subprocess.run([*words, sys.executable, "-c", ""], capture_output=True, check=False)  # noqa: S603 - our own words
    return words if done.returncode == 0 else ()


def started(module: str, folder: str, words: Sequence[str] = ()) -> subprocess.Popen[bytes]:
    """A Python module in a process group of its own, with nothing of this environment and a private folder."""
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment |= {"HOME": folder, "TMPDIR": folder, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    return subprocess.Popen(  # noqa: S603 - our own words
        [*apart(), sys.executable, "-m", module, *words], cwd=folder, env=environment, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
