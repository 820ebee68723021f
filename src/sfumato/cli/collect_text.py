"""What the commands of collections print and draw: advice, designs, shares, strings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.mechanism.local.rappor.decode.decoded import Decoded
    from sfumato.release.collect.advice import Advice
    from sfumato.release.collect.estimates import Estimates
    from sfumato.release.collect.pram import PramRelease
    from sfumato.release.collect.rappor import Designed

_MOST_DRAWN = 25


def advice_text(found: Advice) -> str:
    """The comparison as lines."""
    lines = []
    for choice in found.attributes:
        lines.append(f"{choice.domain_size} values, epsilon {found.epsilon}, {found.persons} persons")
        lines.append(f"  {'oracle':<28}{'mean variance':>15}{'sd of a share':>15}{'bytes':>8}{'draws':>8}{'server':>8}")
        lines += [
            f"  {one.name:<28}{one.mean:>15.3e}{one.mean**0.5:>15.5f}{one.bytes_per_report:>8}{one.client_draws:>8}{one.server_steps:>8}"
            for one in choice.candidates
        ]
    for neighbors, schemes in found.schemes.items():
        lines.append(f"several questions, persons differ in the {neighbors.value}: equal true epsilon")
        lines += [
            f"  {one.label:<28}{one.worst:>15.3e} worst variance; epsilon of the whole record "
            f"{one.epsilons.tuple_level:.4g}, of one attribute {one.epsilons.one_attribute:.4g}"
            for one in schemes
        ]
    return "\n".join(lines)


def advice_picture(found: Advice) -> str:
    """Standard deviation of a share under each oracle, for each question."""
    from sfumato.report.chart.bars import bars
    from sfumato.report.chart.standalone import standalone
    from sfumato.report.chart.svg import Series

    many = len(found.attributes) > 1
    labels, deviations = [], []
    for at, choice in enumerate(found.attributes):
        of = f", question {at + 1} ({choice.domain_size} values)" if many else ""
        for one in choice.candidates:
            labels.append(f"{one.name}{of}")
            deviations.append(one.mean**0.5)
    drawn = bars(
        labels,
        [Series("standard deviation", "after", deviations)],
        "Standard deviation of an estimated share under each oracle",
        "standard deviation of an estimated share",
        lambda value: f"{value:.4f}",
    )
    return standalone(drawn)


def pram_text(found: PramRelease) -> str:
    """What each column spends, and the shares that the release tells."""
    lines = [f"epsilon of a row: {found.row_epsilon:.6g}"]
    for column in found.columns:
        lines.append(f"{column.name}: epsilon {column.epsilon:.6g}; shares read off the release")
        lines += [f"  {share.estimate:>9.4f} ± {share.deviation:.4f}  {share.value}" for share in column.shares]
    return "\n".join(lines)


def estimates_text(found: Estimates) -> str:
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


def design_text(found: Designed, output: Path | None) -> str:
    """The proposals as lines."""
    lines = [f"{'bytes':>7}{'bits':>6}{'hashes':>7}{'cohorts':>8}{'f':>10}{'p':>8}{'q':>8}{'eps lifetime':>14}{'eps report':>12}{'smallest share':>16}"]  # fmt: skip
    for i, one in enumerate(found.proposals):
        made = one.params
        shown = "once" if made.is_one_time else f"{made.epsilon_permanent:.4f}"
        lines.append(
            f"{-(-made.bits // 8):>7}{made.bits:>6}{made.hashes:>7}{made.cohorts:>8}{made.f!s:>10}{made.p!s:>8}"
            f"{made.q!s:>8}{shown:>14}{made.epsilon_first:>12.4f}{_percent(one.share):>16}"
            + ("  chosen" if i == found.chosen else "")
        )
    aim = found.aim
    lines.append(
        f"A string of the smallest share is found with probability {aim.power}, at significance {aim.significance} over "
        f"{aim.candidates:,} candidates, from {aim.reports:,} reports."
    )
    if found.power is not None:
        lines.append(f"Simulated {found.runs} times, the chosen one found {_percent(found.power)} of such strings.")
    return "\n".join([*lines, *([] if output is None else [f"parameters: {output}"])])


def design_picture(found: Designed) -> str:
    """The smallest share against the size of a report."""
    from sfumato.report.chart.lines import Axes, Curve, lines
    from sfumato.report.chart.standalone import standalone

    shares = [100 * one.share if np.isfinite(one.share) else None for one in found.proposals]
    chosen = [share if i == found.chosen else None for i, share in enumerate(shares)]
    curves = [Curve("smallest share found", shares, 0), Curve("chosen", chosen, 1)]
    axes = Axes(("bits of a report", "share of persons, %"), (len(shares) > 1, False), (), lambda value: f"{value:.3g}")
    sizes = [float(one.params.bits) for one in found.proposals]
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


def _percent(share: float) -> str:
    """A share as a percentage with three digits."""
    return f"{100 * share:.3g} %" if np.isfinite(share) else "none"
