"""A column of a plan is randomized cell by cell by a mechanism of local privacy: numbers by noise, categories by an oracle."""

from __future__ import annotations

from dataclasses import field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import PlanError, SchemaError
from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import LocalDP
from sfumato.mechanism.local.numeric.duchi import Duchi
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.numeric.hybrid import Hybrid
from sfumato.mechanism.local.numeric.laplace import BoundedLaplace
from sfumato.mechanism.local.numeric.piecewise import Piecewise
from sfumato.mechanism.local.numeric.square_wave import SquareWave
from sfumato.mechanism.local.numeric.staircase import CalibratedStaircase, NaiveStaircase
from sfumato.mechanism.local.registry import oracles
from sfumato.mechanism.perturb.column_method import ColumnDecision
from sfumato.recipe.steps import Randomize
from sfumato.summary.blur import Alike, Pairs
from sfumato.table.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sfumato.document.perturb import Local
    from sfumato.guarantee.base import Guarantee
    from sfumato.mechanism.local.numeric.base import NumericMechanism
    from sfumato.mechanism.local.oracle import FrequencyOracle
    from sfumato.noise.bits import Bits
    from sfumato.release.plan import PerturbChoice
    from sfumato.release.tools import Tools
    from sfumato.table.attribute import Attribute
    from sfumato.table.schema import Column
    from sfumato.types import FloatArray, IntArray

NUMERIC: Mapping[str, Callable[[Grid, float], NumericMechanism]] = MappingProxyType(
    {
        "laplace": BoundedLaplace,
        "staircase": CalibratedStaircase,
        "naive staircase": NaiveStaircase,
        "piecewise": Piecewise,
        "duchi": Duchi,
        "hybrid": Hybrid,
        "square wave": SquareWave,
    }
)
"""Mechanisms of numbers, by the name that a plan gives them."""
STEPS = 256
"""Steps of the grid between two bounds where a plan does not say."""
_MOST_PAIRS = 2**22
"""Pairs of an original and a published value up to which the risk that they leave is computed."""


@dataclass(frozen=True, slots=True, eq=False)
class LocalDraw:
    """What is published in a cell: what a mechanism draws for its value.

    Args:
        values: (n_leaves,) float64 number, or int64 category, of each leaf.
        mechanism: of numbers, or an oracle that reports values.
        labels: published text of each report.
    """

    values: FloatArray | IntArray = field(repr=False)
    mechanism: NumericMechanism | FrequencyOracle[Any]
    labels: tuple[str, ...] = field(repr=False)

    def draw(self, leaves: IntArray, *, bits: Bits) -> IntArray:
        """(n,) int64 reports, one for each of (n,) leaf codes."""
        reports: IntArray = self.mechanism.randomize(self.values[leaves], bits=bits)  # type: ignore[arg-type]
        return reports

    def texts(self, places: Sequence[int]) -> list[str]:
        """The text of each report."""
        return [self.labels[place] for place in places]


@dataclass(frozen=True, slots=True)
class LocalNumbers:
    """Numbers are noised one by one.

    Args:
        mechanism: with its bounds and epsilon.
    """

    mechanism: NumericMechanism

    def decide(self, attribute: Attribute, counts: IntArray, *, bits: Bits) -> ColumnDecision:
        """The noise of each cell, and what is promised of it. No chance is drawn yet.

        Raises:
            SchemaError: missing cells, or a column of text.
            ParameterError: a number outside the bounds, where they refuse.
        """
        del bits
        numbers, occurs = attribute.positions, counts > 0
        if numbers is None or np.isnan(numbers[occurs]).any():
            raise SchemaError(
                "Every cell of {name!r} must be a number; some are missing or are none.",
                "leave those rows out beforehand, and declare the `kind` of the column.",
                name=attribute.name,
            )
        at = self.mechanism.grid.positions(numbers[occurs])
        outputs = self.mechanism.outputs()
        is_whole = self.mechanism.grid.step == 1 and bool(np.all(outputs == np.rint(outputs)))
        labels = tuple(str(int(one)) if is_whole else repr(one) for one in outputs.tolist())
        return ColumnDecision(
            step=Randomize(attribute, LocalDraw(numbers, self.mechanism, labels)),
            guarantee=_promise(self.mechanism, attribute),
            worth=(),
            risk=(),
            blur=self._pairs(attribute, np.flatnonzero(occurs), at, counts),
        )

    def _pairs(self, attribute: Attribute, leaves: IntArray, at: FloatArray, counts: IntArray) -> Pairs | None:
        """Expected cells of every number and published one; a number between two points has the mixture of their laws."""
        if len(leaves) * self.mechanism.n_outputs > _MOST_PAIRS:
            return None
        matrix, below = self.mechanism.matrix(), np.floor(at).astype(np.int64)
        above = np.minimum(below + 1, len(matrix) - 1)
        share = (at - below)[:, np.newaxis]
        expected = counts[leaves, np.newaxis] * ((1 - share) * matrix[below] + share * matrix[above])
        return _pairs_of(attribute, leaves, expected, self.mechanism.outputs())


@dataclass(frozen=True, slots=True)
class LocalValues:
    """Categories are reported one by one.

    Args:
        oracle: whose reports are values.
        values: the declared categories, in the order of its codes.
    """

    oracle: FrequencyOracle[Any]
    values: tuple[str, ...]

    def decide(self, attribute: Attribute, counts: IntArray, *, bits: Bits) -> ColumnDecision:
        """The law of each cell, and what is promised of it. No chance is drawn yet.

        Raises:
            SchemaError: cells outside the declared categories; they are counted, not shown.
        """
        del bits
        place = {value: i for i, value in enumerate(self.values)}
        codes = np.array([place.get(str(label), -1) for label in attribute.hierarchy.labels[0]], np.int64)
        outside = int(counts[codes < 0].sum())
        if outside:
            raise SchemaError(
                "Every cell of {name!r} must hold one of its {n_values} declared values; {outside} do not.",
                "declare every value that can occur.",
                name=attribute.name,
                n_values=len(self.values),
                outside=outside,
            )
        return ColumnDecision(
            step=Randomize(attribute, LocalDraw(codes, self.oracle, self.values)),
            guarantee=_promise(self.oracle, attribute),
            worth=(),
            risk=(),
            blur=self._blur(attribute, codes, counts),
        )

    def _blur(self, attribute: Attribute, codes: IntArray, counts: IntArray) -> Pairs | Alike:
        """What becomes of the cells of each value; beyond `_MOST_PAIRS` pairs without a table of them."""
        p, q = (float(one) for one in self.oracle.exact_support)
        leaves, k = np.flatnonzero(counts > 0), len(self.values)
        if len(leaves) * k <= _MOST_PAIRS:
            law = np.where(codes[leaves, np.newaxis] == np.arange(k), p, q)
            return _pairs_of(attribute, leaves, np.asarray(counts[leaves, np.newaxis] * law, np.float64), None, codes)
        kept = np.full(k, -1, np.int64)
        kept[codes[leaves]] = leaves
        return Alike(counts, kept, p, q)


def _pairs_of(
    attribute: Attribute,
    leaves: IntArray,
    expected: FloatArray,
    published: FloatArray | None,
    codes: IntArray | None = None,
) -> Pairs:
    """Expected cells as pairs; which leaf is published as it was."""
    row, value = np.nonzero(expected)
    kept = np.full(expected.shape[1], -1, np.int64)
    if codes is not None:
        kept[codes[leaves]] = leaves
    elif published is not None and attribute.positions is not None:
        place = dict(zip(published.tolist(), range(len(published)), strict=True))
        for leaf in leaves.tolist():
            if (at := place.get(float(attribute.positions[leaf]))) is not None:
                kept[at] = leaf
    return Pairs(leaves[row], value.astype(np.int64), expected[row, value], attribute.positions, published, kept)


def _promise(mechanism: NumericMechanism | FrequencyOracle[Any], attribute: Attribute) -> Guarantee:
    promise = LocalDP(mechanism.epsilon, mechanism.name, f"one cell of {attribute.name}").guarantee()
    return replace(promise, assumptions=(*promise.assumptions, "The epsilons of several columns of one row add up."))


def local(column: Column, said: Local, choice: PerturbChoice, tools: Tools) -> LocalNumbers | LocalValues:
    """The method of [columns.NAME.perturb] with `method = "local"`.

    Raises:
        PlanError: an unknown mechanism, or numbers without declared bounds.
    """
    del tools
    name, epsilon = said.mechanism, said.epsilon
    reporting = {name.lower(): oracle for name, oracle in oracles().items() if oracle.reports_values}
    if name in reporting:
        oracle = reporting[name](epsilon, len(said.values))
        choice.check_only("mechanism", "epsilon", "values")
        return LocalValues(oracle, said.values)
    if name not in NUMERIC:
        raise PlanError(
            "`mechanism` in {where} must be one of {given}; got {kind!r}.",
            "choose one.",
            where=choice.where,
            given=[*reporting, *NUMERIC],
            kind=name,
        )
    if column.bounds is None:
        raise PlanError(
            "`mechanism` in {where} needs the declared range of the column.",
            "add `bounds = [lowest, highest]` to [columns.{name}].",
            where=choice.where,
            name=column.name,
        )
    low, high = column.bounds
    steps = STEPS if said.steps is None else said.steps
    whole = column.kind is Kind.INTEGER and float(low).is_integer() and float(high).is_integer()
    grid = Grid.integers(int(low), int(high), outside=said.outside) if whole else Grid(low, high, steps, said.outside)
    mechanism = NUMERIC[name](grid, epsilon)
    choice.check_only("mechanism", "epsilon", "steps", "outside")
    return LocalNumbers(mechanism)
