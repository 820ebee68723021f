"""The most accurate oracle as epsilon grows, for N = 100,000 persons and k = 128 values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.mechanism.local.recommend import By, recommend
from sfumato.mechanism.local.registry import oracles
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.study.reproduce.reference import RARE_VARIANCE

if TYPE_CHECKING:
    from sfumato.mechanism.local.recommend import Candidate
    from sfumato.study.reproduce.experiment import Cell, Order

N, K = 100_000, 128
_FULL = tuple(i / 4 for i in range(2, 25))
_QUICK = (0.5, 1.0, 2.0, 4.0, 6.0)

_COLUMNS = (
    Column("epsilon", "eps", "Epsilon asked, in nats."),
    Column("rank", "rank", "Place by `rare_variance`, 1 is the best.", "count"),
    Column("oracle", "oracle", "Frequency oracle.", "text"),
    Column("true_epsilon", "true eps", "Exact epsilon as sampled, at most the one asked.", "number"),
    Column("rare_variance", "variance", "Exact variance of the share of a value that nobody has.", "scientific"),
    Column("reference", "reference", "The same by the printed formula; empty where none is printed.", "scientific"),
    Column("ratio", "ratio", "`rare_variance` over `reference`."),
    Column("mean_variance", "mean", "Exact mean variance over the values, the same for every table.", "scientific"),
    Column("worst_variance", "worst", "Exact largest variance of one value.", "scientific"),
    Column("bytes_per_report", "bytes", "Payload of one report.", "count"),
    Column("client_draws", "draws", "Random numbers that a device draws, about.", "count"),
)


def experiment() -> Experiment:
    """The comparison of the slides, by exact variance."""
    return Experiment(
        name="variance-choice",
        what=f"exact variance of every frequency oracle by epsilon, N = {N:,}, k = {K}",
        origin="slides of J.-F. Couchot and H. Arcolezi, 2023; formulas of T. Wang et al., USENIX Security 2017",
        duration="5 seconds",
        run=run,
    )


def run(order: Order) -> Outcome:
    """All oracles at all epsilons."""
    epsilons = _QUICK if order.quick else _FULL
    rows = []
    for i, epsilon in enumerate(epsilons):
        order.progress(i, len(epsilons), "variance")
        candidates = recommend(epsilon, K, N, by=By.RARE)[0].candidates
        rows += [_row(epsilon, rank, candidate) for rank, candidate in enumerate(candidates, 1)]
    switch = next((row["epsilon"] for row in rows if row["oracle"] == "GRR" and _beats_oue(row, rows)), None)
    notes = (
        "The printed formulas are of a value that nobody has (f = 0); they take the best hash range of OLH as real.",
        "In the pictures BLH and HadamardResponse nearly coincide, and OUE and OLH.",
        f"GRR first beats OUE at eps = {switch} of this grid; the rule k < 3 exp(eps) + 2 says above ln 42 = 3.74.",
    )
    return Outcome(_COLUMNS, tuple(rows), (_figure(epsilons, rows), _beside_best(epsilons, rows)), notes)


def _row(epsilon: float, rank: int, candidate: Candidate) -> dict[str, Cell]:
    """One line of the table."""
    printed = RARE_VARIANCE.get(candidate.name)
    reference = None if printed is None else printed(epsilon, K) / N
    return {
        "epsilon": epsilon,
        "rank": rank,
        "oracle": candidate.name,
        "true_epsilon": candidate.epsilon,
        "rare_variance": candidate.rare,
        "reference": reference,
        "ratio": None if reference is None else candidate.rare / reference,
        "mean_variance": candidate.mean,
        "worst_variance": candidate.worst,
        "bytes_per_report": candidate.bytes_per_report,
        "client_draws": candidate.client_draws,
    }


def _beats_oue(row: dict[str, Cell], rows: list[dict[str, Cell]]) -> bool:
    """Whether a row has a smaller variance than OUE at its epsilon."""
    rival = next(r for r in rows if r["oracle"] == "OUE" and r["epsilon"] == row["epsilon"])
    return _variance(row) < _variance(rival)


def _figure(epsilons: tuple[float, ...], rows: list[dict[str, Cell]]) -> Figure:
    """One line for each oracle."""
    title = f"Variance of an estimated share by epsilon, {N:,} persons and {K} values"
    return Figure("variance", title, ("epsilon", "variance"), epsilons, _lines(rows, {}), log=(False, True))


def _beside_best(epsilons: tuple[float, ...], rows: list[dict[str, Cell]]) -> Figure:
    """The same over the least variance at each epsilon."""
    best = {row["epsilon"]: _variance(row) for row in rows if row["rank"] == 1}
    title = f"Variance over that of the best oracle by epsilon, {N:,} persons and {K} values"
    axes = ("epsilon", "variance over the least")
    return Figure("ratio", title, axes, epsilons, _lines(rows, best), log=(False, True))


def _lines(rows: list[dict[str, Cell]], unit: dict[Cell, float]) -> tuple[Line, ...]:
    """A line for each oracle, in a unit by epsilon."""
    return tuple(
        Line(name, tuple(_variance(row) / unit.get(row["epsilon"], 1.0) for row in rows if row["oracle"] == name))
        for name in oracles()
    )


def _variance(row: dict[str, Cell]) -> float:
    return float(row["rare_variance"] or 0)
