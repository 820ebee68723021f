"""How a team comes in: passwords, cookies and their end, who must wait, and what a proxy is believed."""

import pytest
from tests.studio.teams import COOKIE, ORIGIN, PASSWORD, House, owned, user_table, write_users

from sfumato.studio.shelf import Shelf
from sfumato.studio.team import _FREE, _FREE_OF_ADDRESS, _LONGEST_WAIT, MOST_SIGN_IN
from sfumato.web.pages.sessions import IDLE, LONGEST


@pytest.fixture
def house(tmp_path):
    """A team with one project."""
    project = tmp_path / "shelf/stays"
    project.mkdir(parents=True)
    (project / "plan.toml").write_text('format = "sfumato.plan/1"\n')
    owned(project, "ada", "alan", "rita")
    return House(Shelf(tmp_path / "shelf"), tmp_path / "users.toml")


def is_in(house, cookie):
    """Whether a cookie opens the list of projects."""
    answer = house.ask("GET", "/", cookie=cookie)
    assert answer.status_code == 200 or answer.headers["location"] == "/login"
    return answer.status_code == 200


def test_the_cookie_is_for_this_host_and_this_site_only(house):
    """By https, no script reads it, no other page sends it, and no other host sets it."""
    said = house.try_in("ada").headers["set-cookie"]
    assert said.startswith(f"{COOKIE}=")
    assert {part.strip().lower() for part in said.split(";")[1:]} == {"httponly", "secure", "samesite=strict", "path=/"}


@pytest.mark.parametrize(
    "path", ["/", "/p/stays/table", "/p/stays/ask", "/p/stays/runs/1/report", "/nothing", "/p/x/events"]
)
def test_without_a_session_nothing_is_shown(house, path):
    """Without a cookie, with one that was made up, with one of another kind: to the page where one signs in."""
    cookies = ["", "made-up", "drawn-1", "session", "token", "x" * 5000, '"; other=1', "ada"]
    for cookie in cookies:
        answer = house.ask("GET", path, cookie=cookie)
        assert (answer.status_code, answer.headers["location"]) == (303, "/login"), cookie
        assert "stays" not in answer.text


@pytest.mark.parametrize("path", ["/", "/p/stays/table/roles", "/p/stays/stop", "/logout"])
def test_without_a_session_nothing_is_changed(house, path):
    """Refused, whatever the form says; the token of a studio with one user is worth nothing here."""
    for cookie in ("", "made-up"):
        assert house.ask("POST", path, cookie=cookie, data={"path": "x"}).status_code == 403
    assert house.ask("GET", "/enter?token=token").headers["location"] == "/login"


@pytest.mark.parametrize("origin", [None, "null", "https://evil.example", "http://studio.example.org", ORIGIN + ":8443", ORIGIN + ".evil.example"])  # fmt: skip
def test_other_pages_change_nothing(house, origin):
    """Also signing in and going out: with the cookie and the password, but from another origin."""
    cookie = house.sign_in("ada")
    for path, form in (("/", {"path": "x"}), ("/logout", {}), ("/login", {"name": "ada", "password": PASSWORD})):
        answer = house.ask("POST", path, cookie=cookie, data=form, headers={"origin": origin or ""})
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers
    assert is_in(house, cookie)


@pytest.mark.parametrize(
    "host", ["evil.example", "studio.example.org:8443", "studio.example.org.evil.example", "127.0.0.1", ""]
)
def test_another_host_is_refused(house, host):
    """A name that somebody else makes point here, whatever is said to have been forwarded."""
    cookie = house.sign_in("ada")
    headers = {"host": host, "x-forwarded-host": "studio.example.org", "forwarded": "host=studio.example.org"}
    for method, path in (("GET", "/"), ("GET", "/login"), ("POST", "/login")):
        assert house.ask(method, path, cookie=cookie, headers=headers).status_code == 421


def test_what_is_said_to_have_been_forwarded_changes_nothing(house):
    """Right host and origin, and headers that say otherwise: they are not read."""
    headers = {"x-forwarded-host": "evil.example", "x-forwarded-proto": "http", "x-forwarded-prefix": "/evil"}
    answer = house.ask("GET", "/", cookie=house.sign_in("ada"), headers=headers)
    assert answer.status_code == 200
    assert "evil" not in answer.text


@pytest.mark.parametrize(("steps", "still"), [
    ((IDLE - 1, IDLE - 1), True), ((IDLE,), False), ((IDLE - 1,) * 7, False), ((LONGEST,), False),
])  # fmt: skip
def test_a_session_ends(house, steps, still):
    """Two hours after the last request, and twelve after it began however busy it is."""
    cookie = house.sign_in("ada")
    for step in steps:
        house.now += step
        last = is_in(house, cookie)
    assert last is still
    house.now -= sum(steps)
    assert is_in(house, cookie) is still


def test_who_goes_out_is_out(house):
    """The cookie that somebody kept is worth nothing; other sessions go on."""
    cookie, other = house.sign_in("ada"), house.sign_in("ada")
    answer = house.ask("POST", "/logout", cookie=cookie)
    assert (answer.status_code, answer.headers["location"]) == (303, "/login")
    assert f'{COOKIE}=""' in answer.headers["set-cookie"]
    assert not is_in(house, cookie)
    assert is_in(house, other)


def test_signing_in_again_ends_the_session_before(house):
    """And a cookie that somebody planted is not the one of the session."""
    first = house.sign_in("ada", cookie="planted")
    assert first != "planted"
    second = house.sign_in("rita", cookie=first)
    assert (is_in(house, first), is_in(house, second), is_in(house, "planted")) == (False, True, False)


def test_a_file_that_changed_holds_at_once(house):
    """Another role, another password, no such user any more, a file that is broken or that others may read."""
    ada, alan, rita = (house.sign_in(name) for name in ("ada", "alan", "rita"))
    assert house.ask("GET", "/p/stays/history", cookie=ada).status_code == 200
    write_users(house.users, user_table("ada", "analyst"), user_table("alan", "analyst", "another of four words"))
    assert house.ask("GET", "/p/stays/history", cookie=ada).status_code == 403
    assert (is_in(house, alan), is_in(house, rita)) == (False, False)
    house.users.chmod(0o604)
    house.users.write_text(house.users.read_text() + "# others may read it\n")
    assert not is_in(house, ada)
    write_users(house.users, "[users")
    assert house.try_in("ada").status_code == 401


@pytest.mark.parametrize("name", ["nobody", "", "ADA", "ada ", "ada\n", "a" * 6000])
def test_a_name_that_nobody_has_is_as_a_wrong_password(house, name):
    """Same status and same page."""
    wrong = house.try_in("ada", "not the password at all")
    unknown = house.try_in(name)
    assert (unknown.status_code, unknown.text) == (wrong.status_code, wrong.text) == (401, wrong.text)


@pytest.mark.parametrize(
    "password", ["", PASSWORD[:-1], PASSWORD + " ", PASSWORD.upper(), "\ud800", "\x00" + PASSWORD, "é" * 700]
)
def test_another_password_is_wrong(house, password):
    """Cut, longer, in capitals, no text."""
    from urllib.parse import quote_plus

    body = f"name=ada&password={quote_plus(password.encode('utf-8', 'surrogatepass'))}"
    answer = house.ask("POST", "/login", content=body, headers={"content-type": "application/x-www-form-urlencoded"})
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


def test_who_fails_often_waits_and_nobody_else(house):
    """The right password has to wait too, there; elsewhere it does not, and other names from there do not."""
    for _ in range(_FREE + 1):
        assert house.try_in("ada", "wrong").status_code == 401
    answer = house.try_in("ada")
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) >= 1
    assert house.try_in("ada", peer="192.0.2.8").status_code == 303
    assert house.try_in("rita").status_code == 303
    house.now += 2
    assert house.try_in("ada").status_code == 303
    assert house.try_in("ada", "wrong").status_code == 401


def test_waits_grow_to_a_minute(house):
    """Each failure doubles the wait; a try that comes too early is not compared and does not count."""
    for _ in range(_FREE):
        assert house.try_in("ada", "wrong").status_code == 401
    waits = []
    for _ in range(9):
        assert house.try_in("ada", "wrong").status_code == 401
        waits.append(int(house.try_in("ada", "wrong").headers["retry-after"]) - 1)
        house.now += waits[-1]
    assert waits == [2, 4, 8, 16, 32, 60, 60, 60, 60]
    assert max(waits) == _LONGEST_WAIT


def test_many_at_once_are_no_way_around(house):
    """Of tries that come together no more are compared than would be one after the other."""
    form = {"data": {"name": "ada", "password": "wrong"}}
    answers = house.ask_all([("POST", "/login", "", "192.0.2.7", {}, form)] * 30)
    assert sorted(one.status_code for one in answers) == [401] * (_FREE + 1) + [429] * (29 - _FREE)


def test_one_password_for_many_names_waits_too(house):
    """By address, more patiently; from elsewhere everybody comes in."""
    statuses = [house.try_in(f"name{i}", "password123").status_code for i in range(_FREE_OF_ADDRESS + 2)]
    assert statuses == [401] * (_FREE_OF_ADDRESS + 1) + [429]
    assert house.try_in("ada", peer="198.51.100.1").status_code == 303


def test_an_address_that_a_header_tells_is_not_believed(house):
    """Whoever writes another address into every request still waits."""
    for i in range(_FREE + 1):
        told = {"x-forwarded-for": f"203.0.113.{i}", "x-real-ip": f"203.0.113.{i}", "forwarded": f"for=203.0.113.{i}"}
        assert house.try_in("ada", "wrong", headers=told).status_code == 401
    assert house.try_in("ada", headers={"x-forwarded-for": "203.0.113.99"}).status_code == 429


def test_a_header_that_is_believed_is_read_from_its_end(house):
    """What the proxy wrote stands last; what the browser wrote before it is not read."""
    proxied = House(house.shelf, house.users, header="X-Forwarded-For")
    for i in range(_FREE + 1):
        told = {"x-forwarded-for": f"203.0.113.{i}, 198.51.100.9"}
        assert proxied.try_in("ada", "wrong", headers=told).status_code == 401
    assert proxied.try_in("ada", headers={"x-forwarded-for": "203.0.113.99, 198.51.100.9"}).status_code == 429
    assert proxied.try_in("ada", headers={"x-forwarded-for": "198.51.100.9, 203.0.113.99"}).status_code == 303


def test_a_stranger_sends_no_more_than_a_form(house):
    """A body for the page where one signs in is bounded before it is read; an analyst uploads no table either."""
    assert house.try_in("ada", "x" * MOST_SIGN_IN).status_code == 413
    cookie = house.sign_in("alan")
    answer = house.ask("POST", "/", cookie=cookie, content=b"", headers={"content-length": str(1 << 30)})
    assert answer.status_code == 413
