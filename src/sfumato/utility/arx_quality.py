"""A full-domain release in ARX's output statistics: figures from 0 (nothing left) to 1 (intact).

Each is 1 - (x - x_input) / (x_suppressed - x_input), for a loss x, its value on the input and its value
when every row is suppressed. The losses themselves are those that a search can minimize.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.summary.figure import Figure
from sfumato.utility.loss.non_uniform_entropy import NonUniformEntropyLoss
from sfumato.utility.loss.sizes import AmbiguityLoss, DiscernibilityLoss

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, IntArray

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
    share, least = 0.0, 0.0
    for j, (attribute, level) in enumerate(zip(attributes, levels.tolist(), strict=True)):
        covered = attribute.hierarchy.shares(level)[classes.codes[:, j]]
        share += float(classes.rows @ np.where(kept, covered, 1.0))
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
