"""Mechanisms of central privacy under contract: for each, the largest loss over all neighbors of tiny tables.

`loss(mechanism, factor, patch)` enumerates the output law when noise has so many times the scale that the mechanism gives
it (a choice so many times less rate), and returns the largest log ratio of two neighbors, or, where the price has a delta,
the exact delta at the epsilon of the price. With a factor below 1 it is that of a broken twin.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
from tests.unit.mechanism.central.partition_laws import chance_law, group_law, worst
from tests.unit.mechanism.central.quantiles.exact_joint import added, coded_law, farthest, joint_law
from tests.unit.mechanism.central.quantiles.exact_joint import replaced as exchanged
from tests.unit.mechanism.central.quantiles.exact_joint import tables as places_of
from tests.unit.mechanism.central.quantiles.method_laws import law_of, lengths_and_rate, replayed_law, scan_laws
from tests.unit.mechanism.central.quantiles.tiny_tables import largest_loss, laws_under_noise, tables
from tests.unit.mechanism.central.selection_laws import LAWS, flip_law
from tests.unit.mechanism.central.selection_laws import largest_loss as largest_loss_of_choices
from tests.unit.mechanism.central.threshold_laws import law, pattern_chance, restarted_law
from tests.unit.mechanism.central.threshold_laws import worst as worst_ratio
from tests.unit.mechanism.central.tiny_persons import UNITS, differences, persons, vectors
from tests.unit.mechanism.graph.cores.core_laws import (
    estimates_moved,
    level_thresholds,
    mat_thresholds,
    moved,
    peeling_law,
    rising_laws,
)
from tests.unit.mechanism.graph.cores.core_laws import worst_ratio as worst_of_graphs
from tests.unit.mechanism.graph.tiny_graphs import graphs, ladder_loss, largest_move
from tests.unit.mechanism.graph.tiny_graphs import neighbors as node_neighbors

from sfumato.account.event import ApproxDP, PureDP
from sfumato.mechanism.central.above_threshold import AboveThreshold
from sfumato.mechanism.central.contributions import Kept, Limit, PersonTotals
from sfumato.mechanism.central.count import Count
from sfumato.mechanism.central.covariance import Covariance, PairCovariance
from sfumato.mechanism.central.mean import Mean, MeanOfKnownCount
from sfumato.mechanism.central.mean_of_replaced import MeanOfReplaced
from sfumato.mechanism.central.optimal_selection import OptimalSelection
from sfumato.mechanism.central.partition_selection import ThresholdSelection
from sfumato.mechanism.central.quantiles import recursive, small_histogram, tree
from sfumato.mechanism.central.quantiles.histogram_method import HistogramMethod
from sfumato.mechanism.central.quantiles.inverse_sensitivity import InverseSensitivity
from sfumato.mechanism.central.quantiles.joint_exponential import JointExponential
from sfumato.mechanism.central.quantiles.recursive import Recursive
from sfumato.mechanism.central.quantiles.small_histogram import SmallHistogram
from sfumato.mechanism.central.quantiles.tree import Tree
from sfumato.mechanism.central.selection import Chooser, Selection
from sfumato.mechanism.central.sparse_vector import SparseVector
from sfumato.mechanism.central.subsample_aggregate import Aggregate, SubsampleAggregate
from sfumato.mechanism.central.sums import Sum
from sfumato.mechanism.central.tuple_insertion import TupleInsertion
from sfumato.mechanism.central.variance import Variance
from sfumato.mechanism.graph.cores.baseline import NoisyDegrees, OneGuess
from sfumato.mechanism.graph.cores.montresor import NoisyMontresor
from sfumato.mechanism.graph.cores.naive import NaiveCores
from sfumato.mechanism.graph.cores.peeling import LevelStructure, MatPeeling
from sfumato.mechanism.graph.cores.published import PublishedMontresor, PublishedNaive
from sfumato.mechanism.graph.cores.quantiles import CoreQuantiles, NodeCoreQuantiles, changes, rank_of
from sfumato.mechanism.graph.cores.rising import RisingPeeling
from sfumato.mechanism.graph.distance.connectivity import EdgesToConnect
from sfumato.mechanism.graph.distance.mechanism import NoisyGraphNumber
from sfumato.mechanism.graph.distance.minimum_cut import EdgesToDisconnect
from sfumato.mechanism.graph.groups import Groups
from sfumato.mechanism.graph.statistics.coefficients import DegreeAssortativity, Transitivity
from sfumato.mechanism.graph.statistics.counts import ConnectedParts, GroupDegrees, MixingMatrix, StarCount
from sfumato.mechanism.graph.statistics.degrees import DegreeCounts, DegreeSequence
from sfumato.mechanism.graph.statistics.ladder_count import LadderCount
from sfumato.mechanism.graph.statistics.segregation import GroupAssortativity
from sfumato.mechanism.graph.statistics.subgraphs import DegreeProducts, Stars, Triangles
from sfumato.mechanism.graph.synthetic.graphs import FromDegrees, FromGroups, FromJointDegrees
from sfumato.mechanism.graph.synthetic.joint_degrees import JointDegrees
from sfumato.summary.contributions import Contributions
from sfumato.summary.cores import core_numbers
from sfumato.table.domain import Range
from sfumato.table.graph import Graph
from sfumato.table.unit import OF_TABLES, Neighbors, Unit

ONE = PureDP(Fraction(1))
ROW, EXCHANGED = Unit.row(Neighbors.ADD_REMOVE), Unit.row(Neighbors.REPLACE)
TWO = (Fraction(1, 3), Fraction(1, 2))


@dataclass(frozen=True)
class Case:
    """One mechanism under contract.

    Args:
        mechanism: on tiny tables.
        loss: see above.
        broken: a factor with which the promise is broken; None: the price is no more than a bound here.
    """

    mechanism: object
    loss: Callable[..., float]
    broken: float | None = 0.5


def of_noise(mechanism, factor, patch):
    """Noise on totals: at y the loss is the sum of (|y - t'| - |y - t|)/scale, in fractions; over corners and far away."""
    parts, columns = getattr(mechanism, "parts", (mechanism,)), getattr(mechanism, "columns", ("x",))
    domains = mechanism.domains if hasattr(mechanism, "domains") else getattr(mechanism, "domain", None)
    sizes = [d.size for d in (domains if isinstance(domains, tuple) else (domains,) if domains else ())]
    groups = getattr(mechanism, "groups", 1)
    cells = [*([None] if sizes else []), *product(*map(range, sizes))]
    unit = mechanism.unit
    counted = Unit(unit.neighbors, unit.person, 1, unit.keys) if getattr(mechanism, "distinct", False) else unit
    found = vectors(patch, mechanism, list(columns), groups, persons(counted, groups, cells))
    scales = [
        part.noise.law.scale * Fraction(factor)
        for part, seen in zip(parts, found[0], strict=True)
        for _ in seen.ravel()
    ]
    moves = differences(unit.neighbors, [np.concatenate([seen.ravel() for seen in one]) for one in found])
    worst_loss = Fraction(0)
    for move in np.unique(np.abs(moves), axis=0):
        for far in (-(10**6), 10**6):
            outcome = [far if m else 0 for m in move]
            worst_loss = max(
                worst_loss, abs(sum((Fraction(abs(y - int(m)) - abs(y)) / s for y, m, s in zip(outcome, move, scales, strict=True)), Fraction(0)))
            )  # fmt: skip
    return float(worst_loss)


def of_contributions(mechanism, factor, patch):
    """All that a person may do, four things in two groups, also above the bound of amounts; whichever are kept."""
    things, limit, scale = list(product(range(2), range(4))), mechanism.limit, mechanism.noise.law.scale
    most = Fraction(0)
    for done in product(things, repeat=3):
        given = Contributions(np.zeros(3, int), *(np.array(x, int) for x in zip(*done, strict=True)), 2)
        kept = [limit.bounded(given.at(np.array(order)), bits=None).totals() for order in permutations(range(3))]
        moves = kept if limit.neighbors is Neighbors.ADD_REMOVE else [a - b for a in kept for b in _FAR]
        most = max(most, *(Fraction(int(np.abs(move).sum())) for move in moves))
    return float(most / (scale * Fraction(factor)))


_FAR = (np.array([6, 0]), np.array([0, 6]), np.array([3, 3]), np.array([0, 0]))
"""What another person may have done within the limits of two and three."""


def of_tree(mechanism, factor, patch):
    return _of_noisy_cells(tree, mechanism, factor, patch)


def of_cells(mechanism, factor, patch):
    return _of_noisy_cells(small_histogram, mechanism, factor, patch)


def _of_noisy_cells(module, mechanism, factor, patch):
    """Two noisy cells in a box of noises; what leaves the box makes the loss no larger."""

    def decide(places, noise):
        patch.setattr(module, "discrete_laplace", lambda n, scale, bits: noise)
        return mechanism.decide(places, bits=None)

    laws = laws_under_noise(decide, 2, float(mechanism.scale) * factor, mechanism.size, 2, 8)
    return largest_loss(laws, mechanism.size, 2, mechanism.neighbors)


def of_scan(mechanism, factor, patch):
    """The law of the scan, its noises summed out."""
    return largest_loss(scan_laws(patch, mechanism, (factor, factor)), mechanism.size, 3, mechanism.neighbors)


def of_lengths(mechanism, factor, patch):
    """The law of the chosen place, from the lengths and the rate that the sampler is given."""
    laws = {}
    for table in tables(mechanism.size, 3):
        lengths, rate = lengths_and_rate(patch, replace(mechanism, flip=False), table)
        laws[table] = dict(enumerate(law_of(lengths, float(rate) / factor, mechanism.flip)))
    return largest_loss(laws, mechanism.size, 3, mechanism.neighbors)


def of_recursion(mechanism, factor, patch):
    """Every sequence of choices replayed; the broken twin spends its epsilon again on each level and each side."""
    if factor < 1:
        patch.setattr(recursive, "depth", lambda m: 1)
        patch.setattr(recursive, "adding_epsilon", lambda method: method.epsilon / Fraction(factor))
    laws = {table: replayed_law(patch, mechanism, table, 1) for table in tables(mechanism.size, 3)}
    return largest_loss(laws, mechanism.size, 3, mechanism.neighbors)


def of_joint(mechanism, factor, patch):
    """The law of all answers together, and of the noisy count; the broken twin has a higher rate."""
    rate = JointExponential.rate.fget
    patch.setattr(JointExponential, "rate", property(lambda self: rate(self) / Fraction(factor)))
    if mechanism.neighbors is Neighbors.REPLACE:
        laws = {table: coded_law(mechanism, table, 3, len(table)) for table in places_of(3, 3)}
        return farthest((laws[a], laws[b]) for a, b in exchanged(3, 3))
    laws = {table: joint_law(mechanism, table, 3, range(7)) for table in places_of(3, 3)}
    if not mechanism.share:
        laws = {table: {answer: p for (_, answer), p in one.items()} for table, one in laws.items()}
    return farthest((laws[a], laws[b]) for a, b in added(3, 3))


def of_choice(mechanism, factor, patch):
    """All scores up to 2 of three candidates, moved by one person."""
    return largest_loss_of_choices(LAWS[mechanism.chooser], float(mechanism.rate) / factor, mechanism.monotone)


def of_keys(mechanism, factor, patch):
    """The exact delta: which keys are named, with which noisy numbers."""
    scale, threshold = float(mechanism.scale) * factor, mechanism.threshold
    return worst(
        mechanism.unit,
        1 if factor < 1 else 2,
        lambda n: group_law(n, scale, threshold, threshold + 12),
        12 if factor < 1 else 2,
    )


def of_chances(mechanism, factor, patch):
    """The exact delta: which keys are named; the broken twin names each more often."""
    chances = [min(1.0, mechanism.chance(i) / factor) for i in range(9)]
    return worst(mechanism.unit, 2, lambda n: chance_law(n, chances))


def of_thresholds(mechanism, factor, patch):
    """All values near the threshold of three questions, and many far above before some below, which are worst."""
    stops, noise = getattr(mechanism, "answers", 1), mechanism.noise
    q1, q2 = (math.exp(-1 / (float(scale) * factor)) for scale in (noise.of_threshold, noise.of_query))
    make = restarted_law if getattr(mechanism, "restarted", False) else law
    pairs = [
        (v, tuple(a + d for a, d in zip(v, m, strict=True)))
        for v in product((-1, 1), repeat=3)
        for m in product((-1, 1), repeat=3)
    ]
    laws = {values: make(values, q1, q2, stops) for pair in pairs for values in pair}
    pattern, one = (False,) * 8 + (True,) * stops, (12,) * 8 + (0,) * stops
    other = tuple(v + (1 if v else -1) for v in one)
    far = pattern_chance(one, pattern, q1, q2) / pattern_chance(other, pattern, q1, q2)
    return max(math.log(worst_ratio(laws, pairs)), math.log(far))


def of_blocks(mechanism, factor, patch):
    """Every draw of blocks of three persons, every value: by how much all answers together move."""
    most = 0
    for draw, values in product(product(range(3), repeat=3), product((0, 4), repeat=3)):
        for i, other in product(range(3), (None, 0, 4)):
            kept = [j for j in range(3) if j != i or other is not None]
            after = [other if j == i else values[j] for j in kept]
            one, two = (
                mechanism.answers(
                    np.array(v, np.int64), np.array(b, np.int64), lambda part: part.sum() if len(part) else -1
                )
                for v, b in ((values, draw), (after, [draw[j] for j in kept]))
            )
            most = max(most, int(np.abs(one - two).sum()))
    return most / float(mechanism.event.scale) / factor


def of_insertion(mechanism, factor, patch):
    """All sets of three tuples that differ in one, all published sets; the broken twin inserts less."""
    sets = [frozenset(c) for k in range(4) for c in combinations(range(3), k)]
    chances = mechanism.alpha + mechanism.beta, mechanism.beta * Fraction(factor)

    def chance(table, published):
        kept = [chances[place not in table] for place in range(3)]
        return math.prod(p if place in published else 1 - p for place, p in enumerate(kept))

    return max(math.log(chance(a, v) / chance(b, v)) for a in sets for b in sets if len(a ^ b) == 1 for v in sets)


def of_graphs(mechanism, factor, patch):
    """All graphs of four vertices, and each edge more or less."""
    every = list(combinations(range(4), 2))
    values = [
        mechanism.number.value(
            Graph(4, np.array([e for i, e in enumerate(every) if mask >> i & 1], np.int64).reshape(-1, 2))
        )
        for mask in range(1 << len(every))
    ]
    moved = max(abs(values[mask] - values[mask ^ 1 << i]) for mask in range(len(values)) for i in range(len(every)))
    return moved / float(mechanism.event.scale) / factor


def of_core_numbers(mechanism, factor, patch):
    """All graphs of four vertices: the numbers to which noise is added move by so much together."""
    values = {
        NoisyDegrees: lambda g: g.degrees,
        OneGuess: lambda g: np.array([len(g.edges)]),
    }.get(type(mechanism), core_numbers)
    return moved(4, values) / float(mechanism.event.scale) / factor


def of_core_rounds(mechanism, factor, patch):
    """All graphs of three vertices and all that may have been published before."""
    parts = mechanism.event.events
    later = estimates_moved(3, product((-1, 1, 2, 3), repeat=3))
    moves = [moved(3, lambda g: g.degrees), *[later] * (len(parts) - 1)]
    return sum(move / float(part.scale) / factor for move, part in zip(moves, parts, strict=True))


def of_rising_peeling(mechanism, factor, patch):
    """All graphs of two vertices, all noises of a box: the exact law of every outcome that ends in it."""
    q, step, first = math.exp(-1 / (float(mechanism.scale) * factor)), mechanism.rise.numerator, mechanism.first
    laws = rising_laws(2, q, mechanism.fine, first, step, reach=9 - first, last=(8 - first) // step)
    return math.log(worst_of_graphs(laws, 2))


def of_questions(mechanism, factor, patch):
    """All transcripts of five questions to two vertices."""
    q1, q2 = (math.exp(-1 / (float(scale) * factor)) for scale in (mechanism.once, mechanism.each))
    is_mat = isinstance(mechanism, MatPeeling)
    rule = mat_thresholds if is_mat else level_thresholds(mechanism.rounds_each, mechanism.growth)
    less, more = (peeling_law(edge, rule, 5, q1, q2) for edge in (False, True))
    return math.log(max(max(more[t] / less[t], less[t] / more[t]) for t in less))


def of_core_quantiles(mechanism, factor, patch):
    """All graphs of four vertices and all edges of each vertex: the exact law of each quantile, added up."""
    found = [np.sort(np.minimum(core_numbers(graph), mechanism.most))[::-1] for graph in graphs(4)]
    pairs = {(tuple(found[a]), tuple(found[b])) for a, b in node_neighbors(4, Neighbors.NODE)}
    worst, each = 0.0, float(mechanism.each) / factor

    def law(falling, share):
        score = changes(np.array(falling), rank_of(share, 4), min(mechanism.most, 3))
        return flip_law([-int(one) for one in score], each / 2)

    for a, b in pairs:
        loss = 0.0
        for share in mechanism.shares:
            ratios = [abs(math.log(p / q)) for p, q in zip(law(a, share), law(b, share), strict=True)]
            loss += max(ratios) if share else abs(int(a[0]) - int(b[0])) * each
        worst = max(worst, loss)
    return worst


def of_totals(mechanism, factor, patch):
    """All graphs of five vertices; each edge more or less, or all edges of each vertex."""
    return (
        largest_move(mechanism.totals, mechanism.protects, mechanism.vertices)
        / float(mechanism.noise.law.scale)
        / factor
    )


def of_ladder(mechanism, factor, patch):
    """The exact law of the number over all graphs of four vertices and their neighbors, and the noise of the size."""
    return ladder_loss(mechanism, factor)


def of_parts(mechanism, factor, patch):
    """The losses of the numbers that it reads, together."""
    return sum((of_totals if hasattr(part, "protects") else of_ladder)(part, factor, patch) for part in mechanism.parts)


def _of_graphs():
    """Statistics of graphs, for edges and for vertices."""
    groups, one = Groups(np.array([0, 1, 1, 2, 0]), 3), Groups.one(5)
    for protects in (Neighbors.EDGE, Neighbors.NODE):
        for most in (1, 2, 3):
            yield Case(DegreeCounts(one, most, protects, ONE), of_totals)
        yield Case(DegreeCounts(groups, 2, protects, ONE), of_totals)
        yield from (Case(DegreeSequence(of, 2, protects, ONE), of_totals) for of in (one, groups))
        yield Case(GroupDegrees(groups, 2, protects, ONE), of_totals)
        yield Case(StarCount(5, 1, 2, protects, ONE), of_totals)
    yield Case(StarCount(5, 2, 2, Neighbors.NODE, ONE), of_totals)
    yield Case(MixingMatrix(groups, ONE), of_totals)
    yield Case(GroupAssortativity(groups, ONE), of_totals)
    for pattern in (Triangles(), Stars(2), Stars(3), DegreeProducts()):
        yield Case(LadderCount(pattern, 4, Fraction(1)), of_ladder, 0.25)
    yield Case(Transitivity(4, Fraction(1)), of_parts, 0.25)
    for starts in ((1,), (1, 2), (1, 2, 3), (1, 3)):
        yield Case(JointDegrees(5, starts, ONE), of_totals)
    yield from (
        Case(FromDegrees(5, 2, protects, Fraction(1)), of_parts) for protects in (Neighbors.EDGE, Neighbors.NODE)
    )
    yield Case(FromJointDegrees(5, 4, (1, 2, 3), Fraction(1)), of_parts)
    yield from (Case(FromGroups(groups, Fraction(1), share), of_parts) for share in (Fraction(0), Fraction(1, 2)))
    yield Case(DegreeAssortativity(4, Fraction(1)), of_parts, 0.25)
    for shares, most in (((Fraction(0), Fraction(1, 2), Fraction(1)), 4), ((Fraction(1, 4),), 2)):
        yield Case(CoreQuantiles(5, shares, most, Neighbors.EDGE, ONE), of_totals)
        yield Case(NodeCoreQuantiles(4, shares, most, Fraction(1)), of_core_quantiles)
    yield Case(CoreQuantiles(5, (Fraction(0),), 4, Neighbors.NODE, ONE), of_totals)


def _noise():
    """Every unit with one group and two; bounds of different sizes, 0 at neither end."""
    domain = Range(-1, 1, 1)
    for unit, groups in [*((unit, 1) for unit in UNITS[:4]), *((unit, 2) for unit in UNITS[:2])]:
        yield Count(unit, ONE, groups)
        yield Sum("x", Range(-1, 10, 11), unit, ONE, groups)
        yield Mean("x", domain, unit, ONE, groups)
        yield Variance("x", domain, unit, ONE, groups)
    for unit in UNITS[:2]:
        yield PairCovariance(("x", "y"), (domain, Range(0, 10, 10)), unit, ONE, 2)
        yield Covariance(("x", "y"), (domain, Range(0, 10, 10)), unit, ONE, 1)
    yield Count(UNITS[2], ONE, 2, distinct=True)
    yield MeanOfKnownCount("x", domain, EXCHANGED, ONE, rows=3)
    yield from (MeanOfReplaced("x", domain, unit, ONE) for unit in UNITS if unit.neighbors is Neighbors.REPLACE)


def _places():
    """Quantile methods, for both kinds of neighbors."""
    for neighbors in OF_TABLES:
        yield Case(Tree(TWO, Fraction(3, 2), 3, neighbors, rows=1, height=1, branching=2), of_tree)
        yield Case(SmallHistogram(TWO, Fraction(3, 2), 3, neighbors, rows=1, bins=2), of_cells)
        yield Case(
            Recursive((Fraction(1, 5), Fraction(1, 2), Fraction(3, 4)), Fraction(1), 4, neighbors, rows=1), of_recursion
        )
        yield Case(
            JointExponential((Fraction(1, 4), Fraction(2, 3)), Fraction(2), 4, neighbors, 1, Fraction(0)), of_joint
        )
        for q in (Fraction(1, 4), Fraction(1, 2), Fraction(2, 3)):
            for monotone in (False, True):
                yield Case(
                    HistogramMethod((q,), Fraction(2), 4, neighbors, rows=1, steps=4, monotone=monotone), of_scan, 0.1
                )
            for flip, smoothing in product((False, True), (0, 1)):
                yield Case(
                    InverseSensitivity((q,), Fraction(1), 4, neighbors, rows=1, smoothing=smoothing, flip=flip),
                    of_lengths,
                    0.25,
                )
    yield Case(
        JointExponential((Fraction(1, 4), Fraction(2, 3)), Fraction(2), 4, OF_TABLES[0], 1, Fraction(1, 4)), of_joint
    )


CASES = [
    *(Case(mechanism, of_noise) for mechanism in _noise()),
    *_places(),
    *(Case(PersonTotals(Limit(neighbors, 2, once, 3, Kept.FIRST), ONE, 2), of_contributions)
      for neighbors, once in ((ROW.neighbors, True), (ROW.neighbors, False), (EXCHANGED.neighbors, False))),
    *(Case(Selection(ONE, 1, monotone, 3, chooser), of_choice) for chooser in Chooser for monotone in (False, True)),
    Case(ThresholdSelection(ROW, ApproxDP(Fraction(1), Fraction(1, 50))), of_keys),
    Case(ThresholdSelection(EXCHANGED, ApproxDP(Fraction(1), Fraction(1, 50))), of_keys, None),
    *(Case(OptimalSelection(unit, ApproxDP(Fraction(1), Fraction(1, 50))), of_chances, 0.25) for unit in (ROW, EXCHANGED)),
    Case(AboveThreshold(Fraction(2), 1, 0, monotone=False), of_thresholds),
    Case(SparseVector(Fraction(2), 1, 0, answers=2, monotone=False), of_thresholds),
    Case(SubsampleAggregate(3, Range(0, 4, 1), Aggregate.MEAN, Fraction(1)), of_blocks),
    Case(TupleInsertion((3,), Fraction(1, 2), Fraction(1, 4)), of_insertion),
    *(Case(kind(4, Fraction(1)), of_core_numbers) for kind in (NaiveCores, PublishedNaive, NoisyDegrees, OneGuess)),
    *(Case(one, of_core_rounds) for one in (NoisyMontresor(3, Fraction(1)), PublishedMontresor(3, Fraction(1), 3))),
    Case(RisingPeeling(2, Fraction(1)), of_rising_peeling),
    *(Case(kind(2, Fraction(1)), of_questions) for kind in (MatPeeling, LevelStructure)),
    *(Case(NoisyGraphNumber(number, 4, Fraction(1)), of_graphs)
      for number in (EdgesToConnect(), EdgesToDisconnect(), ConnectedParts())),
    *_of_graphs(),
]  # fmt: skip
