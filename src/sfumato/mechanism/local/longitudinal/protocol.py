"""What must a memoised protocol know? Traits of a person, remembered answers, reports, and three epsilons.

A person has **traits**, drawn once and public (a hash function, the places that are asked about; often
none). A value becomes an **input** of the memoised round; the **answer** to an input is drawn once; each
**report** is drawn from the answer of that day's input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from sfumato.mechanism.local.longitudinal.chain import Chain
    from sfumato.mechanism.local.oracle import Support
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray


class Longitudinal(Protocol):
    """A memoised randomizer of one value that is asked for repeatedly. Values are codes 0 … domain_size-1."""

    @property
    def label(self) -> bytes:
        """Name, version and every parameter: what must agree for remembered answers to be the same."""
        ...

    @property
    def domain_size(self) -> int:
        """Number of values, >= 2."""
        ...

    @property
    def n_inputs(self) -> int:
        """Number of inputs whose answers one person may have to remember."""
        ...

    @property
    def epsilon_first(self) -> float:
        """Exact epsilon of one report, rounded up."""
        ...

    @property
    def epsilon_permanent(self) -> float:
        """ε∞: exact epsilon of all reports that a person ever sends about one value, rounded up."""
        ...

    @property
    def chain(self) -> Chain:
        """The probabilities of the two rounds."""
        ...

    @property
    def support(self) -> Support:
        """p and q of one report, for `oracle.estimate` and `oracle.variance`."""
        ...

    def draw_traits(self, n: int, *, bits: Bits) -> IntArray:
        """(n, t) int64: what each of n persons draws once; it is public."""
        ...

    def inputs(self, values: IntArray, traits: IntArray) -> IntArray:
        """(n,) int64: the input of each value, 0 … n_inputs-1."""
        ...

    def answer(self, inputs: IntArray, traits: IntArray, *, bits: Bits) -> Any:
        """Answers to remember: an array with n rows."""
        ...

    def report(self, answers: Any, *, bits: Bits) -> Any:
        """Reports of one collection: an array with n rows."""
        ...

    def count_support(self, reports: Any, traits: IntArray) -> IntArray:
        """How many reports support each value."""
        ...


def check_values(values: IntArray, domain_size: int) -> IntArray:
    """The values as int64, if all are codes of the domain; refused before any chance is drawn.

    Raises:
        ParameterError: another type or shape, or a value outside the domain (which is not named).

    Example:
        >>> check_values(np.array([0, 2]), 3).tolist()
        [0, 2]
    """
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ParameterError(
            f"Values must be a row of whole-number codes; got {array.dtype} with {array.ndim} dimensions.",
            "encode each value by its place in the declared domain.",
        )
    outside = int(np.count_nonzero((array < 0) | (array >= domain_size)))
    if outside:
        raise ParameterError(
            f"Every value must lie in the domain 0 … {domain_size - 1}; {outside} of {len(array)} do not.",
            "declare a domain that holds every value, with one for *other*.",
        )
    return array.astype(np.int64)


def no_traits(n: int) -> IntArray:
    """(n, 0) int64: persons who draw nothing once for all.

    Example:
        >>> no_traits(2).shape
        (2, 0)
    """
    return np.empty((n, 0), np.int64)
