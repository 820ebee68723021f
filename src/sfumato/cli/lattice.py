"""`sfumato sweep --lattice`: prints the nodes that a full-domain search judges, the best first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import ParameterError
from sfumato.report.columns import aligned, csv_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sfumato.document.result.lattice import LatticeNode, LatticeResult

_MOST = 20
"""Nodes that are printed."""


def show_lattice(plan: Path, nodes: Sequence[str], output: Path | None, *, as_json: bool) -> None:
    """Search, print what was judged, and write it where a folder is named.

    Args:
        plan: path of the plan.
        nodes: texts such as `age=2,sex=0`.
        output: folder for table (CSV) and document (JSON); None: nothing is written.
        as_json: whether the document is printed.
    """
    from sfumato.cli.show import show
    from sfumato.cli.work import write_folder
    from sfumato.release.sweep.lattice import lattice
    from sfumato.report.progress import Line

    line, also = Line(), [named(text) for text in nodes]
    try:
        found = lattice(plan, nodes=also, progress=line)
    finally:
        line.clear()
    files = {"lattice.csv": _csv(found), "lattice.json": found.to_json()}
    written = [] if output is None else write_folder(output, files)
    show(found, "\n".join([*table(found, also), *written]), as_json=as_json)


def named(text: str) -> dict[str, int]:
    """Levels by column.

    Raises:
        ParameterError: a part that is no COLUMN=LEVEL.

    Example:
        >>> named("age=2, sex=0")
        {'age': 2, 'sex': 0}
    """
    pairs = [part.rpartition("=") for part in text.split(",")]
    if not all(sign and level.strip().isascii() and level.strip().isdigit() for _, sign, level in pairs):
        raise ParameterError("--node must be COLUMN=LEVEL,…; got {text!r}.", "write such as age=2,sex=0.", text=text)
    return {name.strip(): int(level) for name, _, level in pairs}


def table(found: LatticeResult, asked: Sequence[Mapping[str, int]] = ()) -> list[str]:
    """The lines that a person reads: the best nodes, those that were asked for, and what is known of the others."""
    order = sorted(found.nodes, key=_rank)
    names = [column.name for column in found.columns]
    shown = [one for i, one in enumerate(order) if i < _MOST or dict(zip(names, one.levels, strict=True)) in asked]
    rows = [[*names, "loss", "suppressed", ""]]
    rows += [[*map(str, one.levels), *_numbers(one), _mark(found, one)] for one in shown]
    left = [f"… and {len(order) - len(shown)} more; --json or --output gives all"] if len(order) > len(shown) else []
    return [*aligned(rows, {len(names) + 2}), *left, "", f"loss: {found.loss}", found.statement]


def _rank(one: LatticeNode) -> tuple[bool, float, int, tuple[int, ...]]:
    return not one.anonymous, one.loss_at_least, sum(one.levels), one.levels


def _numbers(one: LatticeNode) -> tuple[str, str]:
    loss = f"{one.loss:.6g}" if one.loss is not None else f">= {one.loss_at_least:.6g}"
    return loss, "" if one.suppressed_rows is None else str(one.suppressed_rows)


def _mark(found: LatticeResult, one: LatticeNode) -> str:
    if one.levels == found.optimum:
        return "optimum" if found.proved else "best found"
    return "" if one.anonymous else "not anonymous"


def _csv(found: LatticeResult) -> str:
    """Every judged node, numbers in full."""
    told = ("anonymous", "suppressed_rows", "loss", "loss_at_least", "settles")
    rows: list[list[object]] = [[*(column.name for column in found.columns), *told]]
    for one in found.nodes:
        flags = [str(flag).lower() for flag in (one.anonymous, one.settles)]
        rows.append([*one.levels, flags[0], one.suppressed_rows, one.loss, one.loss_at_least, flags[1]])
    return csv_text(rows)
