"""Persons behind the reports of several collections: profiles matched with a table of known persons.

Over several surveys a person reports on several attributes. What the reports tell of each attribute makes
a profile; the persons of a background table are ranked by how well they fit it. The attack succeeds when
the person is among the first few.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.summary.interval import Interval, wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.types import FloatArray, IntArray

UNKNOWN = -1
_CHUNK = 1 << 22


@dataclass(frozen=True, slots=True)
class Reidentification:
    """How often the person was among the first `top` (RID-ACC).

    Args:
        hits: targets found, ties broken at random.
        n: targets.
        top: candidates that the adversary may name.
        expected: success rate with ties averaged out.
        baseline: top / N, what naming persons at random reaches.
        interval: Wilson's interval of the rate of hits.
    """

    hits: int
    n: int
    top: int
    expected: float
    baseline: float
    interval: Interval

    @property
    def rate(self) -> float:
        """Share of targets found."""
        return self.hits / self.n


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The known persons in the order in which an intruder names them for each target, equals in random order.

    Args:
        evidence: d arrays (n, k_j) float64, one row for each target.
        rows: (r, d) int64, distinct rows of the background.
        member: (N,) int64, which of them each known person has.
        counts: (r,) int64, persons of each.
    """

    evidence: Sequence[FloatArray]
    rows: IntArray
    member: IntArray
    counts: IntArray

    def chance(self, targets: IntArray, top: int) -> FloatArray:
        """(n,) float64: probability that the person whom each target truly is stands among the first `top`."""
        out = np.empty(len(targets))
        step = max(1, _CHUNK // len(self.rows))
        for start in range(0, len(targets), step):
            part = slice(start, start + step)
            scores = sum(e[part][:, self.rows[:, j]] for j, e in enumerate(self.evidence))
            out[part] = _chance(np.asarray(scores), self.member[targets[part]], self.counts, top)
        return out


@dataclass(frozen=True, slots=True)
class ProfileMatching:
    """Known persons ranked by how well they fit what the reports of several collections tell.

    A candidate's score is Σ_j evidence_j[i, x_j]. With log-likelihoods (`attack.likelihood`) it is the best ranking under
    independent reports; with `profile_evidence` it is the published attack.
    """

    attack: ClassVar[str] = "reidentification"

    def guess(self, view: Sequence[FloatArray], knowledge: IntArray, _rng: np.random.Generator, /) -> Ranking:
        """The ranking of the persons of `knowledge`, (N, d) int64 codes, for each target of the view."""
        rows, member, counts = np.unique(knowledge, axis=0, return_inverse=True, return_counts=True)
        return Ranking(view, rows, member.ravel(), counts)


def profile_evidence(profile: IntArray, domain_sizes: Sequence[int]) -> list[FloatArray]:
    """A profile of predicted values as evidence: 1 where a candidate agrees; unknown attributes count nothing.

    Ranking by it is ranking by the number of disagreements, as in the paper.

    Args:
        profile: (n, d) int64, predicted codes, -1 where an attribute was never reported.
        domain_sizes: d numbers of values.

    Returns:
        d arrays (n, k_j) float64.

    Example:
        >>> profile_evidence(np.array([[1, -1]]), [2, 2])
        [array([[0., 1.]]), array([[0., 0.]])]
    """
    return [np.asarray(profile[:, j, np.newaxis] == np.arange(size), np.float64) for j, size in enumerate(domain_sizes)]


def reidentify(
    evidence: Sequence[FloatArray],
    background: IntArray,
    targets: IntArray,
    *,
    top: int,
    confidence: float,
    rng: np.random.Generator,
) -> Reidentification:
    """Let `ProfileMatching` rank the background's persons for each target, and score the first `top`.

    Args:
        evidence: d arrays (n, k_j) float64, one row for each target.
        background: (N, d) int64, the known persons' codes.
        targets: (n,) int64, row of the background that each target truly is; only the score reads it.
        top: candidates that may be named, 1 … N.
        confidence: of the interval.
        rng: breaks ties.

    Raises:
        ParameterError: shapes that do not fit, or `top` outside its range.

    Source:
        H. H. Arcolezi, S. Gambs, J.-F. Couchot and C. Palamidessi, "On the Risks of Collecting
        Multidimensional Data Under Local Differential Privacy", PVLDB 16(5), 2023, section 3.

    Example:
        >>> people = np.array([[0, 0], [0, 1], [1, 1]])
        >>> seen = profile_evidence(np.array([[0, 1]]), [2, 2])
        >>> rng = np.random.default_rng(0)
        >>> reidentify(seen, people, np.array([1]), top=1, confidence=0.95, rng=rng).hits
        1
    """
    _check(evidence, background, targets, top)
    chances = ProfileMatching().guess(evidence, background, rng).chance(targets, top)
    hits = int(np.count_nonzero(rng.random(len(chances)) < chances))
    n = len(targets)
    return Reidentification(hits, n, top, float(chances.mean()), top / len(background), wilson(hits, n, confidence))


def _chance(scores: FloatArray, true: IntArray, counts: IntArray, top: int) -> FloatArray:
    """(n,) probability that the target is among the first, equals in random order."""
    own = np.take_along_axis(scores, true[:, np.newaxis], axis=1)
    before = (scores > own) @ counts
    equal = (scores == own) @ counts
    return np.asarray(np.clip((top - before) / equal, 0, 1), np.float64)


def _check(evidence: Sequence[FloatArray], background: IntArray, targets: IntArray, top: int) -> None:
    n_known, d = background.shape
    fits = len(evidence) == d and all(e.ndim == 2 and len(e) == len(targets) for e in evidence)
    if not fits or not len(targets) or not 1 <= top <= n_known:
        raise ParameterError(
            "There must be evidence of every target for each of {d} attributes, and 1 <= top <= {n_known}; got {top}.",
            "give rows of zeros for attributes that were never reported.",
            d=d,
            n_known=n_known,
            top=top,
        )
    sizes = np.array([e.shape[1] for e in evidence])
    if np.any((background < 0) | (background >= sizes)) or np.any((targets < 0) | (targets >= n_known)):
        raise ParameterError("Every code of the background must have evidence.", "use one domain on both sides.")
