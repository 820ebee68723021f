"""A data document is read, and every error names its key."""

import tomllib

import pytest

from sfumato.account.budget import Budget
from sfumato.errors import ParameterError, PlanError
from sfumato.release.answer.document import data_document_from
from sfumato.table.domain import Categories, Range, UnlistedText
from sfumato.table.source import FileSource
from sfumato.table.unit import Neighbors, Unit

TEXT = """
sfumato-data = 1
[source]
path = "patients.csv"
[columns.age]
low = 0
high = 120
step = 1
[columns.sex]
values = ["F", "M"]
[columns.town]
open = true
[unit]
neighbors = "add or remove"
person = "id"
rows = 3
keys = 1
[budget]
epsilon = 3
delta = 1e-6
[ledger]
url = "sqlite:///ledger.db"
dataset = "patients 2026"
[analysts.ana]
epsilon = "1/3"
[public.regions]
path = "regions.csv"
on = "town"
[public.regions.columns.region]
values = ["north", "south"]
"""


def read(text, folder):
    """The document of a text."""
    return data_document_from(tomllib.loads(text), folder=folder)


def test_everything_is_read(tmp_path):
    found = read(TEXT, tmp_path)
    assert found.source == FileSource(tmp_path / "patients.csv")
    assert found.columns == {"age": Range(0, 120, step=1), "sex": Categories(("F", "M")), "town": UnlistedText()}
    assert found.unit == Unit(Neighbors.ADD_REMOVE, "id", 3, 1)
    assert found.budget == Budget.approx(3, "1e-6")
    assert found.analysts == {"ana": Budget.pure("1/3")}
    assert found.ledger == f"sqlite:///{tmp_path / 'ledger.db'}"
    assert found.public["regions"].on == "town"
    assert found.public["regions"].columns == {"region": Categories(("north", "south"))}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("sfumato-data = 1", "sfumato-data = 2", "sfumato-data"),
        ("low = 0\n", "", r"\[columns.age\] must say `low`"),
        ("low = 0\n", "low = nan\n", "`low`"),
        ('neighbors = "add or remove"', 'neighbors = "swap"', "`neighbors`"),
        ("rows = 3\n", "", "must say `rows`"),
        ("epsilon = 3\ndelta = 1e-6", "delta = 1e-6", r"\[budget\]"),
        ("open = true", "open = true\nlow = 3", "unknown"),
        ('dataset = "patients 2026"', "", "must say `dataset`"),
        ('on = "town"\n', "", "must say `on`"),
    ],
)
def test_an_error_names_the_key(old, new, message, tmp_path):
    assert old in TEXT
    with pytest.raises(PlanError, match=message):
        read(TEXT.replace(old, new), tmp_path)


@pytest.mark.parametrize(
    ("old", "new"), [("high = 120", "high = 0"), ("step = 1", "step = 7"), ("rows = 3", "rows = 0")]
)
def test_numbers_out_of_range_are_refused(old, new, tmp_path):
    with pytest.raises(ParameterError):
        read(TEXT.replace(old, new), tmp_path)
