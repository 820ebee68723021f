"""Every sentence that a page says, in every language: what is added to a page or to a document's keys needs its French."""

import re
from functools import cache
from typing import get_args

from jinja2 import Environment
from tests.catalogues import in_templates, untranslated

from sfumato.document.collection import ProtocolTable, QuestionTable
from sfumato.document.graph import GraphDocument, GraphTable, VerticesFile
from sfumato.document.hierarchy import HierarchyTable
from sfumato.document.method import Method
from sfumato.document.plan import Measures
from sfumato.document.source import FilePlace
from sfumato.document.spec import criteria
from sfumato.document.trace_statistics import AnswersTable, PriceTable
from sfumato.document.traces import TracesDocument
from sfumato.studio.collected import CHART
from sfumato.studio.fields import fields_of
from sfumato.studio.pages import graph
from sfumato.studio.pages.base import all_pages
from sfumato.studio.pages.compare import CAPTIONS
from sfumato.studio.pages.hierarchy import FORMS
from sfumato.studio.pages.promise import SCENARIOS, words_of
from sfumato.studio.pages.table import KINDS
from sfumato.studio.pages.traces import PROTECTIONS, TABLES
from sfumato.studio.reread import SAID, SHEET
from sfumato.studio.roles import Role
from sfumato.studio.words import words
from sfumato.table.source import Dialect

STATES = ("going", "done", "failed", "killed")


def in_code():
    """Sentences that pages take from elsewhere: titles, scenarios, names of kinds, and what keys of documents mean."""
    yield from (page.title for page in all_pages())
    yield from (text for one in SCENARIOS for text in (one.title, one.why))
    yield from (*STATES, *KINDS, *CHART, *FORMS, *CAPTIONS, *(role.value for role in Role))
    yield from (field.meaning for field in fields_of(TracesDocument, {}) if field.name == "persons")
    yield from (field.meaning for field in fields_of(GraphDocument, {}) if field.name == "unit")
    shown = ((GraphTable, {"source", "target", "directed"}), (VerticesFile, {"vertex", "attributes"}))
    yield from (field.meaning for cls, names in shown for field in fields_of(cls, {}) if field.name in names)
    of_graphs = [
        *graph.UNITS.values(),
        *graph.STATISTICS.values(),
        *graph.PROTECTIONS.values(),
        *graph.SYNTHETICS.values(),
    ]
    yield from (words_of(cls) for cls in of_graphs)
    yield from (
        field.meaning
        for cls in (*of_graphs, PriceTable, AnswersTable)
        for field in fields_of(cls, {})
        if field.name != "price"
    )
    classes = [
        QuestionTable,
        ProtocolTable,
        *TABLES.values(),
        *PROTECTIONS.values(),
        *get_args(Method),
        *get_args(HierarchyTable),
        *criteria(),
        Measures,
    ]
    yield from (field.meaning for cls in classes for field in fields_of(cls, {}) if field.meaning)
    yield from (words_of(cls) for cls in [*get_args(Method), *criteria(), *PROTECTIONS.values()])
    yield from (field.meaning for field in fields_of(Dialect, {}) if field.name in SAID)
    yield from (field.meaning for field in fields_of(FilePlace, {}) if field.name == SHEET)


@cache
def sentences():
    """All of them, each once."""
    return list(dict.fromkeys([*in_templates("sfumato.studio"), *in_code()]))


def test_every_sentence_has_its_french():
    """And no translation is left of a sentence that nobody says."""
    assert untranslated("sfumato.studio", sentences()) == ([], [])


def test_a_translation_has_the_same_places():
    """A name that is filled in stands in both."""
    names, said = re.compile(r"%\(\w+\)s"), words("fr").said
    filled = [text for text in sentences() if "%(" in text]
    assert filled
    assert [text for text in filled if sorted(names.findall(said.get(text, ""))) != sorted(names.findall(text))] == []


def test_numbers_follow_the_language():
    """Separators, percent signs, and the plural of nothing."""
    english, french = words("en"), words("fr")
    assert english.number(1234567.5) == "1,234,567.5"
    assert french.number(1234567.5) == "1\u202f234\u202f567,5"
    assert french.percent(0.125) == "12,5\u00a0%"
    assert english.ngettext("%(n)s row", "%(n)s rows", 0) == "%(n)s rows"
    assert Environment(autoescape=True).from_string("{{ x }}").render(x="<é>") == "&lt;é&gt;"
