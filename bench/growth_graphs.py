"""Which commands about graphs grow along which dimension: edges, vertices, statistics of a plan."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from growth_tables import Line

if TYPE_CHECKING:
    from collections.abc import Iterable

EDGES = (1_000, 50_000, 200_000)
PLAN = """format = "sfumato.plan/1"
[graph]
source = "u"
target = "v"
[unit]
protects = "edge"
[source]
path = "edges.csv"
{asked}
[output]
path = "out.csv"
"""
ASKED = '[[statistics]]\nname = "{name}"\nprice = {{ epsilon = 1 }}\n{more}'
MORE = {"degrees": "most = 100", "stars": "legs = 2", "core-quantiles": 'shares = ["0", "1/2"]\nmost = 100'}
"""What some statistics must be told beside their price."""
TRIED = "each size is tried on public random graphs of that size, of at most 2,000 vertices, anew for each way and run"


def edges(n: int, seed: int = 0, name: str = "edges.csv") -> str:
    """A table of edges at random, ten for each vertex."""
    rng = Random(n + seed)  # noqa: S311
    return written(((rng.randrange(n // 10), rng.randrange(n // 10)) for _ in range(n)), name)


def path(n: int) -> str:
    """A path, which Montresor's rounds would walk vertex by vertex."""
    return written((i, i + 1) for i in range(n))


def written(pairs: Iterable[tuple[int, int]], name: str = "edges.csv") -> str:
    """A table of edges."""
    Path(name).write_text("u,v\n" + "".join(f"{u},{v}\n" for u, v in pairs), "utf-8")
    return name


def near(n: int) -> list[str]:
    """Two graphs that have some edges in common."""
    first = edges(n)
    lines = Path(first).read_text("utf-8").splitlines()
    other = Path(edges(n, 1, "other.csv")).read_text("utf-8").splitlines()
    Path("other.csv").write_text("\n".join(lines[: n // 2] + other[n // 2 :]) + "\n", "utf-8")
    return ["graph", "nearness", first, "other.csv"]


def forecast(name: str, times: int = 1, *, vertices: int = 500, per_vertex: int = 10) -> list[str]:
    """`forecast` of a plan that asks one statistic so often."""
    asked = ASKED.format(name=name, more=MORE.get(name, "")) + "\n"
    Path("plan.toml").write_text(PLAN.format(asked=asked * times), "utf-8")
    return ["forecast", "plan.toml", "--vertices", str(vertices), "--expected", str(per_vertex * vertices)]


def recommended(vertices: int, per_vertex: int = 5) -> list[str]:
    """`graph recommend`."""
    return ["graph", "recommend", "--vertices", str(vertices), "--edges", str(per_vertex * vertices), "--epsilon", "1"]


GRAPHS: list[Line] = [
    *(
        Line(f"graph {figure}", "edges", EDGES, lambda n, figure=figure: ["graph", figure, edges(n)])
        for figure in ("cores", "degrees", "parts", "triangles", "risk")
    ),
    Line("graph cores", "vertices of a path", EDGES, lambda n: ["graph", "cores", path(n)]),
    Line("graph nearness", "edges", EDGES, near),
    Line("graph recommend", "vertices", (100, 500, 2_000), recommended, TRIED),
    Line("graph recommend", "edges", (1_000, 10_000, 40_000), lambda n: recommended(500, n // 500), TRIED),
    Line("forecast", "statistics", (1, 8, 32), lambda n: forecast("degrees", n)),
    Line("forecast", "vertices of triangles", (100, 500, 2_000), lambda n: forecast("triangles", vertices=n), TRIED),
    Line("forecast", "vertices of cores", (100, 500, 2_000), lambda n: forecast("cores", vertices=n), TRIED),
]
