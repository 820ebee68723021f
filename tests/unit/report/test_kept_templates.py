"""Compiled templates are read again, and never taken where they may be others'."""

import sys

import pytest
from jinja2 import DictLoader, Environment
from jinja2.defaults import DEFAULT_FILTERS

from sfumato.report import kept_templates
from sfumato.report.html import environment as of_reports
from sfumato.report.kept_templates import KeptTemplates, late
from sfumato.web.pages.render import environment as of_pages

PAGE = "{{ 6 * x }} of {{ name }}"


@pytest.fixture(autouse=True)
def keeping(monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def shown(folder, page=PAGE):
    """What a new process would show, and whether it compiled."""
    compiled = []

    class Told(Environment):
        def compile(self, *given, **named):
            compiled.append(given)
            return super().compile(*given, **named)

    templates = Told(loader=DictLoader({"page": page}), autoescape=True, bytecode_cache=KeptTemplates(folder))
    return templates.get_template("page").render(x=7, name="<b>"), bool(compiled)


def test_a_template_is_compiled_once(tmp_path):
    assert [shown(tmp_path / "a" / "b") for _ in range(2)] == [("42 of &lt;b&gt;", True), ("42 of &lt;b&gt;", False)]
    assert [path.suffix for path in (tmp_path / "a" / "b").iterdir()] == [".template"]
    assert shown(tmp_path / "a" / "b", "{{ x }}") == ("7", True)


@pytest.mark.parametrize("left", [0, 40, 200])
def test_a_file_that_is_not_whole_is_compiled_again(tmp_path, left):
    shown(tmp_path)
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(kept.read_bytes()[:left])
    assert shown(tmp_path) == ("42 of &lt;b&gt;", True)
    assert shown(tmp_path) == ("42 of &lt;b&gt;", False)


@pytest.mark.parametrize("name", ["MAGIC_NUMBER", "bc_magic"])
def test_a_file_of_another_version_is_compiled_again(tmp_path, monkeypatch, name):
    with monkeypatch.context() as other:
        other.setattr(kept_templates, name, b"other")
        shown(tmp_path)
    assert shown(tmp_path) == ("42 of &lt;b&gt;", True)


def test_nothing_is_kept_where_nothing_may_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    assert shown(tmp_path / "file") == ("42 of &lt;b&gt;", True)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert shown(tmp_path / "none") == ("42 of &lt;b&gt;", True)
    assert not (tmp_path / "none").exists()
    monkeypatch.setattr(sys.implementation, "cache_tag", None)
    assert shown(None) == ("42 of &lt;b&gt;", True)


@pytest.mark.parametrize(("asked", "second"), [(late, "fr"), (lambda function: function, "en")])
def test_a_kept_template_speaks_the_language_of_the_page(tmp_path, asked, second):
    """The second line is the broken twin: Jinja asks a filter of its own kind while it compiles."""
    said = []
    for language in ("en", "fr"):
        templates = Environment(
            loader=DictLoader({"page": "{{ 'x' | said }}"}), autoescape=True, bytecode_cache=KeptTemplates(tmp_path)
        )
        templates.filters["said"] = asked(lambda _, language=language: language)
        said.append(templates.get_template("page").render())
    assert said == ["en", second]


@pytest.mark.parametrize("templates", [of_reports("fr"), of_pages("sfumato.studio", "fr")], ids=["reports", "pages"])
def test_all_filters_of_ours_are_asked_late(templates):
    ours = {name: one for name, one in templates.filters.items() if name not in DEFAULT_FILTERS}
    assert ours
    assert {name for name, one in ours.items() if not hasattr(one, "jinja_pass_arg")} == set()
