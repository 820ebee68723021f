"""How fast is the optimal full-domain search? Adult, and three million rows with 805,000 distinct tuples.

ARX is a Java program and does not run here: its figures were recorded elsewhere, on a machine with two cores (warm JVM,
wall seconds on Adult; whole process from CSV to CSV, CPU seconds, on the large table). So the large table has two lines for
each limit: our search, beside nothing, and our whole process from CSV to CSV, beside ARX's whole process.

Run: python bench/full_domain.py [--large]
"""

from __future__ import annotations

import resource
import sys
import tempfile
import warnings
from fractions import Fraction
from pathlib import Path

import adult_tables
import cold_process
import numpy as np
import pyarrow as pa
from pyarrow.csv import WriteOptions, write_csv
from timing import is_present, median_of, process, shared_folder, write

from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.mechanism.recode.full_domain import FullDomain
from sfumato.summary.classes import Classes
from sfumato.utility.loss.arx import ArxLoss

LIMITS = ("0", "0.02", "0.05", "1")
ARX_ADULT = {
    "0": (0.04, 0.5731509655590044),
    "0.02": (0.8, 0.3137130352819242),
    "0.05": (1.4, 0.2419323650662947),
    "1": (3.5, 0.22041192847984292),
}
"""Recorded elsewhere: wall seconds in a warm JVM, and loss."""
ARX_LARGE = {"0": (10.7, 0.4267), "0.02": (129.0, 0.1125), "1": (104.0, 0.1046)}
"""Recorded elsewhere: CPU seconds of the whole process at its best (the first limit with a JVM tuned for start), and loss;
1.4 to 1.9 GB."""

N_LARGE = 3_000_000


def large(columns, rows):
    """Three million rows, each column drawn independently from Adult's marginals; and their distinct tuples."""
    rng = np.random.default_rng(42)
    table = np.empty((N_LARGE, len(columns)), np.int16)
    key = np.zeros(N_LARGE, np.int64)
    for j, attribute in enumerate(columns):
        table[:, j] = rng.choice(rows[:, j], N_LARGE)
        key = key * attribute.hierarchy.n_leaves + table[:, j]
    keys, counts = np.unique(key, return_counts=True)
    codes = np.empty((len(keys), len(columns)), np.int64)
    for j in reversed(range(len(columns))):
        keys, codes[:, j] = np.divmod(keys, columns[j].hierarchy.n_leaves)
    return table, Classes(codes, counts, counts)


def searches(finest, columns):
    """The search alone: what reads and writes files is left out."""
    lines = []
    for limit, (_, loss) in ARX_LARGE.items():
        mine = ours(finest, columns, limit, 1)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        line = {"table": "independent 3e6", "what": "search", "distinct": finest.n_classes, "limit": limit}
        lines.append(line | mine | {"peak_mib": round(peak), "arx_loss": loss})
    return lines


def processes(shared, columns, table):
    """`sfumato run` as a whole process, from CSV to CSV, beside ARX's."""
    lines = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        names = [attribute.name for attribute in columns]
        labels = [pa.array(attribute.hierarchy.labels[0]) for attribute in columns]
        texts = [values.take(pa.array(table[:, j])) for j, values in enumerate(labels)]
        write_csv(pa.table(dict(zip(names, texts, strict=True))), folder / "adult.csv", WriteOptions(delimiter=";"))
        for limit, (seconds, loss) in ARX_LARGE.items():
            text = cold_process.plan_text(shared / "data" / "adult_arx" / "hierarchies", limit, lean=True)
            (folder / "plan.toml").write_text(text)
            used = process([str(Path(sys.executable).parent / "sfumato"), "run", "plan.toml"], folder)
            if used.pop("code"):
                raise SystemExit((folder / "said.txt").read_text())
            beside = {"arx_recorded_cpu_s": seconds, "arx_loss": loss, "times_less_cpu": seconds / used["cpu_s"]}
            lines.append({"table": "independent 3e6", "what": "whole process", "limit": limit} | used | beside)
    return lines


def ours(finest, columns, limit, times):
    """Seconds, loss and nodes of one search."""
    method = FullDomain((KAnonymity(5),), Fraction(limit), ArxLoss())
    decision = method.decide(finest, columns)
    used = median_of(lambda: method.decide(finest, columns), times)
    return used | {"loss": decision.loss, "checked": decision.search.checked, "optimal": decision.search.optimal}


def anjana_loss(table, columns, limit):
    """Seconds of the greedy search of anjana, a Python peer, and what it suppresses."""
    import pandas as pd
    from anjana.anonymity import k_anonymity

    frame = pd.DataFrame(table)
    trees = {
        a.name: {
            level: np.array([a.hierarchy.labels[level][c] for c in a.hierarchy.ancestors[level]], dtype=object)
            for level in range(a.hierarchy.height + 1)
        }
        for a in columns
    }
    names = [a.name for a in columns]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return median_of(lambda: k_anonymity(frame.copy(), [], names, 5, 100 * float(limit), trees), 1)


def main():
    """Print and keep the figures."""
    shared = shared_folder()
    table = adult_tables.texts(shared)
    columns = adult_tables.attributes(shared, list(table))
    rows = adult_tables.codes(shared, columns)
    finest = adult_tables.classes(rows)
    out = []
    for limit in LIMITS:
        seconds, loss = ARX_ADULT[limit]
        mine = ours(finest, columns, limit, 5)
        out.append(
            {
                "table": "adult",
                "limit": limit,
                **mine,
                "arx_recorded_wall_s": seconds,
                "arx_loss": loss,
                "times_faster_in_cpu": seconds / mine["cpu_s"],
            }
        )
    if is_present("anjana"):
        for limit in ("0", "0.05"):
            out.append({"table": "adult", "limit": limit, "peer": "anjana", **anjana_loss(table, columns, limit)})
    if "--large" in sys.argv:
        table, finest = large(columns, rows)
        out += searches(finest, columns)
        out += processes(shared, columns, table)
    write("full_domain", out, ("anjana",), runs="5 on Adult, 1 of the large table", recorded=("ARX",))


if __name__ == "__main__":
    main()
