"""What the commands of collections print and draw: advice, designs, shares, strings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

if TYPE_CHECKING:
    from sfumato.mechanism.local.rappor.decode.decoded import Decoded
    from sfumato.release.collect.estimates import Estimates

_MOST_DRAWN = 25


def advice_text(found: Mapping[str, object]) -> str:
    """The comparison as lines."""
    lines = []
    for attribute in _rows(found, "attributes"):
        lines.append(f"{attribute['values']} values, epsilon {found['epsilon']}, {found['persons']} persons")
        lines.append(f"  {'oracle':<28}{'mean variance':>15}{'sd of a share':>15}{'bytes':>8}{'draws':>8}{'server':>8}")
        for row in _rows(attribute, "oracles"):
            mean = float(str(row["mean_variance"]))
            lines.append(
                f"  {row['name']!s:<28}{mean:>15.3e}{mean**0.5:>15.5f}{row['bytes_per_report']!s:>8}"
                f"{row['client_draws']!s:>8}{row['server_steps']!s:>8}"
            )
    schemes = cast("Mapping[str, Sequence[Mapping[str, object]]]", found["schemes"])
    for neighbors, rows in schemes.items():
        lines.append(f"several questions, persons differ in the {neighbors}: equal true epsilon")
        lines += [
            f"  {row['name']!s:<28}{float(str(row['worst_variance'])):>15.3e} worst variance; epsilon of the whole record "
            f"{float(str(row['tuple_level'])):.4g}, of one attribute {float(str(row['one_attribute'])):.4g}"
            for row in rows
        ]
    return "\n".join(lines)


def advice_picture(found: Mapping[str, object]) -> str:
    """Standard deviation of a share under each oracle, for each question."""
    from sfumato.report.chart.bars import bars
    from sfumato.report.chart.standalone import standalone
    from sfumato.report.chart.svg import Series

    questions = _rows(found, "attributes")
    labels, deviations = [], []
    for at, question in enumerate(questions):
        of = f", question {at + 1} ({question['values']} values)" if len(questions) > 1 else ""
        for row in _rows(question, "oracles"):
            labels.append(f"{row['name']}{of}")
            deviations.append(float(str(row["mean_variance"])) ** 0.5)
    drawn = bars(
        labels,
        [Series("standard deviation", "after", deviations)],
        "Standard deviation of an estimated share under each oracle",
        "standard deviation of an estimated share",
        lambda value: f"{value:.4f}",
    )
    return standalone(drawn)


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


def design_text(found: Mapping[str, object], output: Path | None) -> str:
    """The proposals as lines."""
    lines = [f"{'bytes':>7}{'bits':>6}{'hashes':>7}{'cohorts':>8}{'f':>10}{'p':>8}{'q':>8}{'eps lifetime':>14}{'eps report':>12}{'smallest share':>16}"]  # fmt: skip
    for i, row in enumerate(_rows(found, "proposals")):
        lifetime = row["epsilon_permanent"]
        shown = "once" if lifetime is None else f"{float(str(lifetime)):.4f}"
        lines.append(
            f"{row['bytes']!s:>7}{row['bits']!s:>6}{row['hashes']!s:>7}{row['cohorts']!s:>8}{row['f']!s:>10}{row['p']!s:>8}"
            f"{row['q']!s:>8}{shown:>14}{float(str(row['epsilon_first'])):>12.4f}{_percent(row['smallest_share']):>16}"
            + ("  chosen" if i == found["chosen"] else "")
        )
    lines.append(
        f"A string of the smallest share is found with probability {found['power']}, at significance {found['significance']} over "
        f"{found['candidates']:,} candidates, from {found['reports']:,} reports."
    )
    if found["simulated_power"] is not None:
        lines.append(f"Simulated {found['simulated_runs']} times, the chosen one found {_percent(found['simulated_power'])} of such strings.")  # fmt: skip
    return "\n".join([*lines, *([] if output is None else [f"parameters: {output}"])])


def design_picture(found: Mapping[str, object]) -> str:
    """The smallest share against the size of a report."""
    from sfumato.report.chart.lines import Axes, Curve, lines
    from sfumato.report.chart.standalone import standalone

    rows = _rows(found, "proposals")
    shares = [None if row["smallest_share"] is None else 100 * float(str(row["smallest_share"])) for row in rows]
    chosen = [share if i == found["chosen"] else None for i, share in enumerate(shares)]
    curves = [Curve("smallest share found", shares, 0), Curve("chosen", chosen, 1)]
    axes = Axes(("bits of a report", "share of persons, %"), (len(rows) > 1, False), (), lambda value: f"{value:.3g}")
    sizes = [float(str(row["bits"])) for row in rows]
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


def _percent(value: object) -> str:
    """A share as a percentage with three digits."""
    return "none" if value is None or not np.isfinite(float(str(value))) else f"{100 * float(str(value)):.3g} %"


def _rows(document: Mapping[str, object], key: str) -> Sequence[Mapping[str, object]]:
    return cast("Sequence[Mapping[str, object]]", document[key])
