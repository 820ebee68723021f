"""The pages of a team for somebody who cannot see well, has a small screen or no pointer: signing in, what each role sees, refusals."""

import os
from pathlib import Path

import pytest
from tests.eyes import WIDTHS, judging, looked_at
from tests.studio.conftest import closed, opened
from tests.studio.furnished import copied
from tests.studio.teams import PASSWORD, ROLES, owned, user_table, write_users
from tests.studio.test_access import pressed


@pytest.fixture(scope="module")
def studio(furniture, tmp_path_factory):
    """A studio of a team on this machine, with a furnished project; tests change nothing of it."""
    folder = tmp_path_factory.mktemp("team")
    owned(copied(furniture, folder / "shelf/stays").project.folder, *ROLES)
    write_users(folder / "users.toml", *(user_table(name, role) for name, role in ROLES.items()))
    one = opened(folder / "shelf", "--users", str(folder / "users.toml"))
    yield one
    closed(one)


def sign_in(tab, studio, name, password=PASSWORD):
    """By keys alone, from the field that has the focus."""
    tab.goto(studio.entrance)
    tab.wait_for_function("document.activeElement.id === 'name'")
    tab.keyboard.type(name)
    pressed(tab, "#password")
    tab.keyboard.type(password)
    with tab.expect_navigation():
        tab.keyboard.press("Enter")


@pytest.mark.parametrize(("language", "scheme"), [("en-GB", "light"), ("fr-FR", "dark")])
def test_pages_of_a_team_are_for_everybody(studio, chromium, language, scheme):
    """In both languages: the wider two widths light, the narrower two dark; a wrong password, a list, a page that only shows, and a refusal."""
    context = judging(chromium.new_context(locale=language, color_scheme=scheme))
    tab, wrong = context.new_page(), {}

    def look(what):
        tab.wait_for_load_state("load")
        assert tab.locator("html").get_attribute("lang") == language[:2]
        first = int(scheme == "light")
        wrong[what] = looked_at(tab, WIDTHS[first], WIDTHS[first : first + 2])
        if folder := os.environ.get("SFUMATO_TEST_PICTURES"):
            tab.set_viewport_size({"width": 1000, "height": 700})
            tab.screenshot(path=Path(folder) / f"team-{what}-{language}-{scheme}.png")

    tab.goto(studio.entrance)
    look("sign in")
    sign_in(tab, studio, "rita", "another password")
    look("wrong")
    assert tab.locator("[role=alert]").count() == 1
    for who in ("rita", "alan", "ada"):
        sign_in(tab, studio, who)
        look(f"projects of {who}")
        tab.goto(studio.page("stays", "ask" if who == "alan" else "table"))
        look(f"page of {who}")
        tab.goto(studio.page("stays", "risk"))
        assert tab.locator("h1").count() == 1
        look(f"risk of {who}")
        tab.locator(".who button").click()
        tab.locator("#password").wait_for()
    context.close()
    assert {what: found for what, found in wrong.items() if found} == {}


def test_the_language_is_chosen_before_signing_in(studio, chromium):
    """And stays."""
    context = chromium.new_context(locale="en-GB")
    tab = context.new_page()
    tab.goto(studio.entrance)
    tab.locator("button[value=fr]").click()
    tab.locator("h1:text-is('Qui êtes-vous ?')").wait_for()
    assert tab.url == studio.entrance
    tab.locator("#name").fill("ada")
    tab.locator("#password").fill(PASSWORD)
    tab.locator(".signin button").click()
    tab.locator(".who:has-text('édition')").wait_for()
    context.close()
