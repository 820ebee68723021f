"""Lines of a file that was refused, so that its team sees what stands where a fault is."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import IO

MOST_LINES, MOST_CHARACTERS = 40, 300


def lines_at(path: Path, numbers: Iterable[int]) -> dict[str, str]:
    r"""What stands on lines of a file, by the number as text; what is long is cut, what is no text is replaced.

    Args:
        path: of a plain file, hostile or not: one line of it is held at a time, cut.
        numbers: of lines, from 1; others are not there.

    Example:
        >>> from pathlib import Path; from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     made = Path(folder) / "t"; _ = made.write_bytes(b"a\tb\r\n\xff\n=1+1\n")
        ...     lines_at(made, [0, 3, 1, 9])
        {'1': 'a\tb', '3': '=1+1'}
    """
    wanted = sorted({number for number in numbers if number > 0})[:MOST_LINES]
    with path.open("rb") as file:
        lines = islice(iter(lambda: _line(file), b""), max(wanted, default=0))
        return {
            str(number): text.decode("utf-8", "replace").rstrip("\r\n")[:MOST_CHARACTERS]
            for number, text in enumerate(lines, 1)
            if number in wanted
        }


def _line(file: IO[bytes]) -> bytes:
    """The beginning of the next line; the rest of it is passed over. Empty: there is none."""
    head = rest = file.readline(4 * MOST_CHARACTERS)
    while rest and not rest.endswith(b"\n"):
        rest = file.readline(1 << 16)
    return head
