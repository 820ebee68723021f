"""One page of small pictures: what every command costs as one thing grows."""

from __future__ import annotations

import math
from html import escape

ACROSS, WIDTH, HEIGHT, MARGIN, HEAD = 6, 210, 118, 14, 86
INK = {"cpu_s": "#14527d", "peak_mib": "#c4781c"}
SIGN = {"cpu_s": "CPU", "peak_mib": "memory"}
FRAME = {"steep": "#c22b2b", "stopped": "#c22b2b", "reason": "#c4981c", "good": "#cfd6db", "flat": "#e6eaed"}
LEAST = {"cpu_s": 0.05, "peak_mib": 4.0}
"""What the pictures show of less."""


def page(rows: list[dict[str, object]], limit: float) -> str:
    """All lines as an SVG, a block for each command.

    Args:
        rows: of the bench.
        limit: slope above which a line needs a reason.
    """
    parts, y = [], HEAD
    for command in dict.fromkeys(row["command"] for row in rows):
        own = [row for row in rows if row["command"] == command]
        parts.append(_text(MARGIN, y, f"sfumato {command}", 15, "#1b2228", bold=True))
        for i, row in enumerate(own):
            parts.append(_picture(row, MARGIN + i % ACROSS * WIDTH, y + 10 + i // ACROSS * HEIGHT))
        y += 34 + math.ceil(len(own) / ACROSS) * HEIGHT
    reasons = [row for row in rows if row["verdict"] in {"reason", "steep", "stopped"}]
    for row in reasons:
        why = row.get("stopped") or row.get("reason") or "no reason"
        parts.append(
            _text(MARGIN, y, f"{row['command']}, {row['grows']}: {row['verdict']}: {why}"[:190], 11, "#1b2228")
        )
        y += 16
    head = [
        _text(MARGIN, 24, "How the commands grow", 18, "#1b2228", bold=True),
        _text(MARGIN, 44, "CPU seconds (blue) and peak memory (orange) beyond a start, on log-log axes; gray: in proportion. "
              "Numbers: the slope between the two largest sizes; –: it hardly grows.", 11, "#55606a"),
        _text(MARGIN, 60, f"Red frame: steeper than {limit} without a reason, or stopped. Yellow: steeper, with a reason, which "
              "stands at the foot.", 11, "#55606a"),
    ]  # fmt: skip
    width = 2 * MARGIN + ACROSS * WIDTH
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y}" width="{width}" height="{y}" role="img" '
        f'aria-label="Cost of every command as one thing grows"><rect width="{width}" height="{y}" fill="#fff"/>'
        + "".join([*head, *parts])
        + "</svg>\n"
    )


def _picture(row: dict[str, object], x: float, y: float) -> str:
    """One line: both costs, the slopes, and a line in proportion."""
    inner_w, inner_h = WIDTH - 26, HEIGHT - 66
    left, top = x + 8, y + 34
    slopes = " ".join(
        f'<tspan fill="{INK[what]}">{SIGN[what]} {"–" if value is None else f"{value:.2f}"}</tspan>'
        for what, value in row["slopes"].items()
    )
    parts = [
        _frame(row["verdict"], x, y),
        _text(x + 8, y + 15, row["grows"], 11, "#1b2228"),
        f'<text x="{x + 8}" y="{y + 29}" font-family="sans-serif" font-size="10">{slopes}</text>',
    ]
    points = row["points"][1:]
    if len(points) < 2:
        return "".join(parts)
    ns = [math.log10(point["n"]) for point in points]
    across = [left + inner_w * (n - ns[0]) / (ns[-1] - ns[0]) for n in ns]
    for what, ink in INK.items():
        grown = [max(point[what] - row["points"][0][what], LEAST[what]) for point in points]
        heights = [_height(value / LEAST[what], top, inner_h) for value in grown]
        parts.append(_path(across, heights, ink, 2))
        line = [grown[-1] * 10 ** (n - ns[-1]) for n in ns]
        parts.append(_path(across, [_height(value / LEAST[what], top, inner_h) for value in line], "#b4bcc2", 0.8))
    last = row["points"][-1]
    told = f"{last['n']:,}: {last['cpu_s']:.1f} s, {last['peak_mib']:,} MiB"
    return "".join([*parts, _text(x + 8, y + HEIGHT - 14, told, 9, "#55606a")])


def _frame(verdict: str, x: float, y: float) -> str:
    """Around a picture."""
    width = 1 if verdict in {"good", "flat"} else 2
    return (
        f'<rect x="{x}" y="{y}" width="{WIDTH - 10}" height="{HEIGHT - 8}" rx="4" fill="none" stroke="{FRAME[verdict]}" '
        f'stroke-width="{width}"/>'
    )


def _height(value: float, top: float, height: float) -> float:
    """Three decades over the least that is shown."""
    return top + height * (1 - min(max(math.log10(max(value, 1e-9)) / 3, 0.0), 1.0))


def _path(xs: list[float], ys: list[float], ink: str, width: float) -> str:
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    return f'<polyline points="{line}" fill="none" stroke="{ink}" stroke-width="{width}"/>'


def _text(x: float, y: float, said: str, size: int, ink: str, *, bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x}" y="{y}" font-family="sans-serif" font-size="{size}" fill="{ink}"{weight}>{escape(said)}</text>'
    )
