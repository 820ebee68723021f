"""Loops as machine code: Numba (the extra `fast`), kept beside Python's own bytecode for the next time."""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np


def pays(work: int, least: int) -> bool:
    """Whether a compiled form is worth loading: there is enough to do, and Numba is there.

    Args:
        work: what the loop runs over.
        least: from which compiling is worth its time.
    """
    return work >= least and find_spec("numba") is not None


def is_loaded(loop: Callable[..., None], kind: type[np.generic]) -> bool:
    """Whether this process has the compiled form of a loop already, so that using it costs nothing but the call.

    What is computed must not depend on it.

    Args:
        loop: as `compiled` takes it.
        kind: of the numbers in its first argument, an array; each kind has a compiled form of its own.
    """
    if "numba" not in sys.modules:
        return False
    return any(str(types[0].dtype) == kind.__name__ for types in getattr(compiled(loop), "signatures", ()))


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
