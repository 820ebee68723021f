"""How much do the classes of a release tell of a sensitive value? Certainty, determined persons, and distance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from sfumato.summary.distance import distances

if TYPE_CHECKING:
    from sfumato.summary.distribution import Distribution
    from sfumato.types import IntArray


def highest_posterior(d: Distribution) -> float:
    """The largest share that one sensitive value has in a class; 0 without a class.

    Args:
        d: the sensitive column by class.

    Source:
        A. Machanavajjhala et al., "l-Diversity", ACM TKDD 1(1), 2007, section 3.

    Example:
        >>> from sfumato.testing.examples import illness
        >>> highest_posterior(illness([[3, 1], [1, 1]])), share_determined(illness([[3, 0], [1, 0], [1, 1]]))
        (0.75, 0.6666666666666666)
    """
    return float((_largest(d) / np.maximum(d.sizes, 1)).max(initial=0.0))


def share_determined(d: Distribution) -> float:
    """Share of the persons with a value whose class holds one sensitive value only: the homogeneity attack."""
    one = _largest(d) == d.sizes
    return int(d.sizes[one].sum()) / max(int(d.sizes.sum()), 1)


def farthest(d: Distribution) -> float:
    """Largest distance between a class with values and the original table.

    Numbers and dates are compared by the ordered distance, in which near values are near; text by the
    equal distance, (1/2) sum of |p - q|.

    Source:
        N. Li et al., "t-Closeness", ICDE 2007, section 4.

    Example:
        >>> from sfumato.testing.examples import illness
        >>> farthest(illness([[4, 0], [0, 4]]))
        0.5
    """
    top, bottom = distances(d, d.total, ground_of(d))
    told = d.sizes > 0
    return float(np.asarray(top[told] / bottom[told], np.float64).max(initial=0.0))


def ground_of(d: Distribution) -> Literal["equal", "ordered"]:
    """The ground distance that fits the kind of the column."""
    return "ordered" if d.attribute.column.kind.is_ordered else "equal"


def _largest(d: Distribution) -> IntArray:
    """(n_classes,) int64: persons with the most frequent value of each class."""
    out = np.zeros(d.n_classes, np.int64)
    np.maximum.at(out, d.owner, d.count)
    return out
