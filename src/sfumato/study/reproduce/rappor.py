"""The strings that RAPPOR finds, by number of reports: the four evaluations of its paper, on synthetic strings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.local.rappor.bloom import design_bits
from sfumato.mechanism.local.rappor.counts import BitCounts
from sfumato.mechanism.local.rappor.decode.correction import Correction, adjusted
from sfumato.mechanism.local.rappor.decode.decode import decode
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.mechanism.local.rappor.simulate import simulate_counts
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.mechanism.local.rappor.decode.decoded import Decoded
    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.types import FloatArray, IntArray

ORIGIN = "Ú. Erlingsson, V. Pihur and A. Korolova, RAPPOR, CCS 2014, section 5; as told by C. Gervais"
LEVEL = 0.05
_CORRECTIONS = (Correction.BONFERRONI, Correction.HOLM, Correction.BENJAMINI_HOCHBERG, Correction.ADAPTIVE)

_COLUMNS = (
    Column("setting", "setting", "What was collected.", "text"),
    Column("reports", "reports", "Number of reports.", "count"),
    Column("correction", "correction", "What the level of 5 % bounds.", "text"),
    Column("found", "found", "Strings found that somebody holds, mean over the runs."),
    Column("false_found", "false", "Strings found that nobody holds, mean over the runs."),
    Column("runs_with_false", "runs with a false one", "Share of runs with a false discovery.", "percent"),
    Column("false_share", "false share", "Mean share of false ones among the strings found.", "percent"),
    Column("above_1_percent", "of those > 1 %", "Share of strings held by more than 1 % that were found.", "percent"),
    Column("coverage", "cover", "Share of 95 % intervals that hold the true share.", "percent"),
    Column("error", "error", "Mean absolute error of a share, over all candidates.", "scientific"),
    Column("half_found_at", "half found at", "Persons from which on at least half of the strings were found.", "count"),
    Column("published", "published", "What the paper reports.", "text"),
)


@dataclass(frozen=True, slots=True)
class Setting:
    """One collection.

    Args:
        name: for the table.
        params: of the collection; each run renames it, so that it has other hash functions.
        shares: (n_candidates,) float64 share of persons who hold each candidate; they may add up to less than 1, the
            others then hold strings that are no candidates.
        reports: number of reports.
        published: what the paper says, or "".
        sample: how counts are drawn from strings; None: every person reports once.
    """

    name: str
    params: RapporParams
    shares: FloatArray
    reports: int
    published: str = ""
    sample: Callable[[Setting, IntArray, np.random.Generator], BitCounts] | None = None


def experiments() -> tuple[Experiment, ...]:
    """The four evaluations."""
    return (
        _experiment(
            "normal", "a normal distribution from 10⁴, 10⁵ and 10⁶ one-time reports", "20 seconds", _normal, (10, 2)
        ),
        _experiment(
            "exponential", "strings of an exponential population, 10⁶ reports", "20 seconds", _exponential, (20, 3)
        ),
        _experiment("processes", "process names of 10,133 machines, 186,792 reports", "1 minute", _processes, (10, 2)),
        _experiment("home-pages", "home pages, 12 million reports, 8,616 candidates", "3 minutes", _home_pages, (5, 1)),
    )


def _experiment(
    name: str, what: str, duration: str, settings: Callable[[], Sequence[Setting]], runs: tuple[int, int]
) -> Experiment:

    def run(order: Order) -> Outcome:
        return _run(order, settings())

    return Experiment(
        f"rappor-{name}", f"what RAPPOR finds: {what}", ORIGIN, duration, run, runs=runs, unit="collections"
    )


def _run(order: Order, settings: Sequence[Setting]) -> Outcome:
    """Collect and decode every setting, several times."""
    rng = order.rng()
    rows: list[dict[str, Cell]] = []
    figures: list[Figure] = []
    for i, setting in enumerate(settings):
        found = []
        for run in range(order.runs):
            order.progress(i * order.runs + run, len(settings) * order.runs, f"{setting.name}, collection {run + 1}")
            found.append(_collect(setting, run, rng))
        rows += [_row(setting, found, correction) for correction in _CORRECTIONS]
        figures += _figures(setting, i, found)
    notes = (
        "Strings are synthetic: only the shape of the population and the parameters are those of the paper.",
        "A string held by just 1 % is found in a run only with the chance that its score passes the threshold: at a valid level not every such string is found in every run.",
        "With 12 million reports a share has a standard error of about 19,000 persons: the 14,000 of the paper cannot be told from 0 at a valid level.",
        "Intervals are 95 %, candidate by candidate. Shares are of the persons who reported.",
    )
    return Outcome(_COLUMNS, tuple(rows), tuple(figures), notes)


def _collect(setting: Setting, run: int, rng: np.random.Generator) -> tuple[FloatArray, Decoded]:
    """True shares of a fresh population, and what the decoder says of its reports."""
    params = _renamed(setting.params, f"{setting.name} {run}")
    names = [f"string {j}" for j in range(len(setting.shares))]
    design = design_bits(params, names)
    if setting.sample is not None:
        counts = setting.sample(replace(setting, params=params), design, rng)
        return setting.shares, decode(params, counts, names, design=design)
    rest = max(0.0, 1.0 - float(setting.shares.sum()))
    strangers = _STRANGERS if rest > 1e-9 else 0
    every = np.concatenate((setting.shares, np.full(strangers, rest / max(1, strangers))))
    held = rng.multinomial(setting.reports, every / every.sum())
    unknown = rng.integers(0, params.bits, (strangers, params.cohorts, params.hashes))
    counts = simulate_counts(params, held, np.concatenate((design, unknown)), rng=rng)
    return setting.shares, decode(params, counts, names, design=design)


_STRANGERS = 500
"""Strings that are no candidates, sharing what the candidates leave."""


def _renamed(params: RapporParams, name: str) -> RapporParams:
    """The same parameters with other hash functions."""
    return RapporParams(
        name, bits=params.bits, hashes=params.hashes, cohorts=params.cohorts, f=params.f, p=params.p, q=params.q
    )


def _row(setting: Setting, found: Sequence[tuple[FloatArray, Decoded]], correction: Correction) -> dict[str, Cell]:
    """Means over the runs."""
    true = setting.shares > 0
    kept = np.array([adjusted(one.p_value, correction) <= LEVEL for _, one in found])
    false = kept[:, ~true].sum(axis=1)
    large = setting.shares > 0.01
    inside = [(one.low <= shares) & (shares <= one.high) for shares, one in found]
    return {
        "setting": setting.name,
        "reports": setting.reports,
        "correction": correction.value,
        "found": float(kept[:, true].sum(axis=1).mean()),
        "false_found": float(false.mean()),
        "runs_with_false": float((false > 0).mean()),
        "false_share": float((false / np.maximum(1, kept.sum(axis=1))).mean()),
        "above_1_percent": float(kept[:, large].mean()) if large.any() else None,
        "coverage": float(np.mean(inside)),
        "error": float(np.mean([np.abs(one.share - shares) for shares, one in found])),
        "half_found_at": _half(setting, kept.mean(axis=0)),
        "published": setting.published,
    }


def _half(setting: Setting, chance: FloatArray) -> int | None:
    """Persons of the smallest string from which upwards each was found in half of the runs."""
    order = np.argsort(-setting.shares, kind="stable")
    good = np.logical_and.accumulate(chance[order] >= 0.5)
    held = setting.shares[order[good]] * setting.reports
    return round(float(held.min())) if len(held) and held.min() > 0 else None


def _figures(setting: Setting, index: int, found: Sequence[tuple[FloatArray, Decoded]]) -> list[Figure]:
    """True and estimated shares of the largest strings, and the chance to be found."""
    order = np.sort(np.argsort(-setting.shares, kind="stable")[:100])
    if np.all(np.diff(setting.shares[order]) <= 0):
        points = tuple(range(1, len(order) + 1))
    else:
        points = tuple((order + 1).tolist())
    first = found[0][1]
    shares = (
        Line("held", tuple(setting.shares[order].tolist()), kind="level"),
        Line("estimated in one collection", tuple(first.share[order].tolist())),
    )
    lines = [
        Figure(f"shares-{index + 1}", f"{setting.name}: shares held and estimated", ("string", "share"), points, shares)
    ]
    chances = [
        Line(
            correction.value,
            tuple(np.mean([adjusted(d.p_value, correction) <= LEVEL for _, d in found], axis=0)[order].tolist()),
        )
        for correction in (Correction.HOLM, Correction.ADAPTIVE)
    ]
    title = f"{setting.name}: share of collections in which a string was found"
    return [*lines, Figure(f"found-{index + 1}", title, ("string", "share of collections"), points, tuple(chances))]


def _normal() -> list[Setting]:
    """Whole numbers around 50 with standard deviation 10; f = 0."""
    values = np.arange(1, 101)
    density = np.exp(-((values - 50) ** 2) / 200)
    shares = density / density.sum()
    params = RapporParams("normal", bits=128, hashes=2, cohorts=16, f=0, p="1/2", q="3/4")
    told = {10**4: "too few", 10**5: "the bell is clear", 10**6: "a precise curve"}
    return [Setting(f"normal, 10^{len(str(n)) - 1} reports", params, shares, n, told[n]) for n in told]


def _exponential() -> list[Setting]:
    """100 strings that decay by e⁵, among 200 candidates; with and without a background."""
    params = RapporParams("exponential", bits=128, hashes=2, cohorts=16, f="1/2", p="1/2", q="3/4")
    out = []
    for background in (0.0, 0.05):
        decay = np.exp(-10 * np.linspace(0, 0.5, 100)) + background
        shares = np.concatenate((decay / decay.sum(), np.zeros(100)))
        name = f"exponential, background {background:g}"
        out.append(Setting(name, params, shares, 10**6, "47 found, 2 of them false (Bonferroni)"))
    return out


def _processes() -> list[Setting]:
    """Process names: each machine runs some of them and reports one now and then, about 18 times."""
    params = RapporParams("processes", bits=128, hashes=2, cohorts=8, f="1/2", p="1/2", q="3/4")
    tail = np.linspace(1, 0.2, 200)
    shares = np.concatenate((np.linspace(0.045, 0.025, 10), tail / tail.sum() * 0.65, np.zeros(90)))
    return [Setting("processes", params, shares, 186_792, "10 found, held by 2.5 % to 4.5 %", sample=_of_machines)]


def _of_machines(setting: Setting, design: IntArray, rng: np.random.Generator) -> BitCounts:
    """Counts of machines that keep their cohort and their permanent response to each name over many reports."""
    params, machines = setting.params, 10_133
    cohort = rng.integers(0, params.cohorts, machines)
    machine = rng.integers(0, machines, setting.reports)
    name = rng.choice(len(setting.shares), setting.reports, p=setting.shares)
    _, place, again = np.unique(machine * len(setting.shares) + name, return_index=True, return_inverse=True)
    held = design[name[place], cohort[machine[place]]]
    kept = rng.random((len(place), params.bits)) < float(params.f) / 2
    rows = np.arange(len(place))
    bloom = np.zeros(kept.shape, bool)
    for column in held.T:
        bloom[rows, column] = True
    kept ^= bloom
    chance = np.where(kept, float(params.q), float(params.p))[again]
    ones = rng.random(chance.shape) < chance
    at = cohort[machine]
    counts = np.zeros((params.cohorts, params.bits), np.int64)
    for j in range(params.cohorts):
        counts[j] = ones[at == j].sum(axis=0)
    return BitCounts(np.bincount(at, minlength=params.cohorts).astype(np.int64), counts)


def _home_pages() -> list[Setting]:
    """8,616 candidates; the most frequent half percent of them hold 85 % of the reports."""
    params = RapporParams("home pages", bits=128, hashes=2, cohorts=32, f="3/4", p="1/2", q="3/4")
    ranks = np.arange(1, 8617)
    shares = ranks**-1.4 / (ranks**-1.4).sum() * 0.99
    return [Setting("home pages", params, shares, 12_000_000, "found from about 14,000 persons on")]
