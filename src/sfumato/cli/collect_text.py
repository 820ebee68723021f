"""What the commands of collections print and draw: advice, designs, shares, strings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.document.result.collected import DesignResult, EstimatesResult, PramResult, RecommendationResult
    from sfumato.mechanism.local.rappor.decode.decoded import Decoded

_MOST_DRAWN = 25


def advice_text(found: RecommendationResult) -> str:
    """The comparison as lines."""
    lines = []
    for choice in found.attributes:
        lines.append(f"{choice.values} values, epsilon {found.epsilon}, {found.persons} persons")
        lines.append(f"  {'oracle':<28}{'mean variance':>15}{'sd of a share':>15}{'bytes':>8}{'draws':>8}{'server':>8}")
        lines += [
            f"  {one.name:<28}{one.mean_variance:>15.3e}{one.mean_variance**0.5:>15.5f}{one.bytes_per_report:>8}{one.client_draws:>8}{one.server_steps:>8}"
            for one in choice.oracles
        ]
    for neighbors, schemes in found.schemes.items():
        lines.append(f"several questions, persons differ in the {neighbors}: equal true epsilon")
        lines += [
            f"  {one.name:<28}{one.worst_variance:>15.3e} worst variance; epsilon of the whole record "
            f"{one.tuple_level:.4g}, of one attribute {one.one_attribute:.4g}"
            for one in schemes
        ]
    return "\n".join(lines)


def advice_picture(found: RecommendationResult) -> str:
    """Standard deviation of a share under each oracle, for each question."""
    from sfumato.report.chart.bars import bars
    from sfumato.report.chart.standalone import standalone
    from sfumato.report.chart.svg import Series

    many = len(found.attributes) > 1
    labels, deviations = [], []
    for at, choice in enumerate(found.attributes):
        of = f", question {at + 1} ({choice.values} values)" if many else ""
        for one in choice.oracles:
            labels.append(f"{one.name}{of}")
            deviations.append(one.mean_variance**0.5)
    drawn = bars(
        labels,
        [Series("standard deviation", "after", deviations)],
        "Standard deviation of an estimated share under each oracle",
        "standard deviation of an estimated share",
        lambda value: f"{value:.4f}",
    )
    return standalone(drawn)


def pram_text(found: PramResult) -> str:
    """What each column spends, and the shares that the release tells."""
    lines = [f"epsilon of a row: {found.row_epsilon:.6g}"]
    for column in found.columns:
        lines.append(f"{column.name}: epsilon {column.epsilon:.6g}; shares read off the release")
        lines += [f"  {share.estimate:>9.4f} ± {share.deviation:.4f}  {share.value}" for share in column.shares]
    return "\n".join(lines)


def estimates_text(found: EstimatesResult) -> str:
    """The shares as lines."""
    lines = [
        (
            f"{found.protocol}: epsilon of the whole record {found.epsilon.tuple_level:.6g}, "
            f"of one attribute {found.epsilon.one_attribute:.6g}"
        )
    ]
    for question in found.questions:
        lines.append(f"{question.column}: estimate and {found.confidence:.0%} interval")
        lines += [f"  {a.estimate:>9.4f}  [{a.low:.4f}, {a.high:.4f}]  {a.value}" for a in question.answers]
    return "\n".join(lines)


def shares_picture(found: EstimatesResult) -> str:
    """The shares of all questions with their intervals."""
    from sfumato.report.chart.intervals import Span, intervals
    from sfumato.report.chart.standalone import standalone

    many = len(found.questions) > 1
    spans = [
        Span(f"{question.column}: {a.value}" if many else a.value, 100 * a.estimate, 100 * a.low, 100 * a.high)
        for question in found.questions
        for a in question.answers
    ]
    return standalone(intervals(spans, "Estimated share of each answer with its interval", "share of persons, %", lambda value: f"{value:.3g}"))  # fmt: skip


def design_text(found: DesignResult, output: Path | None) -> str:
    """The proposals as lines."""
    lines = [f"{'bytes':>7}{'bits':>6}{'hashes':>7}{'cohorts':>8}{'f':>10}{'p':>8}{'q':>8}{'eps lifetime':>14}{'eps report':>12}{'smallest share':>16}"]  # fmt: skip
    for i, one in enumerate(found.proposals):
        shown = "once" if one.epsilon_permanent is None else f"{one.epsilon_permanent:.4f}"
        lines.append(
            f"{one.bytes:>7}{one.bits:>6}{one.hashes:>7}{one.cohorts:>8}{one.f:>10}{one.p:>8}"
            f"{one.q:>8}{shown:>14}{one.epsilon_first:>12.4f}{_percent(one.smallest_share):>16}"
            + ("  chosen" if i == found.chosen else "")
        )
    lines.append(
        f"A string of the smallest share is found with probability {found.power}, at significance {found.significance} over "
        f"{found.candidates:,} candidates, from {found.reports:,} reports."
    )
    if found.simulated_power is not None:
        lines.append(
            f"Simulated {found.simulated_runs} times, the chosen one found {_percent(found.simulated_power)} of such strings."
        )
    return "\n".join([*lines, *([] if output is None else [f"parameters: {output}"])])


def design_picture(found: DesignResult) -> str:
    """The smallest share against the size of a report."""
    from sfumato.report.chart.lines import Axes, Curve, lines
    from sfumato.report.chart.standalone import standalone

    shares = [None if one.smallest_share is None else 100 * one.smallest_share for one in found.proposals]
    chosen = [share if i == found.chosen else None for i, share in enumerate(shares)]
    curves = [Curve("smallest share found", shares, 0), Curve("chosen", chosen, 1)]
    axes = Axes(("bits of a report", "share of persons, %"), (len(shares) > 1, False), (), lambda value: f"{value:.3g}")
    sizes = [float(one.bits) for one in found.proposals]
    return standalone(lines(sizes, curves, "Smallest share that is found, by size of a report", axes))


def decoded_text(found: Decoded) -> str:
    """The discoveries as lines."""
    order = _discoveries(found)
    lines = [f"{found.reports:,} reports; {len(order)} of {len(found.names):,} candidates found ({found.correction.value}, significance {found.significance})"]  # fmt: skip
    lines += [
        f"  {_percent(found.share[i]):>9}  [{_percent(found.low[i])}, {_percent(found.high[i])}]  p {found.adjusted[i]:.1e}  {_named(found, i)}"
        for i in order
    ]
    lines.append(
        f"  {_percent(found.unexplained):>9}  of persons hold something else, or a string too rare to be found"
    )
    return "\n".join(lines + ([f"{len(found.silent)} cohorts sent no report."] if found.silent else []))


def decoded_picture(found: Decoded) -> str:
    """The largest discoveries as bars."""
    from sfumato.report.chart.bars import bars
    from sfumato.report.chart.standalone import standalone
    from sfumato.report.chart.svg import Series

    order = _discoveries(found)[:_MOST_DRAWN]
    series = [Series("estimated share", "after", [100 * float(found.share[i]) for i in order])]
    labels = [_named(found, i) for i in order]
    return standalone(bars(labels, series, "Estimated shares of the strings found", "share of persons, %", lambda value: f"{value:.3g}"))  # fmt: skip


def _discoveries(found: Decoded) -> list[int]:
    """Places of the discoveries, largest shares first."""
    order: list[int] = [i for i in np.argsort(-found.share, kind="stable").tolist() if found.found[i]]
    return order


def _named(found: Decoded, at: int) -> str:
    """The names of an entry, quoted where they could end a line or move the cursor."""
    return " or ".join(name if name.isprintable() else repr(name) for name in found.names[at])


def _percent(share: float | None) -> str:
    """A share as a percentage with three digits."""
    return f"{100 * share:.3g} %" if share is not None and np.isfinite(share) else "none"
