"""Which commands of traces grow along which dimension: protections of plans, and services that need not know."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
from growth_tables import KEY, Line, sfumato

POINTS = 50
"""Fixes of a person, where persons grow."""
FIXES = (2_000, 100_000, 400_000)
PLAN = """
format = "sfumato.plan/1"
[source]
path = "fixes.csv"
[traces]
person = "who"
time = "at"
latitude = "lat"
longitude = "lon"
zone = "Europe/Paris"
written = "seconds"
[region]
latitude = 45.60
longitude = 4.70
metres = 100
rows = 256
columns = 256
{protect}
[measure]
trials = 10
boxes = 10
[output]
path = "release.csv"
"""
PROTECTIONS = {
    "geo-indistinguishability": "epsilon = '0.01'",
    "memoised-reports": "epsilon = '0.01'",
    "promesse": "metres = 100",
    "rule": 'show = "cells"\nside = 2000.0',
    "cloak": "k = 5\nseconds = 1800",
    "shared-paths": "k = 5\nseconds = 1800\nwidest = 5000\nlongest = 7200",
    "near-paths": "k = 5\nradius = 20000",
}


def fixes(n: int) -> None:
    """A file of n fixes of persons who walk, 50 half hours each."""
    rng, persons = np.random.default_rng(1), max(10, n // POINTS)
    start = np.array([45.7, 4.85]) + rng.normal(0, 0.03, (persons, 1, 2))
    place = np.clip(start + rng.normal(0, 0.002, (persons, POINTS, 2)).cumsum(axis=1), [45.6, 4.7], [45.82, 5.02])
    who, time = np.repeat(np.arange(persons), POINTS), np.tile(1_780_000_000 + np.arange(POINTS) * 1800, persons)
    place = place.reshape(-1, 2)
    pc.write_csv(pa.table({"who": who, "at": time, "lat": place[:, 0], "lon": place[:, 1]}), "fixes.csv")


def protected(n: int, name: str) -> list[str]:
    """`run` with one protection."""
    fixes(n)
    said = f'[[protect]]\nname = "{name}"\n{PROTECTIONS[name]}'
    Path("plan.toml").write_text(PLAN.format(protect=said), "utf-8")
    return ["run", "plan.toml"]


def swept(n: int) -> list[str]:
    """`sweep` with so many values."""
    protected(2_000, "geo-indistinguishability")
    return ["sweep", "plan.toml", "--vary", f"epsilon=0.001..{n / 1000:g}..0.001"]


def building(places: int, side: int) -> list[str]:
    """`nearby build` of so many places in side * side cells."""
    rng = np.random.default_rng(1)
    lat, lon = 45.7 + rng.random(places) * 0.1, 4.8 + rng.random(places) * 0.1
    names = [f"place {i}" for i in range(places)]
    pc.write_csv(pa.table({"name": names, "latitude": lat, "longitude": lon}), "places.csv")
    Path("key.txt").write_text(KEY, "utf-8")
    metres = str(10_000 // side)
    region = ["--region", "45.70", "4.80", metres, str(side), str(side)]
    return ["nearby", "build", "places.csv", *region, "--label", "a", "--key", "key.txt", "-o", "town"]


def serving(side: int, looks: int) -> list[str]:
    """`serve places` that is asked so often."""
    sfumato(*building(500, side))
    return ["serve", "places", "town", str(looks)]


TRACES: list[Line] = [
    *(Line("run", f"fixes of persons, {name}", FIXES, lambda n, p=name: protected(n, p)) for name in PROTECTIONS),
    Line("sweep", "values of a protection of traces", (2, 10, 40), swept),
    Line("nearby", "places, build", (100, 5_000, 20_000), lambda n: building(n, 40)),
    Line("nearby", "rows and columns of cells, build", (10, 100, 200), lambda n: building(1_000, n), "cells are rows by columns: n² of them"),
    Line("serve places", "looks", (10, 500, 2_000), lambda n: serving(100, n)),
    Line("serve places", "rows and columns of cells, 200 looks", (10, 100, 200), lambda n: serving(n, 200), "cells are rows by columns: n² of them"),
    Line("serve friends", "tokens left and asked for", (10, 1_000, 4_000), lambda n: ["serve", "friends", "tokens.db", str(n)]),
]  # fmt: skip
