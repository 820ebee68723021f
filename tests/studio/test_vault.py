"""Passwords of databases in memory: whose they are, for which address, and until when."""

import tomllib

import pytest
from tests.app.test_private_plans import PLAN
from tests.studio.teams import PASSWORD, House, owned

from sfumato.release.plan_reader import plan_from
from sfumato.studio import app, databases
from sfumato.studio.child import _opened
from sfumato.studio.databases import key_to
from sfumato.studio.roles import ALONE, Person, Role
from sfumato.studio.shelf import Project, Shelf
from sfumato.studio.vault import LONGEST, Locked, Vault, handed_over

URL = "postgresql://ada@host/base"
ADA, BOB, ALAN = Person("ada", Role.EDITOR), Person("bob", Role.EDITOR), Person("alan", Role.ANALYST)


@pytest.fixture
def project(tmp_path):
    """A project that Ada and Alan own."""
    folder = tmp_path / "shelf/stays"
    folder.mkdir(parents=True)
    (folder / "plan.toml").write_text('format = "sfumato.plan/1"\n')
    owned(folder, "ada", "alan")
    return Project(folder)


def test_a_password_is_that_of_whoever_typed_it(project, monkeypatch):
    """Another editor types his own; an analyst, who sees no table, asks with an owner's; in a team no server is tried without one."""
    monkeypatch.setattr(databases, "opens", lambda url, password: pytest.fail("nobody asked for this"))
    vault = Vault(lambda: 0.0)
    vault.keep("ada", URL, "secret")
    assert key_to(vault, project, URL, ADA) == key_to(vault, project, URL, ALAN) == "secret"
    for who, url in ((BOB, URL), (ADA, URL + "2"), (ALAN, URL + "2")):
        with pytest.raises(Locked, match="must be opened"):
            key_to(vault, project, url, who)
    assert "secret" not in repr(vault)


def test_whoever_is_alone_is_asked_only_where_the_server_asks(project, monkeypatch):
    """It is tried once; what it answered is remembered."""
    tried, vault = [], Vault(lambda: 0.0)
    monkeypatch.setattr(databases, "opens", lambda url, password: tried.append(url) or url == URL)
    assert [key_to(vault, project, URL, ALONE) for _ in range(2)] == ["", ""]
    assert tried == [URL]
    with pytest.raises(Locked):
        key_to(vault, project, URL + "2", ALONE)


def test_a_password_grows_old():
    """After some hours nobody has it."""
    now = [0.0]
    vault = Vault(lambda: now[0])
    vault.keep("ada", URL, "secret")
    now[0] = LONGEST - 1
    assert vault.found(["ada"], URL) == "secret"
    now[0] = LONGEST
    assert vault.found(["ada"], URL) is None


def test_whoever_signs_out_takes_it_along(project, tmp_path, monkeypatch):
    """What others typed stays."""
    vault = Vault()
    monkeypatch.setattr(app, "Vault", lambda: vault)
    house = House(Shelf(project.folder.parent), tmp_path / "users.toml")
    cookie = house.sign_in("ada")
    vault.keep("ada", URL, PASSWORD)
    vault.keep("bob", URL, "other")
    assert house.ask("POST", "/logout", cookie=cookie).status_code == 303
    assert (vault.found(["ada"], URL), vault.found(["bob"], URL)) == (None, "other")


def test_a_process_gives_each_database_its_own_password(tmp_path):
    """Table, release and ledger of a plan; a password for another address is given to none of them, and no text shows one."""
    urls = [f"postgresql://ada@{name}/base" for name in ("table", "release", "ledger")]
    text = PLAN.replace('path = "people.csv"', f'url = "{urls[0]}"\nquery = "people"').replace(
        "sqlite:///ledger.db", urls[2]
    )
    said = tomllib.loads(text)
    said["output"] = {"url": urls[1], "table": "released", "row_order": "shuffled", "suppressed": "drop"}
    plan = plan_from(said, folder=tmp_path)
    opened = _opened(plan, handed_over({url: f"secret {url}" for url in [*urls[1:], "postgresql://other/base"]}))
    found = (opened.source.password, opened.output.sink.password, opened.account.password)
    assert found == ("", f"secret {urls[1]}", f"secret {urls[2]}")
    assert "secret" not in f"{opened!r}{opened.output}{opened.account}"
    assert opened.account == plan.account
