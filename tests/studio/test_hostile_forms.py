"""Addresses and forms that no page makes: each is answered with a page and a status of 4xx, and nothing breaks."""

from urllib.parse import quote, quote_plus

import httpx
import pytest
from tests.studio.conftest import finished
from tests.studio.furnished import COLLECTION, HEADS, copied, pages

from sfumato.studio import jobs
from sfumato.studio.app import application
from sfumato.studio.gate import Keys
from sfumato.studio.pages.base import all_pages
from sfumato.studio.plan_file import PlanFile
from sfumato.studio.shelf import Shelf
from sfumato.web.pages.gate import COOKIE

VALUES = (
    "", " ", "\x00", "-1", "0", "9" * 30, "9" * 5000, "²", "٣", "1e999", "nan", "1/0", "<script>x</script>", "{{ 7 * 7 }}",
    "'\"`\\", "a\r\nset-cookie: a=b", "../../etc/passwd", "a" * 70_000, "\u202eabc", "1 = 2\n[x]", "]", "2..9999999999999",
)  # fmt: skip
QUERIES = {
    "table": (), "risk": (), "history": (), "declare": (), "hierarchy": ("column", "form"), "promise": ("add", "method"), "traces": ("add",), "graph": ("add", "protect", "draw"),
    "explore": ("only",), "lattice": ("as", "state", "most", "by", "down", "part", "level-0", "node"), "result": ("run",), "compare": ("release",), "collect": ("epsilon", "values", "persons", "take"), "wait": ("job",), "events": ("job",),
    "strings": ("name", "permanent", "first", "persons", "candidates", "values"), "password": ("back",),
    "ask": ("statement", "amount", "measure", "error", "rows", "answer"),
}  # fmt: skip
FORMS = {
    "table/roles": {"role-0": "sensitive", "kind-0": "text", "person": ""},
    "table/undo": {"page": "table"},
    "hierarchy/save": {"column": HEADS[0], "form": "width", "width": "5", "then": "10", "from": "0", "to": ""},
    "hierarchy/move": {"column": HEADS[0], "into": "new", "label": "young", "take-0": "on", "take-1": "on", "label-2": "", "do": "move"},
    "hierarchy/balance": {"column": HEADS[0], "by": "order", "fanout": "3"},
    "traces/begin": {"traces-person": HEADS[0], "traces-zone": "UTC", "traces-written": "utc", "region-metres": "100", "region-rows": "x"},
    "traces/save": {"name": "region", "region-metres": "100"},
    "traces/persons": {"persons": "kept"},
    "traces/protect": {"kind": "promesse", "metres": "100", "place": "0"},
    "traces/remove": {"place": "9"},
    "graph/begin": {"graph-source": HEADS[0], "graph-directed": "true", "unit-protects": "node", "unit-degree": "5"},
    "graph/columns": {"graph-source": HEADS[0], "graph-target": HEADS[1]},
    "graph/vertices": {"table": "", "vertex": "id", "attributes": "club"},
    "graph/unlist": {"seen": ""},
    "graph/unit": {"unit-protects": "edge"},
    "graph/answers": {"confidence": "0.9"},
    "graph/tell": {"kind": "edges", "price-epsilon": "1", "place": "0"},
    "graph/draw": {"kind": "degrees", "most": "9", "price-epsilon": "1"},
    "graph/protect": {"kind": "k-degree", "k": "3"},
    "graph/remove": {"place": "9"},
    "promise/add": {"kind": "k-anonymity", "k": "3", "place": "0"},
    "promise/remove": {"place": "9"},
    "promise/estimate": {"kind": "k-anonymity", "k": "many", "place": "0"},
    "promise/propose": {"scenario": "inside"},
    "promise/method": {"name": "full-domain", "suppression_limit": "0.1", "loss": "precision", "seconds": "1"},
    "promise/measure": {"risk_threshold": "0.2", "loss_by_k": "2, 3", "queries": "0", "target": ""},
    "explore/sweep": {"key-0": "k", "values-0": ""},
    "explore/take": {"place": "x"},
    "explore/note": {"place": "0", "note": "kept"},
    "lattice/search": {"seen": ""},
    "lattice/judge": {"node": "9-9"},
    "lattice/take": {"node": "1-0"},
    "lattice/note": {"node": "1-0", "note": "kept"},
    "history/take": {"run": "1"},
    "compare/add": {"path": "nowhere.csv"},
    "compare/again": {"release": "9"},
    "collect/save": COLLECTION,
    "collect/ask": {"address": "http://127.0.0.1:9", "collection": "color", "token": ""},
    "collect/count": {"table": ""},
    "strings/design": {"name": "home", "permanent": "", "first": "1", "persons": "1000", "candidates": "", "values": "a\nb", "bits": "2"},
    "strings/names": {"names": "a.org\nb.org"},
    "strings/ask": {"address": "http://127.0.0.1:9", "collection": "home", "token": ""},
    "strings/count": {"table": ""},
    "hierarchy/take": {"table": ""},
    "reread": {"footer": "", "skip": "1", "delimiter": ";", "encoding": "utf-8", "header": "true", "decimal": ","},
    "password": {"password": "x"},
    "declare/save": {
        "form-0": "range", "low-0": "0", "high-0": "99", "step-0": "1", "form-1": "values", "values-1": "a", "neighbors": "replace",
        "person": HEADS[0], "rows": "2", "keys": "2", "measure": "epsilon", "amount": "1", "dataset": "persons", "version": "",
    },
    "declare/open": {"sure": ""},
    "ask/pay": {"statement": "SELECT COUNT(*) FROM t", "measure": "epsilon", "amount": "100", "analyst": "", "sure": "yes"},
}  # fmt: skip
"""Each action with what a page would send, chosen so that nothing is begun or paid."""
STRINGS_ASKED = "name=home&permanent=4&first=1&persons=1000&candidates=&values=a%0Ab"
KEYS = Keys("token", "session", "/here", frozenset({"127.0.0.1:1"}))


@pytest.fixture
def room(furniture, tmp_path, monkeypatch):
    """A copy of the furnished project that may be broken; nobody waits for a job that still goes on."""
    monkeypatch.setattr(jobs, "_LOOK", 0)
    project = copied(furniture, tmp_path / "shelf" / furniture.project.name).project
    (project.folder / "ledger.db").unlink()
    return project


def answers(shelf, requests):
    """The answers to requests, made one after the other, by an application in this process: what no page answers is raised here."""

    async def asked():
        transport = httpx.ASGITransport(application(shelf, KEYS))
        headers = {"cookie": f"{COOKIE}=session", "origin": "http://127.0.0.1:1"}
        async with httpx.AsyncClient(
            transport=transport, base_url="http://127.0.0.1:1/here", headers=headers
        ) as client:
            for method, path, form in requests:
                out.append((path, form, await client.request(method, path, data=form)))

    out = []
    finished(asked())
    return out


def is_page(answer):
    """Whether somebody in a browser sees a page that says something."""
    return answer.headers["content-type"].startswith("text/html") and "<h1>" in answer.text


def posts(form):
    """A form with each key left out, then with every third value in it, from another one on for each key; and one that nobody
    asked for."""
    for i, name in enumerate(form):
        yield {key: value for key, value in form.items() if key != name}
        for value in VALUES[i % 3 :: 3]:
            yield {**form, name: value}
    yield {"nobody": "asked"}


@pytest.mark.parametrize("act", FORMS)
def test_no_form_breaks_an_action(room, act):
    """Each key is left out, and filled with what it cannot hold."""
    shelf, path = Shelf(room.folder.parent), f"/p/{quote(room.name)}/{act}"
    plan = room.plan_path.read_bytes()
    seen = PlanFile.at(room.plan_path).seen

    def requests():
        for form in posts(FORMS[act]):
            if room.plan_path.read_bytes() != plan:
                assert PlanFile.at(room.plan_path).tables["columns"]
                room.plan_path.write_bytes(plan)
            yield "POST", path, {"seen": seen, **form}

    for _, form, answer in answers(shelf, requests()):
        assert answer.status_code == 303 or (400 <= answer.status_code < 500 and is_page(answer)), (form, answer.text)


def test_every_action_has_a_form_here():
    """But those that begin work without a form."""
    known = {f"{page.name}/{act}" for page in all_pages() for act in page.acts}
    assert known - set(FORMS) == {"risk/measure", "promise/run"}


def test_no_form_breaks_the_list_of_projects(room):
    """Addresses of databases that are none, and names of tables that no file has."""
    shelf = Shelf(room.folder.parent)
    forms = [{"url": one or "x", "query": "t", "password": "x"} for one in VALUES]
    forms += [{"url": f"postgresql://{one}@[", "query": "t"} for one in VALUES] + [
        {"path": one, "query": one} for one in VALUES
    ]
    for _, form, answer in answers(shelf, [("POST", "/", form) for form in forms]):
        assert answer.status_code == 422, form
        assert is_page(answer)


@pytest.mark.parametrize("page", QUERIES)
def test_no_address_breaks_a_page(room, page):
    """Each key of an address is filled with what it cannot hold."""
    base = f"/p/{quote(room.name)}/{page}"
    usual = {"ask": "try=1&", "collect": "epsilon=1&values=3&persons=10&", "strings": f"{STRINGS_ASKED}&"}.get(page, "")
    paths = [f"{base}?{usual}{key}={quote_plus(value[:9000])}" for key in QUERIES[page] for value in VALUES]
    for path, _, answer in answers(Shelf(room.folder.parent), [("GET", one, None) for one in [base, *paths]]):
        assert answer.status_code < 500, path
        assert page == "events" or answer.status_code == 303 or is_page(answer), path


def test_no_name_breaks_the_addresses(room):
    """Projects, pages, runs, files, styles and actions that do not exist."""
    own, names = f"/p/{quote(room.name)}", [quote(value[:3000], safe="") for value in VALUES if value]
    gets = [path for name in names for path in (
        f"/p/{name}/table", f"{own}/{name}", f"{own}/runs/{name}/report", f"{own}/runs/1/{name}", f"/static/{name}", f"/{name}",
    )]  # fmt: skip
    acts = [path for name in names for path in (f"{own}/table/{name}", f"{own}/{name}/roles", f"/p/{name}/stop")]
    requests = [
        *(("GET", path, None) for path in gets),
        *(("POST", path, {}) for path in acts),
        ("PUT", own + "/table", {}),
    ]
    for path, _, answer in answers(Shelf(room.folder.parent), requests):
        assert 400 <= answer.status_code < 500 or path.startswith(f"{own}/wait"), path
        assert is_page(answer), path


@pytest.mark.parametrize("value", VALUES)
def test_no_path_or_language_breaks_the_front(room, value):
    """A table that is nowhere; a language that nobody speaks."""
    shelf, before = Shelf(room.folder.parent), sorted(room.folder.parent.iterdir())
    requests = [
        ("POST", "/", {"path": value}), ("POST", "/", {"sample": "", "path": value}), ("POST", "/", {"table": value}),
        ("POST", "/language", {"to": value, "back": value}), ("POST", f"/p/{quote(room.name)}/stop", {"job": value}),
    ]  # fmt: skip
    for path, form, answer in answers(shelf, requests):
        assert answer.status_code == 303 or (400 <= answer.status_code < 500 and is_page(answer)), (path, form)
        assert answer.headers.get("location", "/here/").startswith("/here/")
    assert sorted(room.folder.parent.iterdir()) == before


@pytest.mark.parametrize(
    "text", ["", "columns = 3", "x = 1", "[columns]\na = 2", "promise = 1", "\x00", "[source]\npath = 1"]
)
def test_a_plan_that_somebody_broke_is_told_on_every_page(room, text):
    """An editor wrote something else than a plan."""
    room.plan_path.write_text('format = "sfumato.plan/1"\n' + text)

    class Asked:
        """A room of this name, without anybody in it."""

        project, path = room, staticmethod(lambda page: f"/p/{quote(room.name)}/{page}")

    for path, _, answer in answers(Shelf(room.folder.parent), [("GET", path, None) for path in pages(Asked).values()]):
        assert answer.status_code < 500, path
        assert is_page(answer), path
