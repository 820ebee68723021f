"""Random raw tables, and what a reader finds in a release of one: the slow, obvious twin of the search."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from sfumato.summary.classes import Classes, Spread
from sfumato.summary.histogram import Histogram
from sfumato.table.attribute import Attribute, bind
from sfumato.table.hierarchy.tree import ROOT, Hierarchy
from sfumato.table.label import Range, Root, Value, ValueSet, parse_label
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.strategies import picked

few = settings(max_examples=40, derandomize=True)
"""Examples of each law: the same ones every time, however busy the machine."""

AGES = ("17", "18", "20", "25", "31", "44", "60", None)
TOWNS = ("Bourges", "Lyon", "Nice", "Nimes", "Vierzon", "Villeurbanne")
REGIONS = ("Cher", "Rhone", "Cote", "Gard", "Cher", "Rhone")
JOBS = ("baker", "nurse", None)


@dataclass(frozen=True)
class Regions:
    """Town, region, half of the country, all."""

    def build(self, column, values):
        halves = {"Cher": "north", "Rhone": "south", "Cote": "south", "Gard": "south"}
        paths = [(town, region, halves[region], ROOT) for town, region in zip(TOWNS, REGIONS, strict=True)]
        return Hierarchy.from_paths(column.name, paths)


ILLNESS = bind(Column("illness", Role.SENSITIVE), ["asthma", "flu", "gout"])


def attributes():
    """Age with a missing value and no hierarchy, town with regions, job with a missing value."""
    return (
        bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), AGES),
        bind(Column("town", Role.QUASI_IDENTIFYING, hierarchy=Regions()), TOWNS),
        bind(Column("job", Role.QUASI_IDENTIFYING), JOBS),
    )


@dataclass(frozen=True)
class Raw:
    """Rows: leaf codes (n, 3), illness (n,), person (n,), asked k (n,)."""

    codes: np.ndarray
    illness: np.ndarray
    person: np.ndarray
    asks: np.ndarray

    def classes(self):
        """The summary that an engine would make."""
        distinct, member = np.unique(self.codes, axis=0, return_inverse=True)
        n = len(distinct)
        homes = defaultdict(set)
        for row, who in zip(member.tolist(), self.person.tolist(), strict=True):
            homes[who].add(row)
        alone = np.zeros(n, np.int64)
        pairs = []
        for who, places in homes.items():
            if len(places) == 1:
                alone[next(iter(places))] += 1
            else:
                pairs += [(place, who) for place in sorted(places)]
        pairs.sort()
        spread = Spread(*np.array(pairs, np.int64).T) if pairs else None
        asks = np.zeros(n, np.int64)
        np.maximum.at(asks, member, self.asks)
        key, count = np.unique(member * 3 + self.illness, return_counts=True)
        total = np.bincount(self.illness, minlength=3)
        return Classes(
            distinct,
            rows=np.bincount(member, minlength=n),
            alone=alone,
            spread=spread,
            personal_k=asks,
            histograms=(Histogram(ILLNESS, key // 3, key % 3, count, total),),
        )


@st.composite
def raws(draw, *, persons=False):
    """Between 1 and 40 rows; with `persons` some persons have several rows."""
    n = draw(st.integers(1, 40))

    def column(high):
        return picked(range(high + 1), n).map(lambda v: np.array(v, np.int64))

    codes = np.stack([draw(column(len(v) - 1)) for v in (AGES, TOWNS, JOBS)], axis=1)
    person = draw(column(max(n // 2, 1))) if persons else np.arange(n)
    return Raw(codes, draw(column(2)), person, draw(column(4)))


def labels_of_rows(raw, decision):
    """The published labels of each row, by carrying out the step row by row; None: suppressed."""
    step = decision.step
    index = {tuple(row): i for i, row in enumerate(step.codes.tolist())}
    queue = defaultdict(list)
    if step.splits is not None:
        entries = zip(step.splits.tuple_.tolist(), step.splits.rows.tolist(), step.splits.member.tolist(), strict=True)
        for place, rows, member in entries:
            queue[place] += [member] * rows
    out = []
    for row in raw.codes.tolist():
        place = index[tuple(row)]
        member = queue[place].pop(0) if place in queue else int(step.member[place])
        out.append(None if member < 0 else tuple(labels[member] for labels in step.labels))
    assert not any(queue.values())
    return out


def stands_for(attribute: Attribute, label, leaf: int) -> bool:
    """Whether a reader of `label` would accept the value of the leaf."""
    value = attribute.hierarchy.labels[0][leaf]
    if label is None or label == value:
        return label == value
    for level, names in enumerate(attribute.hierarchy.labels):
        if label in names:
            return attribute.hierarchy.ancestors[level][leaf] == names.index(label)
    match parse_label(label):
        case Root():
            return True
        case Value(text):
            return text == value
        case ValueSet(values):
            return value in values
        case Range(low, high):
            return value is not None and float(low) <= float(value) <= float(high)
    raise AssertionError(label)


def classes_of_labels(raw, labels):
    """Rows of each distinct label tuple."""
    groups = defaultdict(list)
    for i, label in enumerate(labels):
        if label is not None:
            groups[label].append(i)
    return groups
