"""Which attribute was sampled, as a classifier learns it from synthetic profiles.

The intruder draws profiles from known or estimated shares, runs the public protocol on them, and so knows
which attribute was sampled; boosted trees learn to tell it from the report, and are then asked about the
real ones. `sampled_attribute` gives the best guess without learning.
"""

from __future__ import annotations

from enum import Enum
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sfumato.attack.sampled_attribute import check_attack
from sfumato.errors import ParameterError
from sfumato.extras import Needs
from sfumato.frozen import dataclass
from sfumato.guarantee.coordinate import Encoding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.attack.sampled_attribute import Collected, Report
    from sfumato.guarantee.coordinate import Coordinate
    from sfumato.types import FloatArray, IntArray


class Booster(Enum):
    """Which implementation of boosted trees learns."""

    HISTOGRAM = "scikit-learn HistGradientBoostingClassifier"
    XGBOOST = "xgboost XGBClassifier"


@dataclass(frozen=True, slots=True)
class SampledAttributeByBoosting:
    """The sampled attribute as boosted trees tell it that learned from synthetic profiles.

    Args:
        n_profiles: synthetic persons to learn from, >= 2.
        booster: the implementation.
    """

    attack: ClassVar[str] = "sampled attribute by boosting"
    n_profiles: int
    booster: Booster

    def guess(self, view: Collected, knowledge: Sequence[FloatArray], rng: np.random.Generator, /) -> IntArray:
        """(n,) int64; `knowledge` holds d arrays (k,) of shares of the values, which the profiles are drawn from."""
        return guess_by_boosting(
            view.reports, view.coordinates, knowledge, n_profiles=self.n_profiles, booster=self.booster, rng=rng
        )


def available_booster() -> Booster:
    """The papers' xgboost where it is installed, else scikit-learn's.

    Example:
        >>> available_booster() in Booster
        True
    """
    return Booster.XGBOOST if find_spec("xgboost") else Booster.HISTOGRAM


def synthesize(
    coordinates: Sequence[Coordinate], frequencies: Sequence[FloatArray], n: int, *, rng: np.random.Generator
) -> tuple[list[Report], IntArray]:
    """Reports of synthetic persons with independent attributes, and the attribute that each was asked about.

    Args:
        coordinates: d public parameters.
        frequencies: d arrays (k,) float64 >= 0, shares of the values; divided by their sum.
        n: number of persons, >= 1.
        rng: the intruder's own chance.

    Returns:
        d report arrays, as `sampled_attribute.evidence` takes them, and (n,) int64.

    Example:
        >>> from fractions import Fraction as F
        >>> from sfumato.guarantee.coordinate import Coordinate
        >>> coordinate = Coordinate(Encoding.BITS, 2, F(3, 4), F(1, 4), None)
        >>> shares, rng = np.array([0.5, 0.5]), np.random.default_rng(1)
        >>> reports, sampled = synthesize([coordinate] * 3, [shares] * 3, 10, rng=rng)
        >>> len(reports), reports[0].shape, sampled.shape
        (3, (10, 2), (10,))
    """
    sampled = rng.integers(0, len(coordinates), n)
    laws = [shares / shares.sum() for shares in frequencies]
    reports = [
        _reports_of(coordinate, law, sampled == at, rng)
        for at, (coordinate, law) in enumerate(zip(coordinates, laws, strict=True))
    ]
    return reports, sampled


def guess_by_boosting(
    reports: Sequence[Report],
    coordinates: Sequence[Coordinate],
    frequencies: Sequence[FloatArray],
    *,
    n_profiles: int,
    booster: Booster,
    rng: np.random.Generator,
) -> IntArray:
    """Guess the sampled attribute of each report by boosted trees learned from synthetic profiles.

    Args:
        reports: d arrays, as `sampled_attribute.evidence` takes them.
        coordinates: d public parameters.
        frequencies: d arrays (k,) float64 >= 0: true shares, or projected estimates.
        n_profiles: synthetic persons to learn from (the papers: 1 to 5 times the real ones), >= 2.
        booster: the implementation, with its default trees (100 rounds).
        rng: the intruder's own chance.

    Returns:
        (n,) int64, the attribute guessed for each person.

    Raises:
        ParameterError: shapes that disagree, or fewer than two profiles. Remedy: raise `n_profiles`.

    Source:
        H. Arcolezi, S. Gambs, J.-F. Couchot and C. Palamidessi, "On the Risks of Collecting
        Multidimensional Data Under Local Differential Privacy", VLDB 2023, the "no knowledge" attack.

    Example:
        >>> from fractions import Fraction as F
        >>> from sfumato.guarantee.coordinate import Coordinate
        >>> coordinates = [Coordinate(Encoding.BITS, 2, F(99, 100), F(1, 100), None)] * 2
        >>> shares, rng = [np.array([0.5, 0.5])] * 2, np.random.default_rng(1)
        >>> reports, sampled = synthesize(coordinates, shares, 200, rng=rng)
        >>> found = guess_by_boosting(
        ...     reports, coordinates, shares, n_profiles=200, booster=Booster.HISTOGRAM, rng=rng
        ... )
        >>> bool(np.mean(found == sampled) > 0.9)
        True
    """
    with Needs("learn", "Boosted trees need the package scikit-learn."):
        from threadpoolctl import threadpool_limits
    check_attack(reports, coordinates, frequencies)
    if n_profiles < 2:
        raise ParameterError(
            "`n_profiles` must be at least 2; got {n_profiles}.",
            "give as many as there are reports.",
            n_profiles=n_profiles,
        )
    examples, sampled = synthesize(coordinates, frequencies, n_profiles, rng=rng)
    classes, labels = np.unique(sampled, return_inverse=True)
    model = _model(booster, int(rng.integers(2**31)))
    with threadpool_limits(1):  # on small trees, threads cost more than they bring
        model.fit(_features(examples), labels)
        return np.asarray(classes[model.predict(_features(reports))], np.int64)


def _reports_of(coordinate: Coordinate, law: FloatArray, genuine: Any, rng: np.random.Generator) -> Report:
    """Genuine or fake reports of one attribute."""
    k, n = coordinate.domain_size, len(genuine)
    p, q = float(coordinate.p), float(coordinate.q)
    values = rng.choice(k, n, p=law)
    if coordinate.fakes is not None:
        fakes = np.array([float(share) for share in coordinate.fakes])
        values = np.where(genuine, values, rng.choice(k, n, p=fakes / fakes.sum()))
    if coordinate.encoding is Encoding.VALUE:
        moved = genuine & (rng.random(n) >= p - q)
        return np.where(moved, rng.integers(0, k, n), values)
    bits = rng.random((n, k)) < q
    shown = np.flatnonzero(genuine) if coordinate.fakes is None else np.arange(n)
    bits[shown, values[shown]] = rng.random(len(shown)) < p
    return bits


def _features(reports: Sequence[Report]) -> Any:
    """(n, columns) float32: values and bits side by side, as the papers encode them."""
    return np.column_stack(list(reports)).astype(np.float32)


def _model(booster: Booster, seed: int) -> Any:
    if booster is Booster.XGBOOST:
        return import_module("xgboost").XGBClassifier(n_jobs=1, random_state=seed)
    with Needs("learn", "Boosted trees need the package scikit-learn."):
        from sklearn.ensemble import HistGradientBoostingClassifier
    return HistGradientBoostingClassifier(early_stopping=False, random_state=seed)
