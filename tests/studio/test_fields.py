"""Forms are read off the classes of documents: what a form shows, filled in unchanged, is the same table again."""

import tomllib
from typing import get_args

import pytest

from sfumato.document.collection import ProtocolTable, QuestionTable
from sfumato.document.hierarchy import HierarchyTable
from sfumato.document.method import Method
from sfumato.document.plan import Measures
from sfumato.document.spec import criteria
from sfumato.errors import PlanError
from sfumato.studio.fields import fields_of, read_fields
from sfumato.studio.pages.base import all_pages

CASES = [
    (Measures, "risk_threshold = 0.1\nloss_by_k = [2, 5, 10]\nqueries = 0\ntarget = 'age'"),
    (QuestionTable, "column = 'x'\nvalues = ['yes, often', '1', 'no']"),
    (QuestionTable, 'column = "x"\nvalues = ["[a]", " blank", "two\\nlines"]'),
    (ProtocolTable, "name = 'OUE'\nepsilon = 1.5\ncalibration = 'tuple level'\npriors = [[0.5, 0.5], [1.0]]"),
    *[(cls, {
        "width": "width = 5\nthen = [10, 20]\nfrom = 0",
        "intervals": "intervals = [[0, 18, { from = 65, label = 'old' }]]\nbelow = true",
        "bins": "bins = 20\nfrom = 0\nto = 0.001",
        "dates": "dates = ['month', 'year']",
        "mask": "mask = 'right'\nsteps = [1, 3]",
        "groups": "groups = [['a', 'b'], { label = 'x, y', members = ['c'] }]",
        "tree": "tree = { Married = ['spouse', 'AF-spouse'], Widowed = [] }",
        "balanced": "balanced = 2",
        "file": "file = 'age.csv'\ndelimiter = ';'",
    }[cls.form]) for cls in get_args(HierarchyTable)],
    *[(cls, {
        "full-domain": "suppression_limit = 0.02\nloss = 'precision'\nseconds = 1.5",
        "fixed": "levels = { age = 1, 'zip code' = 2 }",
    }.get(cls.tag[1], "")) for cls in get_args(Method)],
]  # fmt: skip


@pytest.mark.parametrize(("cls", "text"), CASES, ids=lambda value: getattr(value, "__name__", "table"))
def test_a_form_filled_in_unchanged_is_the_same_table(cls, text):
    """For every form of hierarchy, every method, and the measures."""
    table = tomllib.loads(text)
    shown = fields_of(cls, table)
    assert read_fields(cls, {field.name: field.value for field in shown}) == table


@pytest.mark.parametrize("cls", criteria(), ids=lambda cls: cls.__name__)
def test_every_promise_has_a_form(cls):
    """Each key has a meaning, and is asked for."""
    shown = fields_of(cls, {}, ["illness"])
    assert all(field.meaning for field in shown)
    assert all(field.words == ("illness",) for field in shown if field.name == "column")


def test_numbers_as_people_write_them():
    """A decimal comma is a point, narrow blanks fall."""
    assert read_fields(Measures, {"risk_threshold": "0,1", "queries": "1\u202f000"}) == {
        "risk_threshold": 0.1,
        "queries": 1000,
    }


def test_what_is_no_toml_is_told_at_its_key():
    """Not as a fault of the whole plan."""
    cls = next(cls for cls in get_args(Method) if cls.tag[1] == "fixed")
    with pytest.raises(PlanError, match="as in TOML") as met:
        read_fields(cls, {"levels": "age 1"})
    assert met.value.path == ("levels",)


def test_pages_are_found_by_their_files():
    """Each has a place of its own in the menu."""
    pages = all_pages()
    assert [page.name for page in pages][:4] == ["table", "hierarchy", "risk", "promise"]
    assert len({page.place for page in pages}) == len(pages)
