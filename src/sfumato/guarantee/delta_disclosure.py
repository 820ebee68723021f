"""delta-disclosure privacy: the share of a sensitive value in a class and in the table differ by a factor at most."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee, Move, OfColumn
from sfumato.guarantee.beta_likeness import ratios
from sfumato.numbers.compare import largest_quotient
from sfumato.numbers.exact import Exact, as_fraction, plain
from sfumato.numbers.logarithm import sign_of_logs
from sfumato.summary.histogram import MISSING_RULE, Distribution, distribution_of

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.types import BoolArray

_CLOSE = 1e-9
"""Logarithms this close to delta are compared exactly."""


@dataclass(frozen=True, slots=True)
class DeltaDisclosurePrivacy(OfColumn):
    """For every sensitive value |log(q/p)| < delta, with q its share in a class and p in the original table.

    Args:
        column: sensitive column.
        delta: bound of the logarithm, > 0.
        base: "2" (bits, as ARX) or "e" (nats, as pycanon).
        absent: "counted": a value of the table that a class lacks breaks it, as in the paper;
            "ignored": only the values that a class holds are judged, as ARX and pycanon do.

    Raises:
        ParameterError: delta < 0, or an unknown base or rule. Remedy: correct it.

    Source:
        J. Brickell, V. Shmatikov, "The cost of privacy: destruction of data-mining utility in
        anonymized data publishing", KDD 2008, definition 4.

    Example:
        >>> DeltaDisclosurePrivacy("illness", 2, base="2", absent="ignored").guarantee().parameters
        {'delta': 2, 'base': '2', 'absent': 'ignored'}
    """

    model: ClassVar[str] = "delta-disclosure"

    column: str
    delta: Exact
    base: Literal["2", "e"]
    absent: Literal["counted", "ignored"]

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", as_fraction("delta", self.delta, low=0))
        for name, value, known in (
            ("base", self.base, ("2", "e")),
            ("absent", self.absent, ("counted", "ignored")),
        ):
            if value not in known:
                raise ParameterError(
                    "`{name}` must be one of {known}; got {value!r}.",
                    "correct `{name}`.",
                    name=name,
                    known=list(known),
                    value=value,
                )

    @property
    def monotone_in(self) -> Move:
        """A share in a union lies between those in its parts; but a value that one part lacks may become too rare."""
        return Move.MERGE if self.absent == "counted" else Move.NONE

    def holds(self, classes: Classes) -> BoolArray:
        """(n_classes,) bool: in which classes every judged value has |log(q/p)| < delta."""
        d = distribution_of(classes, self.column)
        bad = np.bincount(d.owner[~self._within(d)], minlength=d.n_classes)
        return np.asarray((bad == 0) & (d.sizes > 0) & self._complete(d))

    def measure(self, classes: Classes) -> float:
        """The least delta that all classes satisfy, rounded up; infinity when none does."""
        d = distribution_of(classes.select(classes.rows > 0), self.column)
        if not (self._complete(d) & (d.sizes > 0)).all():
            return math.inf
        if d.n_classes == 0:
            return 0.0
        top, bottom = ratios(d)
        extreme = max(largest_quotient(top, bottom), largest_quotient(bottom, top))
        guess = math.log(extreme) / (math.log(2) if self.base == "2" else 1)
        while self._sign(extreme, Fraction(repr(guess))) >= 0:
            guess = math.nextafter(guess, math.inf)
        while guess > 0 and self._sign(extreme, Fraction(repr(math.nextafter(guess, 0)))) < 0:
            guess = math.nextafter(guess, 0)
        return guess

    def _within(self, d: Distribution) -> BoolArray:
        """(nnz,) bool: |log(q/p)| < delta, decided exactly where floating point is close."""
        top, bottom = ratios(d)
        delta = Fraction(self.delta)
        unit = math.log(2) if self.base == "2" else 1.0
        gap = np.abs(np.log(top.astype(np.float64)) - np.log(bottom.astype(np.float64))) - float(delta) * unit
        out = np.asarray(gap < 0)
        known: dict[Fraction, bool] = {}
        for i in np.flatnonzero(np.abs(gap) <= _CLOSE * (1 + float(delta))):
            ratio = Fraction(int(top[i]), int(bottom[i]))
            if ratio not in known:
                known[ratio] = self._sign(max(ratio, 1 / ratio), delta) < 0
            out[i] = known[ratio]
        return out

    def _sign(self, ratio: Fraction, delta: Fraction) -> int:
        """The sign of log(ratio) - delta."""
        own = [(delta.denominator, ratio.numerator), (-delta.denominator, ratio.denominator)]
        if self.base == "2":
            return sign_of_logs([*own, (-delta.numerator, 2)])
        return sign_of_logs(own, Fraction(-delta.numerator))

    def _complete(self, d: Distribution) -> BoolArray:
        """(n_classes,) bool: classes that lack no value of the table, where that counts."""
        if self.absent == "ignored":
            return np.ones(d.n_classes, bool)
        return np.asarray(np.bincount(d.owner, minlength=d.n_classes) == np.count_nonzero(d.total))

    def guarantee(self) -> Guarantee:
        """The promise of delta-disclosure privacy."""
        delta, unit = plain(self.delta), "bits" if self.base == "2" else "nats"
        which = "every value" if self.absent == "counted" else "every value that the class holds"
        ignored = ("That a value of the table is absent from a class is not bounded.",)
        known = (
            "What the distribution of the whole table tells is regarded as known and is not protected.",
            MISSING_RULE,
        )
        return Guarantee(
            name="delta-disclosure privacy",
            statement=(
                f"In the class of each published row the share of {which} of {self.column!r} differs from its share in "
                f"the whole original table by less than {delta} {unit} in the logarithm."
            ),
            definition=(
                f"|log(q/p)| < delta (base {self.base}) for {which}, with p its share in the original table and q in an "
                "equivalence class."
            ),
            parameters={"delta": delta, "base": self.base, "absent": self.absent},
            kind="checked",
            source="J. Brickell, V. Shmatikov, KDD 2008, definition 4",
            assumptions=known if self.absent == "counted" else ignored + known,
        )
