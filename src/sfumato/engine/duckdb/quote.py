"""How are names and texts written in SQL? The only place that builds SQL quoting."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_GLOB = re.compile(r"([*?\[])")


def identifier(name: str) -> str:
    """A column or table name, quoted (a quote inside is doubled).

    Example:
        >>> print(identifier('an "odd" name'))
        "an ""odd"" name"
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text constant, quoted.

    Example:
        >>> print(literal("l'âge"))
        'l''âge'
    """
    return "'" + text.replace("'", "''") + "'"


def path_literal(path: Path) -> str:
    """A file name as a text constant that names this one file, whatever signs it holds.

    Example:
        >>> from pathlib import PurePosixPath
        >>> path_literal(PurePosixPath("a[1]/all*.parquet"))
        "'a[[]1]/all[*].parquet'"
    """
    return literal(_GLOB.sub(r"[\1]", str(path)))


def identifiers(names: Iterable[str]) -> str:
    """Several names, separated by commas.

    Example:
        >>> identifiers(["a", "b c"])
        '"a", "b c"'
    """
    return ", ".join(identifier(name) for name in names)
