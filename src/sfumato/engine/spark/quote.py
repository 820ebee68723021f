"""Names and texts in Spark SQL: the only place that builds its quoting."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def identifier(name: str) -> str:
    """A column or view name, quoted (a back quote inside is doubled).

    Example:
        >>> print(identifier("an `odd` name"))
        `an ``odd`` name`
    """
    return "`" + name.replace("`", "``") + "`"


def literal(text: str) -> str:
    r"""A text constant, quoted; backslashes are escape signs in Spark.

    Example:
        >>> print(literal("l'âge\\"))
        'l\'âge\\'
    """
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def identifiers(names: Iterable[str]) -> str:
    """Several names, separated by commas.

    Example:
        >>> identifiers(["a", "b c"])
        '`a`, `b c`'
    """
    return ", ".join(map(identifier, names))
