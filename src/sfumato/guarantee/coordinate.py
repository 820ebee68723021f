"""How much likelier the report of one attribute is when it is genuine than when it is fake.

A collection with fake data asks a person about one attribute, drawn uniformly among d, and fills the other
coordinates of the report with fakes. With M_j(y|v) the law of a genuine report and F_j(y) that of a fake,

    Pr[y | v] = (1/d) Π_i F_i(y_i) Σ_j M_j(y_j | v_j) / F_j(y_j),

so everything that a report betrays (the promise, and the attack on the sampled attribute) is a function of
the quotients M_j/F_j. This file holds them, for value reports (GRR) and for bit reports (SUE, OUE).
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence


class Encoding(Enum):
    """What one coordinate of a report looks like."""

    VALUE = "value"
    """One value of the domain (GRR)."""
    BITS = "bits"
    """One bit for each value of the domain (SUE, OUE)."""


@dataclass(frozen=True, slots=True)
class Coordinate:
    """What is public about one attribute of a collection with fake data.

    Args:
        encoding: value or bits.
        domain_size: number of values k, >= 2.
        p: Pr[a genuine report supports v | the value is v].
        q: Pr[a genuine report supports v | the value is another], 0 < q < p.
        fakes: k probabilities, the law of the fake value; it is published as it is (GRR) or perturbed as a
            true one (bits). None: the fake is the perturbed vector of zeros (bits only).

    Raises:
        ParameterError: parameters that contradict each other. Remedy: correct them.
    """

    encoding: Encoding
    domain_size: int
    p: Fraction
    q: Fraction
    fakes: tuple[Fraction, ...] | None

    def __post_init__(self) -> None:
        if self.domain_size < 2 or not 0 < self.q < self.p <= 1:
            raise ParameterError(
                "A coordinate must have at least two values and 0 < q < p <= 1; "
                "got {domain_size} values, p={p}, q={q}.",
                "declare the whole domain, and lower epsilon if q has become 0.",
                domain_size=self.domain_size,
                p=float(self.p),
                q=float(self.q),
            )
        if self.fakes is None:
            if self.encoding is Encoding.VALUE:
                raise ParameterError("A value report has no fake of zeros.", "give the law of the fake value.")
        elif len(self.fakes) != self.domain_size or min(self.fakes) < 0 or sum(self.fakes) != 1:
            raise ParameterError(
                "The law of a fake value must be {domain_size} probabilities >= 0 that sum to 1.",
                "normalize the prior.",
                domain_size=self.domain_size,
            )

    @property
    def bit_quotients(self) -> tuple[Fraction, Fraction]:
        """Quotients (p/q, (1-p)/(1-q)) of a bit that is 1, and of one that is 0: true value against another."""
        return self.p / self.q, (1 - self.p) / (1 - self.q)

    @property
    def fake_support(self) -> tuple[Fraction, ...]:
        """Pr[a fake report supports v] for each v: F_v (value), q (zeros), q + F_v (p - q) (bits of a fake value)."""
        if self.fakes is None:
            return (self.q,) * self.domain_size
        if self.encoding is Encoding.VALUE:
            return self.fakes
        return tuple(self.q + share * (self.p - self.q) for share in self.fakes)


def genuine_ratio(coordinate: Coordinate) -> Fraction | None:
    """Max M(y|v)/M(y|v') of the genuine report: p/q (value), p(1-q)/(q(1-p)) (bits). None: infinite.

    Example:
        >>> from fractions import Fraction as F
        >>> genuine_ratio(Coordinate(Encoding.BITS, 2, F(3, 4), F(1, 4), None))
        Fraction(9, 1)
    """
    one, zero = coordinate.bit_quotients
    if coordinate.encoding is Encoding.VALUE:
        return one
    return one / zero if zero else None


def least_quotient(coordinate: Coordinate) -> Fraction:
    """Min over y and v of M(y|v)/F(y): the least that an unchanged attribute adds to Pr[y | v].

    Value: q/max F. Bits against zeros: b = (1-p)/(1-q). Bits against a fake value: b/(b + (a-b)(1 - min F)),
    reached by the report that supports all values but the rarest fake.

    Example:
        >>> from fractions import Fraction as F
        >>> least_quotient(Coordinate(Encoding.VALUE, 2, F(3, 4), F(1, 4), (F(1, 2), F(1, 2))))
        Fraction(1, 2)
    """
    one, zero = coordinate.bit_quotients
    if coordinate.fakes is None:
        return zero
    if coordinate.encoding is Encoding.VALUE:
        return coordinate.q / max(coordinate.fakes)
    return zero / (zero + (one - zero) * (1 - min(coordinate.fakes)))


def greatest_ratio(coordinate: Coordinate, others: Fraction) -> Fraction | None:
    """Max over y, v, v' of (M(y|v)/F(y) + t) / (M(y|v')/F(y) + t), where the other attributes add t. None: infinite.

    The maximum is at the report that a fake makes least often: value (p + tF)/(q + tF) at F = min F, bits
    against zeros (a + t)/(b + t), bits against a fake value (a + tD)/(b + tD) with D = b + (a-b) min F.

    Args:
        coordinate: the attribute in which two persons differ.
        others: t, the sum of `least_quotient` of the others, >= 0.

    Example:
        >>> from fractions import Fraction as F
        >>> greatest_ratio(Coordinate(Encoding.VALUE, 2, F(3, 4), F(1, 4), (F(1, 2), F(1, 2))), F(1, 2))
        Fraction(2, 1)
    """
    one, zero = coordinate.bit_quotients
    if coordinate.fakes is None:
        high, low, shift = one, zero, others
    elif coordinate.encoding is Encoding.VALUE:
        high, low, shift = coordinate.p, coordinate.q, others * min(coordinate.fakes)
    else:
        high, low, shift = one, zero, others * (zero + (one - zero) * min(coordinate.fakes))
    return (high + shift) / (low + shift) if low + shift else None


def tuple_ratio(coordinates: Sequence[Coordinate]) -> Fraction | None:
    """Max over y, v, v' of Pr[y|v]/Pr[y|v'] when two persons may differ in every attribute. None: infinite.

    It is at most max_j of `genuine_ratio`, because a quotient of sums is at most the greatest quotient of
    their terms, and equal to it when all attributes have the same, as the same epsilon' gives.

    Example:
        >>> from fractions import Fraction as F
        >>> fair = (F(1, 2), F(1, 2))
        >>> tuple_ratio([Coordinate(Encoding.VALUE, 2, F(3, 4), F(1, 4), fair)] * 9)
        Fraction(3, 1)
    """
    ratios = [genuine_ratio(coordinate) for coordinate in coordinates]
    finite = [ratio for ratio in ratios if ratio is not None]
    return max(finite) if len(finite) == len(ratios) else None


def one_attribute_ratio(coordinates: Sequence[Coordinate]) -> Fraction | None:
    """Max of Pr[y|v]/Pr[y|v'] over persons that differ in one attribute only. None: infinite.

    Example:
        >>> from fractions import Fraction as F
        >>> fair = (F(1, 2), F(1, 2))
        >>> one_attribute_ratio([Coordinate(Encoding.VALUE, 2, F(3, 4), F(1, 4), fair)] * 2)
        Fraction(2, 1)
    """
    least = [least_quotient(coordinate) for coordinate in coordinates]
    total = sum(least, Fraction(0))
    ratios = [greatest_ratio(c, total - own) for c, own in zip(coordinates, least, strict=True)]
    finite = [ratio for ratio in ratios if ratio is not None]
    return max(finite) if len(finite) == len(ratios) else None
