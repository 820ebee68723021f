"""Files of guesses as DARC has them: a line for each customer, a column for each month, up to three pseudonyms in a cell."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from sfumato.table.lines import LineFault

if TYPE_CHECKING:
    from sfumato.contest.key import Guesses

NOT_SAID = "DEL"
BETWEEN = ":"


def read_table(text: bytes, periods: tuple[str, ...], most: int) -> tuple[dict[str, dict[str, tuple[str, ...]]], tuple[LineFault, ...]]:  # fmt: skip
    """Guesses of a file `id_user,0,1,…,12` with cells such as `a3:f0:17`; `DEL`: no guess.

    Args:
        text: of the file.
        periods: names of its columns of months, in order.
        most: most guesses in a cell.

    Returns:
        Guesses by customer and period, or none and what is wrong.
    """
    try:
        rows = list(csv.reader(io.StringIO(text.decode("utf-8-sig"), newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error):
        return {}, (LineFault(0, None, "must be a CSV file in UTF-8."),)
    header = ["id_user", *(str(i) for i in range(len(periods)))]
    if not rows or rows[0] != header:
        return {}, (LineFault(1, None, "must name the columns id_user, 0, 1, … one for each month of the original."),)
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for line, row in enumerate(rows[1:], 2):
        if len(row) != len(header):
            return {}, (LineFault(line, None, "must have as many cells as there are columns."),)
        if row[0] in found:
            return {}, (LineFault(line, "id_user", "must name each customer once."),)
        said = {
            period: cell.split(BETWEEN)
            for period, cell in zip(periods, row[1:], strict=True)
            if cell not in ("", NOT_SAID)
        }
        for period, names in said.items():
            if len(names) > most:
                return {}, (
                    LineFault(line, str(periods.index(period)), "must have no more guesses than the contest allows."),
                )
        found[row[0]] = {period: tuple(names) for period, names in said.items()}
    return found, ()


def written_table(guesses: Guesses, who: tuple[str, ...], periods: tuple[str, ...]) -> bytes:
    """The file of guesses."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["id_user", *range(len(periods))])
    for name in who:
        said = guesses.get(name, {})
        writer.writerow([name, *(BETWEEN.join(said.get(period, ())) or NOT_SAID for period in periods)])
    return out.getvalue().encode()
