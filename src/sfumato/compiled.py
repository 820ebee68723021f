"""Loops as machine code: Numba (the extra `fast`), kept beside Python's own bytecode for the next time."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@cache
def compiled(loop: Callable[..., None]) -> Callable[..., None]:
    """The compiled form of a loop over arrays; compiled at its first call, which takes seconds, or loaded.

    It runs without the interpreter's lock. Where no folder can be written it is compiled anew in each process.

    Args:
        loop: a function of a module; plain loops over arrays and numbers.

    Raises:
        ImportError: Numba is not installed.
    """
    from numba import njit

    try:
        return njit(nogil=True, cache=True)(loop)  # type: ignore[no-any-return]
    except RuntimeError:  # no folder for the compiled form
        return njit(nogil=True)(loop)  # type: ignore[no-any-return]
