"""How near do private deciles come to the true ones, and how soon, beside other libraries?

Error: the 22 settings of the reference file, each with the mean absolute error of nine deciles; `best` is the best
of all peers' and research codes' figures there. Time: nine deciles of a million unsorted normal floats, from the
floats to the answer, each library in this run.

Run: python bench/dp_quantiles.py
"""

from __future__ import annotations

import csv
import gzip
import json
from fractions import Fraction

import numpy as np
from timing import is_present, median_of, shared_folder, write

from sfumato.mechanism.central.quantiles.choose import choose
from sfumato.mechanism.central.quantiles.joint_exponential import JointExponential
from sfumato.mechanism.central.quantiles.small_histogram import SmallHistogram
from sfumato.noise.bits import SystemBits
from sfumato.table.unit import Neighbors

DECILES = tuple(Fraction(i, 10) for i in range(1, 10))
Q = [i / 10 for i in range(1, 10)]
STEPS = 10**7
ADULT = {"adult_age": ("age", 120), "adult_hours": ("hours-per-week", 100), "adult_capgain": ("capital-gain", 10**5)}
OURS = ("proto_", "noisy_hist")
"""Sketches in the reference file that are no published code."""


def reference():
    """(data, eps) -> (best of all, its name, best without our own sketches, its name)."""
    document = json.loads((shared_folder() / "reference" / "dp_reference.json").read_text())
    found = {}
    for row in document["rows"]:
        if isinstance(row.get("mae"), int | float):
            found.setdefault((row["data"], row["eps"]), []).append((row["mae"], row["method"]))
    return {key: (*min(rows), *min(row for row in rows if not row[1].startswith(OURS))) for key, rows in found.items()}


def data(name):
    """(values, low, high, steps) as the reference made them."""
    if name in ADULT:
        column, high = ADULT[name]
        with gzip.open(shared_folder() / "data" / "adult_uci" / "adult_48842.csv.gz", "rt", newline="") as file:
            values = np.array([float(row[column]) for row in csv.DictReader(file)])
        return values, 0.0, float(high), high
    n = int(name.rsplit("n", 1)[1])
    if name.startswith("uniform"):
        return np.random.default_rng(20261127 + n).uniform(0, 1, n), 0.0, 1.0, STEPS
    return np.clip(np.random.default_rng(777 + n).normal(0, 1, n), -10, 10), -10.0, 10.0, STEPS


def places(values, low, high, steps):
    """Grid places."""
    return np.rint((np.clip(values, low, high) - low) * (steps / (high - low))).astype(np.int64)


def errors(method, values, low, high, steps, times):
    """Mean absolute error of each of several runs."""
    truth, grid, bits = np.quantile(values, Q, method="inverted_cdf"), places(values, low, high, steps), SystemBits()
    answers = (method.decide(grid, bits=bits) * (high - low) / steps + low for _ in range(times))
    return np.array([np.abs(answer - truth).mean() for answer in answers])


def accuracy():
    """One row for each setting."""
    for (name, eps), (best, by, published, publisher) in reference().items():
        values, low, high, steps = data(name)
        n, epsilon = len(values), Fraction(str(eps))
        times = 200 if n < 200_000 else 40
        common = (DECILES, epsilon, steps + 1, Neighbors.ADD_REMOVE, 1)
        methods = {
            "default": choose(*common, n),
            "joint": JointExponential(*common),
            "published joint": JointExponential(*common, Fraction(0)),
            "histogram": SmallHistogram(*common),
        }
        row = {"data": name, "eps": eps, "method": methods["default"].name}
        for label, method in methods.items():
            found = errors(method, values, low, high, steps, times if label == "default" else times // 4)
            row |= {label: float(found.mean()), f"{label} se": float(found.std() / np.sqrt(len(found)))}
        row |= {"best": best, "by": by, "published": published, "publisher": publisher}
        yield row | {"ratio": row["default"] / best if best else float(row["default"] > 0)}


def speed():
    """CPU seconds for nine deciles of a million normal floats."""
    values, low, high, steps = data("normal_n1000000")
    bits = SystemBits()
    for eps in (Fraction(1), Fraction(1, 10)):
        method = JointExponential(DECILES, eps, steps + 1, Neighbors.ADD_REMOVE, 1)
        runs = {"sfumato": (lambda method=method: method.decide(places(values, low, high, steps), bits=bits), 11)}
        runs |= {
            name: (run, 1 if name == "diffprivlib" else 3) for name, run in peers(values, low, high, float(eps)).items()
        }
        ours = None
        for name, (run, times) in runs.items():
            run()
            took = median_of(run, times)
            ours = ours or took["cpu_s"]
            yield {"time of": name, "eps": float(eps), **took, "times ours": took["cpu_s"] / ours}


def peers(values, low, high, eps):
    """Name -> run, for each library that is installed."""
    found = {}
    if is_present("diffprivlib"):
        from diffprivlib.tools import quantile

        found["diffprivlib"] = lambda: quantile(values, Q, epsilon=eps, bounds=(low, high))
    if is_present("opendp"):
        found |= opendp(values, low, high, eps)
    if is_present("pydp"):
        from pydp.algorithms import quantile_tree

        def tree():
            one = quantile_tree.QuantileTree(low, high, 4, 16)
            for value in values.tolist():
                one.add_entry(value)
            return one.compute_quantiles(eps, 0, 1, 1, Q, "laplace")

        found["pydp tree"] = tree
    return found


def opendp(values, low, high, eps):
    """OpenDP's exponential mechanism over 1,001 candidates, ε/9 for each decile."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    candidates = np.linspace(low, high, 1001).tolist()
    makers = [
        dp.binary_search_chain(
            lambda scale, q=q: dp.m.make_private_quantile(
                *space, dp.max_divergence(), candidates=candidates, alpha=q, scale=scale
            ),
            d_in=1,
            d_out=eps / 9,
            bounds=(1e-6, 1e6),
        )
        for q in Q
    ]
    return {"opendp exponential": lambda: [make(values) for make in makers]}


def main():
    """Both questions."""
    rows = [*accuracy(), *speed()]
    peers = ("opendp", "diffprivlib", "python-dp")
    write("dp_quantiles", rows, peers, runs="11 of ours, 3 of peers", recorded=("best error of the reference",))


if __name__ == "__main__":
    main()
