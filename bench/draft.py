"""How long does a first plan of a large table take? A column of texts that all differ, and many columns.

`sfumato draft` as a process of its own, with reading the file. Each line has smaller variants, so that what grows shows.

Run: python bench/draft.py [most rows] [most columns]
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from growth_tables import Shape, table
from timing import process, write

ROWS, COLUMNS = (10_000, 100_000, 1_000_000), (100, 500, 2_000)
RUNS = 3
MAIN = ("-c", "from sfumato.cli.main import main; main()")
PRIME = 1_000_003
"""Numbers of the texts are spread over so many places."""


def texts(path: Path, n: int) -> None:
    """A table of one key, one text of each row, and an age."""
    lines = (f"{i},note {i * 7919 % PRIME} of {i % 613} words,{i * 31 % 90}\n" for i in range(n))
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("key,note,age\n")
        file.writelines(lines)


def drafted(folder: Path) -> dict[str, float]:
    """The median of drafts of people.csv."""
    words = [sys.executable, *MAIN, "draft", "people.csv", "-o", "plan.toml", "--force"]
    runs = [process(words, folder) for _ in range(RUNS)]
    if any(run["code"] for run in runs):
        raise SystemExit((folder / "said.txt").read_text())
    return {what: statistics.median(run[what] for run in runs) for what in ("cpu_s", "wall_s", "peak_mib")}


def main() -> None:
    """All lines."""
    most = [int(word) for word in sys.argv[1:]]
    rows, columns = most or (ROWS[-1], COLUMNS[-1])
    lines = []
    with TemporaryDirectory() as name:
        folder = Path(name)
        for n in (n for n in ROWS if n <= rows):
            texts(folder / "people.csv", n)
            lines.append({"table": "texts that differ", "rows": n, "columns": 3, **drafted(folder)})
        for n in (n for n in COLUMNS if n <= columns):
            shape = Shape(others=n - 4)
            table(str(folder / "people.csv"), shape)
            lines.append({"table": "many columns", "rows": shape.rows, "columns": n, **drafted(folder)})
    write("draft", lines, runs=RUNS)


if __name__ == "__main__":
    main()
