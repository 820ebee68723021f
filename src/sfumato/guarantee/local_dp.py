"""What a randomizer on a person's own device promises: its exact epsilon, and the promise in words.

ε = ln max over reports y and values v, v' of P[y|v] / P[y|v']. The probabilities are those that are
sampled, as exact fractions, and the logarithm is rounded up.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.types import FloatArray

Matrix: TypeAlias = "FloatArray | Sequence[Sequence[Fraction | float | int]]"
"""Rows: values; columns: reports. A float stands for its exact binary value."""

LEAST_EPSILON = 1e-9
"""Below this an estimate would need more than 10¹⁸ reports."""

LARGEST_EPSILON = 700.0
"""Above this e^-ε is no normal float, and a report is the value itself for all that can be observed."""


def check_epsilon(epsilon: object) -> float:
    """An epsilon that a local randomizer can keep, as a float.

    Raises:
        ParameterError: no number in [1e-9, 700]. Remedy: choose one, usually between 0.1 and 10.

    Example:
        >>> check_epsilon(1)
        1.0
    """
    is_number = isinstance(epsilon, int | float | Fraction | np.number) and not isinstance(epsilon, bool)
    asked = float(epsilon) if is_number else math.nan  # type: ignore[arg-type]
    if not LEAST_EPSILON <= asked <= LARGEST_EPSILON:
        raise ParameterError(
            "`epsilon` must be a number between {least_epsilon:g} and {largest_epsilon:g}; got {epsilon!r}.",
            "choose an epsilon in that range, usually between 0.1 and 10; larger ones protect nobody.",
            least_epsilon=LEAST_EPSILON,
            largest_epsilon=LARGEST_EPSILON,
            epsilon=epsilon,
        )
    return asked


def epsilon_of_matrix(matrix: Matrix) -> float:
    """The exact epsilon of a randomizer over a finite domain, rounded up.

    Formula: ln max_y (max_v P[y|v] / min_v P[y|v]); infinity when a report excludes a value.

    Args:
        matrix: (values, reports), each row a distribution. Fractions are taken as they are, floats
            with their binary value. Rows of floats must add up to 1 within 1e-9, of fractions exactly.

    Returns:
        epsilon in nats, >= 0; infinity is the true answer for a randomizer that can give a value away.

    Raises:
        ParameterError: no rows, rows of unequal length, entries below 0, or a row that does not add up
            to 1. Remedy: give one distribution for each value.

    Source:
        S. Kasiviswanathan et al., "What Can We Learn Privately?", SIAM J. Comput. 40(3), 2011,
        definition 2.2 (local randomizer).

    Example:
        >>> epsilon_of_matrix([[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]])
        1.0986122886681098
    """
    rows = _rows(matrix)
    worst = Fraction(1)
    for column in zip(*rows, strict=True):
        low, high = min(column), max(column)
        if high > 0 and low == 0:
            return math.inf
        if high > 0:
            worst = max(worst, high / low)
    return log_up(worst)


def _rows(matrix: Matrix) -> list[list[Fraction]]:
    try:
        rows = [[Fraction(entry) for entry in row] for row in matrix]
    except (ValueError, OverflowError) as error:
        raise ParameterError("Every probability must be a finite number.", "compute the matrix again.") from error
    is_exact = all(isinstance(entry, Fraction | int) for row in matrix for entry in row)
    slack = Fraction(0) if is_exact else Fraction(1, 10**9)
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise ParameterError("A transition matrix has one row for each value, all of one length.", "give such rows.")
    if any(entry < 0 for row in rows for entry in row) or any(abs(sum(row, Fraction(0)) - 1) > slack for row in rows):
        raise ParameterError(
            "Every row of a transition matrix is a distribution.", "give entries >= 0 that add up to 1."
        )
    return rows


@dataclass(frozen=True, slots=True)
class LocalDP:
    """Whatever a person's value is, every report is at most e^ε times more likely than with another value.

    Proof: post-processing and the server's knowledge do not matter: the report is the only thing that
    leaves the device, and its likelihood ratio is bounded for every pair of values.

    Args:
        epsilon: exact epsilon of the randomizer, in nats, > 0.
        mechanism: name of the randomizer.
        unit: what two neighbors differ in ("one attribute", "the whole record of a person").

    Raises:
        ParameterError: epsilon <= 0 or infinite. Remedy: state the epsilon of the randomizer.

    Source:
        S. Kasiviswanathan et al., SIAM J. Comput. 40(3), 2011; J. Duchi, M. Jordan and M. Wainwright,
        "Local Privacy and Statistical Minimax Rates", FOCS 2013.

    Example:
        >>> LocalDP(1.0, "GRR", "one attribute").guarantee().parameters["epsilon"]
        1.0
    """

    name: ClassVar[str] = "local differential privacy"

    epsilon: float
    mechanism: str
    unit: str

    def __post_init__(self) -> None:
        if not 0 < self.epsilon < math.inf:
            raise ParameterError(
                "A promise of local differential privacy has a finite epsilon > 0; got {epsilon!r}.",
                "state the exact epsilon of the randomizer.",
                epsilon=self.epsilon,
            )

    def guarantee(self) -> Guarantee:
        """The promise, in words and numbers."""
        odds = math.exp(self.epsilon) if self.epsilon < LARGEST_EPSILON else math.inf
        return Guarantee(
            name=self.name,
            statement=(
                f"Each report of {self.mechanism} is at most e^{self.epsilon:.6g} = {odds:.4g} times more likely with one "
                f"value than with any other, for neighbors that differ in {self.unit}."
            ),
            definition="P[report | v] <= e^epsilon P[report | v'] for every report and all values v and v'.",
            parameters={"epsilon": self.epsilon, "mechanism": self.mechanism, "unit": self.unit},
            kind="proved",
            source="S. Kasiviswanathan et al., SIAM J. Comput. 40(3), 2011, definition 2.2",
            assumptions=(
                "The device draws its chance from a secure source and reports once; each further report adds its epsilon.",
                "That a person reports at all, and when, is not hidden.",
            ),
        )
