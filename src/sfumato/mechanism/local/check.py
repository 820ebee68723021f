"""What may reach an oracle: codes inside the domain; everything else is refused before chance is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError, ReportError
from sfumato.numbers.check import as_whole

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.types import IntArray

LARGEST_DOMAIN = 2**31
"""More values than this are a matter for heavy hitters, not for one count for each value."""


def check_domain(domain_size: object) -> int:
    """The number of values, 2 … 2³¹.

    Raises:
        ParameterError: fewer than two values, or too many. Remedy: a question needs two answers.

    Example:
        >>> check_domain(2)
        2
    """
    size = as_whole("domain_size", domain_size, low=2)
    if size > LARGEST_DOMAIN:
        raise ParameterError(
            "`domain_size` must be at most {largest_domain}; got {size}.",
            "group the values into fewer.",
            largest_domain=LARGEST_DOMAIN,
            size=size,
        )
    return size


def check_values(values: npt.ArrayLike, domain_size: int) -> IntArray:
    """The values of n persons as (n,) int64 codes 0 … domain_size-1.

    Raises:
        ParameterError: not a flat array of integers, or a code outside. Remedy: encode values by the
            declared domain, with a code of its own for "other".

    Example:
        >>> check_values([0, 1], 2).tolist()
        [0, 1]
    """
    codes = np.asarray(values)
    if codes.ndim != 1 or (codes.size and not np.issubdtype(codes.dtype, np.integer)):
        raise ParameterError(
            "Values must be a flat array of integer codes; got shape {shape} of {dtype}.",
            "encode the values as 0 … domain_size-1.",
            shape=codes.shape,
            dtype=codes.dtype,
        )
    if codes.size and (codes.min() < 0 or codes.max() >= domain_size):
        raise ParameterError(
            "Every value must be a code from 0 to {domain_size}; at least one is not.",
            "encode values by the declared domain, and give values outside it a code of their own.",
            domain_size=domain_size - 1,
        )
    return codes.astype(np.int64, copy=False)


def check_reports(reports: npt.NDArray[np.generic], n_values: int, what: str) -> IntArray:
    """Reports that are integers 0 … n_values-1, as (n,) int64.

    Raises:
        ReportError: anything else. Remedy: client and server need the same oracle.

    Example:
        >>> check_reports(np.array([0, 2]), 3, "GRR").tolist()
        [0, 2]
    """
    flat = np.asarray(reports)
    is_flat = flat.ndim == 1 and (not flat.size or np.issubdtype(flat.dtype, np.integer))
    if not is_flat or (flat.size and (flat.min() < 0 or flat.max() >= n_values)):
        raise ReportError(
            "A report of {what} must be an integer from 0 to {n_values}; at least one is not.",
            "use the same oracle with the same parameters on the devices and on the server.",
            what=what,
            n_values=n_values - 1,
        )
    return flat.astype(np.int64, copy=False)
