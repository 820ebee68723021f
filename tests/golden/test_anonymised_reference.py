"""Tables anonymised by ARX and ANJANA, measured as anyone's table: read back, then risk and worth."""

import csv
import gzip

import numpy as np
import pytest

from sfumato.risk import intruders
from sfumato.risk.profile import risk_profile
from sfumato.risk.wp216 import Tolerance, wp216
from sfumato.summary.classes import Classes, distinct_rows
from sfumato.summary.published import read_published
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.strategies import histogram
from sfumato.utility.measure import Learning, measure
from sfumato.utility.query_error import Workload

ADULT = ("age", "education", "occupation", "relationship", "sex", "native-country")
STROKE = (
    "gender",
    "age",
    "hypertension",
    "heart_disease",
    "ever_married",
    "work_type",
    "Residence_type",
    "smoking_status",
)
ANJANA = ("age", "education", "marital-status", "occupation", "sex", "native-country")
UCI = [
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "native-country",
    "salary-class",
]


def read_csv(path, names=None):
    """Rows of a compressed CSV as dictionaries, blanks around cells removed; `NULL` is missing."""
    with gzip.open(path, "rt", newline="") as file:
        rows = [row for row in csv.DictReader(file, fieldnames=names) if any(row.values())]
    return [{k: None if v is None or v.strip() == "NULL" else v.strip() for k, v in row.items()} for row in rows]


def table(rows, names, target):
    """Distinct texts of each column, and classes with the histogram of the target."""
    labels = [sorted({row[name] for row in rows}, key=str) for name in names]
    place = [{text: i for i, text in enumerate(texts)} for texts in labels]
    codes, member = distinct_rows(np.array([[place[j][row[n]] for j, n in enumerate(names)] for row in rows]))
    values = bind(Column(target, Role.SENSITIVE), sorted({row[target] for row in rows}))
    counts = np.zeros((len(codes), values.hierarchy.n_leaves), np.int64)
    index = {text: i for i, text in enumerate(values.hierarchy.labels[0])}
    np.add.at(counts, (member, [index[row[target]] for row in rows]), 1)
    sizes = counts.sum(axis=1)
    return labels, Classes(codes, rows=sizes, alone=sizes, histograms=(histogram(values, counts),))


def originals(rows, names, target, kind):
    """Attributes of the original table and its finest classes, in the attributes' own codes."""
    labels, classes = table(rows, names, target)
    columns = [Column(name, Role.QUASI_IDENTIFYING, kind if name == "age" else Kind.TEXT) for name in names]
    attributes = [bind(column, texts) for column, texts in zip(columns, labels, strict=True)]
    codes = np.stack(
        [
            np.array([a.hierarchy.labels[0].index(t) for t in texts])[classes.codes[:, j]]
            for j, (a, texts) in enumerate(zip(attributes, labels, strict=True))
        ],
        axis=1,
    )
    return attributes, Classes(codes, rows=classes.rows, alone=classes.alone, histograms=classes.histograms)


@pytest.fixture(scope="session")
def census(shared):
    rows = read_csv(shared / "data" / "adult_uci" / "adult.data.gz", UCI)
    return {names: originals(rows, names, "salary-class", Kind.INTEGER) for names in (ADULT, ANJANA)}


@pytest.fixture(scope="session")
def strokes(shared):
    rows = read_csv(shared / "data" / "medical" / "stroke.csv.gz")
    return originals(rows, STROKE, "stroke", Kind.DECIMAL)


def release(shared, name, names, target, original):
    rows = read_csv(shared / "data" / "anonymised_reference" / f"{name}.csv.gz")
    labels, classes = table(rows, names, target)
    return len(rows), read_published(original[0], labels, classes)


@pytest.mark.parametrize(
    ("name", "k", "n_rows"),
    [
        ("adult_arx_k3_processed", 3, 18_203),
        ("adult_arx_k10_processed", 10, 7_303),
        ("adult_arx_k20_processed", 20, 2_428),
        ("adult_arx_k3_l2", 3, 9_800),
        ("adult_arx_k10_l2", 10, 4_975),
        ("adult_arx_k20_l2", 20, 1_627),
    ],
)
def test_the_smallest_class_of_adult_by_arx_is_k_as_stated(shared, census, name, k, n_rows):
    rows, published = release(shared, name, ADULT, "salary-class", census[ADULT])
    assert published.is_understood
    assert (rows, published.suppressed_rows) == (n_rows, 0)
    assert published.classes.persons.min() == k
    assert intruders.highest(published.classes.persons) == 1 / k


@pytest.mark.parametrize(
    ("name", "smallest", "suppressed"),
    [("stroke_arx_k2", 2, 142), ("stroke_arx_k5", 5, 300), ("stroke_arx_k10", 10, 565), ("stroke_arx_k20", 22, 322)],
)
def test_wholly_suppressed_rows_of_stroke_belong_to_no_class(shared, strokes, name, smallest, suppressed):
    rows, published = release(shared, name, STROKE, "stroke", strokes)
    assert published.is_understood
    assert (rows, published.suppressed_rows) == (5_110, suppressed)
    assert published.classes.persons.min() == smallest


def test_anjana_holds_k_on_the_columns_it_was_asked_for(shared, census):
    _, published = release(shared, "adult_anjana_k10", ANJANA, "salary-class", census[ANJANA])
    assert published.is_understood
    assert published.classes.persons.min() == 10
    ages = dict(zip(published.labels[0], published.spans[0].n_leaves.tolist(), strict=True))
    assert ages["[20, 25["] == 5


def test_a_larger_k_is_worth_less_and_safer(shared, strokes):
    """Along k = 2, 5, 10 of one table: average risk falls, GCP rises."""
    risks, losses = [], []
    for name in ("stroke_arx_k2", "stroke_arx_k5", "stroke_arx_k10"):
        _, published = release(shared, name, STROKE, "stroke", strokes)
        found = measure(published, strokes[1], k=2, rng=np.random.default_rng(0), workload=Workload(50))
        losses.append({f.name: f.value for f in found}["gcp"])
        profile = risk_profile(published.classes, threshold=0.2, population_size=None)
        risks.append({f.name: f.value for f in profile}["prosecutor_average"])
    assert risks == sorted(risks, reverse=True)
    assert losses == sorted(losses)
    assert 0 < losses[0] < losses[-1] < 1


def test_every_figure_of_a_table_that_is_not_ours_is_computed(shared, census):
    _, published = release(shared, "adult_anjana_k10", ANJANA, "salary-class", census[ANJANA])
    found = measure(
        published,
        census[ANJANA][1],
        k=10,
        rng=np.random.default_rng(0),
        workload=Workload(100),
        learning=Learning("salary-class"),
    )
    values = {f.name: f.value for f in found}
    assert all(value is not None for value in values.values())
    assert values["accuracy_majority"] < values["accuracy_logistic"] < 0.9


def test_two_values_in_each_class_leave_nobody_determined(shared, census):
    """The k3 table without diversity determines salaries; its l = 2 variant does not."""
    accepted = Tolerance(k=3, risk=1 / 3, posterior=0.9, distance=0.5)
    verdicts = {}
    for name in ("adult_arx_k3_processed", "adult_arx_k3_l2"):
        _, published = release(shared, name, ADULT, "salary-class", census[ADULT])
        answers = wp216(published.classes, tolerance=accepted, population_size=None)
        verdicts[name] = {a.test: a.verdict for a in answers}["persons whose salary-class is determined"]
    assert verdicts == {"adult_arx_k3_processed": "elevated", "adult_arx_k3_l2": "low"}
