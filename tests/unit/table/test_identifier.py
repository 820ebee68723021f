"""Columns that name persons are recognized by name, pattern or uniqueness; no value is shown."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.table import identifier
from sfumato.table.identifier import looks_identifying


def reason(name, texts, n_rows=None):
    return looks_identifying(name, texts, np.ones(len(texts), np.int64), n_rows or len(texts))


@pytest.mark.parametrize("name", ["Email", "Patient SSN", "first_name", "lastName", "Nom", "Prénom", "IP"])
def test_names_of_identifiers(name):
    assert reason(name, ["a", "b"], 100) == "its name says that it identifies a person"


@pytest.mark.parametrize("name", ["country_name", "hospital id", "age", "tip", "denominator"])
def test_names_that_only_resemble_identifiers(name):
    assert reason(name, ["a", "b"], 100) is None


@pytest.mark.parametrize("name", ["HouseholdID", "id_femme", "patient_nbr", "name"])
def test_an_id_with_many_values_identifies(name):
    assert "few rows share" in str(reason(name, [f"h{i}" for i in range(60)], 100))


def test_whole_numbers_in_disguise_are_not_measured():
    assert reason("column", [f"{i}.0" for i in range(30)]) == "every row has its own value"


@pytest.mark.parametrize(
    ("what", "texts"),
    [
        ("e-mail", ["ann@example.org", "b.c@example.fr"]),
        ("IBAN", ["GB82 WEST 1234 5698 7654 32", "DE89370400440532013000"]),
        ("social security", ["078-05-1120", "219-09-9999"]),
        ("social security", ["1 85 05 78 006 084 36", "269054958815780"]),
        ("telephone", ["+33 1 42 68 53 00", "01 42 68 53 01"]),
        ("universally", ["550e8400-e29b-41d4-a716-446655440000"]),
        ("network", ["192.168.0.1", "10.0.0.255"]),
    ],
)
def test_patterns_of_identifiers(what, texts):
    assert what in str(reason("column", texts, 50))


def test_wrong_check_digits_are_no_bank_account():
    assert reason("column", ["GB82 WEST 1234 5698 7654 33"], 50) is None


def test_a_value_of_its_own_for_every_row_identifies():
    assert reason("column", [f"x{i}" for i in range(30)]) == "every row has its own value"


def test_measurements_and_dates_may_all_differ():
    assert reason("weight", [f"{i}.5" for i in range(30)]) is None
    assert reason("born", [f"1990-01-{i:02d}" for i in range(1, 31)]) is None


def test_reasons_hold_no_value():
    found = [reason("column", texts) for texts in (["canary@example.org"], [f"canary{i}" for i in range(40)])]
    assert all(found)
    assert "canary" not in " ".join(map(str, found))


FORMS = {"bank account numbers (IBAN)": r" ?[A-Z] ?[A-Z] ?[0-9][0-9] ?(?:[A-Z0-9] ?){10,30}"}


@settings(max_examples=150, derandomize=True)
@given(st.data())
def test_what_follows_a_pattern_follows_the_one_that_is_looked_at_first(data):
    what = data.draw(st.sampled_from(sorted(identifier._PATTERNS)))
    patterns = {
        "e-mail addresses": identifier._EMAIL,
        "social security numbers": identifier._SOCIAL,
        "telephone numbers": identifier._PHONE,
        "universally unique identifiers": identifier._UUID,
        "network addresses": identifier._IP,
    }
    text = data.draw(st.from_regex(patterns.get(what, FORMS.get(what)), fullmatch=True))
    assert identifier._ANY.fullmatch(text)
    assert identifier._ANY.fullmatch("FR14 2004 1010 0505 0001 3M02 606")
    assert identifier._is_iban("FR14 2004 1010 0505 0001 3M02 606")
