"""How many names there can be: few enough to be tried one after the other, or not."""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable

LEAST_BITS = 100.0
"""Fewest bits of a name whose unkeyed hash is not found by trying."""
RATE = 1e10
"""Hashes that one graphics card tries in a second, in round numbers."""
_CLASSES = (("0123456789", 10), ("abcdefghijklmnopqrstuvwxyz", 26), ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 26))
_OTHER = 1 << 20


def bits_at_most(names: Iterable[str]) -> float:
    """An upper bound of the bits of a name, from how these are written.

    At each place stands one of the signs of the classes seen there (digits, small and capital letters, other
    signs as they are); a name is one text of one of the lengths seen. Names that follow a rule (phone numbers,
    a birth date inside) have far fewer bits than this.

    Args:
        names: distinct names of a column.

    Returns:
        log2 of the number of texts written in that way; 0 for no names.

    Example:
        >>> round(bits_at_most(["0612345678", "0698765432"]), 1)
        33.2
    """
    places: dict[int, list[set[str]]] = {}
    for name in names:
        seen = places.setdefault(len(name), [set() for _ in name])
        for place, sign in zip(seen, name, strict=True):
            place.add(_class_of(sign))
    totals = [sum(log2(sum(_size(kind) for kind in place)) for place in seen) for seen in places.values()]
    return max(totals) + log2(len(totals)) if totals else 0.0


def seconds_to_try(bits: float) -> float:
    """Seconds in which one graphics card tries all names of so many bits.

    Example:
        >>> round(seconds_to_try(33.2), 1)
        1.0
    """
    return float(2.0 ** min(bits, 1000.0) / RATE)


def refuse_small(column: str, bits: float) -> None:
    """Refuse an unkeyed hash of names that can be tried.

    Args:
        column: its name, for the message.
        bits: of a name, declared or at most.

    Raises:
        ParameterError: fewer than 100 bits. Remedy: use a key.

    Example:
        >>> refuse_small("phone", 33.2)
        Traceback (most recent call last):
        sfumato.errors.ParameterError: A hash without a key hides only names that nobody can try out, of at least 100 bits; those of 'phone' have at most 33 and are tried in about 0.987 s. Remedy: use `method = "pseudonym"` with a key.
    """
    if bits < LEAST_BITS:
        seconds = seconds_to_try(bits)
        raise ParameterError(
            "A hash without a key hides only names that nobody can try out, of at least {least_bits:g} bits; those of "
            "{column!r} have at most {bits:.0f} and are tried in about {spelled}.",
            'use `method = "pseudonym"` with a key.',
            least_bits=LEAST_BITS,
            column=column,
            bits=bits,
            spelled=_spelled(seconds),
        )


def _spelled(seconds: float) -> str:
    """A duration in its unit."""
    for size, unit in ((31_557_600.0, "years"), (86_400.0, "days"), (3_600.0, "hours")):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{max(seconds, 0.001):.3g} s"


def _class_of(sign: str) -> str:
    """The class of a sign: a representative, or the sign itself."""
    return next((signs for signs, _ in _CLASSES if sign in signs), sign if sign.isascii() else "")


def _size(kind: str) -> int:
    """How many signs a class has."""
    return next((size for signs, size in _CLASSES if kind == signs), 1 if kind else _OTHER)
