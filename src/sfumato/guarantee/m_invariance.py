"""m-invariance: a person stands beside the same secret values in every release, so that several rule nothing out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.types import BoolArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """One release of the people.

    Args:
        owner: (nnz,) int64, class of each entry, sorted.
        value: (nnz,) int64, sensitive value of each entry, sorted within a class.
        count: (nnz,) int64, rows of the class with the value; >= 1.
        host: (n_persons,) int64, class of each person; -1: the person is not in this release.
    """

    owner: IntArray
    value: IntArray
    count: IntArray
    host: IntArray

    @classmethod
    def of_table(cls, counts: IntArray, host: IntArray) -> Version:
        """From an (n_classes, n_values) int64 table of all classes and values, for small ones."""
        owner, value = np.nonzero(counts)
        return cls(owner, value, counts[owner, value], host)

    @property
    def n_classes(self) -> int:
        """Classes that hold a row or a person."""
        return int(max(self.owner.max(initial=-1), self.host.max(initial=-1))) + 1


@dataclass(frozen=True, slots=True)
class MInvariance:
    """Every class of every release holds at least m rows, all of different values; a person's classes hold the same ones.

    Proof: whoever intersects the values of a person's classes over any releases finds the same set again, of at least m
    values, each in one row. Unlike k-anonymity and ℓ-diversity it is a promise of a series of releases.

    Args:
        m: >= 2.

    Raises:
        ParameterError: m < 2. Remedy: ask for at least 2.

    Source:
        X. Xiao, Y. Tao, "m-Invariance: Towards Privacy Preserving Re-publication of Dynamic Datasets", SIGMOD 2007,
        definitions 4 and 5, theorem 1.

    Example:
        >>> one = Version.of_table(np.array([[1, 1, 0], [0, 0, 1]]), np.array([0, 0]))
        >>> two = Version.of_table(np.array([[1, 1, 0]]), np.array([0, 0]))
        >>> MInvariance(2).holds([two, two]), MInvariance(2).holds([one, two])
        (True, False)
    """

    m: int

    def __post_init__(self) -> None:
        if isinstance(self.m, bool) or not isinstance(self.m, int) or self.m < 2:
            raise ParameterError(
                "`m` must be a whole number from 2; got {m!r}.", "ask for at least 2 values.", m=self.m
            )

    def holds(self, versions: Sequence[Version]) -> bool:
        """Whether all releases together satisfy it."""
        return invariance(versions) >= self.m

    def guarantee(self) -> Guarantee:
        """The promise, in words and numbers."""
        return Guarantee(
            name="m-invariance",
            statement=(
                f"In every release a person's class holds at least {self.m} rows, all of different values, and the same "
                "values in every release."
            ),
            definition="Every class is m-unique, and the classes of a person have one signature in all releases.",
            parameters={"m": self.m},
            kind="checked",
            source="X. Xiao, Y. Tao, SIGMOD 2007, definitions 4 and 5",
            assumptions=(
                "A person's sensitive value does not change.",
                "Every release of these people is among those that were checked.",
            ),
        )


def invariance(versions: Sequence[Version]) -> int:
    """The largest m for which the releases are m-invariant; 0 where they are for none.

    Args:
        versions: releases of the same people, the persons of all in one order.

    Raises:
        ParameterError: no release, or releases of different numbers of persons. Remedy: number the persons alike.

    Example:
        >>> invariance([Version.of_table(np.array([[1, 1, 1]]), np.array([0]))])
        3
    """
    if not versions or len({len(version.host) for version in versions}) > 1:
        raise ParameterError("The releases must list the same persons; they do not.", "number the persons alike.")
    if any((version.count > 1).any() for version in versions):
        return 0
    if changed(versions).any():
        return 0
    sizes = [np.bincount(version.owner, weights=version.count).astype(np.int64) for version in versions]
    return int(min((size[size > 0].min(initial=np.iinfo(np.int64).max) for size in sizes), default=0))


def changed(versions: Sequence[Version]) -> BoolArray:
    """(n_persons,) bool: whose classes do not hold the same values in all releases that they are in.

    Example:
        >>> one, other = (np.array([values]) for values in ([1, 1, 0], [1, 0, 1]))
        >>> series = [Version.of_table(one, np.array([0, -1])), Version.of_table(other, np.array([0, 0]))]
        >>> changed(series).tolist()
        [True, False]
    """
    numbers: dict[bytes, int] = {}
    out, met = np.zeros(len(versions[0].host), bool), np.zeros(len(versions[0].host), bool)
    first = np.zeros(len(out), np.int64)
    for version in versions:
        here = version.host >= 0
        signature = _signatures(version, numbers)[version.host]
        out |= here & met & (signature != first)
        first = np.where(here & ~met, signature, first)
        met |= here
    return out


def _signatures(version: Version, numbers: dict[bytes, int]) -> IntArray:
    """(n_classes + 1,) int64: a number for the set of values of each class, the same for equal sets of all releases."""
    ends = np.searchsorted(version.owner, np.arange(version.n_classes), "right")
    sets = [part.tobytes() for part in np.split(version.value, ends)]
    return np.array([numbers.setdefault(values, len(numbers)) for values in sets])
