"""A team: whoever has no right is tried at every address, as a reader, an analyst, a stranger, and an editor of another project."""

import re
from urllib.parse import quote

import pytest
from tests.studio.furnished import HEADS, copied
from tests.studio.teams import ORIGIN, ROLES, House, owned

from sfumato.studio.app import Routes, ways
from sfumato.studio.pages.base import all_pages
from sfumato.studio.plan_file import PlanFile
from sfumato.studio.roles import Right
from sfumato.studio.shelf import Shelf
from sfumato.studio.vault import Vault

NEEDED = {
    ("GET", "/login"): "open", ("POST", "/login"): "open", ("POST", "/logout"): "enter", ("GET", "/"): "enter",
    ("POST", "/"): "change", ("POST", "/language"): "open", ("GET", "/static/{file}"): "open", ("GET", "/p/{project}/wait"): "see",
    ("GET", "/p/{project}/events"): "see", ("POST", "/p/{project}/stop"): "change",
    ("GET", "/p/{project}/runs/{number}/{file}"): "see", ("GET", "/p/{project}/{page}"): "the page's",
    ("POST", "/p/{project}/{page}/{act}"): "the page's",
    ("GET", "/p/{project}/password"): "change",
    ("POST", "/p/{project}/password"): "change",
    ("POST", "/p/{project}/reread"): "change",
}  # fmt: skip
"""Every address with the right that it needs, written a second time: a new one fails until somebody has thought about it."""
FOR_ANALYSTS = {"ask"}
"""Pages on which no cell of a table and no exact figure stands."""
FILES = ("report", "result", "plan", "report.pdf", "release.csv", "all.zip")


@pytest.fixture
def house(furniture, tmp_path):
    """A copy of the furnished project, owned by all but Bob, who has one of his own."""
    shelf = Shelf(tmp_path / "shelf")
    ours = copied(furniture, shelf.folder / "stays").project.folder
    owned(ours, "rita", "ada", "alan")
    theirs = copied(furniture, shelf.folder / "bobs").project.folder
    owned(theirs, "bob")
    return House(shelf, tmp_path / "users.toml")


@pytest.fixture
def project(house):
    """The project that Bob must not see."""
    return next(one for one in house.shelf.projects() if one.name != "bobs")


def addresses(house, project):
    """Every address that the application knows, with each page and each action of it: (right, method, path)."""
    fill = {"project": quote(project.name), "number": "1"}
    for way in ways(Routes(house.shelf, "", Vault()), house.team):
        for page in all_pages():
            rights = (way.right,) if isinstance(way.right, Right) else (page.right, page.right_to_act)
            right = rights[0] if way.method == "GET" else rights[-1]
            for act in page.acts if "{act}" in way.path else [""]:
                for file in FILES if "{file}" in way.path else [""]:
                    filled = way.path.format(**fill, page=page.name, act=act, file=file)
                    yield right, way.method, filled + ("?job=1&now=1" if filled.endswith(("wait", "events")) else "")


def content(folder):
    """Every file below a folder, but those that SQLite and pages write as they read."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and "ledger.db" not in path.name}


def test_every_address_needs_what_is_written_here(house):
    """And the application answers at no other one."""
    found = {
        (way.method, way.path): way.right.value if isinstance(way.right, Right) else "the page's"
        for way in ways(Routes(house.shelf, "", Vault()), house.team)
    }
    assert found == NEEDED
    (mount,) = house.app._app.routes
    assert {(method, one.path) for one in mount.routes for method in one.methods - {"HEAD"}} == set(NEEDED)
    assert {page.name for page in all_pages() if page.for_analysts} == FOR_ANALYSTS


@pytest.mark.parametrize("role", ["reader", "analyst"])
def test_a_role_reaches_what_is_its_own_and_nothing_else(house, project, role):
    """Every address, page, action and file of a run; what is refused changes nothing."""
    allowed = {
        "reader": {Right.OPEN, Right.ENTER, Right.SEE, Right.QUESTIONS},
        "analyst": {Right.OPEN, Right.ENTER, Right.QUESTIONS, Right.ASK},
    }[role]
    name = next(name for name, one in ROLES.items() if one == role)
    before, met = content(house.shelf.folder), set()
    for right, method, path in dict.fromkeys(addresses(house, project)):
        if path == "/logout":
            continue
        answer = house.ask(method, path, cookie=house.sign_in(name), **({"data": {}} if method == "POST" else {}))
        assert (answer.status_code == 403) == (right not in allowed), (method, path, answer.status_code)
        met.add((answer.status_code == 403, right))
    assert len(met) >= len(Right) - 1
    assert content(house.shelf.folder) == before


def test_an_analyst_sees_no_cell_and_no_way_to_one(house, project):
    """The list leads to the questions, and their page to no other page."""
    cookie = house.sign_in("alan")
    home = house.ask("GET", "/", cookie=cookie).text
    assert f"/p/{quote(project.name)}/ask" in home
    assert "/table" not in home
    assert "<input" not in re.sub(r'<input type="hidden"', "", home)
    page = house.ask("GET", f"/p/{quote(project.name)}/ask", cookie=cookie)
    assert page.status_code == 200
    assert set(re.findall(rf'href="/p/{quote(project.name)}/(\w+)', page.text)) == {"ask"}


def test_who_asks_is_who_signed_in(house, project):
    """A form that names another analyst is charged to whoever sent it."""
    asked = {"statement": "SELECT COUNT(*) FROM t", "measure": "epsilon", "amount": "1/8", "analyst": "ada", "sure": "yes"}  # fmt: skip
    cookie, path = house.sign_in("alan"), f"/p/{quote(project.name)}/ask"
    answer = house.ask("POST", f"{path}/pay", cookie=cookie, data=asked)
    assert answer.status_code == 303, answer.text[-800:]
    shown = house.ask("GET", path, cookie=cookie).text
    charged = re.findall(r'<tr><td class="n">\d+</td><td>(\w+)</td>', shown)
    assert charged[0] == "alan"
    assert "ada" not in charged


def test_another_project_is_as_one_that_does_not_exist(house, project):
    """To Bob, an editor, at every address: same status, same page; and it is in no list."""
    before, cookie, own = content(project.folder), house.sign_in("bob"), quote(project.name)
    for right, method, path in dict.fromkeys(addresses(house, project)):
        if own not in path:
            continue
        more = {"data": {}} if method == "POST" else {}
        theirs = house.ask(method, path, cookie=cookie, **more)
        nowhere = house.ask(method, path.replace(own, "nowhere"), cookie=cookie, **more)
        assert (theirs.status_code, theirs.text) == (404, nowhere.text), (right, method, path)
    home = house.ask("GET", "/", cookie=cookie).text
    assert "bobs" in home
    assert own not in home
    assert content(project.folder) == before


def test_a_project_without_owners_is_nobodys(house, project):
    """Absent, empty, a link, no text: an error opens nothing."""
    path, list_of = project.folder / "owners.txt", lambda: house.ask("GET", "/", cookie=house.sign_in("ada")).text
    assert quote(project.name) in list_of()
    (house.shelf.folder / "elsewhere").write_text("ada\n")
    for spoil in (
        path.unlink,
        lambda: path.write_text("\n\n"),
        lambda: path.write_bytes(b"ada\n\xff"),
        lambda: (path.unlink(), path.symlink_to(house.shelf.folder / "elsewhere")),
    ):
        spoil()
        assert quote(project.name) not in list_of()


@pytest.mark.parametrize("way", ["path", "up", "link", "hierarchy", "vary", "vary a file"])
def test_no_form_leads_into_another_project(house, project, way):
    """A table or a file of somebody else, by its path, by `..`, by a link, as a hierarchy, as a value to vary."""
    table = next(project.folder.glob("*.csv"))
    mine, cookie = house.shelf.folder / "bobs", house.sign_in("bob")
    (mine / "link.csv").symlink_to(table)
    before, seen = content(mine), PlanFile.at(mine / "plan.toml").seen
    posts = {
        "path": ("/", {"path": str(table)}),
        "up": ("/", {"path": f"bobs/../{project.name}/{table.name}"}),
        "link": ("/", {"path": "bobs/link.csv"}),
        "hierarchy": ("/p/bobs/hierarchy/save", {"column": HEADS[0], "form": "file", "file": f"../{project.name}/{table.name}"}),
        "vary": ("/p/bobs/explore/sweep", {"key-0": "source.path", "values-0": str(table)}),
        "vary a file": ("/p/bobs/explore/sweep", {"key-0": f"columns.{HEADS[0]}.hierarchy.file", "values-0": str(table)}),
    }  # fmt: skip
    path, form = posts[way]
    answer = house.ask("POST", path, cookie=cookie, data={"seen": seen, **form})
    assert answer.status_code == 422, answer.text[-800:]
    assert 'role="alert"' in answer.text
    assert content(mine) == before
    assert {one.name for one in house.shelf.folder.iterdir() if one.is_dir()} == {"bobs", project.name}


@pytest.mark.parametrize("name", ["plan.toml", "data.toml", "PLAN.TOML", "owners.txt", "ledger.db"])
def test_an_upload_becomes_no_document(house, project, name):
    """A plan that names somebody else's table is a table like any other: it has another name."""
    plan = f'format = "sfumato.plan/1"\n[source]\npath = "../{project.name}/t.csv"\n'.encode()
    answer = house.ask("POST", "/", cookie=house.sign_in("bob"), files={"table": (name, plan)})
    assert answer.status_code == 303
    made = house.shelf.folder / answer.headers["location"].split("/")[2]
    assert (made / f"{name}.csv").read_bytes() == plan
    assert (made / "owners.txt").read_text() == "bob\n"
    assert not (made / name).exists() or name == "owners.txt" or b".." not in (made / name).read_bytes()


def test_a_new_project_is_of_whoever_made_it(house):
    """Nobody else sees it, until its file of owners says so."""
    answer = house.ask("POST", "/", cookie=house.sign_in("bob"), files={"table": ("new.csv", b"a,b\n1,2\n3,4\n")})
    assert answer.status_code == 303
    assert "/p/new/" not in house.ask("GET", "/", cookie=house.sign_in("ada")).text
    owned(house.shelf.folder / "new", "bob", "ada")
    assert "/p/new/" in house.ask("GET", "/", cookie=house.sign_in("ada")).text


@pytest.mark.parametrize("back", ["//evil.example/", "/\\evil.example/", ORIGIN + ".evil.example/", "https://evil.example/"])  # fmt: skip
def test_no_way_back_leads_elsewhere(house, back):
    """The language is changed, and the studio shown."""
    assert house.ask("POST", "/language", data={"to": "fr", "back": back}).headers["location"] == "/"
