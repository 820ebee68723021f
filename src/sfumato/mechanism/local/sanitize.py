"""A whole table noised person by person, and what it spends: every column pays its epsilon."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import LocalDP
from sfumato.mechanism.local.numeric.base import NumericMechanism
from sfumato.mechanism.local.oracle import FrequencyOracle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.guarantee.base import Guarantee
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray

ColumnMechanism: TypeAlias = NumericMechanism | FrequencyOracle[Any]
"""What noises one column: numbers by a numeric mechanism, codes of categories by an oracle that reports values."""


@dataclass(frozen=True, slots=True, eq=False)
class Sanitized:
    """A table in which every person's row was noised on its own.

    Args:
        columns: by name, (n,) float64 published numbers or (n,) int64 published codes.
        epsilon: what a person's whole row spends, in nats: the sum over columns, rounded up.
        by_column: what each column spends.
    """

    columns: Mapping[str, FloatArray | IntArray]
    epsilon: float
    by_column: Mapping[str, float]

    def guarantee(self) -> Guarantee:
        """The promise for a whole row."""
        return LocalDP(self.epsilon, "column by column noise", "the whole record of a person").guarantee()


def sanitize(
    columns: Mapping[str, FloatArray | IntArray], mechanisms: Mapping[str, ColumnMechanism], *, bits: Bits
) -> Sanitized:
    """Noises each column of a table by its mechanism, value by value.

    Proof: the columns of a row are noised independently, so the likelihood of a published row is a product
    over columns, and its largest ratio between two rows the product of e^ε_column. Nine columns at 1
    spend 9, not 1.

    Args:
        columns: by name, (n,) numbers or (n,) int64 codes, all of one length.
        mechanisms: one for each column, and for no other.
        bits: source of chance.

    Returns:
        The noised columns, in the order given, and what they spend.

    Raises:
        ParameterError: no column, a column without a mechanism or the reverse, unequal lengths, a mechanism
            whose report is no value, or a value outside its domain. Remedy: declare one for each column.
            Everything but single values is checked before the first bit is drawn.

    Source:
        C. Dwork and A. Roth, "The Algorithmic Foundations of Differential Privacy", 2014, theorem 3.16
        (composition).

    Example:
        >>> import numpy as np
        >>> from sfumato.mechanism.local.grr import GRR
        >>> from sfumato.mechanism.local.numeric.grid import Grid
        >>> from sfumato.mechanism.local.numeric.laplace import BoundedLaplace
        >>> from sfumato.noise.bits import SystemBits
        >>> out = sanitize(
        ...     {"age": np.array([34, 61]), "ill": np.array([0, 1])},
        ...     {"age": BoundedLaplace(Grid.integers(18, 99), epsilon=1.0), "ill": GRR(1.0, 2)},
        ...     bits=SystemBits(),
        ... )
        >>> list(out.columns), round(out.epsilon, 6)
        (['age', 'ill'], 2.0)
    """
    _check(columns, mechanisms)
    noised = {name: _noise(values, mechanisms[name], bits=bits) for name, values in columns.items()}
    by_column = {name: mechanisms[name].epsilon for name in columns}
    return Sanitized(noised, total_epsilon(list(by_column.values())), by_column)


def total_epsilon(epsilons: list[float]) -> float:
    """The least float that is at least the exact sum.

    Example:
        >>> total_epsilon([1.0] * 9), total_epsilon([0.1] * 3) >= 0.3
        (9.0, True)
    """
    exact = sum(map(Fraction, epsilons), Fraction(0))
    nearest = float(exact)
    return nearest if Fraction(nearest) >= exact else math.nextafter(nearest, math.inf)


def _noise(values: FloatArray | IntArray, mechanism: ColumnMechanism, *, bits: Bits) -> FloatArray | IntArray:
    if isinstance(mechanism, FrequencyOracle):
        codes: IntArray = mechanism.randomize(np.asarray(values), bits=bits)
        return codes
    return mechanism.outputs()[mechanism.randomize(values, bits=bits)]


def _check(columns: Mapping[str, FloatArray | IntArray], mechanisms: Mapping[str, ColumnMechanism]) -> None:
    """Refuses tables and mechanisms that do not fit."""
    without = [name for name in columns if name not in mechanisms]
    unknown = [name for name in mechanisms if name not in columns]
    if not columns or without or unknown:
        raise ParameterError(
            "Each column needs one mechanism; without one: {without}; without a column: {unknown}.",
            "name the same columns in the table and in the mechanisms, at least one.",
            without=without,
            unknown=unknown,
        )
    if len({np.shape(values) for values in columns.values()}) != 1:
        raise ParameterError("All columns must have one length.", "give one value of each person in each column.")
    for name, mechanism in mechanisms.items():
        if not (
            mechanism.reports_values
            if isinstance(mechanism, FrequencyOracle)
            else isinstance(mechanism, NumericMechanism)
        ):
            raise ParameterError(
                "Column {name!r}: {kind} reports no value that a table could hold.",
                "use GRR for categories or a numeric mechanism for numbers.",
                name=name,
                kind=type(mechanism).__name__,
            )
