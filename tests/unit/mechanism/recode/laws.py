"""What every method that assigns classes must keep, checked on the rows that a reader sees."""

import numpy as np
from tests.unit.mechanism.recode.raw_tables import classes_of_labels, labels_of_rows, stands_for


def check_release(raw, attributes, decision):
    """Labels hold the true values; the published classes are exactly those of equal labels."""
    labels = labels_of_rows(raw, decision)
    for row, label in zip(raw.codes.tolist(), labels, strict=True):
        assert all(stands_for(a, text, leaf) for a, text, leaf in zip(attributes, label, row, strict=True))
    groups = classes_of_labels(raw, labels)
    assert sorted(len(rows) for rows in groups.values()) == sorted(decision.published.rows.tolist())
    persons = sorted(len(set(raw.person[rows].tolist())) for rows in groups.values())
    assert persons == sorted(decision.published.persons.tolist())
    assert decision.suppressed_rows == 0
    return groups


def is_tight(raw, attributes, groups):
    """Whether each range and set holds no more than the values of its class."""
    for label, rows in groups.items():
        for j, (attribute, text) in enumerate(zip(attributes, label, strict=True)):
            leaves = np.unique(raw.codes[rows, j])
            names = [attribute.hierarchy.labels[0][v] for v in leaves]
            if text is None:
                assert names == [None]
            elif text.startswith("["):
                numbers = [float(name) for name in names]
                low, high = text[1:-1].split(", ")
                assert (float(low), float(high)) == (min(numbers), max(numbers))
            elif text.startswith("{"):
                assert len(text[1:-1].split(", ")) == len(names)
    return True
