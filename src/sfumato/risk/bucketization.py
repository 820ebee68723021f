"""What two tables with a bucket number betray of the person whose quasi-identifiers are known, by formula.

The intruder finds the person's row in the first table, since it is published as it is, and reads the values of its
bucket in the second. What is left is which of them is the person's. If all are equal, nothing is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.guarantee.diversity import top_and_tail
from sfumato.summary.figure import Figure
from sfumato.summary.histogram import distribution_of

if TYPE_CHECKING:
    from sfumato.summary.pair import Pair
    from sfumato.types import FloatArray

_HOMOGENEITY = "A. Machanavajjhala et al., l-diversity, TKDD 1(1), 2007, section 2"
_WORST_CASE = "D. Martin et al., Worst-case background knowledge, ICDE 2007, section 3"


def certainty(pair: Pair, *, excluded: int) -> FloatArray:
    """The best guess in each bucket after ruling out the values that help most.

    With counts a_1 >= a_2 >= ... of the values of a bucket, an intruder who knows of j values that the person does
    not have them is left with a_1 / (a_1 + a_{j+2} + a_{j+3} + ...) at best.

    Args:
        pair: the two tables.
        excluded: how many values the intruder can rule out, j >= 0.

    Returns:
        (n_buckets,) float64 in (0, 1]; 1 where the bucket has no value but missing ones. Missing values are left out.

    Raises:
        ParameterError: `excluded` below 0. Remedy: give 0 for nothing but the two tables.

    Source:
        A. Machanavajjhala et al., "l-diversity: privacy beyond k-anonymity", TKDD 1(1), 2007, section 2: the
        homogeneity attack (j = 0) and the one with background knowledge.

    Example:
        >>> from sfumato.testing.buckets import six_persons
        >>> [certainty(six_persons(), excluded=j).round(2).tolist() for j in (0, 1)]
        [[0.33, 0.67], [0.5, 1.0]]
    """
    if excluded < 0:
        raise ParameterError(
            "`excluded` must be at least 0; got {excluded}.", "give 0 for no knowledge beside.", excluded=excluded
        )
    top, tail = top_and_tail(distribution_of(pair.classes(), pair.sensitive.name), excluded + 2)
    return np.where(top > 0, top / np.maximum(top + tail, 1), 1.0)


def certainty_with_neighbors(pair: Pair, *, known: int) -> FloatArray:
    """The best guess in each bucket after learning the values of other rows that help most.

    With s rows of which a_1 have the most frequent value, an intruder who knows the values of j others of the bucket is left
    with a_1 / max(s - j, a_1) at best.

    Args:
        pair: the two tables.
        known: how many other rows the intruder knows, j >= 0.

    Returns:
        (n_buckets,) float64 in (0, 1].

    Raises:
        ParameterError: `known` below 0. Remedy: give 0 for nothing but the two tables.

    Source:
        D. Martin, D. Kifer, A. Machanavajjhala, J. Gehrke, J. Halpern, "Worst-case background knowledge for
        privacy-preserving data publishing", ICDE 2007: basic implications with a known antecedent.

    Example:
        >>> from sfumato.testing.buckets import six_persons
        >>> certainty_with_neighbors(six_persons(), known=1).tolist()
        [0.5, 1.0]
    """
    if known < 0:
        raise ParameterError("`known` must be at least 0; got {known}.", "give 0 for no knowledge beside.", known=known)
    d = distribution_of(pair.classes(), pair.sensitive.name)
    top, _ = top_and_tail(d, 1)
    return np.where(top > 0, top / np.maximum(np.maximum(d.sizes - known, top), 1), 1.0)


def bucket_risks(pair: Pair, *, most: int) -> tuple[Figure, ...]:
    """What an intruder who knows quasi-identifiers learns of the sensitive column, as figures.

    Args:
        pair: the two tables.
        most: how many excluded values and known neighbors to go to, >= 0.

    Returns:
        Rows whose value is certain, the mean and the greatest chance of the best guess, the chance of a guess without the
        release, and the greatest chance with 1 … `most` values excluded or rows known.

    Example:
        >>> from sfumato.testing.buckets import six_persons
        >>> [(f.name, round(f.value, 2)) for f in bucket_risks(six_persons(), most=1)][:3]
        [('bucket_certain', 0.0), ('bucket_guess_mean', 0.5), ('bucket_guess_highest', 0.67)]
    """
    name, sizes, n = pair.sensitive.name, pair.sizes, max(pair.n_rows, 1)
    alone = certainty(pair, excluded=0)
    total = distribution_of(pair.classes(), name).total
    blind = float(total.max(initial=0) / max(int(total.sum()), 1))
    return (
        Figure(
            "bucket_certain",
            f"Rows whose {name} is certain",
            float(sizes[alone >= 1].sum() / n),
            "Rows of buckets that hold one value only / rows.",
            _HOMOGENEITY,
        ),
        Figure(
            "bucket_guess_mean",
            f"Best guess of {name}, mean",
            float((sizes * alone).sum() / n),
            "Mean over rows of the share of the most frequent value of their bucket.",
            _HOMOGENEITY,
        ),
        _highest(name, alone, "bucket_guess_highest", "", _HOMOGENEITY),
        Figure(
            "bucket_guess_blind",
            f"Best guess of {name}, blind",
            blind,
            "Share of the most frequent value of the whole table, which the second table tells everybody.",
            _HOMOGENEITY,
        ),
        *(
            _highest(name, certainty(pair, excluded=j), f"bucket_excluded_{j}", f", {j} ruled out", _HOMOGENEITY)
            for j in range(1, most + 1)
        ),
        *(
            _highest(
                name, certainty_with_neighbors(pair, known=j), f"bucket_known_{j}", f", {j} rows known", _WORST_CASE
            )
            for j in range(1, most + 1)
        ),
    )


def _highest(name: str, chances: FloatArray, key: str, knowledge: str, source: str) -> Figure:
    """The greatest chance of a right guess in any bucket."""
    beside = {
        "excluded": "after the intruder has ruled out that many other values, those that help most",
        "known": "after the intruder has learned the values of that many other rows, those that help most",
    }.get(key.split("_")[1], "as published")
    return Figure(
        key,
        f"Best guess of {name}, highest{knowledge}",
        float(chances.max(initial=0.0)),
        f"Greatest share of one value among what is left of a bucket, {beside}.",
        source,
    )
