"""Totals of groups made private: which mechanisms a statistic needs, what they cost, and its answers."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import ApproxDP, PureDP, to_data
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import LaplaceLaw
from sfumato.mechanism.central.contributions import Limit, PersonTotals, whole_ends
from sfumato.mechanism.central.estimate import Estimate
from sfumato.mechanism.central.margins import Margin, fit_margins
from sfumato.mechanism.central.partition_selection import ThresholdSelection
from sfumato.mechanism.central.post_process import nonnegative, rounded, with_total
from sfumato.release.answer.answer import Answer
from sfumato.release.answer.price import in_words
from sfumato.release.mobility.how import MOST_LISTED, Forecast, composed, share
from sfumato.release.mobility.unit import weighed
from sfumato.summary.contributions import Contributions
from sfumato.table.unit import Unit

if TYPE_CHECKING:
    from sfumato.account.event import Event
    from sfumato.noise.bits import Bits
    from sfumato.release.mobility.how import Counting
    from sfumato.release.mobility.unit import Seen, TraceUnit
    from sfumato.types import BoolArray, FloatArray, IntArray

_SILENT = 1e-9
"""A variance of noise that is never drawn; a fit needs one above 0."""


@dataclass(frozen=True, slots=True)
class PreparedCounts:
    """The mechanisms of a statistic of totals.

    Numbers of persons need one noise each; numbers of something else, whose groups are shown or found by their persons,
    need two: the price is divided evenly among them and the margins.

    Args:
        statistic: what is counted.
        unit: whom the answers protect.

    Raises:
        ParameterError: more groups than can be listed. Remedy: fewer cells, or `selected` with a δ.
    """

    statistic: Counting
    unit: TraceUnit

    def __post_init__(self) -> None:
        if not self.statistic.how.selected and self._size > MOST_LISTED:
            raise ParameterError(
                "At most 2^20 groups get noise one by one; {title} has {size}.",
                "declare fewer cells, or find the groups in the traces with a delta (`selected`).",
                title=self.statistic.title,
                size=self._size,
            )
        _ = self.events

    @property
    def _size(self) -> int:
        return prod(self.statistic.shape)

    @property
    def limit(self) -> Limit:
        """How much of a person counts."""
        how = self.statistic.how
        return Limit(self.unit.neighbors, how.most, how.once, self.statistic.cut * (how.weight or 1), how.kept)

    @property
    def _of_persons(self) -> Limit:
        """The same persons, each once in a group."""
        return replace(self.limit, once=True, amount=1)

    @property
    def _are_persons(self) -> bool:
        """Whether the numbers are numbers of persons."""
        return self.statistic.how.weight is None and self.limit == self._of_persons

    @property
    def _counts_persons_too(self) -> bool:
        """Whether numbers of persons stand beside the others."""
        how = self.statistic.how
        return not self._are_persons and (how.selected or how.least > 0)

    @property
    def _parts(self) -> int:
        """Among how many noises the price is divided."""
        return 1 + self._counts_persons_too + len(self._sums)

    @property
    def selection(self) -> ThresholdSelection | None:
        """How groups are found in the traces."""
        how = self.statistic.how
        if not how.selected or not isinstance(how.price, ApproxDP):
            return None
        price = ApproxDP(how.price.epsilon / self._parts, how.price.delta)
        return ThresholdSelection(Unit(self.unit.neighbors, "person", 1, how.most), price)

    @property
    def numbers(self) -> PersonTotals | None:
        """Noise of the numbers; None where they are those of the selection."""
        how = self.statistic.how
        if how.selected and isinstance(how.price, ApproxDP):
            price = PureDP(how.price.epsilon / self._parts)
            return None if self._are_persons else PersonTotals(self.limit, price, None)
        return PersonTotals(self.limit, share(how.price, self._parts), self._size)

    @property
    def persons(self) -> PersonTotals | None:
        """Noise of the numbers of persons that stand beside listed groups."""
        how = self.statistic.how
        if how.selected or not self._counts_persons_too:
            return None
        return PersonTotals(self._of_persons, share(how.price, self._parts), self._size)

    @property
    def _sums(self) -> tuple[int, ...]:
        """How many totals each margin has; one where all groups have a total."""
        how = self.statistic.how
        return self.statistic.shape if how.margins else (1,) * how.total

    @property
    def margins(self) -> tuple[PersonTotals, ...]:
        """Noise of the totals along each axis, or of the total."""
        limit, price = replace(self.limit, once=False), share(self.statistic.how.price, self._parts)
        return tuple(PersonTotals(limit, price, size) for size in self._sums)

    @property
    def events(self) -> tuple[Event, ...]:
        """What is paid."""
        used = (self.selection, self.persons, self.numbers, *self.margins)
        return tuple(one.event for one in used if one is not None)

    def forecast(self, confidence: float, expected: int | None) -> tuple[Forecast, ...]:
        """How wrong the numbers will be."""
        del expected
        title, how, out = self.statistic.title, self.statistic.how, []
        if self.selection is not None:
            law = LaplaceLaw(self.selection.scale)
            out.append(
                Forecast(
                    statistic=title, number="persons", groups=None, mechanism=self.selection.name,
                    l1=self.statistic.how.most * self.unit.neighbors.sides, mean_error=law.mean_error,
                    bad_error=law.half_width(confidence), threshold=self._threshold,
                )
            )  # fmt: skip
        named = [(self.persons, "persons"), (self.numbers, self._noun)]
        of_sums = [f"{self._noun} by {by}" for by in self.statistic.by] if how.margins else [f"{self._noun} in all"]
        named += list(zip(self.margins, of_sums, strict=False))
        out += [
            Forecast(
                statistic=title, number=noun, groups=one.groups, mechanism=one.name, l1=one.sensitivity.l1,
                mean_error=one.noise.law.mean_error, bad_error=one.error(confidence), threshold=self._threshold,
            )
            for one, noun in named if one is not None
        ]  # fmt: skip
        return tuple(out)

    @property
    def _noun(self) -> str:
        how = self.statistic.how
        noun = "persons" if self.statistic.cut == 1 and how.once else self.statistic.noun
        return noun if how.weight is None else f"weighted {noun}"

    @property
    def _threshold(self) -> int | None:
        """Groups with fewer noisy persons are not shown."""
        least = max(self.statistic.how.least, self.selection.threshold if self.selection is not None else 0)
        return least or None

    def run(self, seen: Seen, confidence: float, bits: Bits) -> tuple[Answer, ...]:
        """The answers: of the groups, then of the margins."""
        given = weighed(self.statistic.contributions(seen), seen.weights, self.statistic.how.weight)
        kept = self.limit.bounded(given, bits=bits)
        groups, counted = self._persons(kept, confidence, bits)
        cells = {} if self.numbers is None else {self._noun: self._noisy(self.numbers, kept, groups, confidence, bits)}
        if counted is not None:
            cells["persons"] = counted
        sums = [self._margin(axis, one, kept, confidence, bits) for axis, one in enumerate(self.margins)]
        if sums:
            cells[f"fitted {self._noun}"] = self._fitted(cells[self._noun], sums)
        shown = self._shown(cells, counted)
        axes = tuple(range(len(self.statistic.shape)))
        places = np.unravel_index(groups[shown], self.statistic.shape) if len(groups) else tuple(groups for _ in axes)
        first = self._answer(axes, places, {name: _at(one, shown) for name, one in cells.items()}, bits)
        along = [((axis,), (np.arange(size),)) for axis, size in enumerate(self.statistic.shape)]
        more = along if self.statistic.how.margins else [((), ())]
        return first, *(self._answer(*which, {self._noun: one}, bits) for which, one in zip(more, sums, strict=False))

    def _persons(self, kept: Contributions, confidence: float, bits: Bits) -> tuple[IntArray, Estimate | None]:
        """The groups that are answered, and their noisy numbers of persons where these are counted."""
        if self.selection is not None:
            present, counts = np.unique(kept.once().group, return_counts=True)
            found = self.selection.decide(counts, confidence=confidence, bits=bits)
            return present[found.places], None if found.persons is None else whole_ends(found.persons)
        every = np.arange(self._size)
        if self.persons is None:
            return every, None
        totals = self.persons.totals(_as_persons(kept), bits=bits)
        return every, self.persons.decide(totals, confidence=confidence, bits=bits)

    def _noisy(
        self, by: PersonTotals, kept: Contributions, groups: IntArray, confidence: float, bits: Bits
    ) -> Estimate:
        """Noisy totals of some groups. What is kept is kept, so it is only added up."""
        if not len(groups):
            none = np.zeros(0)
            return Estimate(none, none, none, confidence)
        inside = kept.within(groups) if self.selection is not None else kept
        return by.decide(inside.totals().reshape(1, -1), confidence=confidence, bits=bits)

    def _margin(self, axis: int, by: PersonTotals, kept: Contributions, confidence: float, bits: Bits) -> Estimate:
        """Noisy totals along one axis."""
        along = (
            np.unravel_index(kept.group, self.statistic.shape)[axis] if self.statistic.how.margins else 0 * kept.group
        )
        sums = Contributions(kept.person, along.astype(np.int64), kept.amount, self._sums[axis])
        return by.decide(sums.totals().reshape(1, -1), confidence=confidence, bits=bits)

    def _fitted(self, cells: Estimate, sums: list[Estimate]) -> Estimate:
        """Numbers that agree with their margins, or with their total; no interval is proven for them."""
        unknown = np.full(self._size, np.nan)
        if self.numbers is None:
            return cells
        if self.statistic.how.total:
            total = max(int(sums[0].values[0]), 0)
            whole = rounded(with_total(cells.values, float(total)), total)
            return Estimate(whole.astype(np.float64), unknown, unknown, cells.confidence)
        margins = [
            Margin((axis,), one.values, max(by.noise.law.variance, _SILENT))
            for axis, (one, by) in enumerate(zip(sums, self.margins, strict=True))
        ]
        fitted = fit_margins(
            cells.values.reshape(self.statistic.shape), max(self.numbers.noise.law.variance, _SILENT), margins
        )
        return Estimate(fitted.ravel(), unknown, unknown, cells.confidence)

    def _shown(self, cells: dict[str, Estimate], counted: Estimate | None) -> BoolArray:
        """Which of the answered groups have enough noisy persons."""
        by = cells[self._noun] if counted is None else counted
        return np.asarray(by.values >= self.statistic.how.least if self.statistic.how.least else by.values > -np.inf)

    def _answer(
        self, axes: tuple[int, ...], places: tuple[IntArray, ...], cells: dict[str, Estimate], bits: Bits
    ) -> Answer:
        """An answer of noisy numbers."""
        statistic, how = self.statistic, self.statistic.how
        post = nonnegative if how.nonnegative else _as_it_is
        named = [statistic.names(axis, places[i]) for i, axis in enumerate(axes)]
        values, low, high = (
            tuple(zip(*(post(getattr(one, end)).tolist() for one in cells.values()), strict=True))
            for end in ("values", "low", "high")
        )
        first = self.numbers or self.persons or self.selection
        return Answer(
            question=statistic.title if len(axes) == len(statistic.shape) else f"{statistic.title}: margin" if axes else f"{statistic.title}: total",
            by=tuple(statistic.by[axis] for axis in axes), keys=tuple(zip(*named, strict=True)) if axes else ((),), cells=tuple(cells),
            values=values, low=low, high=high, confidence=next(iter(cells.values())).confidence,
            mechanism=" and ".join(dict.fromkeys(one.name for one in (self.selection, self.numbers) if one)),
            cost=to_data(composed(self.events)), price=in_words(how.price), sensitivity=first.argument if first else "",
            unit=self.unit.sentence, seeded=not bits.is_secure, notes=self._notes,
        )  # fmt: skip

    @property
    def _notes(self) -> tuple[str, ...]:
        """What a reader should know."""
        how, said = self.statistic.how, [f"Intervals are of the totals of what counts: {self.limit.sentence}."]
        if self._threshold is not None:
            said.append(f"Groups with fewer than {self._threshold} noisy persons are not shown.")
        if how.nonnegative:
            said.append("Numbers below 0 became 0, so sums are too high on average.")
        if how.total:
            said.append(
                "Fitted numbers are whole, at least 0, and add up to the total; no interval is proven for them."
            )
        if how.margins:
            said.append("Fitted numbers agree with the fitted margins; no interval is proven for them.")
        return tuple(said)


def _as_persons(kept: Contributions) -> Contributions:
    """Each person once in each group."""
    found = kept.once()
    return Contributions(found.person, found.group, np.ones(len(found), np.int64), found.groups)


def _at(one: Estimate, which: BoolArray) -> Estimate:
    return Estimate(one.values[which], one.low[which], one.high[which], one.confidence)


def _as_it_is(values: FloatArray) -> FloatArray:
    return values
