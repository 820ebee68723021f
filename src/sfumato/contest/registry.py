"""Which kinds of contest there are."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SourceError

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.contest.game import Game
    from sfumato.contest.pwscup.regions import Grid
    from sfumato.document.contest import GameName

HOSPITAL = 10.0
"""How much more a hospital counts than another region."""


def game_of(name: GameName, regions: Path | None) -> Game:
    """A kind of contest.

    Args:
        name: of it.
        regions: file of the regions of a grid, for kinds that have one.

    Raises:
        SourceError: a kind over a grid without its regions, or a file that does not hold them.
    """
    if name == "insanonym":
        from sfumato.contest.insanonym.game import INSAnonym

        return INSAnonym()
    if name == "darc":
        from sfumato.contest.darc.game import DARC

        return DARC()
    from sfumato.contest.pwscup.game import PWSCup

    if regions is None:
        raise SourceError("A contest over regions needs their file.", "name it as `regions` in [table].")
    return PWSCup(grid_of(regions), "identity" if name == "pwscup-identity" else "trace")


def grid_of(path: Path) -> Grid:
    """Regions of a file with the columns reg_id, y_id, x_id, y(center), x(center) and, if it has one, hospital.

    Raises:
        SourceError: columns that are absent, cells that are no numbers, or regions that are not numbered from 1.
    """
    from sfumato.contest.pwscup.regions import Grid

    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        north, east = ([float(row[name]) for row in rows] for name in ("y(center)", "x(center)"))
        weighs = [HOSPITAL if row.get("hospital") == "1" else 1.0 for row in rows]
        columns = max(int(row["x_id"]) for row in rows)
        numbered = [int(row["reg_id"]) for row in rows] == list(range(1, len(rows) + 1))
    except (OSError, UnicodeDecodeError, csv.Error, KeyError, ValueError, TypeError):
        numbered = False
    if not numbered:
        raise SourceError(
            "The file of regions {name!r} must have the columns reg_id (1, 2, …), x_id, y(center) and x(center), as numbers.",
            "correct it.",
            name=path.name,
        )
    return Grid(np.array(north), np.array(east), np.array(weighs), columns)
