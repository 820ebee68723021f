"""The probability of each single report under each string, up to a factor that is the same for all strings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.mechanism.local.rappor.bloom import design_bits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.local.rappor.params import RapporParams
    from sfumato.types import BoolArray, FloatArray, IntArray


def likelihoods(
    params: RapporParams, cohorts: IntArray, reports: BoolArray, names: Sequence[str], *, other: bool
) -> FloatArray:
    """Likelihood of each first report under each string, divided by that of an empty Bloom filter.

    The bits of a first report are independent, so this is the product over the string's distinct bits of q*/p* where
    a 1 was reported and (1-q*)/(1-p*) where a 0 was. `other` is a string with h bits drawn at random: the mean of
    those factors over all bits, to the power h (hashes that coincide are neglected).

    Args:
        params: of the collection.
        cohorts: (n,) int64.
        reports: (n, k) bool, one first report of each person.
        names: (c,) strings.
        other: whether a last column for all other strings is added.

    Returns:
        (n, c + other) float64, each row scaled to a maximum of 1.

    Raises:
        ParameterError: reports that do not fit the parameters, or p* = 0 or q* = 1. Remedy: named there.

    Example:
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> basic = RapporParams("b", bits=2, hashes=1, cohorts=1, f=0, p="1/4", q="3/4", values=("x", "y"))
        >>> likelihoods(basic, np.array([0]), np.array([[True, False]]), ("x", "y"), other=False).round(3).tolist()
        [[1.0, 0.111]]
    """
    if reports.shape != (len(cohorts), params.bits):
        raise ParameterError(
            "Reports must have {bits} bits, one row for each cohort; got shape {shape}.",
            "use the parameters under which they were made.",
            bits=params.bits,
            shape=reports.shape,
        )
    high, low = float(params.q_star), float(params.p_star)
    one, zero = np.log(high / low), np.log((1 - high) / (1 - low))
    bit: FloatArray = np.where(reports, float(one), float(zero))
    design = np.sort(design_bits(params, names), axis=2)
    first = np.ones(design.shape, bool)
    first[:, :, 1:] = design[:, :, 1:] != design[:, :, :-1]
    rows: IntArray = np.arange(len(cohorts))[:, np.newaxis]
    columns = [
        np.where(first[j, cohorts], bit[rows, design[j, cohorts]], 0.0).sum(axis=1) for j in range(len(names))
    ]  # fmt: skip
    if other:
        columns.append(params.hashes * np.log(np.exp(bit).mean(axis=1)))
    log = np.column_stack(columns)
    return np.asarray(np.exp(log - log.max(axis=1, keepdims=True)))
