"""The joint of memoised protocols: traits of a person, remembered answers, reports, and three epsilons.

A person has **traits**, drawn once and public (a hash function, the places that are asked about; often
none). A value becomes an **input** of the memoised round; the **answer** to an input is drawn once; each
**report** is drawn from the answer of that day's input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.local.check import check_values

if TYPE_CHECKING:
    from sfumato.mechanism.local.longitudinal.chain import Chain
    from sfumato.mechanism.local.oracle import Support
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class Form:
    """What a person sends: numbers of fixed ranges.

    Args:
        n_symbols: each part of a report is a number 0 … n_symbols-1.
        n_parts: parts of a report.
        trait_size: each trait is a number 0 … trait_size-1.
        n_traits: traits of a person.
        is_bits: whether reports are arrays of bool rows; else the only part is a flat array of numbers.
    """

    n_symbols: int
    n_parts: int
    trait_size: int = 2
    n_traits: int = 0
    is_bits: bool = False


class Longitudinal(Protocol):
    """A memoised randomizer of one value that is asked for repeatedly. Values are codes 0 … domain_size-1."""

    @property
    def label(self) -> bytes:
        """Name, version and every parameter: what must agree for remembered answers to be the same."""
        ...

    @property
    def form(self) -> Form:
        """What a person sends."""
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
    def support(self) -> Support:
        """Support of one report, for `oracle.estimate` and `oracle.variance`."""
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


class OfValues:
    """A protocol whose inputs are the values themselves, and whose persons have no traits."""

    __slots__ = ()
    domain_size: int
    chain: Chain

    @property
    def n_inputs(self) -> int:
        """Every value is an input."""
        return self.domain_size

    @property
    def support(self) -> Support:
        """Support of one report."""
        return self.chain.support

    def draw_traits(self, n: int, *, bits: Bits) -> IntArray:  # noqa: ARG002
        """None."""
        return no_traits(n)

    def inputs(self, values: IntArray, traits: IntArray) -> IntArray:  # noqa: ARG002
        """The values themselves."""
        return check_values(values, self.domain_size)


def no_traits(n: int) -> IntArray:
    """(n, 0) int64: persons who draw nothing once for all.

    Example:
        >>> no_traits(2).shape
        (2, 0)
    """
    return np.empty((n, 0), np.int64)
