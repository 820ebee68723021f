"""Attacks on samples, and control groups who are partly in the original."""

import numpy as np
import pandas as pd
import pytest

from sfumato import attack_release
from sfumato.errors import SourceError
from sfumato.release.plan_reader import read_plan

PLAN = """
sfumato = 1
[source]
path = "t.csv"
[columns]
person = { role = "identifying" }
age = { role = "quasi-identifying", kind = "integer" }
town = { role = "quasi-identifying" }
illness = { role = "sensitive" }
[[promise]]
model = "k-anonymity"
k = 2
[method]
name = "full-domain"
"""
WHAT = {"quasi_identifiers": ["age", "town"], "sensitive": ["illness"]}


def people(seed, n, towns=6):
    """Persons by number, with few kinds of rows beside it."""
    rng = np.random.default_rng(seed)
    cells = {"age": rng.integers(20, 80, n), "town": rng.integers(0, towns, n), "illness": rng.integers(0, 4, n)}
    return pd.DataFrame({"person": [f"p{seed}-{i}" for i in range(n)], **{c: v.astype(str) for c, v in cells.items()}})


def verdicts(found):
    return {(one["attack"], one["target"]): one["verdict"] for one in found["attacks"]}


def test_a_sample_is_judged_on_those_who_are_in_it_whatever_the_original_holds_beside_them():
    everybody, control = people(1, 4000, 60), people(2, 1000, 60)
    sample = everybody.sample(200, random_state=3)
    whole, alone = (attack_release(table, sample, control=control, **WHAT).to_dict() for table in (everybody, sample))
    assert verdicts(whole) == verdicts(alone)
    assert verdicts(whole)["singling out", "all quasi-identifiers"] == "elevated"
    carried_out = [one["judged_on"] for one in whole["attacks"] if one["main"]]
    assert carried_out == [{"persons": 200, "left_out": 3800}] * len(carried_out)
    assert all(match["published"] == 200 for match in whole["matches"])
    assert all(match["expected"] <= 200 for match in whole["matches"])
    assert any("3,800 persons of the original are not in the release" in note for note in whole["notes"])


def test_the_control_leaves_out_whole_rows_of_the_original_where_more_are_alike_than_by_coincidence():
    original, others = people(1, 2000), people(2, 1000)
    overlapping = pd.concat((others, original[:1000])).drop(columns="person")
    found = attack_release(original.drop(columns="person"), original, control=overlapping, **WHAT).to_dict()
    assert found["control_left_out"] >= 1000
    assert any("by whole rows" in note for note in found["notes"])


def test_rows_that_are_alike_by_coincidence_stay_in_the_control():
    found = attack_release(
        people(1, 2000).drop(columns="person"), people(1, 2000), control=people(2, 1000), **WHAT
    ).to_dict()
    assert found["control_left_out"] == 0


def test_the_control_leaves_out_those_whose_names_are_in_the_original(tmp_path):
    original, others = people(1, 500), people(2, 300)
    moved = original[:40].assign(town="elsewhere")
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN, encoding="utf-8")
    found = attack_release(original, original, control=pd.concat((others, moved)), plan=read_plan(plan)).to_dict()
    assert found["control_left_out"] == 40
    assert any("40 persons of the control table are in the original (by person)" in note for note in found["notes"])


def test_a_control_group_of_nobody_else_is_refused():
    with pytest.raises(SourceError, match="all that were given are in it"):
        attack_release(people(1, 500), people(1, 500), control=people(1, 500)[:200], **WHAT)
