"""The node that is recoded to, chosen by selections whose noise is paid from the search's ε."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.recode.decision import Search
from sfumato.mechanism.recode.full_domain.method import Lattice
from sfumato.mechanism.recode.full_domain.table import Table
from sfumato.noise.exponential_mechanism import exponential_mechanism, permute_and_flip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sfumato.mechanism.recode.decision import Progress
    from sfumato.mechanism.recode.safepub.scores import PreparedScore
    from sfumato.noise.bits import Bits
    from sfumato.summary.classes import Classes

Levels = tuple[int, ...]

MOST_NODES = 200_000
"""Largest lattice of which every node is scored."""


class Walk(Enum):
    """How the lattice is searched."""

    WHOLE = "whole"
    """Every node is scored, and one is selected, with all of ε."""
    TOP_DOWN = "top-down"
    """From the top, step by step; ε is divided by the steps and one last selection."""


@dataclass(frozen=True, slots=True)
class NodeSearch:
    """A search for good levels that is ε-differentially private.

    Top-down: the candidates start as the top. Each step selects one of them, which is visited and makes room for the
    nodes one level below it. At last one of the visited nodes is selected. Every selection is an exponential
    mechanism with ε/(steps + 1). Returning the best visited node as it is, as the published algorithm does, would
    read the table once more, for free: two neighbors can differ in which of two nodes is better, so that no ε holds.

    Whole: one selection among all nodes by permute-and-flip, with all of ε. It is the better one wherever the lattice
    is small enough: a single selection among N nodes costs about 2Δ ln N / ε, each of s steps s + 1 times that of
    its candidates.

    Args:
        walk: which of the two.
        epsilon: ε > 0, exact.
        steps: steps of TOP_DOWN, >= 1; None for WHOLE.

    Raises:
        ParameterError: a number outside its range. Remedy: in the message.

    Source:
        R. Bild, K. Kuhn, F. Prasser, PoPETs 2018(1), algorithm 1, with its last line made private; R. McKenna,
        D. Sheldon, NeurIPS 2020, for the selection.
    """

    walk: Walk
    epsilon: Fraction
    steps: int | None

    def __post_init__(self) -> None:
        if self.epsilon <= 0:
            raise ParameterError("A search that reads the table must have an epsilon above 0.", "set `search_epsilon`.")
        if (self.steps is None) is (self.walk is Walk.TOP_DOWN) or (self.steps is not None and self.steps < 1):
            raise ParameterError(
                "A top-down search, and no other, takes `steps`, at least 1.", "give such as `steps = 20`."
            )

    def run(self, finest: Classes, score: PreparedScore, *, bits: Bits, progress: Progress) -> tuple[Levels, Search]:
        """The chosen levels.

        Args:
            finest: the classes of the whole table at leaf level.
            score: what is good.
            bits: chance of the selections.
            progress: told of scored nodes.

        Raises:
            ParameterError: too many nodes for WHOLE. Remedy: search top-down.
        """
        lattice = Lattice(tuple(a.hierarchy.height for a in score.attributes))
        table = Table(finest, (0,) * len(score.attributes), score.attributes)

        def value(levels: Levels) -> int:
            return score.value(levels, table.at(levels))

        if self.walk is Walk.WHOLE:
            return self._whole(lattice, value, score, bits, progress)
        return self._top_down(lattice, value, score, bits, progress)

    def _whole(
        self, lattice: Lattice, value: Callable[[Levels], int], score: PreparedScore, bits: Bits, progress: Progress
    ) -> tuple[Levels, Search]:
        """One selection among all nodes."""
        if lattice.size > MOST_NODES:
            raise ParameterError(
                "A whole search scores at most {most_nodes} nodes; this lattice has {size}.",
                'set `search = "top-down"` and `steps`.',
                most_nodes=MOST_NODES,
                size=lattice.size,
            )
        nodes = [tuple(row) for row in lattice.levels().tolist()]
        scores = []
        for done, node in enumerate(nodes):
            if done % 256 == 0:
                progress(done, len(nodes), "scoring nodes")
            scores.append(value(node))
        chosen = permute_and_flip(np.array(scores, np.int64), score.rate(self.epsilon), bits=bits)
        text = f"All {len(nodes)} nodes were scored by {score.score.name}; one was selected with noise."
        return nodes[chosen], Search(lattice.size, len(nodes), optimal=False, statement=text)

    def _top_down(
        self, lattice: Lattice, value: Callable[[Levels], int], score: PreparedScore, bits: Bits, progress: Progress
    ) -> tuple[Levels, Search]:
        """Selections step by step, and one among the visited."""
        steps = self.steps or 1
        rate = score.rate(self.epsilon / (steps + 1))
        open_nodes = {lattice.top: value(lattice.top)}
        visited: dict[Levels, int] = {}
        for step in range(steps):
            if not open_nodes:
                break  # the whole lattice was visited: a public fact, whatever the table holds
            progress(step, steps, "scoring nodes")
            pivot = _selected(open_nodes, rate, bits)
            visited[pivot] = open_nodes.pop(pivot)
            fresh = [node for node in _below(pivot) if node not in visited and node not in open_nodes]
            open_nodes |= {node: value(node) for node in fresh}
        chosen = _selected(visited, rate, bits)
        scored = len(visited) + len(open_nodes)
        text = (
            f"{scored} of {lattice.size} nodes were scored by {score.score.name}, from the top down; {len(visited)} were "
            "visited by noisy selections, and one of them was selected with noise."
        )
        return chosen, Search(lattice.size, scored, optimal=False, statement=text)


def _selected(scores: dict[Levels, int], rate: Fraction, bits: Bits) -> Levels:
    """One of the nodes, the better the likelier."""
    nodes: Sequence[Levels] = list(scores)
    return nodes[exponential_mechanism(np.array(list(scores.values()), np.int64), rate, bits=bits)]


def _below(node: Levels) -> Iterable[Levels]:
    """The nodes with one attribute one level lower."""
    return [(*node[:j], level - 1, *node[j + 1 :]) for j, level in enumerate(node) if level > 0]
