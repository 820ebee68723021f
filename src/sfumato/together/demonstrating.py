"""Three hospitals and a publisher on this machine, each a process of its own: a tutorial in one command."""

from __future__ import annotations

import csv
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SourceError
from sfumato.frozen import dataclass
from sfumato.table.contents import read_text
from sfumato.together.keys import new_identity, write_identity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.noise.bits import Bits

HOSPITALS = ("East", "North", "South")
_PUBLISHER = "Press"
_PLAN = """format = "sfumato.plan/1"

[columns.name]
role = "identifying"
[columns.age]
role = "quasi-identifying"
kind = "integer"
[columns.sex]
role = "quasi-identifying"
[columns.zip]
role = "quasi-identifying"
hierarchy = { mask = "right" }
[columns.illness]
role = "sensitive"
[columns.stay]
role = "insensitive"

[[promise]]
model = "k-anonymity"
k = 5
[[promise]]
model = "l-diversity"
kind = "distinct"
column = "illness"
l = 2

[method]
name = "mondrian"

[output]
path = "release.csv"
result = "result.json"
suppressed = "drop"
"""

_DOMAINS = {
    "age": "between = [18, 95]",
    "sex": 'values = ["F", "M"]',
    "zip": 'values = ["13001", "69001", "69003", "75011", "75012"]',
    "illness": 'values = ["asthma", "diabetes", "hypertension", "influenza", "migraine"]',
    "stay": "between = [1, 14]",
}
"""What is declared of the made-up patients."""


def _declared(*names: str) -> str:
    """The domains of some columns, as terms write them."""
    return "".join(f'\n[[sums.domain]]\ncolumn = "{name}"\n{_DOMAINS[name]}' for name in names) + "\n"


@dataclass(frozen=True, slots=True)
class Shown:
    """What the tutorial shows.

    Args:
        terms: beside the holders.
        plan: for the made-up patients.
    """

    terms: str
    plan: str = _PLAN


SHOWN = Shown('values = "joined"\n')
"""The publisher sees the tuples of each hospital."""
OWN = Shown('values = "afterwards"\n')
"""The same for any plan: not every method can join classes."""
ADDED = Shown(
    """values = "construction"

[sums]
threshold = 2
colluding = 0
most_rows = 1000
"""
    + _declared("age", "sex", "zip", "illness", "stay")
)
"""The made-up patients are added, and illnesses steer the construction."""
COUNTED = Shown(
    """
[sums]
threshold = 3
colluding = 1
most_rows = 1000
epsilon = "1"
publish = "counts"
"""
    + _declared("sex", "zip", "illness"),
    """format = "sfumato.plan/1"

[columns]
name = { role = "identifying" }
age = { role = "identifying" }
sex = { role = "quasi-identifying" }
zip = { role = "quasi-identifying" }
illness = { role = "sensitive" }
stay = { role = "identifying" }

[method]
name = "none"

[output]
path = "release.csv"
result = "result.json"
suppressed = "drop"
""",
)
"""Nobody's row is published, but noisy numbers of patients: ages and stays are left out, as few would share a tuple."""


def prepare(folder: Path, source: Path | None, plan: Path | None, bits: Bits, shown: Shown = SHOWN) -> None:
    """Write rows, keys, plan and terms of three hospitals.

    Args:
        folder: made; it must not be there.
        source: a table that is dealt to the three; None: patients are made up.
        plan: that is copied, with its `path` of the release; None: one for the made-up patients.
        bits: secure chance, for keys.
        shown: terms beside the holders, and the plan for the made-up patients.

    Raises:
        SourceError: the folder is there, or a file cannot be read.
    """
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise SourceError("The folder {name!r} must be a new one.", "choose another name.", name=folder.name) from None
    head, rows = _made_up() if source is None else _read(source)
    for i, name in enumerate(HOSPITALS):
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([head, *rows[i::3]])
    (folder / "plan.toml").write_text(shown.plan if plan is None else read_text(plan, "The plan"), "utf-8")
    cards = {}
    for name in (*HOSPITALS, _PUBLISHER):
        identity = new_identity(name, bits.words(8).tobytes())
        write_identity(folder / f"{name}.key", identity)
        cards[name] = identity.card
    holders = "".join(f'\n[[holder]]\nname = "{n}"\nfingerprint = "{cards[n].fingerprint}"\n' for n in HOSPITALS)
    (folder / "terms.toml").write_text(
        f'format = "sfumato.together/1"\nplan = "plan.toml"\nholders = 3\n'
        f'publisher = "{cards[_PUBLISHER].fingerprint}"\n{shown.terms}{holders}',
        "utf-8",
    )


def carry_out(folder: Path, told: Callable[[str], None]) -> None:
    """Run the publisher and the hospitals as commands, and tell which.

    Raises:
        SourceError: one of them fails.
    """
    port = _free_port()
    words = ["serve", "together", "terms.toml", "--key", f"{_PUBLISHER}.key", "--port", str(port)]
    server = _started(folder, words, told)
    try:
        joined = [
            _started(
                folder,
                ["join", f"http://127.0.0.1:{port}", "terms.toml", f"{name}.csv", "--key", f"{name}.key",
                 "--state", f"state-{name}"],
                told,
            )
            for name in HOSPITALS
        ]  # fmt: skip
        ended = [process.communicate() for process in joined]
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate()
    for name, process, (said, problem) in zip(HOSPITALS, joined, ended, strict=True):
        if process.returncode:
            raise SourceError(
                "{name} did not come to the end: {problem}", "see what it says.", name=name, problem=problem
            )
        told(f"{name}: {said.strip()}")


def summary(folder: Path) -> list[str]:
    """What the result says, in lines."""
    said = json.loads(read_text(folder / "result.json", "The result"))
    counts = f"release: noisy numbers of {said['rows']:,} declared tuples"
    lines = [
        counts
        if said["plan"]["method"]["name"] == "none"
        else (
            f"release: {said['rows']:,} rows in {said['classes']:,} classes, the smallest of {said['smallest'] or 'none'}; "
            f"left out: {(said['suppressed'] or 0) + said['left_out'] + said['unmet']:,}"
        ),
        f"secrecy: {said['secrecy']['statement']}",
        "who learns what beside the release:",
    ]
    for one in said["learns"]:
        lines += [f"  {one['who']}: {what}" for what in one["what"]]
    return lines


def _started(folder: Path, words: Sequence[str], told: Callable[[str], None]) -> subprocess.Popen[str]:
    told(f"$ sfumato {' '.join(words)}")
    command = [sys.executable, "-c", "from sfumato.cli.main import main; main()", *words]
    return subprocess.Popen(  # noqa: S603 - this program itself
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ)
    )


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _made_up() -> tuple[list[str], list[list[str]]]:
    """Patients whom nobody knows: the same ones each time."""
    rng, n = np.random.default_rng(7), 600
    age = np.clip(rng.normal(52, 19, n), 18, 95).astype(int)
    area = rng.choice(["75011", "75012", "69001", "69003", "13001"], n, p=[0.3, 0.2, 0.2, 0.2, 0.1])
    illness = rng.choice(
        ["asthma", "diabetes", "hypertension", "influenza", "migraine"], n, p=[0.15, 0.25, 0.35, 0.15, 0.1]
    )
    columns = (age, rng.choice(["F", "M"], n), area, illness, rng.integers(1, 15, n))
    rows = [[f"P{i:04}", *map(str, row)] for i, row in enumerate(zip(*(c.tolist() for c in columns), strict=True))]
    return ["name", "age", "sex", "zip", "illness", "stay"], rows


def _read(source: Path) -> tuple[list[str], list[list[str]]]:
    """The rows of a table, as texts; packed CSV files too."""
    from tempfile import TemporaryDirectory

    from sfumato.front.tables import convert
    from sfumato.table.source import FileSink

    with TemporaryDirectory() as place:
        copy = Path(place) / "copy.csv"
        convert(source, FileSink(copy))
        with copy.open(encoding="utf-8", newline="") as file:
            head, *rows = csv.reader(file)
    return head, rows
