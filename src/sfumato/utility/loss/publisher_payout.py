"""The publisher's payout: what publishing earns less than it could, when a rational intruder attacks.

A kept row earns benefit · (1 - bits lost) - [gain · p > cost] · loss · p, with p = 1 / class size (or
1 / size of the class in a known population); a suppressed row earns nothing. The loss is what is
missing from `benefit` for every row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.utility.loss.entropy_information_loss import BitMarginals, lost_bits
from sfumato.utility.loss.parts import Factors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class PublisherPayoutLoss:
    """Money not earned, in the game of a publisher against a rational intruder.

    Args:
        benefit: what the publisher earns with one intact row, > 0.
        loss: what the publisher loses when one row is re-identified, >= 0.
        gain: what the intruder earns with one re-identified row, >= 0.
        cost: what an attack on one row costs the intruder, >= 0.
        population: whether the intruder guesses among the population (journalist) or knows that the
            person is in the table (prosecutor).
        gs: balance of generalization against suppression, in [0, 1].

    Source:
        Z. Wan et al., PLOS ONE 10(3), 2015, section "A re-identification game"; the defaults are ARX's.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> sex = bind(Column("sex", Role.QUASI_IDENTIFYING), ["f", "m"])
        >>> finest = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> PublisherPayoutLoss().prepare(finest, [sex]).value(np.array([0]), finest, np.array([True, False]))
        1500.0
    """

    name = "publisher_payout"

    benefit: float = 1200.0
    loss: float = 300.0
    gain: float = 300.0
    cost: float = 4.0
    population: bool = False
    gs: float = 0.5

    def __post_init__(self) -> None:
        Factors(self.gs)
        if self.benefit <= 0 or min(self.loss, self.gain, self.cost) < 0:
            raise ParameterError(
                "`benefit` must be > 0 and `loss`, `gain`, `cost` >= 0; got {benefit}, {loss}, {gain}, {cost}.",
                "give amounts of money per row.",
                benefit=self.benefit,
                loss=self.loss,
                gain=self.gain,
                cost=self.cost,
            )

    def prepare(self, finest: Classes, attributes: Sequence[Attribute]) -> PreparedPayout:
        """Sum the bits of every level once."""
        return PreparedPayout(self, BitMarginals(finest, attributes))


class PreparedPayout:
    """The publisher's payout bound to a table."""

    __slots__ = ("_bits", "_game")

    def __init__(self, game: PublisherPayoutLoss, bits: BitMarginals) -> None:
        """Keep the marginals."""
        self._game = game
        self._bits = bits

    def lower_bounds(self, levels: IntArray, suppressed: IntArray | None = None) -> FloatArray:
        """(n_nodes,) float64: nobody attacks."""
        factors = Factors(self._game.gs)
        g, s = factors.generalization, factors.suppression
        bounds = g * self._bits.totals(levels)
        if s < g:  # a suppressed row may cost less than a kept one
            bounds = bounds * s / g
        elif suppressed is not None:
            bounds = bounds + suppressed * np.maximum(s - g * self._bits.most(levels), 0.0)
        out: FloatArray = np.maximum(self._game.benefit * bounds * (1 - 1e-11), 0.0)
        return out

    def value(self, levels: IntArray, classes: Classes, kept: BoolArray) -> float:
        """Loss of one node."""
        game, factors = self._game, Factors(self._game.gs)
        sizes = classes.population if game.population and classes.population is not None else classes.rows
        success = 1.0 / np.maximum(sizes, 1)
        attacked = np.where(game.gain * success - game.cost > 0, game.loss * success, 0.0)
        missing = game.benefit * lost_bits(self._bits.attributes, levels, classes.codes) + attacked
        per_row = np.where(kept, factors.generalization * missing, factors.suppression * game.benefit)
        return float(classes.rows @ per_row)
