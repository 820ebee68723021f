"""From reports of pieces to strings: find pieces, find pairs of them, build strings, and test these by their whole.

The last step is the ordinary decoder on the reports of whole strings. The pieces come from the same persons but from
independent noise, and every candidate is tested as one of all candidates.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.rappor.association.joint import joint_shares
from sfumato.mechanism.local.rappor.association.likelihood import likelihoods
from sfumato.mechanism.local.rappor.counts import count_reports, no_counts
from sfumato.mechanism.local.rappor.decode.decode import decode
from sfumato.mechanism.local.rappor.unknown.params import placed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from sfumato.mechanism.local.rappor.decode.decoded import Decoded
    from sfumato.mechanism.local.rappor.unknown.client import UnknownReports
    from sfumato.mechanism.local.rappor.unknown.params import UnknownParams

    Edges = dict[tuple[int, int], set[tuple[str, str]]]

MOST_CLIQUES = 100_000
_MOST_PIECES = 31
"""At one position, so that a joint table has at most 1024 cells; the largest shares are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Discovered:
    """What was found.

    Args:
        pieces: for each position the pieces found, the largest share first.
        candidates: strings all of whose pieces go together.
        decoded: the ordinary decoder's estimates of the candidates.
    """

    pieces: tuple[tuple[str, ...], ...]
    candidates: tuple[str, ...]
    decoded: Decoded

    @property
    def found(self) -> tuple[tuple[str, float], ...]:
        """(string, share) of each discovery, the largest first."""
        rows = [
            (names[0], float(share))
            for names, share, is_found in zip(self.decoded.names, self.decoded.share, self.decoded.found, strict=True)
            if is_found
        ]
        return tuple(sorted(rows, key=lambda row: -row[1]))


def discover(
    params: UnknownParams, reports: UnknownReports, *, significance: float = 0.05, edge_significance: float = 0.05
) -> Discovered:
    """Find frequent strings without a list of candidates.

    Args:
        params: of the collection.
        reports: of its persons.
        significance: of the discoveries, and of the pieces at each position, in (0, 1).
        edge_significance: two pieces go together if their joint share stands above 0 at this one-sided level, in (0, 1). Large
            values let more strings be tested, and cost a little power of each test.

    Returns:
        Pieces, candidates and discoveries; nothing found is a result too.

    Raises:
        ParameterError: a significance outside (0, 1), or so many edges that they tell nothing. Remedy: named there.

    Source:
        Fanti et al. 2016, section 4.2. Theirs runs EM on all pairs of pieces; here pieces that are not found on their own
        are counted together, so that errors of joint shares can be computed and decide on edges.
    """
    if not 0 < edge_significance < 1:
        raise ParameterError(
            "`edge_significance` must lie in (0, 1); got {edge_significance!r}.",
            "usual is 0.05.",
            edge_significance=edge_significance,
        )
    every = params.all_pieces()
    pieces = tuple(_pieces_at(params, reports, at, every, significance) for at in range(params.positions))
    edges = {pair: _edges(params, reports, pair, pieces, edge_significance) for pair in params.pairs}
    candidates = tuple(
        dict.fromkeys(text for one in cliques(pieces, edges) if (text := _joined(params, one)) is not None)
    )
    counts = count_reports(params.whole, reports.whole_cohorts, reports.whole)
    return Discovered(pieces, candidates, decode(params.whole, counts, candidates, significance=significance))


def _pieces_at(
    params: UnknownParams, reports: UnknownReports, at: int, every: Sequence[str], significance: float
) -> tuple[str, ...]:
    """The pieces found at a position, by the ordinary decoder, the largest share first."""
    counts = no_counts(params.piece)
    for i, pair in enumerate(params.pairs):
        if at in pair:
            rows = reports.pair == i
            side = reports.first if pair[0] == at else reports.second
            counts += count_reports(params.piece, reports.piece_cohorts[rows], side[rows])
    found = decode(params.piece, counts, [placed(at, one) for one in every], significance=significance)
    order = np.argsort(-found.share, kind="stable").tolist()
    names = [name for i in order if found.found[i] for name in found.names[i]]
    return tuple(name.removeprefix(placed(at, "")) for name in names[:_MOST_PIECES])


def _edges(
    params: UnknownParams,
    reports: UnknownReports,
    pair: tuple[int, int],
    pieces: Sequence[Sequence[str]],
    significance: float,
) -> set[tuple[str, str]]:
    """Pairs of pieces whose joint share stands above 0."""
    rows = reports.pair == params.pairs.index(pair)
    if not rows.any() or not all(pieces[at] for at in pair):
        return set()
    tables = [
        likelihoods(params.piece, reports.piece_cohorts[rows], side[rows], [placed(at, one) for one in pieces[at]], other=True)
        for at, side in zip(pair, (reports.first, reports.second), strict=True)
    ]  # fmt: skip
    joint = joint_shares(tables[0], tables[1], gap=0.1, most_rounds=1000)
    above = joint.share[:-1, :-1] > -NormalDist().inv_cdf(significance) * joint.error[:-1, :-1]
    return {(pieces[pair[0]][i], pieces[pair[1]][j]) for i, j in np.argwhere(above).tolist()}


def _joined(params: UnknownParams, pieces: Sequence[str]) -> str | None:
    """The string of its pieces without the filling; None if a letter follows the filling."""
    text = "".join(pieces).rstrip(params.pad)
    return None if params.pad in text else text


def cliques(
    layers: Sequence[Sequence[str]], edges: Mapping[tuple[int, int], AbstractSet[tuple[str, str]]]
) -> list[tuple[str, ...]]:
    """Every choice of one piece from each layer, any two of them joined by an edge.

    Args:
        layers: pieces found at each position.
        edges: for each pair of positions i < j the pairs of pieces that go together.

    Raises:
        ParameterError: more than 100,000 of them: the graph is so dense that it tells nothing. Remedy: a stricter level.

    Source:
        Fanti et al. 2016, section 4.2 (k-partite graph and its cliques).

    Example:
        >>> edges = {(0, 1): {("a", "b"), ("a", "c")}, (0, 2): {("a", "d")}, (1, 2): {("b", "d")}}
        >>> cliques([["a"], ["b", "c"], ["d"]], edges)
        [('a', 'b', 'd')]
    """
    found: list[tuple[str, ...]] = [()]
    for at, layer in enumerate(layers):
        found = [
            (*chosen, piece)
            for chosen in found
            for piece in layer
            if all((before, piece) in edges[i, at] for i, before in enumerate(chosen))
        ]
        if len(found) > MOST_CLIQUES:
            raise ParameterError(
                "More than {most_cliques} strings fit the pieces that go together.",
                "use a stricter level for edges.",
                most_cliques=MOST_CLIQUES,
            )
    return found
