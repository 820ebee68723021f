"""How large are the published classes? What the criteria on class sizes share.

Classes of which no row is published (known from the population only) are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.summary.classes import Classes
    from sfumato.types import IntArray


def published_sizes(classes: Classes) -> IntArray:
    """(n_published,) int64: persons in each class that has published rows."""
    return classes.persons[classes.rows > 0]


def smallest(values: IntArray, classes: Classes) -> float:
    """The smallest of (n_classes,) values over the classes with published rows; infinity when there is none."""
    published = values[classes.rows > 0]
    return float(published.min()) if len(published) else float("inf")
