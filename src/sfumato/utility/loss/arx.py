"""ARX's "Loss", which its users minimize, and ARX's output statistics of a full-domain release.

The Loss tells how large a share of each domain the published values cover.

Per attribute, raw = sum over rows of: generalization · share for a kept row, share + suppression ·
(1 - share) for a suppressed one, where share = leaves below the published value / leaves |H| of the
hierarchy. It is normalized to (raw - g n/|H|) / (n - g n/|H|), cut at 0 and to ten decimals, and the
attributes are aggregated (geometric mean by default).

The statistics are figures from 0 (nothing left) to 1 (intact). Each is
1 - (x - x_input) / (x_suppressed - x_input), for a loss x, its value on the input and its value
when every row is suppressed. The losses themselves are those that a search can minimize.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.summary.figure import Figure
from sfumato.utility.loss.non_uniform_entropy import NonUniformEntropyLoss
from sfumato.utility.loss.parts import Aggregate, Balanced, Cheapest, Prepared, combine, cut, one, rows_by_node, shaved
from sfumato.utility.loss.sizes import AmbiguityLoss, DiscernibilityLoss

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class ArxLoss(Balanced):
    """ARX's Loss, the measure its users minimize by default. In [0, 1] for equal weights.

    Args:
        gs: balance of generalization against suppression, in [0, 1] (see `Factors`).
        aggregate: how attributes are combined.

    Source:
        V. Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002, section 3.1; ARX 3.9
        documentation, "Loss".

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> sex = bind(Column("sex", Role.QUASI_IDENTIFYING), ["f", "m"])
        >>> finest = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> ArxLoss().prepare(finest, [sex]).value(np.array([0]), finest, np.array([True, False]))
        0.25
    """

    name = "arx_loss"

    aggregate: Aggregate = Aggregate.GEOMETRIC_MEAN

    def prepare(self, finest: Classes, attributes: Sequence[Attribute]) -> PreparedArxLoss:
        """Sum the shares of every level once."""
        return PreparedArxLoss(self, finest, attributes)


class PreparedArxLoss(Prepared[ArxLoss]):
    """ARX's Loss bound to a table."""

    __slots__ = ("_extra", "_gone", "_least", "_raw", "_room")

    def __init__(self, loss: ArxLoss, finest: Classes, attributes: Sequence[Attribute]) -> None:
        """Sum the shares of every level of every attribute."""
        super().__init__(loss, finest, attributes)
        g, s = loss.factors.generalization, loss.factors.suppression
        rows = rows_by_node(finest, attributes)
        self._least = g * self._n / np.array([a.hierarchy.n_leaves for a in attributes])
        self._room = np.where(self._n > self._least, self._n - self._least, np.inf)
        shares_of = [[a.hierarchy.shares(level) for level in range(a.hierarchy.height + 1)] for a in attributes]
        self._raw = [
            np.array([g * (n @ share) for n, share in zip(counts, shares, strict=True)])
            for counts, shares in zip(rows, shares_of, strict=True)
        ]
        self._gone = [[share + s * (1 - share) - g * share for share in shares] for shares in shares_of]
        self._extra = [
            [Cheapest(n, cost) for n, cost in zip(counts, costs, strict=True)]
            for counts, costs in zip(rows, self._gone, strict=True)
        ]

    def lower_bounds(self, levels: IntArray, suppressed: IntArray | None = None) -> FloatArray:
        """(n_nodes,) float64: all rows generalized, the suppressed ones where it costs least."""
        rows = np.zeros(len(levels), np.int64) if suppressed is None else suppressed
        if len(levels) == 1 and rows[0]:
            raw = np.array([[self._at_least(j, x, rows[0]) for j, x in enumerate(levels[0].tolist())]])
        else:
            raw = self._all_at_least(levels, rows)
        bounds = combine(shaved(self._normalized(raw)), self._weights, self._loss.aggregate)
        return bounds if self._loss.aggregate is Aggregate.RANK else bounds * (1 - 1e-13)

    def _at_least(self, j: int, level: int, rows: IntArray) -> FloatArray:
        """Raw loss of an attribute at a level where so many rows, () or (n,), are suppressed where it costs least."""
        return np.asarray(self._raw[j][level] + self._extra[j][level](rows))

    def _all_at_least(self, levels: IntArray, rows: IntArray) -> FloatArray:
        """(n_nodes, m) float64: raw losses of many nodes, level by level."""
        raw = np.empty(levels.shape)
        gone = rows.nonzero()[0]
        for j, least in enumerate(self._raw):
            raw[:, j] = least[levels[:, j]]
            at = levels[gone, j]
            for level in np.bincount(at).nonzero()[0].tolist():
                here = gone[at == level]
                raw[here, j] = self._at_least(j, level, rows[here])
        return raw

    def value(self, levels: IntArray, classes: Classes, kept: BoolArray) -> float | tuple[float, ...]:
        """Loss of one node; a tuple for RANK."""
        gone = np.flatnonzero(~kept & (classes.rows > 0))
        rows = classes.rows[gone].astype(np.float64)
        raw = np.empty(len(levels))
        for j, level in enumerate(levels.tolist()):
            cost = self._gone[j][level]
            raw[j] = self._raw[j][level] + np.bincount(classes.codes[gone, j], rows, len(cost)) @ cost
        return one(cut(self._normalized(raw)), self._weights, self._loss.aggregate)

    def _normalized(self, raw: FloatArray) -> FloatArray:
        """(…, m) float64 in [0, 1]: 0 is the original table, 1 nothing left."""
        out: FloatArray = np.maximum((raw - self._least) / self._room, 0.0)
        return out


SOURCE = "ARX 3.9, output statistics; F. Prasser, R. Bild, K. Kuhn, MIE 2016"


def arx_quality(
    finest: Classes, attributes: Sequence[Attribute], levels: IntArray, classes: Classes, kept: BoolArray
) -> tuple[Figure, ...]:
    """ARX's output statistics of a full-domain release; higher is better.

    Args:
        finest: classes of leaf codes.
        attributes: the m quasi-identifiers, all of equal weight.
        levels: (m,) int64.
        classes: the classes at those levels.
        kept: (n_classes,) bool, which are not suppressed.

    Returns:
        Granularity, non-uniform entropy, generalization intensity, missings (share of `*`, where lower
        is better), discernibility, average class size, ambiguity.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> sex = bind(Column("sex", Role.QUASI_IDENTIFYING), ["f", "m"])
        >>> finest = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> figures = arx_quality(finest, [sex], np.array([0]), finest, np.array([True, False]))
        >>> {f.name: f.value for f in figures}["granularity"]
        0.75
    """
    node = (levels, classes, kept)
    return (
        _figure("granularity", _granularity(attributes, *node), _GRANULARITY),
        _figure("non_uniform_entropy_quality", _entropy(finest, attributes, *node), _ENTROPY),
        _figure("generalization_intensity", _intensity(attributes, levels, classes, kept), _INTENSITY),
        _missings(attributes, levels, classes, kept),
        _figure("discernibility_quality", _discernibility(finest, attributes, *node), "Discernibility, normalized"),
        _figure("class_size_quality", _class_size(finest, classes, kept), _CLASS_SIZE),
        _figure("ambiguity_quality", _ambiguity(finest, attributes, *node), "Ambiguity, normalized"),
    )


_GRANULARITY = "Sum over the cells of the share of the domain published (1 if suppressed), normalized"
_ENTROPY = "1 - non-uniform entropy, summed over attributes, over its value at the roots"
_INTENSITY = "Mean over the cells of 1 - level/height, 0 for a suppressed cell"
_CLASS_SIZE = "Average size of the published classes, normalized between that of the input and n"


def _figure(name: str, value: float, definition: str) -> Figure:
    return Figure(name, name.replace("_", " ").capitalize(), value, definition + ".", SOURCE, "higher")


def _normalized(x: float, least: float, most: float) -> float:
    return 1.0 if most == least else 1 - (x - least) / (most - least)


def _share_suppressed(classes: Classes, kept: BoolArray) -> float:
    return float(classes.rows[~kept].sum()) / max(classes.n_rows, 1)


def _granularity(attributes: Sequence[Attribute], levels: IntArray, classes: Classes, kept: BoolArray) -> float:
    share, least = float(classes.rows[~kept].sum()) * len(attributes), 0.0
    rows = np.where(kept, classes.rows, 0)
    for j, (attribute, level) in enumerate(zip(attributes, levels.tolist(), strict=True)):
        covered = attribute.hierarchy.shares(level)
        share += float(np.bincount(classes.codes[:, j], weights=rows, minlength=len(covered)) @ covered)
        least += classes.n_rows / attribute.hierarchy.n_leaves
    return _normalized(share, least, classes.n_rows * len(attributes))


def _entropy(
    finest: Classes, attributes: Sequence[Attribute], levels: IntArray, classes: Classes, kept: BoolArray
) -> float:
    bits = NonUniformEntropyLoss().prepare(finest, attributes)
    roots = np.array([a.hierarchy.height for a in attributes])
    lost, most = bits.value(levels, classes, kept), bits.value(roots, classes, np.ones_like(kept))
    return _normalized(float(np.max(lost)), 0.0, float(np.max(most)))


def _intensity(attributes: Sequence[Attribute], levels: IntArray, classes: Classes, kept: BoolArray) -> float:
    heights = np.array([max(a.hierarchy.height, 1) for a in attributes])
    return (1 - _share_suppressed(classes, kept)) * float((1 - levels / heights).mean())


def _missings(attributes: Sequence[Attribute], levels: IntArray, classes: Classes, kept: BoolArray) -> Figure:
    at_top = np.array([level == a.hierarchy.height for a, level in zip(attributes, levels.tolist(), strict=True)])
    value = float(np.where(at_top, 1.0, _share_suppressed(classes, kept)).mean())
    return Figure("missings", "Missings", value, "Share of the cells published as `*`.", SOURCE, "lower")


def _discernibility(
    finest: Classes, attributes: Sequence[Attribute], levels: IntArray, classes: Classes, kept: BoolArray
) -> float:
    x = DiscernibilityLoss().prepare(finest, attributes).value(levels, classes, kept)
    return _normalized(x, float((finest.rows.astype(np.float64) ** 2).sum()), float(finest.n_rows) ** 2)


def _class_size(finest: Classes, classes: Classes, kept: BoolArray) -> float:
    n = finest.n_rows
    published = classes.rows[kept & (classes.rows > 0)]
    average = float(published.mean()) if len(published) else float(n)
    return _normalized(average, n / max(int((finest.rows > 0).sum()), 1), n)


def _ambiguity(
    finest: Classes, attributes: Sequence[Attribute], levels: IntArray, classes: Classes, kept: BoolArray
) -> float:
    x = AmbiguityLoss().prepare(finest, attributes).value(levels, classes, kept)
    n = float(finest.n_rows)
    return _normalized(x, n, n * prod(a.hierarchy.n_leaves for a in attributes))
