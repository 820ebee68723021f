"""How fast is a table checked for k-anonymity, l-diversity and t-closeness? A pandas frame in, three numbers out.

Ours and pycanon on the same frame in the same run: Adult with eight quasi-identifiers and `occupation`
as the sensitive column. Then ours alone on three million rows of it.
"""

import statistics

import numpy as np
import timing

from sfumato.engine.frame_classes import classes_of_frame
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.l_diversity import DistinctLDiversity
from sfumato.guarantee.t_closeness import TCloseness

SENSITIVE = "occupation"
MANY_ROWS = 3_000_000
QUESTIONS = {
    "k": (KAnonymity(1), ()),
    "l": (DistinctLDiversity(SENSITIVE, 1), (SENSITIVE,)),
    "t": (TCloseness(SENSITIVE, 1, "equal"), (SENSITIVE,)),
}
"""What is measured, and which columns must be counted for it."""


def ours(frame, names, question):
    """One measure, from the frame."""
    criterion, sensitive = QUESTIONS[question]
    return criterion.measure(classes_of_frame(frame, names, sensitive))


def theirs(frame, names, question):
    """The same measure by pycanon."""
    from pycanon import anonymity

    match question:
        case "k":
            return anonymity.k_anonymity(frame, names)
        case "l":
            return anonymity.l_diversity(frame, names, [SENSITIVE])
        case _:
            return anonymity.t_closeness(frame, names, [SENSITIVE])


def beside_pycanon(frame, names):
    """Both in turn, so that a busy machine slows both; the figure is the ratio of the medians."""
    lines = []
    for question in QUESTIONS:
        mine, other = [], []
        values = ours(frame, names, question), theirs(frame, names, question)
        if abs(values[0] - values[1]) > 1e-9:
            raise SystemExit(f"{question}: {values[0]} here, {values[1]} by pycanon")
        for _ in range(1 if question == "t" else 3):  # one of pycanon's takes twenty seconds
            mine.append(timing.median_of(lambda q=question: ours(frame, names, q), 5))
            other.append(timing.median_of(lambda q=question: theirs(frame, names, q), 1))
        line = {"question": question, "value": values[0], "rows": len(frame)}
        for clock in ("wall_s", "cpu_s"):
            a, b = (statistics.median(run[clock] for run in runs) for runs in (mine, other))
            line |= {f"sfumato_{clock}": a, f"pycanon_{clock}": b, f"times_{clock[:-2]}": b / a}
        lines.append(line)
    return lines


def alone(frame, names, label):
    """Ours on many rows."""
    return [
        {
            "question": question,
            "rows": len(frame),
            "frame": label,
            "value": ours(frame, names, question),
            **{f"sfumato_{k}": v for k, v in timing.median_of(lambda q=question: ours(frame, names, q), 3).items()},
        }
        for question in QUESTIONS
    ]


def main():
    """Adult, then a hundred times as many rows drawn from it with replacement."""
    if not timing.is_present("pandas"):
        return
    import pandas as pd

    frame = pd.read_csv(timing.shared_folder() / "data" / "adult_arx" / "adult.csv.gz", sep=";")
    names = [name for name in frame.columns if name != SENSITIVE]
    lines = (
        beside_pycanon(frame, names)
        if timing.is_present("pycanon")
        else alone(frame, names, str(frame.dtypes[SENSITIVE]))
    )
    many = frame.iloc[np.random.default_rng(42).integers(0, len(frame), MANY_ROWS)].reset_index(drop=True)
    texts = [name for name in many.columns if name != "age"]
    lines += alone(many, names, str(many.dtypes[SENSITIVE]))
    for kind in ("string[pyarrow]", "category"):
        lines += alone(many.astype(dict.fromkeys(texts, kind)), names, kind)
    timing.write("verify", lines, peers=("pycanon", "pandas", "pyarrow"), runs="several in turn")


if __name__ == "__main__":
    main()
