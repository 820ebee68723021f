"""The attack of Sweeney: a table without names joined to a list with names, on columns that both hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.types import BoolArray, IntArray

NOBODY = -1


@dataclass(frozen=True, slots=True)
class RegisterJoin:
    """A table without names joined to a register with names, on the columns that both hold."""

    attack: ClassVar[str] = "register"

    def guess(self, view: IntArray, knowledge: IntArray, _rng: np.random.Generator, /) -> IntArray:
        """(n,) int64 row of the register for each row of the table, or `NOBODY`."""
        return unique_links(view, knowledge)


def unique_links(table: IntArray, register: IntArray) -> IntArray:
    """For each row of a table the one row of the register that has the same values; -1 where none or several have.

    Args:
        table: (n, m) int64 codes of the columns that both hold.
        register: (r, m) int64 codes, in the same coding.

    Returns:
        (n,) int64 in [-1, r).

    Raises:
        ParameterError: another number of columns. Remedy: pass the same columns in the same order.

    Source:
        L. Sweeney, "Weaving Technology and Policy Together to Maintain Confidentiality", J. Law, Medicine and
        Ethics 25, 1997; "k-anonymity: a Model for Protecting Privacy", 2002, section 2.

    Example:
        >>> unique_links(np.array([[1, 7], [2, 7], [3, 7]]), np.array([[2, 7], [3, 7], [3, 7]])).tolist()
        [-1, 0, -1]
    """
    if table.ndim != 2 or register.ndim != 2 or table.shape[1] != register.shape[1]:
        raise ParameterError("A table and a register are joined on the same columns.", "pass them in the same order.")
    both = np.concatenate((register, table))
    _, key = np.unique(both, axis=0, return_inverse=True)
    key = key.reshape(-1)
    mine, theirs = key[len(register) :], key[: len(register)]
    size = int(key.max(initial=-1)) + 1
    count = np.bincount(theirs, minlength=size)
    place = np.full(size, NOBODY, np.int64)
    place[theirs] = np.arange(len(register))
    return np.where(count[mine] == 1, place[mine], NOBODY).astype(np.int64)


def box_links(low: IntArray, high: IntArray, register: IntArray) -> IntArray:
    """For each class of ranges the one row of the register that lies in all of them; -1 where none or several do.

    Args:
        low: (c, m) int64 lowest published value of each class.
        high: (c, m) int64 highest one.
        register: (r, m) int64.

    Returns:
        (c,) int64 in [-1, r).

    Example:
        >>> box_links(np.array([[1, 1], [5, 5]]), np.array([[3, 3], [9, 9]]), np.array([[2, 2], [5, 9], [9, 5]])).tolist()
        [0, -1]
    """
    out = np.full(len(low), NOBODY, np.int64)
    for i, (bottom, top) in enumerate(zip(low, high, strict=True)):
        inside = np.flatnonzero(((register >= bottom) & (register <= top)).all(axis=1))
        if len(inside) == 1:
            out[i] = inside[0]
    return out


@dataclass(frozen=True, slots=True)
class LinkRates:
    """What an intruder who joins gains.

    Args:
        targets: persons of the table who are in the register.
        found: share of them that are linked to themselves.
        controls: persons of the table who are not in the register.
        false: share of them that are linked to somebody, wrongly of course.
        claimed: links that the intruder claims.
        right: share of the claims that are right; None: no claim.
    """

    targets: int
    found: float
    controls: int
    false: float
    claimed: int
    right: float | None


def link_rates(links: IntArray, person: IntArray, in_register: IntArray) -> LinkRates:
    """Judge links against the truth.

    Args:
        links: (n,) int64 register row of each table row, -1: none.
        person: (n,) int64 person of each table row.
        in_register: (r,) int64 person of each register row.

    Example:
        >>> rates = link_rates(np.array([0, 1, -1]), np.array([10, 11, 12]), np.array([10, 12]))
        >>> rates.found, rates.false, rates.right
        (0.5, 1.0, 0.5)
    """
    is_target: BoolArray = np.isin(person, in_register)
    claimed = links != NOBODY
    is_right = claimed & (in_register[np.maximum(links, 0)] == person) if len(in_register) else claimed
    targets, controls = int(is_target.sum()), int((~is_target).sum())
    return LinkRates(
        targets=targets,
        found=float(is_right.sum() / targets) if targets else 0.0,
        controls=controls,
        false=float((claimed & ~is_target).sum() / controls) if controls else 0.0,
        claimed=int(claimed.sum()),
        right=float(is_right.sum() / claimed.sum()) if claimed.any() else None,
    )
