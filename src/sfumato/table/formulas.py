"""Cells that a spreadsheet runs instead of showing them."""

from __future__ import annotations

import re

SIGNS = r"[=+\-@\t\r]"
"""What a formula begins with, as a regular expression."""
NUMBER = r"[+-]?[0-9]+([.,][0-9]+)*([eE][+-]?[0-9]+)?"
"""A number, which begins with a sign and is none."""
_FORMULA = re.compile(f"(?!(?:{NUMBER})$){SIGNS}", re.DOTALL)


def is_formula(text: str) -> bool:
    """Whether a spreadsheet may run a cell.

    Example:
        >>> [is_formula(text) for text in ("=1+1", "@SUM(A1)", "-5", "+3,5e2", "-5x", "a=b", "")]
        [True, True, False, False, True, False, False]
    """
    return _FORMULA.match(text) is not None
