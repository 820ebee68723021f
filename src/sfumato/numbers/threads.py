"""Independent work on long arrays, shared by two threads: NumPy gives the interpreter's lock back while it works."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.types import IntArray

P = TypeVar("P")
R = TypeVar("R")
S = TypeVar("S")

SHARED_FROM = 1 << 18
"""Numbers of an array from which two threads are worth being started."""


def in_threads(work: Callable[[P], R], parts: Sequence[P], size: int) -> list[R]:
    """What is made of each part, in the order of the parts: by two threads where there is much to do.

    Parts share nothing that one of them writes. The result is that of one thread; if parts fail, the error is that of the
    first of them.

    Args:
        work: makes a result of a part.
        parts: the parts.
        size: numbers that all parts read together, about.

    Example:
        >>> in_threads(lambda part: sum(part), [[1, 2], [3]], SHARED_FROM)
        [3, 3]
    """
    if size < SHARED_FROM or len(parts) < 2:
        return [work(part) for part in parts]
    from concurrent.futures import ThreadPoolExecutor  # a small run does without

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(work, parts))


def both(one: Callable[[], R], other: Callable[[], S], size: int) -> tuple[R, S]:
    """What two works find that share nothing which one of them writes; the other has a thread of its own where there is
    much to do.

    If both fail, the error is that of the first.

    Args:
        one: is done where this is called.
        other: is done meanwhile.
        size: numbers that each of them reads, about.

    Example:
        >>> both(lambda: 1, lambda: "b", SHARED_FROM)
        (1, 'b')
    """
    if size < SHARED_FROM:
        return one(), other()
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(other)
        return one(), found.result()


def pieces(n: int, size: int) -> list[slice]:
    """Consecutive slices of at most `size` places that hold 0 … n-1.

    Example:
        >>> pieces(5, 2)
        [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


def taken(values: IntArray, places: IntArray) -> IntArray:
    """What stands at some places: `values[places]`.

    Args:
        values: (n,).
        places: (k,) int64, each in 0 … n-1.

    Example:
        >>> import numpy as np
        >>> taken(np.array([5, 6, 7]), np.array([2, 0])).tolist()
        [7, 5]
    """
    out = np.empty(len(places), values.dtype)

    def take(piece: slice) -> None:
        np.take(values, places[piece], out=out[piece], mode="clip")

    in_threads(take, pieces(len(places), SHARED_FROM), len(places))
    return out
