"""How much does local recoding lose, and how long does it take? Against ARX's answers on the same table.

ARX is a Java program: its answers and times are those recorded in the reference file (one machine's;
the losses are exact, the times only indicative). anonypyx runs here where it is installed.
"""

import sys
from itertools import product

import adult_tables
import timing

from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.mechanism.recode.cell_suppression import CellSuppression, SuppressedCell
from sfumato.mechanism.recode.local_recoding import Effort, LocalRecoding
from sfumato.mechanism.recode.partition.axes import Publish

ARX = {
    Publish.COVERS: {5: 0.0370, 10: 0.0611, 25: 0.1023, 50: 0.1406, 100: 0.1835},
    Publish.NODES: {5: 0.0655, 10: 0.0929, 25: 0.1340, 50: 0.1709, 100: 0.2124},
}
"""Global certainty penalty of ARX's local recoding (`optimizeIterativeFast`, step 0.01)."""

ARX_SECONDS = {5: 5.2, 10: 7.5, 25: 12.9, 50: 16.0, 100: 21.0}
SDCMICRO = {2: (3187, 19), 5: (7883, 63), 10: (12_864, 129)}
"""Cells and seconds of sdcMicro's localSuppression, five keys."""

ROWS_OF_SAMPLE = 300_000


def local(finest, columns, publish, k, times=3, effort=Effort.NORMAL):
    """One line of the table."""
    method = LocalRecoding((KAnonymity(k),), publish, effort=effort)
    decision = method.decide(finest, columns)
    return {
        "who": f"sfumato {publish.value}" + (" with high effort" if effort is Effort.HIGH else ""),
        "rows": int(finest.rows.sum()),
        "tuples": finest.n_classes,
        "k": k,
        **timing.median_of(lambda: method.decide(finest, columns), times),
        "gcp": decision.loss,
        "classes": decision.published.n_classes,
        **({} if effort is Effort.NORMAL else {"no_partition_below": decision.loss_at_least}),
    }


def cells(shared, suppressed, k):
    """Suppressed cells of five keys."""
    columns = adult_tables.attributes(shared, ["sex", "age", "race", "marital-status", "education"])
    finest = adult_tables.classes(adult_tables.codes(shared, columns))
    method = CellSuppression((KAnonymity(k),), suppressed)
    decision = method.decide(finest, columns)
    taken = timing.median_of(lambda: method.decide(finest, columns), 1)
    n = round(decision.loss * 30_162 * 5)
    return {
        "who": f"cells as {suppressed.value}",
        "k": k,
        **taken,
        "cells": n,
        "sdcmicro_cells": SDCMICRO[k][0],
        "sdcmicro_s": SDCMICRO[k][1],
    }


def main():
    """Adult with nine quasi-identifiers at every k; then a large sample with very many tuples."""
    shared = timing.shared_folder()
    columns = adult_tables.attributes(shared, list(adult_tables.texts(shared)))
    rows = adult_tables.codes(shared, columns)
    finest = adult_tables.classes(rows)
    lines = []
    for publish, recorded in ARX.items():
        for (k, gcp), effort in product(recorded.items(), Effort):
            line = local(finest, columns, publish, k, times=1 if "--short" in sys.argv else 3, effort=effort)
            lines.append({**line, "arx_gcp": gcp, "share_of_arx": line["gcp"] / gcp, "arx_s": ARX_SECONDS[k]})
    lines += [cells(shared, suppressed, k) for suppressed in SuppressedCell for k in SDCMICRO]
    sample = adult_tables.classes(adult_tables.independent(rows, ROWS_OF_SAMPLE, seed=1))
    lines.append(local(sample, columns, Publish.COVERS, 5, times=1))
    timing.write("local_recoding", lines, ("anonypyx",), runs="3 of ours, 1 of peers", recorded=("ARX",))


if __name__ == "__main__":
    main()
