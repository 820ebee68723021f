"""The studio of a folder that grows, and somebody who looks at its pages; the bench of growth asks for both."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
import traceback
from pathlib import Path

from growth_forks import command
from growth_tables import Line, Shape, plan, table

PAGES = ("table", "hierarchy", "risk", "promise", "explore", "history")
TIMES = 3
SAID = Path("said.txt")
"""Where the bench keeps what a command says; the studio's address stands there."""


def shelf(shape: Shape, projects: int = 0) -> list[str]:
    """A table that is dropped, and so many projects that are there before."""
    table("people.csv", shape)
    Path("shelf").mkdir()
    drafted = plan(shape, source="../../people.csv")
    for i in range(projects):
        Path(f"shelf/p{i}").mkdir()
        shutil.copy(drafted, f"shelf/p{i}")
    return ["serve", "studio", "shelf"]


def walk() -> None:
    """A table is dropped; once it was looked at, the list of projects and all pages of its project are read."""
    from studio import dropped, let_in  # other lines do not pay for what asks a studio

    while "http" not in (told := SAID.read_text("utf-8")):
        time.sleep(0.05)
    with let_in(told) as (client, root):
        made = dropped(client, root, Path("shelf"), "people.csv", Path("people.csv").read_bytes())
        for _ in range(TIMES):
            for page in ("", *(f"p/{made.name}/{name}" for name in PAGES)):
                client.get(f"{root}/{page}").raise_for_status()


def visited() -> None:
    """Somebody looks at all pages; then the studio is told to stop."""
    try:
        walk()
    except BaseException:  # noqa: BLE001  the bench tells what went wrong
        traceback.print_exc()
        os._exit(1)
    os.kill(os.getpid(), signal.SIGTERM)


def serve(folder: str) -> None:
    """The studio until all pages were looked at."""
    threading.Thread(target=visited, daemon=True).start()
    command("studio", folder, "--no-browser", "--port", "0")


STUDIO = [
    Line("studio", "rows", (1_000, 50_000, 200_000), lambda n: shelf(Shape(n))),
    Line("studio", "labels", (100, 7_500, 30_000), lambda n: shelf(Shape(30_000, labels=n))),
    Line("studio", "columns", (4, 100, 400), lambda n: shelf(Shape(others=n))),
    Line("studio", "projects", (1, 100, 400), lambda n: shelf(Shape(100), projects=n)),
]
