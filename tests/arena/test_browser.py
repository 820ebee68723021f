"""A contest in the browser: every page is for everybody, works without scripts, and a class plays it whole by clicks."""

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect
from tests.app.serve_processes import running
from tests.app.test_serve_arena import WORDS, contest
from tests.arena.conftest import TEAMS
from tests.arena.test_pages import PAGES
from tests.eyes import WIDTHS, has_run, heard, judging, looked_at

from sfumato.arena.keys import new_organiser
from sfumato.arena.room import Room
from sfumato.contest.opening import open_judge
from sfumato.noise.bits import SystemBits

BLUE = TEAMS[0]


@contextmanager
def entered(chromium, root, token, **options):
    """A page of a browser, of somebody who signed in with a token; "": of nobody."""
    context = judging(chromium.new_context(viewport={"width": 1280, "height": 900}, **options))
    context.set_default_timeout(120_000)
    tab = context.new_page()
    try:
        tab.goto(f"{root}/login")
        if token:
            tab.fill("#token", token)
            tab.click("main button")
            tab.wait_for_url(lambda url: not url.endswith("/login"))
        yield tab
    finally:
        context.close()


@pytest.mark.parametrize(("language", "scheme"), [("en-GB", "light"), ("fr-FR", "dark")])
def test_every_page_is_for_everybody(house, root, chromium, language, scheme):
    """Axe finds nothing serious, nothing is wider than the window, names and cells are not run, and the console is silent."""
    wrong = {}
    for who, paths in PAGES.items():
        with entered(chromium, root, house.tokens.get(who, ""), locale=language, color_scheme=scheme) as tab:
            said = heard(tab)
            for path in paths:
                tab.goto(root + path.format(**house.numbers))
                assert tab.locator("html").get_attribute("lang") == language[:2]
                judged = WIDTHS[0] if scheme == "dark" else WIDTHS[1 + len(wrong) % 2]
                widths = WIDTHS[:2] if scheme == "dark" else WIDTHS[1:]
                found = looked_at(tab, judged, widths) + (["run"] if has_run(tab) else [])
                wrong[f"{who} {path}"] = found + [text for text in said if "status of 404" not in text]
                said.clear()
    assert {name: found for name, found in wrong.items() if found} == {}


def test_a_countdown_goes_by_the_clock_of_the_server(house, root, chromium):
    """A browser whose clock is a year wrong shows what the server says, and counts on."""
    with entered(chromium, root, "") as tab:
        tab.clock.install(time=datetime(2031, 1, 1, tzinfo=UTC))
        tab.goto(f"{root}/board")
        counted = tab.locator(".phases .count").first
        expect(counted).to_have_text("1 d 3 h")
        tab.clock.run_for(1_800_000)
        expect(counted).to_have_text("1 d 3 h")
        tab.clock.run_for(2_000)
        expect(counted).to_have_text("1 d 2 h")


def test_without_scripts_everything_is_done_too(house, root, chromium):
    """Phases, forms and the state of a file are there; a page that waits asks again by itself."""
    with entered(chromium, root, house.tokens[BLUE], java_script_enabled=False) as tab:
        expect(tab.locator(".phases .count").first).to_have_text("1 d 3 h")
        tab.click("text=History")
        tab.click(f"a[href$='/files/{house.numbers['waiting']}']")
        assert tab.locator("meta[http-equiv=refresh]").count() == 1
        tab.click("text=Leaderboard")
        expect(tab.locator("svg.chart")).to_be_visible()
        tab.click("text=Français")
        expect(tab.locator("h1")).to_have_text("Classement")


def test_a_class_plays_a_contest_by_clicks(chromium, tmp_path):
    """The organiser makes two teams; each hands in, mends, publishes and attacks; phases end, and the board is exact."""
    now = datetime.now(UTC).replace(microsecond=0)
    moments = [(now + timedelta(days=days)).isoformat() for days in (-1, 5, 6, 9)]
    phases = "".join(
        f'[[phase]]\nname = "{name}"\nkind = "{kind}"\nstart = {start}\nend = {end}\n'
        for name, kind, start, end in (("Hide", "defence", *moments[:2]), ("Seek", "attack", *moments[2:]))
    )
    contest(tmp_path, phases=phases)
    judge, room = open_judge(tmp_path / "contest.toml"), Room(tmp_path / "store")
    room.ready()
    key = new_organiser(room.folder)
    for defence in ("renamed", "noisy"):
        (tmp_path / f"{defence}.tsv").write_bytes(judge.defend(defence, SystemBits()))
    lines = (tmp_path / "renamed.tsv").read_text().splitlines()
    (tmp_path / "wrong.tsv").write_text("\n".join([*lines[:9], lines[9] + "9x", *lines[10:]]) + "\n")
    with running(tmp_path, *WORDS) as (_, address):
        root = f"{address}/pages"
        with entered(chromium, root, key, locale="en-GB") as organiser:
            tokens = {name: made_team(organiser, name) for name in ("red", "blue")}
            with (
                entered(chromium, root, tokens["red"], locale="en-GB") as red,
                entered(chromium, root, tokens["blue"], locale="fr-FR") as blue,
            ):
                said = heard(red)
                wrong = handed(red, "Hand in", tmp_path / "wrong.tsv", "refused")
                expect(red.locator(".faults mark")).to_have_text(lines[9].split("\t")[3] + "9x")
                expect(red.locator(".faults tbody th")).to_have_text("10")
                assert wrong == 1
                red.click("text=Hand in another file")
                published(red, dropped(red, tmp_path / "renamed.tsv", "accepted"), "Publish it")
                published(blue, handed(blue, "Remettre", tmp_path / "noisy.tsv", "acceptée"), "La publier")
                blue.click("text=Attaque")
                expect(blue.locator(".told")).to_contain_text("pas de phase d'attaque")
                for name, what in (("Hide", "End now"), ("Seek", "Begin now")):
                    organiser.click(f".when:has-text('{name}') >> text={what}")
                    organiser.wait_for_load_state()
                sought(blue, "Attaque", 2, judge, tmp_path, "acceptée")
                sought(red, "Attack", 3, judge, tmp_path, "accepted")
                red.click("text=Leaderboard")
                rounded = red.locator("tbody").first.inner_text()
                organiser.click(".when:has-text('Seek') >> text=End now")
                organiser.wait_for_load_state()
                red.reload()
                expect(red.locator("caption").first).to_have_text("")
                assert red.locator("tbody").first.inner_text() != rounded
                organiser.click("text=Judge everything again")
                expect(organiser.locator("#files ~ .scroll .tag.holds")).to_have_count(4)
                with organiser.expect_download() as archive:
                    organiser.click("text=Fetch all of it as one file")
                assert archive.value.suggested_filename == "contest.zip"
                red.click("text=Sign out")
                expect(red.locator("h1")).to_have_text("Which team are you?")
                assert said == []


def made_team(tab, name):
    """The token of a team that the organiser makes."""
    tab.fill("#team", name)
    tab.click("text=Make it")
    return tab.locator("#token").inner_text()


def handed(tab, where, path, state):
    """The number of a file that a team hands in and the judge has judged."""
    tab.click(f".menu >> text={where}")
    return dropped(tab, path, state)


def dropped(tab, path, state):
    """The same on the page that is open."""
    tab.set_input_files("#file", path)
    tab.click(".drop button")
    expect(tab.locator(".lead .tag")).to_have_text(state)
    return int(tab.url.rpartition("/")[2])


def published(tab, number, button):
    """A team publishes what was accepted."""
    tab.click(f"text={button}")
    expect(tab.locator(".lead")).to_contain_text("publi")
    assert tab.url.endswith(f"/files/{number}")


def sought(tab, where, number, judge, folder, state):
    """A team fetches what another one published, and hands in an attack of the contest on it."""
    tab.click(f".menu >> text={where}")
    with tab.expect_download() as fetched:
        tab.click(f"a[href$='/files/{number}/release']")
    fetched.value.save_as(folder / "public.tsv")
    (folder / "attack.json").write_bytes(judge.guess("counts", folder / "public.tsv"))
    tab.click(f"a[href$='/files/{number}']")
    dropped(tab, folder / "attack.json", state)
