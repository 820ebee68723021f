"""A role is found by what name and values speak of; where in doubt, on the safe side."""

import numpy as np
import pytest

from sfumato.table.role import Look, find_role
from sfumato.table.schema import Kind, Role
from sfumato.table.words import known_words

WORDS = known_words()


def finding(name, values, kind=Kind.TEXT, n_rows=1000, words=WORDS):
    counts = np.full(len(values), max(n_rows // max(len(values), 1), 1), np.int64)
    return find_role(Look(name, list(values), counts, n_rows, len(values), kind), words)


def numbers(low, high):
    return [str(number) for number in range(low, high)]


@pytest.mark.parametrize(
    ("name", "values", "kind", "role"),
    [
        ("income", numbers(0, 900), Kind.INTEGER, Role.SENSITIVE),
        ("family income", numbers(0, 9), Kind.INTEGER, Role.SENSITIVE),
        ("age", numbers(0, 90), Kind.INTEGER, Role.QUASI_IDENTIFYING),
        ("patient age", numbers(0, 90), Kind.INTEGER, Role.QUASI_IDENTIFYING),
        ("patient status", numbers(0, 9), Kind.INTEGER, Role.SENSITIVE),
        ("weight", numbers(45, 120), Kind.INTEGER, Role.SENSITIVE),
        ("poids", ["0.4", "1.2", "2.9"], Kind.DECIMAL, Role.INSENSITIVE),
        ("weight", [f"{number}.5" for number in range(900, 4000)], Kind.DECIMAL, Role.INSENSITIVE),
        ("weight", ["[75-100)", "[50-75)", "[100-125)"], Kind.TEXT, Role.SENSITIVE),
        ("user_id", numbers(0, 50), Kind.INTEGER, Role.IDENTIFYING),
        ("cab", [f"c{i}" for i in range(50)], Kind.TEXT, Role.IDENTIFYING),
        ("region_id", numbers(0, 50), Kind.INTEGER, Role.QUASI_IDENTIFYING),
        ("column 3", ["catholic", "muslim", "none"], Kind.TEXT, Role.SENSITIVE),
        ("column 3", ["2013Q1", "2013Q2"], Kind.TEXT, Role.QUASI_IDENTIFYING),
        ("foo", numbers(0, 5), Kind.INTEGER, Role.QUASI_IDENTIFYING),
        ("foo", ["7"], Kind.INTEGER, Role.INSENSITIVE),
        ("hiv", ["no"], Kind.TEXT, Role.INSENSITIVE),
    ],
)  # fmt: skip
def test_roles(name, values, kind, role):
    assert finding(name, values, kind).role is role


def test_a_secret_that_all_share_stays_sensitive():
    assert finding("hiv", ["yes"]).role is Role.SENSITIVE


def test_a_secret_that_differs_in_every_row_is_not_called_an_identifier():
    assert finding("savings", numbers(0, 1000), Kind.INTEGER).role is Role.SENSITIVE


@pytest.mark.parametrize(
    "text",
    ["The patient of room {} came back with a fever", "Le patient de la chambre {} est revenu avec de la fièvre"],
)
def test_free_text_can_say_anything(text):
    found = finding("remarques", [text.format(i) for i in range(900)])
    assert (found.role, found.reason) == (Role.IDENTIFYING, "free text: it can say anything about anybody")


def test_the_words_of_the_user_decide_first():
    own = known_words('[subject.public]\nrole = "insensitive"\nsays = "what is public"\nnames = ["salary"]')
    assert finding("salary", numbers(0, 90), Kind.INTEGER, words=own).reason == "its name speaks of what is public"


def test_only_what_nothing_tells_is_unsure():
    assert not finding("foo", numbers(0, 5), Kind.INTEGER).is_sure
    assert finding("sex", ["f", "m"]).is_sure


def test_no_reason_holds_a_value():
    values = ["canary malignant", "canary benign"]
    assert "canary" not in finding("x", values).reason
