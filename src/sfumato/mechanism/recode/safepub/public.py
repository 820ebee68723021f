"""Whether what a value generalizes to is known without looking at the table: differential privacy rests on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import PlanError
from sfumato.table.hierarchy.balanced import Balanced
from sfumato.table.hierarchy.csv_file import CsvFile
from sfumato.table.hierarchy.groups import Groups
from sfumato.table.hierarchy.masking import Masking
from sfumato.table.hierarchy.match import Match

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.attribute import Attribute
    from sfumato.table.schema import Column
    from sfumato.types import IntArray

UNITS = 1 << 20
"""Shares of the domain are counted in such parts."""


def check_public(columns: Sequence[Column], *, with_shares: bool) -> None:
    """Refuse hierarchies that the table has a say in.

    Args:
        columns: the quasi-identifiers.
        with_shares: whether the size of the domain is read too (score "loss").

    Raises:
        PlanError: a hierarchy made by frequency, a mask as wide as the longest value, or, with shares, a domain that is
            not declared. Remedy: in the message.
    """
    for column in columns:
        spec = column.hierarchy
        if isinstance(spec, Balanced):
            raise PlanError(
                "The hierarchy of {name!r} must be known without the table; it is made from its frequencies.",
                "declare groups, intervals or a file.",
                name=column.name,
            )
        if isinstance(spec, Masking) and spec.width is None:
            raise PlanError(
                "The mask of {name!r} must have a declared width; it takes that of the longest value.",
                "add `width`.",
                name=column.name,
            )
        declared = isinstance(spec, CsvFile | Groups) and spec.match is Match.EXACT
        if with_shares and not declared:
            raise PlanError(
                "The score `loss` needs to know all values that {name!r} may have; they are not declared.",
                "declare a hierarchy by `file`, `groups` or `tree`, or choose another score, such as `precision`.",
                name=column.name,
            )


def declared_shares(attribute: Attribute, level: int) -> IntArray:
    """(n_nodes(level),) int64: declared values below each node over all declared values, in 2^-20, rounded up.

    The missing value is not declared, so whether the table has one does not count; it has the share of one value.
    """
    tree = attribute.hierarchy
    real = np.array([label is not None for label in tree.labels[0]])
    below = np.bincount(tree.ancestors[level][real], minlength=len(tree.labels[level]))
    total = max(1, int(real.sum()))
    shares: IntArray = np.minimum(UNITS, -(-np.maximum(below, 1) * UNITS // total))
    return shares.astype(np.int64)
