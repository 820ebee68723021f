"""Without a unit promises speak of rows; a result says what was checked on the written file."""

import re

import pandas as pd
import pytest

import sfumato
from sfumato.guarantee.registry import criterion_from
from sfumato.release.reread import ONE_ROW, as_declared

EVERY = (
    {"model": "k-anonymity", "k": 5},
    {"model": "k-map", "kind": "known", "k": 5},
    {"model": "average-risk", "threshold": 0.2},
    {"model": "highest-risk", "threshold": 0.2},
    {"model": "records-at-risk", "threshold": 0.2, "share": 0.1},
    {"model": "sample-uniqueness", "threshold": 0.1},
    {"model": "l-diversity", "kind": "distinct", "column": "ill", "l": 2},
)


@pytest.mark.parametrize("items", EVERY, ids=lambda items: items["model"])
def test_no_promise_speaks_of_persons_where_rows_are_counted(items):
    promise = as_declared(criterion_from(items).guarantee(), None)
    for text in (promise.statement, promise.definition):
        assert not re.search(r"\bpersons\b(?! (of|in) the population)", text, re.IGNORECASE)
    assert promise.assumptions[0] == ONE_ROW


@pytest.mark.parametrize("items", EVERY, ids=lambda items: items["model"])
def test_with_a_unit_a_promise_is_as_its_model_says(items):
    promise = criterion_from(items).guarantee()
    assert as_declared(promise, "patient_id") == promise


def visits():
    return pd.DataFrame({
        "pid": [str(i // 2) for i in range(60)], "sex": ["f", "f", "m", "m"] * 15, "ill": ["a", "b", "c"] * 20,
    })  # fmt: skip


def released(unit):
    columns = {"pid": "identifying", "sex": "quasi-identifying", "ill": "sensitive"}
    document = {
        "sfumato": 1, "columns": {name: {"role": role} for name, role in columns.items()}, "method": {"name": "full-domain"},
        "promise": [{"model": "k-anonymity", "k": 10}], "measure": {"queries": 0, "guesses": 0},
    }  # fmt: skip
    return sfumato.run(sfumato.plan_from(document | unit, folder="."), visits()).result.to_dict()


def test_a_result_says_of_whom_it_promises_and_where_it_was_checked():
    rows, persons = (released(unit)["promise"][0] for unit in ({}, {"unit": {"person": "pid"}}))
    assert (rows["measured"], persons["measured"]) == (30, 15)
    assert rows["statement"].endswith("holds at least 10 rows.")
    assert persons["statement"].endswith("holds the rows of at least 10 persons.")
    assert rows["checked"] == "on the written release, read again, and on the classes decided"
    assert persons["checked"].startswith("on the classes decided, from the original table; in the written release")
