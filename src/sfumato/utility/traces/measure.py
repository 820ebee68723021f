"""All figures of what published traces are worth, in one fixed order, each with what the original itself would give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.check import as_whole
from sfumato.numbers.distinct import distinct
from sfumato.summary.figure import Figure
from sfumato.summary.interval import ranks_around
from sfumato.utility.traces import apart, boxes, cover, flows, heat, order, trips, visits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.table.plane import Region
    from sfumato.table.traces import Traces
    from sfumato.types import FloatArray, IntArray

CONFIDENCE = 0.95
_NOTHING = "Not computed: nothing is published."


@dataclass(frozen=True, slots=True)
class Lens:
    """How closely traces are looked at. All of it is public.

    Args:
        region: cells of maps and of what is covered.
        coarse: cells of flows and places are so many times as wide, >= 1.
        gap: seconds without a fix that end a trip, a visit and a path, > 0.
        by_day: whether a local day ends a trip too.
        bucket: seconds of the stretches in which a cell counts once, beside all time together, > 0.
        boxes: random counts.
        sample: at most so many published fixes are drawn for distances, >= 1.
        top: how many most visited places are looked for, >= 1.

    Raises:
        ParameterError: a number outside its range.
    """

    region: Region
    coarse: int = 5
    gap: float = 3600.0
    by_day: bool = True
    bucket: float = 3600.0
    boxes: boxes.Boxes = boxes.Boxes()
    sample: int = 10_000
    top: int = 20

    def __post_init__(self) -> None:
        for name in ("coarse", "sample", "top"):
            as_whole(name, getattr(self, name), low=1)
        if not (self.gap > 0 and self.bucket >= 1):
            raise ParameterError(
                "A gap must be above 0 seconds and a stretch of time 1 second or more; got {gap} and {bucket}.",
                "such as 3600 seconds each.",
                gap=self.gap,
                bucket=self.bucket,
            )

    @property
    def places(self) -> Region:
        """The coarse cells."""
        return self.region.coarser(self.coarse)


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure of the release, and the same of the original set beside itself.

    Args:
        figure: of the release.
        before: what the original would give.
    """

    figure: Figure
    before: float


def measure(published: Traces, original: Traces, lens: Lens, *, rng: np.random.Generator) -> tuple[Measured, ...]:
    """Every figure of published traces.

    Args:
        published: the release, with the persons of the original.
        original: at least one fix.
        lens: how closely they are looked at.
        rng: draws fixes and boxes; of the same seed it draws the same.

    Returns:
        Figures by name; a value None says in its definition why.

    Raises:
        ParameterError: other persons.

    Example:
        >>> from sfumato.table.plane import Plane, Region
        >>> from sfumato.table.traces import Traces
        >>> lat = np.array([45.0, 45.0, 45.02])
        >>> one = Traces("UTC", ("a",), np.zeros(3, int), np.arange(3) * 60_000, lat, np.zeros(3))
        >>> same = measure(one, one, Lens(Region(Plane(44.9, -0.1), 200, 200, 100)), rng=np.random.default_rng(1))
        >>> all(abs(m.figure.value - m.before) < 1e-9 for m in same)
        True
    """
    apart.check_pair(published, original)
    for_fixes, for_boxes = rng.spawn(2)
    return (
        *_distances(published, original, lens, for_fixes),
        *_left(published, original),
        *_covered(published, original, lens),
        *_counted(published, original, lens, for_boxes),
        *_mapped(published, original, lens.region),
        *_flowing(published, original, lens),
        *_moving(published, original, lens),
        *_visiting(published, original, lens),
    )


def _left(published: Traces, original: Traces) -> tuple[Measured, ...]:
    """What is left at all."""
    fixes = len(published) / len(original)
    persons = len(distinct(published.person)) / len(distinct(original.person))
    return (
        _one("fixes", "Fixes published", fixes, ["Published fixes / original fixes; above 1 where fixes are added."], "", "higher"),
        _one("persons", "Persons published", persons, ["Persons with a published fix / persons with an original fix."], "", "higher"),
    )  # fmt: skip


_FAR: tuple[tuple[str, str, tuple[str, str, str], Callable[[Traces, Traces, float], FloatArray]], ...] = (
    ("fix", "Metres from a published fix to the nearest original fix of the same person.",
     ("Distance to the nearest original fix, median", "Distance to the nearest original fix, mean", "Distance to the nearest original fix, 95th percentile"),
     lambda one, other, _: apart.from_fixes(one, other)),
    ("path", "Metres from a published fix to the nearest point of the same person's original path.",
     ("Distance to the original path, median", "Distance to the original path, mean", "Distance to the original path, 95th percentile"),
     lambda one, other, gap: apart.from_path(one, other, gap=gap)),
    ("then", "Metres from a published fix to where the same person was at that time.",
     ("Distance at that time, median", "Distance at that time, mean", "Distance at that time, 95th percentile"),
     lambda one, other, _: apart.from_then(one, other)),
)  # fmt: skip


def _distances(published: Traces, original: Traces, lens: Lens, rng: np.random.Generator) -> tuple[Measured, ...]:
    """Median, mean and 95th percentile of each distance, over all fixes or a sample of them."""
    n, is_sample = len(published), len(published) > lens.sample
    drawn = rng.integers(0, n, lens.sample) if is_sample else np.arange(n)
    chosen, place = np.unique(drawn, return_inverse=True)
    some = published.kept(np.isin(np.arange(n), chosen))
    out = []
    for kind, text, labels, of in _FAR:
        metres = np.sort(of(some, original, lens.gap)[place.ravel()])
        found = apart.spread(metres)
        last = found.percentiles[apart.PERCENTILES.index(95)]
        values = (("median", found.median, 0.5), ("mean", found.mean, None), ("p95", last, 0.95))
        for (name, value, share), label in zip(values, labels, strict=True):
            told = [text, _how_spread(found)] if len(metres) else [_NOTHING, text]
            told += [_interval(metres, share)] if is_sample and share else []
            out.append(_one(f"{kind}_distance_{name}", label, value, told, apart.SOURCE))
    return tuple(out)


def _how_spread(found: apart.Spread) -> str:
    """Number, ends and percentiles of distances."""
    low, high = (f"{value or 0:.0f}" for value in (found.least, found.most))
    q25, q50, q75, q90, q95, q99 = (f"{value or 0:.0f}" for value in found.percentiles)
    return (
        f"{found.n} fixes, from {low} to {high} m; a quarter up to {q25} m, half up to {q50} m, three quarters up to {q75} m, "
        f"90 % up to {q90} m, 95 % up to {q95} m, 99 % up to {q99} m."
    )


def _interval(ordered: FloatArray, share: float) -> str:
    """What a random sample says of a quantile of all."""
    ranks = ranks_around(len(ordered), share, CONFIDENCE)
    if ranks is None:
        return "The sample is too small for an interval."
    low, high = (_rounded(float(ordered[rank - 1])) for rank in ranks)
    return f"Drawn at random: of all it lies between {low} and {high} with 95 % confidence."


def _covered(published: Traces, original: Traces, lens: Lens) -> tuple[Measured, ...]:
    """Cells that persons visit."""
    found = cover.coverage(published, original, lens.region)
    timed = cover.coverage(published, original, lens.region, seconds=lens.bucket)
    side, hours = _rounded(float(lens.region.side)), _rounded(lens.bucket / 3600)
    return tuple(
        _one(name, label, value, [text], cover.SOURCE, "higher")
        for name, label, value, text in (
            ("cells_precision", "Published cells that are true", found.precision,
             f"Cells of {side} m that a person visits before and after / cells visited after; mean over persons."),
            ("cells_recall", "Cells kept", found.recall,
             f"Cells of {side} m that a person visits before and after / cells visited before; mean over persons."),
            ("cells_f1", "Cells kept, F1", found.f1,
             f"Harmonic mean of precision and recall of the cells of {side} m that a person visits; mean over persons."),
            ("cells_timed_f1", "Cells kept at their time, F1", timed.f1,
             f"Harmonic mean of precision and recall of the cells of {side} m that a person visits in each stretch of {hours} h; mean over persons."),
        )
    )  # fmt: skip


def _counted(published: Traces, original: Traces, lens: Lens, rng: np.random.Generator) -> tuple[Measured, ...]:
    """Counts of persons in random boxes."""
    found = np.sort(boxes.box_errors(published, original, lens.boxes, rng=rng))
    low, high = (_rounded(value) for value in lens.boxes.metres)
    short, long = (_rounded(value / 3600) for value in lens.boxes.seconds)
    text = [
        "|persons after - persons before| / persons before.",
        f"{lens.boxes.n} random boxes of {low} to {high} m and {short} to {long} h around original fixes.",
    ]
    said = _interval(found, 0.5)
    return (
        _one("box_median", "Error of counts in boxes, median", float(np.median(found)), [*text, said], boxes.SOURCE),
        _one("box_mean", "Error of counts in boxes, mean", float(found.mean()), text, boxes.SOURCE),
    )


_MAPS: tuple[tuple[str, str, Literal["lower", "higher"], str], ...] = (
    ("heat_topsoe", "Heat maps, Topsøe divergence", "lower",
     "Sum of p ln(2p/(p + q)) + q ln(2q/(p + q)) over cells, with the shares p of fixes before and q after; from 0 to 2 ln 2."),
    ("heat_kl", "Heat maps, Kullback-Leibler divergence", "lower",
     "Sum of p ln(p/q) over cells, with the shares p of fixes before and q after."),
    ("heat_variation", "Heat maps, total variation", "lower",
     "Half the sum of |p - q| over cells: the share of fixes that lie in other cells."),
    ("heat_cosine", "Heat maps, cosine", "higher", "Sum of p q over cells / (length of p * length of q)."),
    ("heat_moved", "Heat maps, earth mover's distance", "lower",
     "Metres by which fixes must be moved along rows and columns of cells, on average, so that both maps are equal."),
)  # fmt: skip


def _mapped(published: Traces, original: Traces, region: Region) -> tuple[Measured, ...]:
    """Distances of heat maps."""
    values: list[float | None] = [None] * len(_MAPS)
    beside = [_NOTHING] * len(_MAPS)
    if len(published):
        cells, p, q = heat.side_by_side(heat.heat(original, region), heat.heat(published, region))
        kl = heat.kullback_leibler(p, q)
        is_finite, (moved, how) = bool(np.isfinite(kl)), _earth_moved(cells, p, q, region)
        values = [heat.topsoe(p, q), kl if is_finite else None, heat.total_variation(p, q), heat.cosine(p, q), moved]
        beside = [""] * 5
        beside[1] = "" if is_finite else "Infinite: a visited cell is empty in the release."
        beside[4] = how
    return tuple(
        _one(name, label, value, [why, text], heat.SOURCE, better)
        for (name, label, better, text), value, why in zip(_MAPS, values, beside, strict=True)
    )


def _earth_moved(cells: IntArray, p: FloatArray, q: FloatArray, region: Region) -> tuple[float | None, str]:
    """The earth mover's distance, and on which cells; None where SciPy is not installed."""
    try:
        moved, wide = heat.earth_movers(cells, p, q, region)
    except ParameterError:
        return None, "Not computed: it needs SciPy, which the extra `learn` brings."
    side = _rounded(wide)
    return moved, f"Measured on cells of {side} m."


def _flowing(published: Traces, original: Traces, lens: Lens) -> tuple[Measured, ...]:
    """Trips between coarse cells."""
    after, before = (flows.flows(one, lens.places, gap=lens.gap, by_day=lens.by_day) for one in (published, original))
    kept, shared, error = flows.common(after, before)
    side, minutes = _rounded(float(lens.places.side)), _rounded(lens.gap / 60)
    why = "" if kept is not None else "Not computed: the original has no trip from one cell to another."
    text = [
        f"Over pairs of cells of {side} m, with b trips before and a after.",
        f"{minutes} minutes without a fix, or midnight, end a trip."
        if lens.by_day
        else f"{minutes} minutes without a fix end a trip.",
    ]
    return (
        _one("flows_kept", "Flows kept", kept, [why, "Sum of min(a, b) / sum of b.", *text], flows.SOURCE, "higher"),
        _one("flows_common", "Flows in common", shared, [why, "2 * sum of min(a, b) / (sum of a + sum of b).", *text], flows.SOURCE, "higher"),
        _one("flows_error", "Error of flows", error, [why, "Sum of |a - b| / sum of b.", *text], flows.SOURCE),
    )  # fmt: skip


def _moving(published: Traces, original: Traces, lens: Lens) -> tuple[Measured, ...]:
    """Trip lengths, radius of gyration and entropy."""
    both = (published, original)
    lengths = [trips.trip_lengths(one, gap=lens.gap, by_day=lens.by_day) for one in both]
    most_visits, side = order.MOST_VISITS, _rounded(float(lens.places.side))
    ordered = [order.order_entropy(one, lens.places) for one in both]
    radii, bits = [trips.gyration(one) for one in both], [trips.entropy(one, lens.region) for one in both]
    return (
        _one("trip_length", "Change of trip lengths", trips.apart(*lengths),
             ["Metres by which the quantiles of the lengths of trips differ, on average.", _medians(lengths)], trips.LENGTH_SOURCE),
        _one("gyration", "Change of the radius of gyration", trips.mean_change(*radii),
             ["Mean over persons of |r' - r| / mean of r.", "r is the root of the mean squared distance in metres of a person's fixes from their middle.", _medians(radii)],
             trips.GYRATION_SOURCE),
        _one("entropy", "Change of the entropy of places", trips.mean_change(*bits),
             ["Mean over persons of |h' - h| / mean of h.", "h is the entropy in bits of a person's fixes over cells.", _medians(bits)],
             trips.ENTROPY_SOURCE),
        _one("order_entropy", "Change of the entropy of the order of places", trips.mean_change(*ordered),
             ["Mean over persons of |s' - s| / mean of s.",
              f"s is n log n / sum of lengths in bits a visit, over the first {most_visits} visits of cells of {side} m; a length is that of the shortest stretch that is new.", _medians(ordered)],
             order.SOURCE),
    )  # fmt: skip


def _rounded(value: float) -> str:
    """Four digits, without a power of ten: 60180 m and not 6.018e+04 m."""
    text = f"{value:.4g}"
    return f"{float(text):.0f}" if "e+" in text else text


def _medians(both: list[FloatArray]) -> str:
    """Medians before and after, for a sentence."""
    after, before = (one[np.isfinite(one)] for one in both)
    if not len(after) or not len(before):
        return "Not computed: nobody has what is compared."
    old, new = _rounded(np.median(before)), _rounded(np.median(after))
    return f"The median is {old} before and {new} after."


def _visiting(published: Traces, original: Traces, lens: Lens) -> tuple[Measured, ...]:
    """Visits of places and time spent there."""
    after, before = (visits.visits(one, lens.places, gap=lens.gap) for one in (published, original))
    visited, dwelt = visits.errors(after, before)
    side, top = _rounded(float(lens.places.side)), lens.top
    why = "" if dwelt is not None else "Not computed: nobody has two fixes in one place."
    return (
        _one("places_top", "Most visited places kept", visits.top_kept(after, before, top), [f"Of the {top} most visited cells of {side} m before, the share that is among as many after."], visits.SOURCE, "higher"),
        _one("visits_error", "Error of visits", visited, [f"Sum over cells of {side} m of |visits after - visits before| / all visits before."], visits.SOURCE),
        _one("dwell_error", "Error of time spent", dwelt, [why, f"Sum over cells of {side} m of |seconds after - seconds before| / all seconds before."], visits.SOURCE),
    )  # fmt: skip


def _one(
    name: str, label: str, value: float | None, told: Sequence[str], source: str, better: Literal["lower", "higher"] = "lower"
) -> Measured:  # fmt: skip
    """A figure of traces; the original beside itself has 0 of what is lost and 1 of what is kept."""
    text = " ".join(one for one in told if one)
    return Measured(Figure(f"traces_{name}", label, value, text, source, better), float(better == "higher"))
