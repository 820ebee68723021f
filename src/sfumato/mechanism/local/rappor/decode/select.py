"""The selection of strings that are likely there, so that all others are tested beside them."""

from __future__ import annotations

from enum import Enum
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from sfumato.extras import Needs
from sfumato.mechanism.local.rappor.decode.fit import fit

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.mechanism.local.rappor.decode.candidates import Candidates
    from sfumato.mechanism.local.rappor.decode.corrected import Corrected
    from sfumato.mechanism.local.rappor.decode.fit import Fit

_BATCH = 4
"""A round adds at most a quarter of what is selected already, so that a false candidate, which lives off bits of a
true one, is looked at again once the true one is in."""

_KEPT = 1000
"""The lasso sees this many columns at most, those with the best scores."""

_ROUNDS = 5
"""The lasso's penalty follows the scatter that its own strings leave; this often at most."""

_STRAY = 1.0
"""Absent candidates that are adjusted for, on average. One costs a thousandth of the weight; a true string that is
left out scatters the bits of all others. Selection decides no test: every candidate is tested afterwards."""


class Selection(Enum):
    """How the adjusted strings are found."""

    FORWARD = "forward"
    """Add the best candidates while their score passes a threshold that one absent candidate passes on average."""
    LASSO = "lasso"
    """The support of a non-negative lasso whose penalty is that threshold."""


def forward(
    data: Corrected, candidates: Candidates, *, background: bool, progress: Callable[[int, int | None, str], None]
) -> Fit:  # fmt: skip
    """Forward selection by one-sided scores.

    Args:
        data: corrected shares and weights.
        candidates: the design.
        background: whether unknown strings are allowed for.
        progress: called after each round with the number of selected strings.

    Returns:
        The fit beside the selected columns.
    """
    threshold = _threshold(len(candidates))
    found = fit(data, candidates, (), background=background)
    while True:
        z = found.z.copy()
        z[list(found.selected)] = -np.inf
        room = _room(data, found, background=background)
        best = np.argsort(-z, kind="stable")[: min(room, 1 + len(found.selected) // _BATCH)]
        more = tuple(int(j) for j in best if z[j] > threshold)
        if not more:
            return found
        found = fit(data, candidates, found.selected + more, background=background)
        progress(len(found.selected), None, "strings found")


def lasso(data: Corrected, candidates: Candidates, *, background: bool) -> Fit:
    """The support of a non-negative lasso, refitted by least squares.

    Columns are scaled to unit weight, so that the penalty is the same threshold as that of `forward`; of many
    candidates the best 1000 by their scores are looked at. Large strings scatter the bits of all others until they
    are in, so the penalty is set again by what the last round left.

    Raises:
        ParameterError: scikit-learn is not installed. Remedy: install the extra `learn`, or select forward.

    Source:
        T. Sun and C.-H. Zhang, "Scaled sparse linear regression", Biometrika 99, 2012, for the penalty.
    """
    with Needs("learn", "The lasso needs the package scikit-learn.", otherwise=", or select `forward`"):
        from sklearn.linear_model import Lasso
    alone = fit(data, candidates, (), background=background)
    kept = np.sort(np.argsort(-alone.z, kind="stable")[:_KEPT])
    root = np.sqrt(data.weight)
    matrix = np.column_stack([candidates.column(j) for j in kept]) * root[:, np.newaxis]
    target = data.share * root
    if background:
        flat = root / np.linalg.norm(root)
        matrix, target = matrix - np.outer(flat, flat @ matrix), target - flat * (flat @ target)
    norm = np.linalg.norm(matrix, axis=0)
    norm[norm == 0] = np.inf
    found = alone
    for _ in range(_ROUNDS):
        penalty = _threshold(len(candidates)) * np.sqrt(found.scatter) / len(target)
        model = Lasso(alpha=penalty, fit_intercept=False, positive=True, max_iter=10_000, tol=1e-6)
        weight = model.fit(matrix / norm, target).coef_
        order = np.argsort(-weight, kind="stable")[: min(_room(data, alone, background=background), np.sum(weight > 0))]
        again = fit(data, candidates, tuple(int(j) for j in np.sort(kept[order])), background=background)
        if again.selected == found.selected:
            break
        found = again
    return found


def _threshold(n: int) -> float:
    """The score that one of n absent candidates exceeds on average."""
    return NormalDist().inv_cdf(1 - min(0.5, _STRAY / max(n, 1)))


def _room(data: Corrected, found: Fit, *, background: bool) -> int:
    """How many more columns leave at least as many rows free as are used."""
    return max(0, int(np.count_nonzero(data.weight)) // 2 - len(found.selected) - background)
