"""Tables and documents that grow in one direction only; the bench of growth hands them to the commands.

Everything is written into the working folder, by plain Python and from a seed.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from growth_forks import command, forked

if TYPE_CHECKING:
    from collections.abc import Callable

WIDTH = 6
"""Characters of a label."""
KEY = "7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069\n"


@dataclass(frozen=True)
class Line:
    """A command that is asked more and more.

    Args:
        command: as it is typed.
        grows: what there is more of; in words, with what is fixed if a command has several.
        sizes: a start, whose cost is taken off, and at least two more.
        make: writes what the command reads, and says its arguments.
        reason: why a slope above the limit is right.
    """

    command: str
    grows: str
    sizes: tuple[int, ...]
    make: Callable[[int], list[str]]
    reason: str = ""


@dataclass(frozen=True)
class Shape:
    """How large a table of persons is.

    Args:
        rows: persons.
        quasi: quasi-identifying columns, called q0, q1, …
        labels: values of the first of these; the others have `few`.
        few: values of each other quasi-identifying column.
        sensitive: sensitive columns, called s0, s1, …
        values: values of each.
        others: insensitive columns, called o0, o1, …
        texts: values of each.
    """

    rows: int = 4000
    quasi: int = 3
    labels: int = 40
    few: int = 12
    sensitive: int = 1
    values: int = 6
    others: int = 0
    texts: int = 6


def label(code: int, labels: int) -> str:
    """One of so many values, as a text of digits that a mask can shorten."""
    return str(code * (10**WIDTH // labels)).zfill(WIDTH)


def sizes_of(shape: Shape) -> dict[str, int]:
    """Column → number of its values."""
    quasi = {f"q{j}": shape.few if j else shape.labels for j in range(shape.quasi)}
    sensitive = {f"s{j}": shape.values for j in range(shape.sensitive)}
    return quasi | sensitive | {f"o{j}": shape.texts for j in range(shape.others)}


def table(name: str, shape: Shape, seed: int = 1) -> str:
    """Persons with every value of a column among the first rows; returns the name."""
    columns = []
    for at, (column, n) in enumerate(sizes_of(shape).items()):
        chance = Random(1000 * seed + at)  # noqa: S311
        codes = [*range(min(n, shape.rows)), *chance.choices(range(n), k=max(shape.rows - n, 0))]
        chance.shuffle(codes)
        columns.append([column, *(label(code, n) if column[0] == "q" else f"v{code}" for code in codes)])
    with Path(name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(zip(*columns, strict=True))
    return name


def tree(name: str, leaves: int) -> str:
    """A hierarchy file: leaf, a tenth, a hundredth of them, root; its first leaves are those of a table of 40 labels."""
    used = [label(code, 40) for code in range(40)]
    rest = (f"x{i}" for i in range(leaves - len(used)))
    rows = [(leaf, f"t{i // 10}", f"h{i // 100}", "*") for i, leaf in enumerate([*used, *rest])]
    with Path(name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";", lineterminator="\n").writerows(rows)
    return name


MASK = f'mask = "right", width = {WIDTH}, steps = [2, 4]'


def promises(*more: str, k: int = 5) -> str:
    """k-anonymity, and further promises as the lines of their tables."""
    return "\n".join(f"[[promise]]\n{lines}" for lines in (f'model = "k-anonymity"\nk = {k}', *more))


def diverse(column: str = "s0") -> str:
    """Two values of a sensitive column in each class."""
    return f'model = "l-diversity"\nkind = "distinct"\ncolumn = "{column}"\nl = 2'


def plan(
    shape: Shape,
    method: str = "mondrian",
    *,
    first: str = MASK,
    promised: str | None = None,
    roles: dict[str, str] | None = None,
    tail: str = "[measure]\nqueries = 10\nguesses = 10\n",
    source: str = "people.csv",
) -> str:
    """A plan of a table; the method is what stands behind `name = ` or the name alone. Returns its name."""
    kinds = {"q": "quasi-identifying", "s": "sensitive", "o": "insensitive"}
    columns = []
    for column in sizes_of(shape):
        own = (roles or {}).get(column)
        spec = first if column == "q0" else MASK
        tree_of = f"hierarchy = {{ {spec} }}" if column[0] == "q" and own is None else ""
        columns.append(f"[columns.{column}]\n" + (own or f'role = "{kinds[column[0]]}"\n{tree_of}'))
    named = method if "\n" in method else f'name = "{method}"'
    said = promises() if promised is None else promised
    text = "\n".join(
        (f'format = "sfumato.plan/1"\n[source]\npath = "{source}"', *columns, said, f"[method]\n{named}", tail)
    )
    output = '\n[output]\npath = "release.csv"\nresult = "result.json"\nreport = "report.html"\n'
    Path("plan.toml").write_text(text + output, "utf-8")
    return "plan.toml"


def sfumato(*words: str) -> None:
    """A command that prepares what the measured one reads."""
    done = forked(lambda: command(*words), Path(), 120, "prepared.txt")
    if done["code"]:
        raise SystemExit(f"{' '.join(words)}: {Path('prepared.txt').read_text()[-2000:]}")


def released(shape: Shape, method: str = "mondrian", **more: object) -> None:
    """people.csv, plan.toml, and what `run` makes of them."""
    table("people.csv", shape)
    sfumato("run", plan(shape, method, **more))


def collection(questions: list[int], protocol: str = "GRR", name: str = "asked.toml") -> str:
    """A collection with so many values in each question."""
    asked = "\n".join(
        f'[[question]]\ncolumn = "a{j}"\nvalues = {[f"v{i}" for i in range(n)]}'.replace("'", '"')
        for j, n in enumerate(questions)
    )
    Path(name).write_text(
        f'format = "sfumato.collection/1"\n{asked}\n[protocol]\nname = "{protocol}"\nepsilon = 2.0\n', "utf-8"
    )
    return name


def answered(rows: int, questions: list[int], name: str = "answers.csv") -> str:
    """What persons would answer."""
    columns = []
    for j, n in enumerate(questions):
        codes = Random(j).choices(range(n), k=rows)  # noqa: S311
        columns.append([f"a{j}", *(f"v{code}" for code in codes)])
    with Path(name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(zip(*columns, strict=True))
    return name


def data_document(columns: dict[str, str], *, source: str = "people.csv", more: str = "") -> str:
    """A data document of declared columns, with a budget that is never used up."""
    declared = "\n".join(f"[columns.{name}]\n{lines}" for name, lines in columns.items())
    Path("data.toml").write_text(
        f'format = "sfumato.data/1"\n[source]\npath = "{source}"\n{declared}\n'
        '[unit]\nneighbors = "add or remove"\n[budget]\nepsilon = 1000000000\n'
        f'[ledger]\nurl = "sqlite:///ledger.db"\ndataset = "persons"\nversion = "1"\n'
        f"[analysts.a]\nepsilon = 1000000000\n{more}",
        "utf-8",
    )
    return "data.toml"


def quoted(texts: list[str]) -> str:
    """A list of TOML."""
    return "[" + ", ".join(f'"{text}"' for text in texts) + "]"
