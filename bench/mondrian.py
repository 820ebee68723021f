"""How fast is Mondrian, and how much does it lose? Ours from distinct tuples to labels; anonypyx from rows to labels."""

import adult_tables
import timing

from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.mechanism.recode.mondrian.compiled import halve_compiled
from sfumato.mechanism.recode.mondrian.mondrian import Halving, Mondrian
from sfumato.mechanism.recode.partition.axes import Publish, axes_of
from sfumato.mechanism.recode.partition.criteria import Judge
from sfumato.mechanism.recode.partition.splits import Watch, table_of

KS = (5, 100)
ROWS_OF_CENSUS = 10_000_000


def ours(finest, columns, k, halving, times=5, loops="numpy"):
    """One line of the table."""
    method = Mondrian((KAnonymity(k),), halving)
    decision = method.decide(finest, columns)
    sizes = decision.published.rows
    return {
        "who": f"sfumato {halving.value}",
        "loops": loops,
        "rows": int(finest.rows.sum()),
        "tuples": finest.n_classes,
        "k": k,
        **timing.median_of(lambda: method.decide(finest, columns), times),
        "gcp": decision.loss,
        "classes": len(sizes),
        "discernibility": int((sizes**2).sum()),
    }


def load(finest, columns):
    """Load the compiled form, as a table of a million tuples would; a process that has it uses it from then on."""
    if not timing.is_present("numba"):
        return "numpy"
    table = table_of(axes_of(columns, finest.codes, Publish.COVERS), Judge(finest, (KAnonymity(5),)))
    halve_compiled(table, Watch())
    return "numba"


def anonypyx(table, names, k):
    """The peer on the same rows."""
    import pandas as pd
    from anonypyx import Anonymiser

    frame = pd.DataFrame({n: [int(v) for v in table[n]] if n == "age" else table[n] for n in names})
    for name in names:
        if name != "age":
            frame[name] = frame[name].astype("category")
    taken = timing.median_of(lambda: Anonymiser(frame, k=k, algorithm="Mondrian", feature_columns=names).anonymise(), 1)
    return {"who": "anonypyx", "rows": len(frame), "k": k, **taken}


def main():
    """Adult with nine quasi-identifiers, then ten million rows drawn from it."""
    shared = timing.shared_folder()
    table = adult_tables.texts(shared)
    columns = adult_tables.attributes(shared, list(table))
    rows = adult_tables.codes(shared, columns)
    finest = adult_tables.classes(rows)
    lines = [ours(finest, columns, k, halving) for halving in Halving for k in KS]
    loops = load(finest, columns)
    lines += [ours(finest, columns, k, Halving.STRICT, loops=loops) for k in KS if loops == "numba"]
    if timing.is_present("anonypyx") and timing.is_present("pandas"):
        for k in KS:
            peer = anonypyx(table, list(table), k)
            mine = next(line for line in lines if line["k"] == k and line["who"] == "sfumato strict")
            lines.append({**peer, "times_slower": peer["wall_s"] / mine["wall_s"]})
    census = adult_tables.classes(adult_tables.altered(rows[:, :8], ROWS_OF_CENSUS, seed=1))
    lines.append(ours(census, columns[:8], 5, Halving.STRICT, times=1, loops=loops))
    timing.write("mondrian", lines, peers=("anonypyx", "numba"), runs="5 of ours, 1 of peers")


if __name__ == "__main__":
    main()
