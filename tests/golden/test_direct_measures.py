"""What each criterion measures on Adult, raw and as ARX released it, against independent values and pycanon.

The first set was computed by a separate numpy script. The second comes from pycanon 1.3.5, which is
wrong in five places; each has a test here that shows the wrong value and ours.
"""

import json
import math
import os
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.golden import adult

from sfumato.guarantee.average_risk import AverageRisk
from sfumato.guarantee.beta_likeness import BasicBetaLikeness, EnhancedBetaLikeness
from sfumato.guarantee.delta_disclosure import DeltaDisclosurePrivacy
from sfumato.guarantee.highest_risk import HighestRisk
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.l_diversity import DistinctLDiversity, EntropyLDiversity, RecursiveLDiversity
from sfumato.guarantee.t_closeness import TCloseness, TClosenessOfRelease
from sfumato.summary.classes import roll_up

SHARED = Path(os.environ.get("SFUMATO_SHARED", Path(__file__).parents[3] / "shared"))
TIGHT = {"rel": 1e-9, "abs": 1e-12}
SUPPRESSED_BY = {
    "entropyL3_s0.05": EntropyLDiversity("occupation", 3, "shannon"),
    "k5_basicB4_s0.05": BasicBetaLikeness("occupation", 4),
    "k5_dDisc2_s1": DeltaDisclosurePrivacy("occupation", 2, "2", "ignored"),
    "k5_equalT0.2_s0.05": TCloseness("occupation", "0.2", "equal"),
    "k5_hierT0.2_s0.05": TCloseness("occupation", "0.2", "hierarchical"),
    "recursive_c3_l3_s0.05": RecursiveLDiversity("occupation", 3, 3),
}
"""The criterion of each recorded release that was not made by k-anonymity alone."""


def rows(group, where=lambda row: True):
    """The recorded rows of which `where` is true, as pytest parameters; none without the shared folder."""
    path = SHARED / "reference" / "arx_reference.json"
    recorded = json.loads(path.read_text())[group]["rows"] if path.is_file() else []
    chosen = [row for row in recorded if where(row)]
    return pytest.mark.parametrize("row", chosen, ids=lambda row: f"{row['src']}-{row.get('sensitive', '')}")


EIGHT = tuple(name for name in adult.NINE if name != "occupation")
LEVELS = {
    "q8_k2_s1.0_loss": (0, 3, 0, 0, 1, 0, 0, 0),
    "q8_k5_s0.0_loss": (0, 4, 1, 2, 3, 2, 0, 0),
    "q8_k5_s1.0_loss": (0, 3, 0, 0, 2, 1, 0, 0),
    "q8_k10_s0.05_loss": (0, 3, 0, 1, 2, 1, 1, 0),
    "q8_k25_s1.0_loss": (0, 3, 0, 0, 2, 1, 1, 0),
    "q8_k100_s0.0_loss": (0, 4, 1, 1, 3, 2, 2, 0),
    "q8_k100_s1.0_loss": (0, 3, 0, 1, 3, 0, 1, 0),
    "entropyL3_s0.05": (0, 2, 0, 0, 3, 1, 1, 0),
}
"""Nodes that the reference does not name: the only ones of 4,320 with the recorded classes, size and suppression."""
RENAMED = {
    "k5_basicB4_s0.05": "k5_basicB4.0_s0.05",
    "k5_dDisc2_s1": "k5_dDisc2.0_s1.0",
    "recursive_c3_l3_s0.05": "recursive_c3.0_l3_s0.05",
}


def levels(shared, name):
    """The node of a recorded release."""
    if name in LEVELS:
        return LEVELS[name]
    groups = ("k_anonymity_8qi_without_occupation", "l_diversity_t_closeness_beta_delta")
    runs = {run["name"]: run for group in groups for run in adult.reference(shared)[group]}
    chosen = runs[RENAMED.get(name, name)]["levels"]
    return tuple(chosen[column] for column in EIGHT)


@cache
def raw(shared, names, sensitive):
    """The classes of the raw table."""
    return adult.classes(shared, names, sensitive=(sensitive,))


@cache
def released(shared, source):
    """The published classes of a recorded release of ARX, the totals those of the whole table."""
    name = source.removeprefix("arx_")
    node, _ = roll_up(raw(shared, EIGHT, "occupation"), adult.attributes(shared, EIGHT), levels(shared, name))
    kept = np.ones(node.n_classes, bool)
    if name.startswith("q8_k"):
        kept &= KAnonymity(int(name.removeprefix("q8_k").split("_")[0])).holds(node)
    if name.startswith("k5"):
        kept &= KAnonymity(5).holds(node)
    if name in SUPPRESSED_BY:
        kept &= SUPPRESSED_BY[name].holds(node)
    return node.select(kept)


def as_its_own_table(classes):
    """The same classes with the totals of what is published, as a tool sees them that knows the release only."""
    (h,) = classes.histograms
    total = np.bincount(h.value, weights=h.count, minlength=len(h.total)).astype(np.int64)
    return replace(classes, histograms=(replace(h, total=total),))


def number(value):
    """A recorded number; infinity is written as text."""
    return math.inf if value == "inf" else value


def check(classes, column, expected):
    """The measures of one table against the recorded ones."""
    assert KAnonymity(2).measure(classes) == expected["k"]
    assert classes.n_classes == expected["classes"]
    assert DistinctLDiversity(column, 2).measure(classes) == expected["distinct_l"]
    entropy = EntropyLDiversity(column, 2, "shannon").measure(classes)
    assert entropy == pytest.approx(expected["entropy_l_exp_min"], **TIGHT)
    for rank in (2, 3, 4):
        c = RecursiveLDiversity(column, 1, rank).measure(classes)
        assert c == pytest.approx(number(expected[f"recursive_min_c_exclusive_l{rank}"]), **TIGHT)
    assert BasicBetaLikeness(column, 1).measure(classes) == pytest.approx(expected["basic_beta"], **TIGHT)
    enhanced = EnhancedBetaLikeness(column, 1).measure(classes)
    assert math.isfinite(enhanced) == expected["enhanced_beta_satisfiable"]
    for base, key in (("e", "delta_ln"), ("2", "delta_log2")):
        delta = DeltaDisclosurePrivacy(column, 1, base, "ignored").measure(classes)
        assert delta == pytest.approx(expected[key], **TIGHT)
    for distance in ("equal", "ordered", "hierarchical"):
        if f"t_{distance}" in expected:
            t = TCloseness(column, 1, distance).measure(classes)
            assert t == pytest.approx(expected[f"t_{distance}"], **TIGHT)


@rows("direct_measures_of_arx_outputs_and_raw")
def test_measures_equal_those_of_an_independent_script(shared, row):
    if row["src"].startswith("raw_"):
        names = tuple(row["src"].removeprefix("raw_").split("+"))
        check(raw(shared, names, "occupation"), "occupation", row["values"])
        check(raw(shared, names, "age"), "age", row["sensitive_age"])
        return
    classes = released(shared, row["src"])
    assert 30_162 - classes.n_rows == row["suppressed"]
    check(classes, "occupation", row["global_over_all_rows"])
    if "global_over_kept_rows" in row:
        check(as_its_own_table(classes), "occupation", row["global_over_kept_rows"])


@rows("direct_measures_of_arx_outputs_and_raw", lambda row: "global_over_kept_rows" in row)
def test_the_released_table_as_reference_is_the_release_seen_as_its_own_table(shared, row):
    classes = released(shared, row["src"])
    for distance, key in (("equal", "t_equal"), ("hierarchical", "t_hierarchical")):
        t = TClosenessOfRelease("occupation", 1, distance).measure(classes)
        assert t == pytest.approx(row["global_over_kept_rows"][key], **TIGHT)


def pycanon_table(shared, row):
    """The table that pycanon was given: suppressed rows are not in it."""
    if row["src"].startswith("raw_"):
        return raw(shared, tuple(row["src"].removeprefix("raw_").split("+")), row["sensitive"])
    return as_its_own_table(released(shared, row["src"]))


@rows("pycanon_1.3.5")
def test_pycanon_agrees_where_it_is_right(shared, row):
    classes, column = pycanon_table(shared, row), row["sensitive"]
    distance = "ordered" if column == "age" else "equal"
    assert KAnonymity(2).measure(classes) == row["k"]
    assert DistinctLDiversity(column, 2).measure(classes) == row["l"]
    assert TCloseness(column, 1, distance).measure(classes) == pytest.approx(row["t"], **TIGHT)
    assert BasicBetaLikeness(column, 1).measure(classes) == pytest.approx(row["basic_beta"], **TIGHT)
    delta = DeltaDisclosurePrivacy(column, 1, "e", "ignored").measure(classes)
    assert delta == pytest.approx(row["delta"], **TIGHT)
    assert HighestRisk(1).measure(classes) == pytest.approx(row["max_rir"], **TIGHT)


@rows("pycanon_1.3.5")
def test_pycanon_truncates_the_entropy_to_a_whole_number(shared, row):
    entropy = EntropyLDiversity(row["sensitive"], 2, "shannon").measure(pycanon_table(shared, row))
    assert row["entropy_l"] == math.floor(entropy)


@rows("pycanon_1.3.5")
def test_pycanon_averages_the_risk_over_classes_instead_of_persons(shared, row):
    classes = pycanon_table(shared, row)
    ours = AverageRisk(1).measure(classes)
    assert row["avg_rir"] == pytest.approx(np.mean(1 / classes.persons), **TIGHT)
    assert ours == pytest.approx(classes.n_classes / classes.persons.sum(), **TIGHT)
    assert ours < row["avg_rir"]


@rows("pycanon_1.3.5", lambda row: row["c_l"][1] > 1)
def test_pycanon_starts_the_recursion_at_the_rarest_value(shared, row):
    classes, column = pycanon_table(shared, row), row["sensitive"]
    c, rank = row["c_l"]
    assert not np.isclose(RecursiveLDiversity(column, 1, rank).measure(classes), c)


@rows("pycanon_1.3.5")
def test_pycanon_bounds_enhanced_likeness_over_all_values_at_once(shared, row):
    classes, column = pycanon_table(shared, row), row["sensitive"]
    basic = BasicBetaLikeness(column, 1).measure(classes)
    (h,) = classes.histograms
    rarest = h.total[h.total > 0].min() / h.total.sum()
    assert row["enh_beta"] == pytest.approx(min(basic, -math.log(rarest)), **TIGHT)
    ours = EnhancedBetaLikeness(column, 1).measure(classes)
    assert ours == pytest.approx(basic, **TIGHT) or math.isinf(ours)


def test_pycanon_calls_a_table_enhanced_likeness_that_no_beta_allows(shared):
    row = next(r for r in adult.reference(shared)["pycanon_1.3.5"]["rows"] if r["src"] == "raw_race")
    assert row["enh_beta"] == pytest.approx(8.11711355558441)
    assert EnhancedBetaLikeness("occupation", 1).measure(pycanon_table(shared, row)) == math.inf
