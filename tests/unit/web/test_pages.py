"""What the pages of all servers share: their sentences in French, cookies, and who may send a form."""

import pytest
from starlette.responses import Response
from tests.catalogues import in_templates, untranslated

from sfumato.web.pages.gate import Public, is_own
from sfumato.web.pages.render import HERE


def test_every_shared_sentence_has_its_french():
    """And no translation is left of a sentence that no shared template says."""
    assert untranslated(HERE, list(in_templates(HERE))) == ([], [])


def test_a_sentence_without_french_is_found():
    assert untranslated(HERE, ["Nobody wrote this."])[0] == ["Nobody wrote this."]


@pytest.mark.parametrize(
    ("public", "said"),
    [
        (Public(), "sfumato=x; HttpOnly; Path=/; SameSite=strict"),
        (Public(True), "__Host-sfumato=x; HttpOnly; Path=/; SameSite=strict; Secure"),
        (Public(True, path="/drawn"), "sfumato=x; HttpOnly; Path=/drawn; SameSite=strict; Secure"),
    ],
)
def test_no_script_reads_the_cookie_and_no_other_page_sends_it(public, said):
    answer = Response()
    public.keep(answer, "x")
    assert answer.headers["set-cookie"] == said


@pytest.mark.parametrize(
    "origin", ["", "null", "http://b", "https://a.b", "http://a:80", "ftp://a", "http://a/", "a", "http://x@a"]
)
def test_forms_of_other_pages_are_not_ours(origin):
    assert is_own({"host": "a", "origin": "http://a"})
    assert not is_own({"host": "a", "origin": origin})
