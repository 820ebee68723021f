"""The pages of a contest as attacks on them: who may come where, what of others nobody sees, and what is never more than text."""

import io
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from tests.app.serve_processes import PLAIN
from tests.arena.conftest import PHASES, SCRIPT, SECRET, TEAMS, Hand, House, made, phase, serving
from tests.studio.conftest import finished

from sfumato.arena.keys import new_organiser
from sfumato.arena.pages.app import May, pages_app, ways
from sfumato.arena.pages.files import Place, _place, line, submission_view
from sfumato.arena.pages.site import Site
from sfumato.arena.pages.visitor import Visitor
from sfumato.noise.bits import SystemBits
from sfumato.web.pages.gate import MOST_FORM, Public

BLUE = TEAMS[0]
PAGES = {
    "": ("/", "/board?by=attack", "/login"),
    BLUE: ("/board", "/hand-in", "/own", "/attack", "/files/{blue}", "/files/{script}", "/files/{wrong}", "/files/{empty}",
           "/files/{spare}", "/files/{attack}", "/files/{waiting}", "/files/999999"),
    "organiser": ("/organise", "/files/{other attack}"),
}  # fmt: skip
"""Who sees which pages."""


def every(hands, numbers):
    """Each page that somebody may see, with who sees it."""
    for who, paths in PAGES.items():
        for path in paths:
            yield who, path.format(**numbers), hands[who].get(path.format(**numbers))


def test_every_page_is_answered_and_under_its_policy(hands, house):
    for who, path, answer in every(hands, house.numbers):
        assert answer.status_code == (404 if "999999" in path else 200), (who, path)
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"


def test_names_cells_and_files_are_text(hands, house):
    """Nothing of a name or a cell is markup; a cell with a formula is shown at its line, marked."""
    for who, path, answer in every(hands, house.numbers):
        assert SCRIPT not in answer.text, (who, path)
        assert "<img src=x" not in answer.text, (who, path)
        assert "Attaque <b>" not in answer.text, (who, path)
    wrong = hands[BLUE].get(f"/files/{house.numbers['wrong']}").text
    assert "<mark>=1+1</mark>" in wrong
    assert "<mark>&lt;img src=x onerror=window.pwned=1&gt;</mark>" in wrong
    empty = hands[BLUE].get(f"/files/{house.numbers['empty']}").text
    assert re.search(
        r'<th scope="row" class="n" data-label="Line">201</th><td data-label="Column">longitude</td>.*?<mark>\(empty\)</mark>',
        empty,
    )


def test_nobody_comes_where_he_may_not(hands, house):
    """Each address is asked by everybody; whoever may not come is sent away or refused, and nothing is done."""
    before = (house.store.audit(), house.timetable.phases())
    site = Site(house.arena, house.judge, None, Public())
    for way in ways(site, house.timetable, house.folder):
        path = way.path.format(number=house.numbers["hidden"], table="original", file="arena.css")
        for who, hand in hands.items():
            is_team, is_known = who in TEAMS, who != ""
            may = {
                May.EVERYBODY: True, May.SIGNED_IN: is_known, May.TEAM: is_team, May.ORGANISER: who == "organiser",
            }[way.may]  # fmt: skip
            if not may:
                answer = hand.get(path) if way.method == "GET" else hand.post(path, name="new", number="1")
                assert answer.status_code in ({303, 403} if way.method == "GET" else {403}), (who, way.path)
                assert answer.headers.get("location", "/pages/login") == "/pages/login"
    assert (house.store.audit(), house.timetable.phases()) == before


OTHERS = [None, "null", "https://evil.example", "http://127.0.0.1", "http://127.0.0.1:1", "http://localhost:{port}"]


@pytest.mark.parametrize("origin", OTHERS)
def test_other_pages_change_nothing(house, root, origin):
    """With the cookie of a team or of the organiser, but from another page, or from one that does not say: refused."""
    before = house.store.audit()
    for who in (BLUE, "organiser"):
        hand = Hand(root, house.tokens[who])
        del hand.client.headers["origin"]
        headers = {} if origin is None else {"origin": origin.format(port=root.split(":")[2].partition("/")[0])}
        for path in ("/hand-in", f"/files/{house.numbers['spare']}/publish", "/organise/team", "/organise/again", "/logout", "/login"):  # fmt: skip
            answer = hand.client.post(path, data={"name": "Evil", "token": house.tokens[BLUE]}, headers=headers)
            assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)
        assert hand.get("/").text.count('action="/pages/logout"') == 1
    assert house.store.audit() == before


def test_a_team_sees_nothing_of_another(hands, house):
    """Files that are not published are as if they were not there; of published ones there is no digest, fault or line."""
    n, blue, organiser = house.numbers, hands[BLUE], hands["organiser"]
    nothing = blue.get("/files/999999")
    for name in ("hidden", "other attack"):
        for path in ("", "/events", "/release"):
            answer = blue.get(f"/files/{n[name]}{path}")
            assert answer.status_code == 404, (name, path)
        assert blue.get(f"/files/{n[name]}").text == nothing.text
        assert organiser.get(f"/files/{n[name]}").status_code == 200
    for what in ("publish", "withdraw", "attack"):
        assert blue.post(f"/files/{n['hidden']}/{what}").status_code == 404
        assert blue.drop(f"/files/{n['hidden']}/{what}", b"x").status_code == 404
    assert blue.post(f"/files/{n['script']}/withdraw").status_code == 404
    for name, is_shown in (("script", False), ("blue", True)):
        assert (house.store.file(n[name]).sha256 in blue.get(f"/files/{n[name]}").text) is is_shown
    assert hands[SCRIPT].get(f"/files/{n['wrong']}").status_code == 404


def test_the_key_and_tokens_stand_on_no_page(hands, house):
    """Nor their digests; what attackers fetch are the lines in another order."""
    for who, path, answer in every(hands, house.numbers):
        assert SECRET not in answer.text, (who, path)
        assert not any(token in answer.text for token in house.tokens.values()), (who, path)
    for path in ("/../store/keys/1", "/static/..%2f..%2fkeys", "/files/1/../../keys/1", "/tables/..%2fcontest.toml", "/static/arena.db"):  # fmt: skip
        assert SECRET not in hands[BLUE].get(path).text
    fetched = hands[BLUE].get(f"/files/{house.numbers['script']}/release").content
    assert fetched == house.room.public(house.numbers["script"]).read_bytes()
    assert hands[BLUE].get("/tables/original").content == (house.folder / "original.tsv").read_bytes()


def test_what_attacks_find_is_rounded_until_their_phase_ends(hands, house):
    """For everybody, on every page: .4321 is .4, and what is made of it has no more of it; at the end it is exact."""
    n = house.numbers
    seen = [answer.text for _, _, answer in every(hands, n)]
    assert not any(re.search(r"0\.432|0\.234", text) for text in seen)
    assert "Found: 0.4" in hands[BLUE].get(f"/files/{n['attack']}").text
    page = hands[BLUE].get(f"/files/{n['script']}").text
    teams = re.findall(r'<th scope="row">([^<]+)</th><td class="n" [^>]*>1</td><td class="n" [^>]*>([\d.]+)</td>', page)
    assert teams == [("=cmd|&#39; /C calc&#39;!A0", "0.2"), ("Les Bleus", "0.4")]
    before, house.now = house.now, house.now + 30 * 86_400
    try:
        assert "Found: 0.432" in hands[BLUE].get(f"/files/{n['attack']}").text
        assert "0.234" in hands[BLUE].get(f"/files/{n['script']}").text.replace("0.235", "0.234")
    finally:
        house.now = before


def test_what_pages_are_handed_is_rounded_before_they_print_it(house):
    """No template holds more than it shows."""
    n, who = house.numbers, Visitor(BLUE)
    script = house.store.file(n["script"])
    view = submission_view(house.judge, script, house.store.attacks_on(script.id), who, 1)
    assert [(team, found) for team, found, _ in view["teams"]] == [(TEAMS[2], 0.2), (BLUE, 0.4)]
    assert {found for _, found, _ in view["attacks"]} <= {i / 10 for i in range(11)}
    assert [line(house.store.file(n[name]), who, 1).found for name in ("attack", "other attack")] == [0.4, 0.2]


def test_the_cookie_is_read_by_no_script_and_the_token_stands_in_no_address(house, root):
    hand = Hand(root)
    for path in ("/login?token={}", "/?token={}", "/own?token={}"):
        assert "set-cookie" not in hand.get(path.format(house.tokens[BLUE])).headers
    answer = hand.post("/login", token=" " + house.tokens[BLUE] + "\n")
    said = answer.headers["set-cookie"]
    assert {part.strip().lower() for part in said.split(";")[1:]} == {"httponly", "samesite=strict", "path=/pages"}
    assert house.tokens[BLUE] not in said + answer.headers["location"]
    wrong = Hand(root).post("/login", token=house.tokens[BLUE][:-1])
    assert (wrong.status_code, "Nobody has this token." in wrong.text) == (401, True)
    stolen = dict(hand.client.cookies)
    assert hand.post("/logout").status_code == 303
    with httpx.Client(base_url=root, cookies=stolen, **PLAIN) as client:
        assert client.get("/own").status_code == 303  # whoever kept it is out


def test_by_https_no_other_host_sets_the_cookie(house):
    """It has the prefix that browsers take by https alone, from this host and for all of it."""
    app = pages_app(house.arena, house.judge, house.timetable, house.folder, is_secure=True)

    async def entered():
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="https://contest.example") as client:
            data, headers = {"token": house.tokens["organiser"]}, {"origin": "https://contest.example"}
            told = await client.post("/pages/login", data=data, headers=headers)
            return told, await client.get("/pages/organise")

    told, page = finished(entered())
    name, _, rest = told.headers["set-cookie"].partition("=")
    assert (name, page.status_code) == ("__Host-sfumato", 200)
    assert {part.strip().lower() for part in rest.split(";")[1:]} == {"httponly", "secure", "samesite=strict", "path=/"}


@pytest.fixture
def fresh(tmp_path):
    """A contest of its own, with its organiser and one team."""
    one = made(tmp_path / "c", *PHASES)
    one.team("red")
    with serving(one) as root:
        yield one, Hand(root, one.tokens["organiser"]), Hand(root, one.tokens["red"]), root


def test_a_new_token_ends_sessions_and_is_shown_once(fresh):
    house, organiser, red, root = fresh
    assert organiser.post("/organise/team", name="red").headers["location"] == "/pages/organise"
    assert 'id="token"' not in Hand(root, house.tokens["organiser"]).get("/organise").text
    token = re.search(r'<code id="token">([^<]+)</code>', organiser.get("/organise").text)[1]
    assert token not in organiser.get("/organise").text
    assert red.get("/own").status_code == 303
    assert Hand(root, token).get("/own").status_code == 200
    assert organiser.post("/organise/team", name="judge").status_code == 422
    assert organiser.post("/organise/team", name="a\u202e\nb").status_code == 422
    new_organiser(house.room.folder)
    assert organiser.get("/organise").status_code == 303
    (house.room.folder / "organiser").write_text("")
    assert Hand(root).post("/login", token="").status_code == 401


def test_files_arrive_within_their_bounds(fresh):
    """Of a team that has signed in; larger ones, empty ones and those out of their phase are refused with the reason."""
    house, organiser, red, root = fresh
    answer = red.drop("/hand-in", b"0\t2015\n")
    assert re.fullmatch(r"/pages/files/\d+", answer.headers["location"])
    assert (house.worker.woken, house.store.of_team("red")[0].state) == (1, "waiting")
    assert red.drop("/hand-in", bytes(2_100_000)).status_code == 413
    assert Hand(root).drop("/hand-in", bytes(MOST_FORM + 1)).status_code == 413
    assert organiser.drop("/hand-in", bytes(MOST_FORM + 1)).status_code == 413
    for answer in (red.drop("/hand-in", b""), red.post("/hand-in")):
        assert (answer.status_code, "must hold a file" in answer.text) == (411, True)
    assert list(house.room.arriving.iterdir()) == []
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda _: red.drop("/hand-in", b"x").status_code, range(60)))
    assert sorted(set(told)) == [303, 429]
    assert told.count(303) == 49  # with the first one all of fifty
    house.now += 3 * 86_400
    answer = red.drop("/hand-in", b"x")
    assert (answer.status_code, "There is no phase of defence now." in answer.text) == (403, True)


def test_phases_are_moved_in_the_document_and_stay_readable(fresh):
    """Comments stay, what cannot be read again is not written, and the server goes by the new moments at once."""
    house, organiser, red, _ = fresh
    path = house.folder / "contest.toml"
    path.write_text(path.read_text() + "# a comment\n")
    assert organiser.post("/organise/phases", do="end", place="0").status_code == 303
    assert not house.arena.is_open("defence")
    assert red.drop("/hand-in", b"x").status_code == 403
    assert organiser.post("/organise/phases", do="begin", place="0").status_code == 303
    assert house.arena.is_open("defence")
    good = path.read_text()
    assert "# a comment" in good
    for form in (
        {"do": "move", "place": "0", "start": "2026-03-02T09:00:00+01:00", "end": "2026-03-01T09:00:00+01:00"},
        {"do": "move", "place": "0", "start": "2026-03-02T09:00:00", "end": "soon"},
        {"do": "end", "place": "99"}, {"do": "end", "place": "-1"}, {"do": "add", "name": "x", "kind": "<b>"}, {},
    ):  # fmt: skip
        answer = organiser.post("/organise/phases", **form)
        assert (answer.status_code, 'role="alert"' in answer.text) == (422, True), form
    assert path.read_text() == good
    added = {"do": "add", "name": "Last", "kind": "attack", "start": "2026-04-02T09:00:00+01:00", "end": "2026-04-03 09:00 +01:00"}  # fmt: skip
    assert organiser.post("/organise/phases", **added).status_code == 303
    assert [one.name for one in house.arena.phases] == ["Défense", "Attaque <b>", "Last"]
    path.write_text("[broken")
    assert len(house.arena.phases) == 3
    assert [what for _, who, what, _ in house.store.audit() if who == "organiser"] == ["phases"] * 3


def test_the_organiser_publishes_and_has_everything_judged_again(fresh):
    house, organiser, red, root = fresh
    text = house.judge.defend("renamed", SystemBits())
    number = house.submitted("red", text)
    house.now += 3 * 86_400  # after the phase of defence
    assert red.post(f"/files/{number}/publish").status_code == 403
    assert organiser.post("/organise/publish", number=str(number)).status_code == 303
    assert house.store.file(number).published == house.now
    assert house.store.audit()[-1][1:] == ("organiser", "publish", number)
    for wrong in ("0", "99", "x", "-1", "9" * 40):
        assert organiser.post("/organise/publish", number=wrong).status_code == 422
    house.team("blue")
    blue = Hand(root, house.tokens["blue"])
    assert re.fullmatch(r"/pages/files/\d+", blue.drop(f"/files/{number}/attack", b"{}").headers["location"])
    assert red.drop(f"/files/{number}/attack", b"{}").status_code == 403  # one's own
    archive = zipfile.ZipFile(io.BytesIO(organiser.post("/organise/archive").content))
    assert {"archive.json", "contest.toml"} <= set(archive.namelist())
    assert not any(SECRET.encode() in archive.read(name) for name in archive.namelist())
    assert list(house.room.arriving.iterdir()) == []
    assert organiser.post("/organise/again").status_code == 303
    assert {one.state for one in house.store.everything()} == {"waiting"}


def test_events_end_when_the_judge_has_spoken(fresh):
    house, _, red, _ = fresh
    number = int(red.drop("/hand-in", b"x").headers["location"].rpartition("/")[2])
    with red.client.stream("GET", f"/files/{number}/events") as answer:
        told = answer.iter_lines()
        assert next(told) == 'data: {"percent": null, "message": "waits for the judge"}'
        house.store.take()
        house.store.judged(number, "failed", {"why": "The judge ran out of memory."}, now=house.now)
        assert "event: over" in list(told)
    assert "The judge ran out of memory." in red.get(f"/files/{number}").text


def test_without_phases_everything_is_open_and_scores_stay_rounded(tmp_path):
    house = made(tmp_path / "c")
    house.team("red")
    with serving(house) as root:
        page = Hand(root, house.tokens["red"]).get("/hand-in").text
        assert 'type="file"' in page
        assert "No phase is declared" in Hand(root).get("/").text


def test_a_phase_that_comes_is_counted_down_by_the_clock_of_the_server(tmp_path):
    house = made(tmp_path / "c", phase("Later", "defence", 50, 60))
    with serving(house) as root:
        assert 'begins in <span class="count" data-left="180000" data-units="d h min s">2 d 2 h</span>' in re.sub(
            r"\s+", " ", Hand(root).get("/board").text
        )


def test_a_fault_of_a_line_that_is_shorter_or_is_not_known_is_told_without_its_cell():
    names = ["a", "b"]
    assert _place({"line": 0, "column": None, "must": "m"}, None, names, "\t") == Place(0, "", "m")
    assert _place({"line": 2, "column": "b", "must": "m"}, "only", names, "\t") == Place(2, "b", "m", "only")


def test_rules_of_another_kind_are_told_from_its_document(tmp_path):
    """Customers: months, commas, a first line, the faults of `compat`, no weights where the least metric counts."""
    rows = [
        f"{i % 7},2010/{1 + i % 12:02d}/0{1 + i % 9},10:{i % 60:02d},{100 + i % 13},{1 + i % 5}.5,{1 + i % 4}"
        for i in range(99)
    ]
    (tmp_path / "t.csv").write_text("\n".join(["id_user,date,hours,id_item,price,qty", *rows]) + "\n")
    (tmp_path / "contest.toml").write_text(
        'format = "sfumato.contest/1"\nname = "Shops"\ngame = "darc"\n[table]\noriginal = "t.csv"\n[rules]\nversion = "compat"\n'
        '[welcome]\nfr = "Bonjour <b>."\n'
    )
    with serving(House(tmp_path)) as root:
        page = Hand(root).get("/", headers={"accept-language": "fr"}).text
    for said in ("Bonjour &lt;b&gt;.", "séparées par des virgules, la première ligne les nomme", "un pseudonyme pour chaque personne et mois",
                 "la plus petite des métriques", "Elle est éteinte.", "avec ses défauts", "<code>s1</code>"):  # fmt: skip
        assert said in page, said
    assert "Poids" not in page
