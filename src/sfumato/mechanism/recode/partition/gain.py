"""The proposal of local recoding: the cut that saves most loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.mechanism.recode.partition.cuts import Cuts, cuts_along, groups_of

if TYPE_CHECKING:
    from sfumato.mechanism.recode.partition.cuts import Groups, Table
    from sfumato.mechanism.recode.partition.nodes import Nodes


def most_gain(table: Table, nodes: Nodes) -> tuple[Cuts, list[Groups]]:
    """All cuts of all active cells along all axes, with what each saves."""
    cell_of = nodes.cell_of()
    first = nodes.orders[0]
    covers = table.covers.take(first).reduce(nodes.starts)
    before = np.add.reduceat(table.sizes.rows[first], nodes.starts) * table.layout.losses(covers)
    groups, cuts = [], []
    for j in range(len(table.layout.axes)):
        groups.append(groups_of(table, nodes, cell_of, j))
        cuts.append(cuts_along(table, groups[j], before, j))
    names = ("cell", "axis", "gain", "first", "last")
    return Cuts(*(np.concatenate([getattr(c, name) for c in cuts]) for name in names)), groups
