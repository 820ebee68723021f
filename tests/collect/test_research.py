"""The page of a survey: each number is the result's, others are kept out, nothing foreign is run, everybody can read it, it is live."""

import asyncio
import csv
import hashlib
import html
import io
import re
import threading
from contextlib import contextmanager

import httpx
import numpy as np
import pytest
import uvicorn
from playwright.sync_api import expect
from tests.app.serve_processes import PLAIN, free_port
from tests.eyes import WIDTHS, has_run, heard, judging, looked_at, pictured

from sfumato.collect.app import application
from sfumato.collect.command import store_of
from sfumato.collect.metrics import Tally
from sfumato.collect.settings import read_settings
from sfumato.errors import SourceError
from sfumato.mechanism.local.survey.wire import to_bytes
from sfumato.noise.bits import KeyedBits
from sfumato.release.collect.base import Sent
from sfumato.release.collect.batch import to_json
from sfumato.release.collect.survey.people import filled_by
from sfumato.release.collect.survey.regress import regress
from sfumato.utility.randomized_regression import AnswerLaw, fit

STUDENTS = """
format = "sfumato.survey/1"
name = "students 2027"
title = { en = "Exams and work", fr = "Examens et travail" }
consent = { en = "Your phone changes answers at random.", fr = "Votre téléphone change les réponses au hasard." }
languages = ["en", "fr"]
epsilon = 8.0
ends = 2099-06-30
[[question]]
kind = "yes-no"
name = "cheated"
text = { en = "Did you ever cheat in an exam?", fr = "Avez-vous déjà triché à un examen ?" }
mechanism = "GRR"
epsilon = 2.0
[[question]]
kind = "one-of"
name = "lodging"
text = { en = "Where do you live?", fr = "Où habitez-vous ?" }
values = ["parents", "alone", "shared"]
labels = { en = ["With parents", "Alone", "Shared"], fr = ["Chez mes parents", "Seul", "Colocation"] }
mechanism = "OUE"
epsilon = 2.0
[[question]]
kind = "number"
name = "hours"
text = { en = "How many hours did you work last week?", fr = "Combien d'heures avez-vous travaillé la semaine dernière ?" }
unit = { en = "hours", fr = "heures" }
bounds = [0, 40]
mechanism = "hybrid"
epsilon = 2.0
[[question]]
kind = "scale"
name = "mood"
text = { en = "How are you?", fr = "Comment allez-vous ?" }
bounds = [1, 3]
mechanism = "L-GRR"
epsilon = 2.0
repeat = { every = "week", times = 2, first = 0.9, distinct = 2 }
[experiment]
name = "wording"
arm = [{ name = "plain" }, { name = "kind" }]
[[cross]]
questions = ["cheated", "lodging"]
[stop]
respondents = 4000
"""
SCRIPT = "<script>window.pwned=1</script>"
HOSTILE = f"""
format = "sfumato.survey/1"
name = "{SCRIPT}"
title = {{ en = "</title>{SCRIPT}" }}
consent = {{ en = "Changed at random." }}
languages = ["en"]
epsilon = 4.0
ends = 2099-06-30
[[question]]
kind = "yes-no"
name = "x"
column = "x"
text = {{ en = "<img src=x onerror=window.pwned=1>" }}
values = ["=cmd|' /C calc'!A0", "{SCRIPT}"]
mechanism = "forced response"
chances = {{ truth = "2/3", yes = "1/6" }}
[[question]]
kind = "one-of"
name = "\\"><b onmouseover=pwned=1>"
text = {{ en = "{SCRIPT}" }}
values = ["<b>a</b>", "-1+1"]
labels = {{ en = ["{SCRIPT}", "{{{{ 7*7 }}}}"] }}
mechanism = "GRR"
epsilon = 1.0
[experiment]
name = "e"
arm = [{{ name = "{SCRIPT}" }}, {{ name = "@g" }}]
[[cross]]
questions = ["x", "\\"><b onmouseover=pwned=1>"]
"""
PERSONS = 3000
TOKENS = {"students": "reader of students", "hostile": "reader of hostile", "writer": "writer"}


def digest(name):
    """Of a token, as the server document has it."""
    return hashlib.sha256(TOKENS[name].encode()).hexdigest()


def batches(survey, seed, n=PERSONS):
    """What n phones send at all times, as bodies of requests."""
    rng = np.random.default_rng(seed)
    drawn = {
        "yes-no": lambda: (rng.random(n) < 0.3).astype(np.int64), "one-of": lambda: rng.integers(0, 2, n),
        "number": lambda: np.clip(rng.normal(12, 6, n), 0, 40), "scale": lambda: rng.integers(0, 3, n),
    }  # fmt: skip
    answers = [[drawn[one.said.tag[1]]() for _ in one.days] for one in survey.asked]
    for filled in filled_by(survey, answers, bits=KeyedBits(bytes([seed] * 32), is_secure=False)):
        rows = len(filled.time)
        yield to_json(survey, Sent(f"{seed} {filled.time[0]}", rows, to_bytes(survey.shape, filled)))


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The address of a server with two surveys, both answered, and what was sent, by survey."""
    folder = tmp_path_factory.mktemp("research")
    text = 'format = "sfumato.server/1"\nstore = "sqlite:///store.db"\n'
    for name, said in (("students", STUDENTS), ("hostile", HOSTILE)):
        (folder / f"{name}.toml").write_text(said, "utf-8")
        text += f'[collections.{name}]\ncollection = "{name}.toml"\ntoken_sha256 = "{digest("writer")}"\nreader_sha256 = "{digest(name)}"\n'
    (folder / "server.toml").write_text(text, "utf-8")
    settings = read_settings(folder / "server.toml")
    port, tally = free_port(), Tally()
    app = application(settings, store_of(settings.store), tally)
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", ws="none"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    root, sent = f"http://127.0.0.1:{port}/collections", {}
    with httpx.Client(**PLAIN) as client:
        while not server.started:
            thread.join(0.05)
        for name, one in settings.collections.items():
            sent[name] = one.counter.asked, list(batches(one.counter.asked, 1))
            for body in sent[name][1]:
                assert post(client, root, name, body).json()["counted"]
    yield root, sent
    server.should_exit = True
    thread.join()


def post(client, root, name, body):
    """A batch that is sent."""
    return client.post(f"{root}/{name}/batches", content=body, headers={"Authorization": f"Bearer {TOKENS['writer']}"})


@contextmanager
def signed_in(root, name, token=None, origin=None):
    """Somebody with the cookie of a page, and how signing in was answered."""
    with httpx.Client(base_url=f"{root}/{name}/research", **PLAIN) as client:
        headers = {"origin": root.removesuffix("/collections") if origin is None else origin}
        answer = client.post("/login", data={"token": token or TOKENS[name]}, headers=headers if origin != "" else {})
        yield client, answer


def numbers(text):
    """The numbers of a piece of a page, in order."""
    return [float(one) for one in re.findall(r'<data value="([^"]*)">', text)]


def pieces(page, attribute):
    """Pieces of a page by the value of an attribute."""
    found = re.findall(rf'{attribute}="([^"]*)".*?<tbody>(.*?)</tbody>', page, re.DOTALL)
    return {html.unescape(name): numbers(body) for name, body in found}


@pytest.mark.parametrize("name", ["students", "hostile"])
def test_each_number_of_the_page_and_of_the_files_is_the_results(served, name):
    root, sent = served
    survey, bodies = sent[name]
    reader = {"Authorization": f"Bearer {TOKENS[name]}"}
    told = httpx.get(f"{root}/{name}/estimate", headers=reader, **PLAIN).json()
    with signed_in(root, name) as (client, _):
        page, table = client.get("").text, client.get("/estimates.csv").text
        assert client.get("/estimates.json").json() == told
    assert httpx.get(f"{root}/{name}/research/estimates.csv", headers=reader, **PLAIN).text == table
    head, _, rest = page.partition('<div class="questions">')
    groups = list(told["groups"].values())
    assert numbers(head) == [told["persons"], told["reports"], told["epsilon"], *groups]
    ends = ("estimate", "low", "high")
    lines = {
        one["name"]: [
            number
            for part in one["parts"]
            for found in ([part["mean"]] if part["mean"] else []) + part["answers"]
            for number in (*(found[end] for end in ends), part["reports"])
        ]
        for one in told["questions"]
    }
    assert pieces(rest, "data-question") == lines
    compared = [d[key] for d in told["differences"] for key in (*ends, "p_value", "adjusted")]
    assert pieces(rest, "id")["differences"] == compared
    assert len(compared) >= 5 * 4
    pairs = {" × ".join(one["questions"]): [p[end] for p in one["pairs"] for end in ends] for one in told["crosses"]}
    assert pieces(rest, "data-pair") == pairs
    regressed = pieces(rest, "data-regression")
    assert list(regressed) == ["cheated" if name == "students" else "x"]
    for question, found in regressed.items():
        kept = regress(survey, question, [(str(i), body.encode()) for i, body in enumerate(bodies)])
        assert found == [n for c in kept.coefficients for n in (c.estimate, c.low, c.high, c.p_value)]
    rows = list(csv.DictReader(io.StringIO(table)))
    lines_of = [row for row in rows if row["what"] == "regression"]
    assert [float(row[key]) for row in lines_of for key in (*ends, "p")] == [
        n for one in regressed.values() for n in one
    ]
    assert all(row["coefficient"] for row in lines_of)
    assert [float(row[end]) for row in rows if row["what"] in ("mean", "share") for end in ends] == [
        n for found in lines.values() for i, n in enumerate(found) if i % 4 < 3
    ]
    assert [float(row["adjusted p"]) for row in rows if row["what"] == "difference"] == compared[4::5]
    assert [float(row[end]) for row in rows if row["what"] == "pair" for end in ends] == [
        n for found in pairs.values() for n in found
    ]
    cells = {cell for row in rows for cell in row.values()}
    assert not any(cell[:1] in "=@" or cell == "-1+1" for cell in cells if cell)
    assert name == "students" or {"'=cmd|' /C calc'!A0", "'-1+1", "'@g"} <= cells


def test_intervals_are_rounded_outward(served):
    """What is read holds what was computed."""
    with signed_in(served[0], "students") as (client, _):
        page = client.get("", headers={"accept-language": "en"}).text
    triples = re.findall(r'"(?:Low|High)"><data value="([^"]*)">([^<]*)</data>', page)
    read = [(float(full), float(text.replace("\u00a0%", "").replace(",", "")), "%" in text) for full, text in triples]
    assert len(read) > 60
    for i, (full, text, is_share) in enumerate(read):
        gap = (text - 100 * full if is_share else text - full) * (-1 if i % 2 == 0 else 1)
        assert -1e-9 <= gap <= 0.01 * max(1, abs(text)), (full, text)


def test_a_regression_on_counts_is_the_one_on_persons(served):
    """A row for many persons weighs as much as many rows."""
    rng = np.random.default_rng(4)
    design = np.column_stack([np.ones(600), rng.integers(0, 2, 600)])
    said = rng.random(600) < 0.4 + 0.2 * design[:, 1]
    cells, persons = np.unique(np.column_stack([design, said]), axis=0, return_counts=True)
    law = AnswerLaw(0.8, 0.1)
    one, other = fit(said, design, law), fit(cells[:, 2] == 1, cells[:, :2], law, persons)
    np.testing.assert_allclose(other.coefficients, one.coefficients, rtol=1e-6)
    np.testing.assert_allclose(other.standard_errors, one.standard_errors, rtol=1e-6)
    assert other.n == 600


PLACES = ("/events", "/estimates.json", "/estimates.csv")


def test_only_readers_of_this_survey_see_it(served):
    """No token, that of writers, that of another survey, a cookie of another survey, one that was made up, one that was left."""
    root, _ = served
    page = f"{root}/students/research"
    for headers in ({}, *({"Authorization": f"Bearer {TOKENS[one]}"} for one in ("writer", "hostile"))):
        for place in PLACES:
            assert httpx.get(page + place, headers=headers, **PLAIN).status_code == 401
        assert "<data" not in httpx.get(page, headers=headers, **PLAIN).text
    for token in ("writer", "hostile"):
        with signed_in(root, "students", TOKENS[token]) as (client, answer):
            assert (answer.status_code, "set-cookie" in answer.headers) == (401, False)
            assert TOKENS[token] not in answer.text
    with signed_in(root, "hostile") as (client, answer):
        cookie = answer.headers["set-cookie"]
        assert {"HttpOnly", "SameSite=strict", "Path=/collections/hostile/research"} <= set(cookie.split("; "))
        assert "Secure" not in cookie
        value = client.cookies["sfumato"]
        assert "<data" in client.get("").text
        for made_up in (value, "x"):
            refused = httpx.get(f"{page}/estimates.json", headers={"cookie": f"sfumato={made_up}"}, **PLAIN)
            assert refused.status_code == 401
        own = root.removesuffix("/collections")
        assert client.post("/logout", headers={"origin": own}).status_code == 303
        refused = httpx.get(f"{root}/hostile/research/estimates.json", headers={"cookie": f"sfumato={value}"}, **PLAIN)
        assert refused.status_code == 401


@pytest.mark.parametrize("origin", ["", "null", "https://evil.example", "http://127.0.0.1:1"])
def test_other_pages_change_nothing(served, origin):
    root, _ = served
    with signed_in(root, "students", origin=origin) as (client, answer):
        assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)
    with signed_in(root, "students") as (client, _):
        headers = {"origin": origin} if origin else {}
        for place in ("/logout", "/language"):
            assert client.post(place, data={"to": "fr", "back": "/"}, headers=headers).status_code == 403
        assert client.get("/estimates.json").status_code == 200
        own = {"origin": root.removesuffix("/collections")}
        assert client.post("/login", content=b"x" * 5000, headers=own).status_code == 413
        there = client.post("/language", data={"to": "fr", "back": "//evil.example"}, headers=own)
        assert there.headers["location"] == "/collections/students/research/"


def test_pages_are_guarded_and_a_secure_origin_gets_a_secure_cookie(served):
    root, _ = served
    host = root.split("/")[2]
    with signed_in(root, "students", origin=f"https://{host}") as (_, answer):
        assert "Secure" in answer.headers["set-cookie"]
    answer = httpx.get(f"{root}/students/research", **PLAIN)
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer.headers["cache-control"] == "no-store"
    assert httpx.get(f"{root}/students/live", **PLAIN).headers["location"] == "/collections/students/research"
    assert httpx.get(f"{root}/nobody/research", **PLAIN).status_code == 404


@contextmanager
def reading(chromium, root, name, **options):
    """A page of a browser whose reader signed in by typing the token."""
    context = judging(chromium.new_context(viewport={"width": 1280, "height": 900}, **options))
    context.set_default_timeout(120_000)
    tab = context.new_page()
    try:
        tab.goto(f"{root}/{name}/research")
        tab.fill("#token", TOKENS[name])
        tab.click("main button")
        tab.locator("#found").wait_for()
        yield tab
    finally:
        context.close()


@pytest.mark.parametrize(("language", "scheme"), [("en-GB", "light"), ("fr-FR", "dark")])
def test_everybody_can_read_it_and_nothing_foreign_is_run(served, chromium, language, scheme):
    """Axe finds nothing serious, nothing is wider than the window, names are text, and the console is silent."""
    for place, name in enumerate(("students", "hostile")):
        with reading(chromium, served[0], name, locale=language, color_scheme=scheme) as tab:
            said = heard(tab)
            tab.reload()
            tab.get_by_text("Live:" if language == "en-GB" else "En direct :").wait_for()
            assert looked_at(tab, WIDTHS[place]) == []
            assert tab.locator("html").get_attribute("lang") == language[:2]
            assert not has_run(tab)
            assert said == []
            if name == "students":
                tab.emulate_media(color_scheme="light")
                tab.set_viewport_size({"width": 1280, "height": 1100})
                pictured(tab, "research" + ("" if language == "en-GB" else ".fr"))


def test_it_is_drawn_again_as_reports_arrive(served, chromium):
    """The new numbers are those of the result, without a click; who signs out is asked for the token."""
    root, sent = served
    with reading(chromium, root, "hostile", locale="en-GB") as tab:
        tab.get_by_text("Live:").wait_for()
        before = int(tab.locator("#persons data").get_attribute("value"))
        with httpx.Client(**PLAIN) as client:
            for body in batches(sent["hostile"][0], 2, 77):
                sent["hostile"][1].append(body)
                assert post(client, root, "hostile", body).status_code == 200
            expect(tab.locator("#persons")).to_have_text(f"{before + 77:,}", timeout=120_000)
            reader = {"Authorization": f"Bearer {TOKENS['hostile']}"}
            told = client.get(f"{root}/hostile/estimate", headers=reader).json()
        first = told["questions"][0]["parts"][0]["answers"][0]
        assert tab.locator("table.figures data").nth(2).get_attribute("value") == repr(first["estimate"])
        tab.click("text=Sign out")
        expect(tab.locator("h1")).to_have_text("Who reads this survey?")


def test_a_page_whose_session_is_over_shows_nothing_new(served, chromium):
    """The stream ends at the next report, and the page asks for the token; nothing is fetched in between."""
    root, sent = served
    with reading(chromium, root, "hostile", locale="en-GB") as tab, httpx.Client(**PLAIN) as client:
        tab.get_by_text("Live:").wait_for()
        fetched = []
        tab.on("request", lambda one: fetched.append(one.resource_type))
        cookie = "; ".join(f"{one['name']}={one['value']}" for one in tab.context.cookies())
        origin = root.removesuffix("/collections")
        client.post(f"{root}/hostile/research/logout", headers={"cookie": cookie, "origin": origin})
        for body in batches(sent["hostile"][0], 3, 5):
            sent["hostile"][1].append(body)
            assert post(client, root, "hostile", body).status_code == 200
        expect(tab.locator("h1")).to_have_text("Who reads this survey?", timeout=120_000)
        assert "xhr" not in fetched


class Failing:
    """A store whose totals cannot be read."""

    def __init__(self, store):
        self._store = store

    def __getattr__(self, name):
        return getattr(self._store, name)

    def totals(self, name):
        raise SourceError("The store of {name} must answer; it does not.", "look after it.", name=name)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_page_that_cannot_be_shown_says_so_as_a_page_and_programs_get_json(tmp_path, language):
    (tmp_path / "students.toml").write_text(STUDENTS, "utf-8")
    (tmp_path / "server.toml").write_text(
        'format = "sfumato.server/1"\nstore = "sqlite:///store.db"\n[collections.students]\ncollection = "students.toml"\n'
        f'open = true\nreader_sha256 = "{digest("students")}"\n', "utf-8",
    )  # fmt: skip
    settings = read_settings(tmp_path / "server.toml")
    store = store_of(settings.store)
    asyncio.run(refused(application(settings, Failing(store), Tally()), language))
    store.close()


async def refused(app, language):
    """What a reader meets, and a program."""
    headers = {"accept-language": language, "origin": "http://here"}
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://here/collections", headers=headers
    ) as client:
        await client.post("/students/research/login", data={"token": TOKENS["students"]})
        shown = await client.get("/students/research")
        assert (shown.status_code, shown.headers["retry-after"]) == (503, "1")
        assert shown.headers["content-type"].startswith("text/html")
        assert "frame-ancestors 'none'" in shown.headers["content-security-policy"]
        heading = "This page cannot be shown" if language == "en" else "Cette page ne peut être affichée"
        assert heading in html.unescape(shown.text)
        assert "The store of students must answer" in shown.text
        absent = await client.get("/none/phone")
        assert (absent.status_code, absent.headers["content-type"][:9]) == (404, "text/html")
        for place in ("research/estimates.csv", "research/estimates.json", "counts"):
            told = await client.get(f"/students/{place}", headers={"Authorization": f"Bearer {TOKENS['students']}"})
            assert (told.status_code, set(told.json())) == (503, {"problem", "remedy"})
