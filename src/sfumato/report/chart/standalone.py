"""A picture as a file of its own: the SVG of a chart with its colors inside."""

from __future__ import annotations

_STYLE = (
    "svg{background:#fff;font-family:system-ui,'Liberation Sans',Arial,sans-serif}"
    "text{font-size:12px;fill:#1b2228}.value,.mark{font-size:11px}.mark,.axis-name{fill:#55606a}"
    ".before{fill:#c4781c}.after{fill:#14527d}.line{fill:none;stroke-width:2}"
    ".before-line{stroke:#c4781c;stroke-dasharray:5 3}.after-line{stroke:#14527d}"
    ".stroke,.hollow{fill:none;stroke-width:1.8}.band{fill-opacity:.14}.gray{stroke:#55606a}"
    ".grid{stroke:#e3e7ea;stroke-width:1}.axis{stroke:#7b858d;stroke-width:1}"
)

_MAP = (
    ".land{fill:#f1f3f4;stroke:#c9d0d5;stroke-width:.5}.trace{fill:#dce1e4}.frame{fill:none;stroke:#7b858d;stroke-width:1}"
    ".h0{fill:#c7e9b4}.h1{fill:#7fcdbb}.h2{fill:#41b6c4}.h3{fill:#1d91c0}.h4{fill:#225ea8}.h5{fill:#0c2c84}"
    ".way{fill:none;stroke-width:1.1;stroke-opacity:.75;stroke-linejoin:round}.flow{fill:none;stroke:#14527d;stroke-opacity:.65;stroke-linecap:round}.end,.north{fill:#1b2228}"
    ".scale{stroke-width:2}"
)
"""Of a picture that has a region, beside the others."""


_COLORS = ("#14527d", "#c4781c", "#2c8c5a", "#a8325e", "#6a5acd", "#3fa7d6", "#8c6d1f", "#4d4d4d")
"""Of c0 … c7, as `lines` draws them."""


def palette() -> str:
    """Strokes and fills of many lines."""
    return "".join(
        f".c{i}.stroke,.c{i}.hollow{{stroke:{color}}}.c{i}.dot,.c{i}.band{{fill:{color}}}"
        for i, color in enumerate(_COLORS)
    )


def standalone(chart: str) -> str:
    """The chart as a whole SVG document.

    Args:
        chart: what a function of this folder drew.

    Example:
        >>> from sfumato.report.chart.svg import picture
        >>> standalone(picture(10, "nothing", [])).startswith('<svg xmlns="http://www.w3.org/2000/svg" class="chart"')
        True
    """
    of_map = _MAP if 'class="land"' in chart else ""
    head, _, body = chart.removeprefix("<svg").partition(">")
    return f'<svg xmlns="http://www.w3.org/2000/svg"{head}><style>{_STYLE}{of_map}{palette()}</style>{body}\n'
