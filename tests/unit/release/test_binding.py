"""Tables with too many distinct tuples are generalized before they are counted, or refused."""

from pathlib import Path

import pyarrow as pa
import pytest

from sfumato import run
from sfumato.errors import PlanError
from sfumato.release.plan_reader import plan_from

N = 4000


@pytest.fixture
def people():
    """4,000 rows that are nearly all different at the finest level."""
    rows = range(N)
    return pa.table(
        {
            "zip": [f"{10000 + i * 7 % 2000}" for i in rows],
            "age": [(i * 31 + i // 2000) % 80 for i in rows],
            "illness": [("flu", "gout", "mumps")[i % 3] for i in rows],
        }
    )


def plan(most, method="full-domain", **options):
    """A plan with a limit."""
    document = {
        "sfumato": 1,
        "most_tuples": most,
        "columns": {
            "zip": {"role": "quasi-identifying", "hierarchy": {"mask": "right"}},
            "age": {"role": "quasi-identifying", "kind": "integer", "hierarchy": {"width": 5, "then": [10, 20]}},
            "illness": {"role": "sensitive"},
        },
        "promise": [{"model": "k-anonymity", "k": 5}],
        "method": {"name": method, **options},
    }
    return plan_from(document, folder=Path())


def test_a_coarse_start_finds_the_optimum_if_it_lies_above(people):
    """The optimum of the whole lattice lies above the base, so both runs publish the same rows."""
    whole, coarse = run(plan(10**7), people), run(plan(2000), people)
    assert whole.frame.equals(coarse.frame)
    assert [a["level"] for a in coarse.result.to_dict()["done"]["attributes"]] == [
        a["level"] for a in whole.result.to_dict()["done"]["attributes"]
    ]
    assert [a["height"] for a in coarse.result.to_dict()["done"]["attributes"]] == [5, 4]


def test_the_rule_is_told(people):
    told = [note for note in run(plan(2000), people).result.to_dict()["notes"] if "distinct tuples" in note]
    assert len(told) == 1
    assert "'zip' to level 2" in told[0]
    assert "the one with the most distinct labels" in told[0]
    assert not [note for note in run(plan(N), people).result.to_dict()["notes"] if "distinct tuples" in note]


@pytest.mark.parametrize("method", ["mondrian", "local-recoding"])
def test_other_methods_start_from_the_coarse_columns_too(people, method):
    release = run(plan(500, method), people)
    ages = set(release.frame["age"].to_pylist())
    assert release.result.to_dict()["done"]["classes"]["min"] >= 5
    assert not any(text.isdigit() for text in ages)


def test_what_cannot_be_generalized_enough_is_refused(people):
    with pytest.raises(PlanError, match="cannot be generalized further") as caught:
        run(plan(3), people)
    assert "most_tuples" in str(caught.value)


def test_given_levels_are_not_changed(people):
    with pytest.raises(PlanError, match="at most 1,000 distinct tuples"):
        run(plan(1000, "fixed", levels={"zip": 2, "age": 2}), people)


def test_the_limit_must_be_a_number_of_tuples():
    with pytest.raises(PlanError, match="`most_tuples` must be at least 1"):
        plan(0)
