"""Predictive reports: a cheap noisy test asks whether the last report is still near enough; only if not, a new one is drawn."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee
from sfumato.noise.near import near
from sfumato.numbers.check import as_whole
from sfumato.numbers.enclosure import round_up
from sfumato.numbers.exact import bounded

if TYPE_CHECKING:
    from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
    from sfumato.noise.bits import Bits
    from sfumato.numbers.exact import Exact
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Told:
    """What a person has told so far; nothing of it is secret, and nothing of the truth is in it.

    Args:
        last: row and column of the last reported cell; None: nothing was reported.
        tested: tests that were made.
        drawn: cells that were drawn.
    """

    last: tuple[int, int] | None = None
    tested: int = 0
    drawn: int = 0

    def written(self) -> str:
        """As a line of JSON, to be stored on the device."""
        return json.dumps({"last": self.last, "tested": self.tested, "drawn": self.drawn})

    @staticmethod
    def read(text: str) -> Told:
        """What `written` wrote.

        Raises:
            ParameterError: another text. Remedy: begin anew, with what was spent before kept in mind.

        Example:
            >>> Told.read(Told((3, 4), 10, 2).written())
            Told(last=(3, 4), tested=10, drawn=2)
        """
        try:
            said = json.loads(text)
            row, column = (0, 0) if said["last"] is None else said["last"]
            last = None if said["last"] is None else (as_whole("row", row, low=0), as_whole("column", column, low=0))
            return Told(last, as_whole("tested", said["tested"], low=0), as_whole("drawn", said["drawn"], low=0))
        except (ValueError, KeyError, TypeError, ParameterError):
            raise ParameterError(
                "A state must be a text that `written` wrote; this is none.", "keep the text as it was."
            ) from None


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Reports of many persons, and what each of them cost. All of it may be published.

    Args:
        cells: (n, 2) int64 reported cells.
        is_tested: (n,) bool: the last report was tested.
        is_drawn: (n,) bool: a new cell was drawn.
        is_over: (n,) bool: the budget did not suffice, and the last report was repeated unasked.
    """

    cells: IntArray
    is_tested: BoolArray
    is_drawn: BoolArray
    is_over: BoolArray


@dataclass(frozen=True, slots=True)
class Predictive:
    """The last report again while a noisy test finds it near, a new draw otherwise.

    The first report is drawn, at ε nats per metre. Later, the true cell's distance from the last reported one is compared
    with `metres` plus Laplace noise of rate ε_test: near, the report is repeated and ε_test was spent; else a cell is
    drawn and ε_test + ε was. The test is exact and has no floats (`noise.near`).

    Promise: of n reports of two persons whose i-th cells are at most d metres apart, no outcome of all tests and draws is
    more than e^(s d) times likelier, s what that outcome spent: between ε + (n - 1) ε_test and n ε + (n - 1) ε_test. With
    a budget, s never exceeds it: when the worst of the next report would, the last report is repeated for ever, untested.

    Args:
        protection: how a cell is drawn, at ε.
        test: ε_test in nats per metre, exact, > 0.
        metres: how near the last report must be, exact, >= 0. A drawn cell lies 2/ε from the truth on average: with less
            than that most tests fail.
        budget: nats per metre that one person may spend in all; None: no limit.

    Raises:
        ParameterError: a number outside its range, or a budget that does not pay the first report.

    Proof:
        docs/proofs/location.md, "Predictive reports".

    Source:
        K. Chatzikokolakis, C. Palamidessi, M. Stronati, "A predictive differentially-private mechanism for mobility
        traces", PETS 2014: the test of section 4.1 with the last report as prediction, and the budget of section 4.2.

    Example:
        >>> from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.plane import Plane, Region
        >>> lyon = GeoIndistinguishable(Region(Plane(45.70, 4.78), 50, 200, 200), "0.01")
        >>> way = Predictive(lyon, test="0.002", metres=600, budget="0.1")
        >>> told, reports = Told(), []
        >>> for _ in range(1000):  # a thousand reports from home
        ...     position, told = way.report(told, 45.75, 4.85, bits=SystemBits())
        >>> way.spent(told) <= Fraction(1, 10)
        True
    """

    protection: GeoIndistinguishable
    test: Exact
    metres: Exact
    budget: Exact | None

    def __post_init__(self) -> None:
        if bounded("test", self.test) <= 0 or bounded("metres", self.metres) < 0:
            raise ParameterError(
                "A test needs an epsilon above 0 and a distance of at least 0; got {test} and {metres}.",
                "choose such as 0.002 per metre and 600 metres.",
                test=self.test,
                metres=self.metres,
            )
        if self.budget is not None and bounded("budget", self.budget) < self._draw:
            raise ParameterError(
                "A budget must pay the first report, {epsilon} per metre; got {budget}.",
                "give more, or draw with a smaller epsilon.",
                epsilon=self.protection.epsilon,
                budget=self.budget,
            )

    @property
    def _draw(self) -> Fraction:
        return bounded("epsilon", self.protection.epsilon)

    def spent(self, told: Told) -> Fraction:
        """Nats per metre that a person has spent, exactly, as the reports ran."""
        return told.tested * bounded("test", self.test) + told.drawn * self._draw

    def at_most(self, reports: int) -> Fraction:
        """Nats per metre that so many reports of one person can cost, exactly.

        Example:
            >>> from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
            >>> from sfumato.table.plane import Plane, Region
            >>> lyon = GeoIndistinguishable(Region(Plane(45.70, 4.78), 50, 200, 200), "0.01")
            >>> Predictive(lyon, "0.002", 600, None).at_most(10), Predictive(lyon, "0.002", 600, "0.05").at_most(10)
            (Fraction(59, 500), Fraction(1, 20))
        """
        n = as_whole("reports", reports, low=1)
        worst = n * self._draw + (n - 1) * bounded("test", self.test)
        return worst if self.budget is None else min(worst, bounded("budget", self.budget))

    def reach(self, probability: float) -> float:
        """Metres beyond which the truth lies when a report is repeated, with at most so much probability.

        Of a cell at distance r > metres the test says "near" with probability e^(-ε_test (r - metres)) / 2.

        Args:
            probability: in (0, 1/2).
        """
        if not 0 < probability < 0.5:
            raise ParameterError("A probability in (0, 1/2) is needed; got {p}.", "such as 0.05.", p=probability)
        return float(bounded("metres", self.metres)) - math.log(2 * probability) / float(bounded("test", self.test))

    def report(self, told: Told, latitude: float, longitude: float, *, bits: Bits) -> tuple[tuple[float, float], Told]:
        """On a device: the next reported position, and what was told with it.

        Args:
            told: what was told before; `Told()` at first.
            latitude: of the person, degrees.
            longitude: likewise.
            bits: source of chance.

        Raises:
            ParameterError: a position that is no place, or a state of another region.
        """
        region = self.protection.region
        at: tuple[FloatArray, FloatArray] = np.array([latitude]), np.array([longitude])
        last = np.array([told.last or (0, 0)], np.int64)
        self.protection.checked(last)
        found = self._next(region.cells_of(*at), (last, np.array([told.last is not None])), np.array([told.tested]), np.array([told.drawn]), bits)  # fmt: skip
        lat, lon = region.centers_of(found.cells)
        row, column = found.cells[0].tolist()
        after = Told((row, column), told.tested + int(found.is_tested[0]), told.drawn + int(found.is_drawn[0]))
        return (float(lat[0]), float(lon[0])), after

    def randomize(self, person: IntArray, cells: IntArray, *, bits: Bits) -> Run:
        """Reports of many persons, each beginning anew.

        Args:
            person: (n,) int64 codes, rising; fixes of a person in the order of time.
            cells: (n, 2) int64 true cells of the region.
            bits: source of chance.

        Raises:
            ParameterError: a cell outside the region, or persons out of order.
        """
        self.protection.checked(cells)
        if np.any(np.diff(person) < 0):
            raise ParameterError("Persons must be in order.", "sort the fixes by person and time.")
        n, first = len(person), np.flatnonzero(np.diff(person, prepend=-1) != 0)
        end = np.append(first[1:], n)
        out = Run(np.empty((n, 2), np.int64), *(np.zeros(n, bool) for _ in range(3)))
        last, tested, drawn = np.zeros((len(first), 2), np.int64), *(np.zeros(len(first), np.int64) for _ in range(2))
        going = np.arange(len(first))
        for step in range(int((end - first).max(initial=0))):
            going = going[first[going] + step < end[going]]
            at = first[going] + step
            found = self._next(
                cells[at], (last[going], np.full(len(going), step > 0)), tested[going], drawn[going], bits
            )
            out.cells[at], out.is_tested[at] = found.cells, found.is_tested
            out.is_drawn[at], out.is_over[at] = found.is_drawn, found.is_over
            last[going] = found.cells
            tested[going] += found.is_tested
            drawn[going] += found.is_drawn
        return out

    def _next(
        self, cells: IntArray, last: tuple[IntArray, BoolArray], tested: IntArray, drawn: IntArray, bits: Bits
    ) -> Run:
        """The next report of each person, given its last one and whether there is one."""
        before, has = last
        is_over = has & ~self._pays(tested, drawn)
        is_tested = has & ~is_over
        reports, side = before.copy(), self.protection.region.side
        is_drawn = ~has
        asked = np.flatnonzero(is_tested)
        limit = bounded("metres", self.metres) / side
        is_near = near(cells[asked] - before[asked], bounded("test", self.test) * side, limit, bits=bits)
        is_drawn[asked[~is_near]] = True
        reports[is_drawn] = self.protection.randomize(cells[is_drawn], bits=bits)
        return Run(reports, is_tested, is_drawn, is_over)

    def _pays(self, tested: IntArray, drawn: IntArray) -> BoolArray:
        """Whether a test and a draw more are within the budget, in whole numbers."""
        if self.budget is None:
            return np.ones(len(tested), bool)
        test, total = bounded("test", self.test), bounded("budget", self.budget)
        scale = math.lcm(test.denominator, self._draw.denominator, total.denominator)
        one, other, most = (int(x * scale) for x in (test, self._draw, total))
        kind = np.int64 if most.bit_length() < 60 and max(one, other).bit_length() < 60 else object
        # what was spent never exceeds the budget, so sums stay below twice 2⁶⁰
        cost = (tested + 1).astype(kind) * one + (drawn + 1).astype(kind) * other
        return np.asarray(cost <= most, bool)

    def guarantee(self, reports: int) -> Guarantee:
        """The promise of so many reports of one person, at worst."""
        n, most = as_whole("reports", reports, low=1), self.at_most(reports)
        return Guarantee(
            name="geo-indistinguishability, predictive",
            statement=(
                f"Two persons whose {n} positions have cell centers at most d metres apart make no {n} reported cells "
                f"more than e^({round_up(most):g} d) times likelier."
            ),
            definition=(
                "The last report is repeated while a noisy test finds it near; each test and each draw is paid, and the "
                "outcome of each test is taken as published."
            ),
            parameters={"epsilon": self._draw, "test": bounded("test", self.test), "reports": n, "total": most},
            kind="proved",
            source="Chatzikokolakis, Palamidessi and Stronati, PETS 2014, section 4",
            assumptions=self.protection.guarantee().assumptions,
        )
