"""The phone's page in a real browser: consent, questions, lots, sending; offline, two tabs, a clock that goes back, nothing kept."""

import json
import re
from contextlib import contextmanager

import httpx
import pytest
from tests.app.serve_processes import PLAIN, READER, prepare, running
from tests.eyes import SERIOUS, judging

SURVEY = """
format = "sfumato.survey/1"
name = "habits"
title = { en = "Habits", fr = "Habitudes" }
consent = { en = "Your phone changes answers at random.", fr = "Votre téléphone change les réponses au hasard." }
languages = ["en", "fr"]
epsilon = 12.0
ends = 2099-12-31
[[question]]
kind = "yes-no"
name = "cheated"
text = { en = "Did you ever cheat?", fr = "Avez-vous déjà triché ?" }
mechanism = "forced response"
chances = { truth = "2/3", yes = "1/6" }
[[question]]
kind = "some-of"
name = "drugs"
text = { en = "What did you take?", fr = "Qu'avez-vous pris ?" }
values = ["none", "tea", "<b>coffee</b>"]
most = 2
mechanism = "every bit"
epsilon = 2.0
[[question]]
kind = "number"
name = "hours"
text = { en = "How many hours do you sleep?", fr = "Combien d'heures dormez-vous ?" }
bounds = [0, 12]
steps = 12
mechanism = "piecewise"
epsilon = 1.0
[[question]]
kind = "scale"
name = "mood"
text = { en = "How are you?", fr = "Comment allez-vous ?" }
bounds = [1, 3]
mechanism = "L-GRR"
epsilon = 2.0
repeat = { every = "day", times = 2, first = 0.5, distinct = 2 }
[experiment]
name = "wording"
arm = [{ name = "plain", text = { en = "Hello.", fr = "Bonjour." } }, { name = "kind", text = { en = "Hello!", fr = "Bonjour !" } }]
"""
DECLARED = """
format = "sfumato.collection/1"
[[question]]
column = "color"
values = ["red", "blue", "green"]
text = { en = "Which color?", fr = "Quelle couleur ?" }
labels = { en = ["Red", "Blue", "Green"], fr = ["Rouge", "Bleu", "Vert"] }
[[question]]
column = "size"
values = ["s", "l"]
text = { en = "Which size?", fr = "Quelle taille ?" }
[protocol]
name = "RS+FD[GRR]"
epsilon = 2.0
[page]
title = { en = "Shirts", fr = "Chemises" }
consent = { en = "One question is drawn.", fr = "Une question est tirée." }
languages = ["en", "fr"]
"""
PHONE = {"viewport": {"width": 360, "height": 740}, "service_workers": "allow", "has_touch": True}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of a survey on a server that runs."""
    folder = tmp_path_factory.mktemp("phone")
    prepare(folder)
    (folder / "survey.toml").write_text(SURVEY, "utf-8")
    (folder / "color.toml").write_text(DECLARED, "utf-8")
    with running(folder, "collect", "server.toml") as (_, address):
        yield f"{address.replace('127.0.0.1', 'localhost')}/collections/students"


@contextmanager
def phone(chromium, server, expected="ERR_INTERNET_DISCONNECTED", **options):
    """A browser as wide as a phone; whatever it reports as an error, but the expected one, is one."""
    context = judging(chromium.new_context(**PHONE, **{"locale": "en-GB", **options}))
    context.set_default_timeout(120_000)
    said = []
    context.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    context.on("weberror", lambda error: said.append(str(error.error)))
    page = context.new_page()
    page.goto(f"{server}/phone")
    try:
        yield page
    finally:
        context.close()
    assert [text for text in said if expected not in text] == []


def answered(page):
    """Agree, answer everything, and have the lots drawn."""
    page.get_by_role("button", name="I agree").click()
    answer(page)


def answer(page):
    """Answer everything, and have the lots drawn."""
    for group, choice in (("Did you ever cheat?", "no"), ("What did you take?", "tea"), ("How are you?", "2")):
        page.get_by_role("group", name=group).get_by_label(choice, exact=True).check()
    page.get_by_label("How many hours do you sleep?").fill("7.5")
    page.get_by_role("button", name="Change my answers by lot").click()


def phones(server):
    """How many batches the server has counted."""
    return httpx.get(f"{server}/counts", headers=READER, **PLAIN).json()["batches"]


def memory(page):
    """What the phone keeps of the survey."""
    found = page.evaluate("Object.entries(localStorage).find(([name]) => name.startsWith('sfumato.survey/'))")
    return json.loads(found[1])


def test_a_person_agrees_answers_sees_what_leaves_and_sends_it(chromium, server):
    before = phones(server)
    with phone(chromium, server) as page:
        page.get_by_text("Your phone changes answers at random.").wait_for()
        assert page.evaluate("localStorage.length") == 0
        answered(page)
        page.get_by_role("heading", name="What leaves your phone").wait_for()
        assert page.locator(".reports li").count() == 4
        assert page.locator(".reports strong").first.inner_text() in ("sent: yes", "sent: no")
        body = json.loads(page.locator("pre").text_content())
        assert memory(page)["sent"][0]["body"] == page.locator("pre").text_content()
        assert set(body) == {"format", "collection", "batch", "reports"}
        page.get_by_role("button", name="Send this").click()
        page.get_by_role("heading", name="Thank you").wait_for()
        assert memory(page)["sent"] == [{"time": 0, "body": None}]
        assert page.context.cookies() == []
        page.reload()
        page.get_by_text("The next questions come on").wait_for()
    assert phones(server) == before + 1


def test_each_question_says_how_often_the_truth_is_sent(chromium, server):
    with phone(chromium, server) as page:
        page.get_by_role("button", name="I agree").click()
        first = page.get_by_role("group", name="Did you ever cheat?")
        first.get_by_text("What leaves your phone").click()
        first.get_by_text(
            "If your answer is yes, “yes” is sent with 5 chances in 6; if it is no, “yes” is sent with 1 chance in 6."
        ).wait_for()
        assert page.get_by_text("<b>coffee</b>").is_visible()
        assert page.evaluate(SERIOUS) == []


def test_an_answer_that_is_missing_is_asked_for_at_its_place(chromium, server):
    with phone(chromium, server) as page:
        page.get_by_role("button", name="I agree").click()
        page.get_by_role("button", name="Change my answers by lot").click()
        page.get_by_role("alert").get_by_text("Please answer: Did you ever cheat?").wait_for()
        assert page.evaluate("document.activeElement.name") == "q0"
        assert memory(page)["sent"] == []


def test_without_a_network_it_is_answered_and_sent_later(chromium, server):
    before = phones(server)
    with phone(chromium, server) as page:
        page.get_by_text("This page is kept on your phone").wait_for()  # at its first opening
        page.context.set_offline(True)
        page.reload()
        answered(page)
        page.get_by_role("button", name="Send this").click()
        page.get_by_role("heading", name="It could not be sent").wait_for()
        assert phones(server) == before
        page.goto(f"{server}/phone/?from=poster")  # the server leads this address to the page: so does the phone
        page.get_by_text("Reports that wait for a network: 1").wait_for()
        page.context.set_offline(False)  # what waits is sent at once, by itself
        page.get_by_role("heading", name="Thank you").wait_for()
    assert phones(server) == before + 1


def test_two_tabs_answer_once(chromium, server):
    before = phones(server)
    with phone(chromium, server) as page:
        page.get_by_role("button", name="I agree").click()
        page.get_by_role("button", name="Change my answers by lot").wait_for()
        other = page.context.new_page()
        other.goto(f"{server}/phone")
        other.get_by_role("button", name="Change my answers by lot").wait_for()
        answer(page)
        page.get_by_role("button", name="Send this").click()
        page.get_by_role("heading", name="Thank you").wait_for()
        answer(other)
        other.get_by_text("This was answered already").wait_for()
        assert len(memory(page)["sent"]) == 1
    assert phones(server) == before + 1


def test_a_clock_that_goes_back_asks_nothing_twice_and_one_that_goes_on_asks_the_next(chromium, server):
    with phone(chromium, server) as page:
        answered(page)
        page.get_by_role("button", name="Send this").click()
        page.get_by_role("heading", name="Thank you").wait_for()
        day = 86_400_000
        now = page.evaluate("Date.now()")
        page.clock.set_fixed_time((now - 3 * day) / 1000)
        page.reload()
        page.get_by_role("heading", name="Thank you").wait_for()
        page.clock.set_fixed_time((now + day) / 1000)
        page.reload()
        page.get_by_role("group", name="How are you?").get_by_label("2", exact=True).check()
        kept = memory(page)["kept"]
        page.get_by_role("button", name="Change my answers by lot").click()
        page.get_by_role("button", name="Send this").click()
        page.get_by_role("heading", name="Thank you").wait_for()
        assert memory(page)["kept"] == kept


def test_a_phone_that_forgot_begins_anew_and_is_told_what_that_costs(chromium, server):
    with phone(chromium, server) as page:
        answered(page)
        page.get_by_role("button", name="Send this").click()
        page.get_by_role("heading", name="Thank you").wait_for()
        page.get_by_text("Forget what this phone remembers").first.click()
        page.get_by_text("gives away twice as much").wait_for()
        page.get_by_role("button", name="Forget what this phone remembers").click()
        page.get_by_role("button", name="I agree").wait_for()
        assert page.evaluate("localStorage.length") == 0


def test_a_report_that_the_server_refuses_on_loading_is_told_and_waits_no_more(chromium, server):
    before = phones(server)
    with phone(chromium, server, "status of 422") as page:
        answered(page)
        page.get_by_role("heading", name="What leaves your phone").wait_for()
        page.evaluate("""for (const [name, text] of Object.entries(localStorage)) {
            const memory = JSON.parse(text);
            memory.sent[0].body = "{}";
            localStorage.setItem(name, JSON.stringify(memory));
        }""")
        page.reload()
        page.get_by_role("heading", name="The server refused the report").wait_for()
        assert memory(page)["sent"] == [{"time": 0, "body": None}]
    assert phones(server) == before


@pytest.mark.parametrize(("language", "scheme"), [("en-GB", "light"), ("fr-FR", "dark")])
def test_every_part_of_the_page_can_be_read_by_everybody(chromium, server, language, scheme):
    """axe finds nothing serious, nothing is wider than a phone, and keys alone suffice."""
    with phone(chromium, server, locale=language, color_scheme=scheme) as page:
        for _ in range(3):
            page.get_by_role("heading", level=2).wait_for()
            assert page.evaluate(SERIOUS) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            if page.locator("fieldset").count():
                for place in (0, 1, 3):
                    page.locator("fieldset").nth(place).locator("input").first.focus()
                    page.keyboard.press("Space")
                page.locator("input[type=number]").fill("6")
            page.locator("button.main").focus()
            page.keyboard.press("Enter")
        page.get_by_role("heading", level=2).get_by_text("Merci" if language == "fr-FR" else "Thank you").wait_for()
        assert page.evaluate(SERIOUS) == []


def test_declared_questions_are_answered_on_the_same_page(chromium, server):
    there = f"{server.rsplit('/', 1)[0]}/color"
    with phone(chromium, there, locale="fr-FR") as page:
        page.get_by_text("Parmi les 2 questions, une est tirée au sort").wait_for()
        assert page.title() == "Chemises"
        page.get_by_role("button", name="J'accepte").click()
        page.get_by_role("group", name="Quelle couleur").get_by_label("Bleu").check()
        page.get_by_role("group", name="Quelle taille").get_by_label("l").check()
        page.get_by_role("group", name="Quelle taille").get_by_text("Ce qui quitte votre téléphone").click()
        page.get_by_text("Avec 1 chance sur 2, cette question est tirée. Alors :").last.wait_for()
        assert page.evaluate(SERIOUS) == []
        page.get_by_text("Cette page est gardée sur votre téléphone").wait_for()
        page.context.set_offline(True)
        page.get_by_role("button", name="Changer mes réponses").click()
        assert page.locator(".reports strong").first.inner_text() in [
            f"envoyé : {one}" for one in ("Rouge", "Bleu", "Vert")
        ]
        page.context.set_offline(False)
        page.get_by_role("heading", name="Merci").wait_for()
        page.reload()
        page.get_by_role("heading", name="Merci").wait_for()
    assert phones(there) == 1
    counts = httpx.get(f"{there}/counts", headers=READER, **PLAIN).json()
    assert [sum(one) for one in counts["support"]] == counts["reports"] == [1, 1]


def test_a_collection_without_a_page_has_none(server):
    assert httpx.get(f"{server.rsplit('/', 1)[0]}/home/phone", **PLAIN).status_code == 404
    assert httpx.get(f"{server.rsplit('/', 2)[0]}/phone/phone.html", **PLAIN).status_code == 404


def test_the_phone_keeps_every_file_that_the_server_has_for_it():
    app = pytest.importorskip("sfumato.collect.app")
    kept = re.findall(r'"(/(?:phone|client)/[^"]+)"', app.PHONE.text("worker.js"))
    page = [f"/phone/{name}" for name in app.PHONE.types if name != "worker.js"]
    assert sorted(kept) == sorted([*page, *(f"/client/{name}" for name in app.CLIENT.types)])
