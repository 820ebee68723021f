"""Several columns of a table perturbed together, cell by cell, with labels instead of codes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import fsum, inf, nextafter
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from sfumato.errors import ParameterError, SchemaError
from sfumato.frozen import dataclass
from sfumato.mechanism.perturb.pram import MISSING, Shares, combine, estimate, randomize_strata
from sfumato.mechanism.perturb.transition import invariant_each

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from sfumato.guarantee.base import Guarantee
    from sfumato.mechanism.perturb.transition import Transition
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

    Table: TypeAlias = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Perturbed:
    """How one column is perturbed.

    Args:
        categories: k labels, declared, in the order of the matrix.
        chances: one matrix, or one for each stratum.
        strata: name of the column that holds the stratum, None for one stratum; it is published as it is.
        levels: the declared strata, in the order of the matrices.
        from_table: whether the matrices were computed from the table.

    Raises:
        ParameterError: labels that repeat, or numbers that do not fit.
    """

    categories: tuple[Hashable, ...]
    chances: tuple[Transition, ...]
    strata: str | None = None
    levels: tuple[Hashable, ...] = ("all",)
    from_table: bool = False

    def __post_init__(self) -> None:
        sizes = {len(chance.weights) for chance in self.chances}
        repeat = len(set(self.categories)) < len(self.categories) or len(set(self.levels)) < len(self.levels)
        if repeat or sizes != {len(self.categories)} or len(self.chances) != len(self.levels):
            raise ParameterError(
                "There must be one {n_categories} by {n_categories} matrix for each of "
                "{n_levels} strata, and no label twice; got {n_chances} matrices of sizes {sizes}.",
                "give matrices in the order of the declared strata.",
                n_categories=len(self.categories),
                n_levels=len(self.levels),
                n_chances=len(self.chances),
                sizes=sorted(sizes),
            )

    @property
    def epsilon(self) -> float:
        """Of one cell: the largest of the strata's."""
        return max(chance.epsilon for chance in self.chances)


def perturb(table: Table, columns: Mapping[str, Perturbed], *, bits: Bits) -> dict[str, npt.NDArray[Any]]:
    """The table with the named columns perturbed; rows stay in order, missing cells (None) stay missing.

    Args:
        table: columns of one length, by name; labels of a perturbed column are those declared or None.
        columns: how each column is perturbed.
        bits: source of chance; columns are drawn in the order of `columns`.

    Returns:
        All columns; those that are not named are the same arrays.

    Raises:
        SchemaError: an absent column, or cells outside the declared categories (counted, not shown).

    Example:
        >>> from sfumato.mechanism.perturb.transition import transition
        >>> from sfumato.noise.bits import SystemBits
        >>> swap = Perturbed(("no", "yes"), (transition(np.array([[0.0, 1.0], [1.0, 0.0]])),))
        >>> cells = {"smokes": np.array(["no", None, "yes"], object)}
        >>> perturb(cells, {"smokes": swap}, bits=SystemBits())["smokes"].tolist()
        ['yes', None, 'no']
    """
    encoded = {name: _codes(table, name, column) for name, column in columns.items()}
    out = dict(table)
    for name, (codes, strata) in encoded.items():
        labels = np.array([*columns[name].categories, None], object)
        out[name] = labels[randomize_strata(codes, strata, columns[name].chances, bits=bits)]
    return out


def keep_shares(
    table: Table,
    name: str,
    chance: Transition,
    *,
    alpha: float,
    categories: Sequence[Hashable],
    strata: tuple[str, Sequence[Hashable]] | None = None,
) -> Perturbed:
    """Invariant PRAM of one column, with a matrix for each stratum made from its shares.

    Args:
        table: as of `perturb`.
        name: the column.
        chance: the matrix that is made invariant.
        alpha: weight, see `transition.invariant`.
        categories: declared labels.
        strata: name and declared labels of the strata; None for one.

    Raises:
        SchemaError: as of `perturb`. ParameterError: a stratum without a known cell, or `strata` that is no pair of a
            name and labels.

    Example:
        >>> from sfumato.mechanism.perturb.transition import keep_share
        >>> cells = {"smokes": np.array(["no", "no", "yes", "no"], object)}
        >>> plan = keep_shares(cells, "smokes", keep_share(2, 0.8), alpha=0.5, categories=["no", "yes"])
        >>> (np.array([0.75, 0.25]) @ plan.chances[0].matrix).round(12).tolist()
        [0.75, 0.25]
    """
    if strata is not None and (isinstance(strata, str) or len(strata) != 2 or isinstance(strata[1], str)):
        raise ParameterError(
            "`strata` must be the name of a column and its declared labels.",
            'give both, such as strata=("region", ["north", "south"]).',
        )
    levels = ("all",) if strata is None else tuple(strata[1])
    plain = Perturbed(tuple(categories), (chance,) * len(levels), strata[0] if strata else None, levels)
    codes, groups = _codes(table, name, plain)
    known = codes != MISSING
    counts = np.zeros((len(levels), len(categories)), np.int64)
    np.add.at(counts, (groups[known], codes[known]), 1)
    chances = invariant_each(name, chance, counts, alpha=alpha)
    return Perturbed(plain.categories, chances, plain.strata, levels, from_table=True)


def estimate_shares(table: Table, name: str, column: Perturbed) -> Shares:
    """Original shares of a published column, strata combined: see `pram.estimate`.

    Raises:
        SchemaError: as of `perturb`. ParameterError: nothing known, or a matrix that tells too little.
    """
    codes, groups = _codes(table, name, column)
    parts = [
        estimate(codes[groups == i], chance)
        for i, chance in enumerate(column.chances)
        if np.any(codes[groups == i] != MISSING)
    ]
    if not parts:
        raise ParameterError("An estimate of {name!r} needs a known cell; there is none.", "publish some.", name=name)
    return combine(parts)


def row_epsilon(columns: Mapping[str, Perturbed]) -> float:
    """What a whole row gives away in its perturbed columns: the sum of their epsilons, rounded up.

    Example:
        >>> from sfumato.mechanism.perturb.transition import transition
        >>> fair = Perturbed((0, 1), (transition(np.array([[0.75, 0.25], [0.25, 0.75]])),))
        >>> round(row_epsilon({"a": fair, "b": fair}), 4)
        2.1972
    """
    total = fsum(column.epsilon for column in columns.values())
    return total if len(columns) < 2 else nextafter(total, inf)


def promises(columns: Mapping[str, Perturbed]) -> tuple[Guarantee, ...]:
    """The promise of each column, of its stratum with the largest epsilon."""
    return tuple(
        max(column.chances, key=lambda chance: chance.epsilon).guarantee(name, from_table=column.from_table)
        for name, column in columns.items()
    )


def _codes(table: Table, name: str, column: Perturbed) -> tuple[IntArray, IntArray]:
    """Codes of the cells, and of their strata."""
    codes = _encode(table, name, column.categories, missing=True)
    if column.strata is None:
        return codes, np.zeros(len(codes), np.int64)
    return codes, _encode(table, column.strata, column.levels, missing=False)


def _encode(table: Table, name: str, labels: tuple[Hashable, ...], *, missing: bool) -> IntArray:
    """(n,) int64: the place of each cell's label; -1 for None."""
    if name not in table:
        raise SchemaError("The table must have a column {name!r}; it has none.", "correct the name.", name=name)
    cells = np.asarray(table[name])
    codes = np.full(len(cells), len(labels), np.int64)
    marks: list[tuple[int, Any]] = [*enumerate(labels), *([(MISSING, None)] if missing else [])]
    for code, label in marks:
        codes[np.asarray(cells == label)] = code
    outside = int(np.count_nonzero(codes == len(labels)))
    if outside:
        raise SchemaError(
            "Every cell of {name!r} must hold one of its {n_labels} declared labels; {outside} do not.",
            "declare every label, in the type of the cells, and None for missing.",
            name=name,
            n_labels=len(labels),
            outside=outside,
        )
    return codes
