"""The command of a team: users are added, and the studio does not start where somebody could come in who should not."""

import socket
import ssl
import sys

import httpx
import pytest
import uvicorn
from click.testing import CliRunner
from tests.certificates import certificate_in
from tests.studio.conftest import opened
from tests.studio.teams import PASSWORD, user_table, write_users

from sfumato.cli.main import commands
from sfumato.errors import EngineError, SfumatoError

ANY = "0.0.0.0"  # noqa: S104  refused
CANARY = "canary words never shown"


@pytest.fixture(autouse=True)
def never_served(monkeypatch):
    """In this process nothing is served; what starts a studio has one of its own."""

    def served(*_):
        raise AssertionError("the studio has started")

    monkeypatch.setattr(uvicorn.Server, "run", served)


def said(*arguments, typed=""):
    """The command until it ends: its code and what it says."""
    words = ["studio", "--no-browser", "--port", "0", *map(str, arguments)]
    ran = CliRunner().invoke(commands, words, input=typed)
    if isinstance(ran.exception, SfumatoError):
        return ran.exception.exit_code, ran.output + str(ran.exception)
    assert ran.exception is None or isinstance(ran.exception, SystemExit), ran.exception
    return ran.exit_code, ran.output


@pytest.fixture
def users(tmp_path):
    """A file of users beside the folder."""
    path = tmp_path / "users.toml"
    write_users(path, user_table("ada", "editor"))
    return path


@pytest.fixture
def shelf(tmp_path):
    """A folder of projects."""
    (tmp_path / "shelf").mkdir()
    return tmp_path / "shelf"


@pytest.fixture
def pem(tmp_path):
    """A certificate of this machine and its key."""
    return certificate_in(tmp_path)


def test_a_user_is_added_with_a_password_that_stands_nowhere(tmp_path):
    """The file is its owner's; a second one keeps the first; the same again is another password and role."""
    path = tmp_path / "users.toml"
    for name, role, password in (("ada", "editor", CANARY), ("alan", "analyst", PASSWORD), ("ada", "reader", PASSWORD)):
        code, text = said("--add-user", name, "--role", role, "--users", path, typed=password + "\n")
        assert (code, text) == (0, f"{name} is {role} in {path}.\n")
        assert path.stat().st_mode & 0o777 == 0o600
        assert password not in path.read_text()
    assert path.read_text().count("[users.") == 2
    assert path.read_text().count("scrypt$32768$8$3$") == 2
    assert [one.name for one in tmp_path.iterdir()] == ["users.toml"]


@pytest.mark.parametrize(("name", "role", "password", "why"), [
    ("ada", "editor", "short", "12 characters"), ("ada", "editor", "", "12 characters"), ("ada", "editor", "x" * 2000, "1024 bytes"),
    ("../ada", "editor", CANARY, "named by"), ("ada\nbob", "editor", CANARY, "named by"), ("", "editor", CANARY, "named by"),
    ("ada", "king", CANARY, "king"), ("ada", None, CANARY, "--role"),
])  # fmt: skip
def test_a_user_who_is_none_is_refused(tmp_path, name, role, password, why):
    """And nothing is written."""
    path = tmp_path / "users.toml"
    options = ["--add-user", name, "--users", path, *(["--role", role] if role else [])]
    code, text = said(*options, typed=password + "\n")
    assert code != 0
    assert why in text
    assert len(password) < 6 or password not in text
    assert list(tmp_path.iterdir()) == []


def test_a_system_without_locks_that_are_inherited_is_told_where_the_studio_runs(shelf, monkeypatch):
    """As Windows is: no traceback of a module that is not there."""
    monkeypatch.setitem(sys.modules, "fcntl", None)
    code, text = said(shelf)
    assert code == EngineError.exit_code
    assert "WSL" in text


@pytest.mark.parametrize(("options", "why"), [
    (["--host", ANY], "by https"),
    (["--host", ANY, "--users", "{users}"], "by https"),
    (["--host", "192.0.2.1", "--users", "{users}"], "by https"),
    (["--host", ANY, "--behind-proxy", "https://studio.example.org"], "must have users"),
    (["--behind-proxy", "https://studio.example.org"], "must have users"),
    (["--tls-cert", "{cert}", "--tls-key", "{key}"], "must have users"),
    (["--users", "{users}", "--tls-cert", "{cert}"], "its key"),
    (["--users", "{users}", "--tls-key", "{key}"], "its key"),
    (["--users", "{users}", "--host", ANY, "--tls-cert", "{cert}", "--tls-key", "{key}"], "name that browsers use"),
    (["--users", "{users}", "--tls-cert", "{key}", "--tls-key", "{cert}"], "belong together"),
    (["--users", "{users}", "--behind-proxy", "http://studio.example.org"], "origin"),
    (["--users", "{users}", "--behind-proxy", "https://studio.example.org/"], "origin"),
    (["--users", "{users}", "--behind-proxy", "studio.example.org"], "origin"),
    (["--users", "{users}", "--behind-proxy", "https://a@studio.example.org"], "origin"),
    (["--users", "{users}", "--proxy-address-header", "X-Real-IP"], "Only a proxy"),
    (["--users", "{inside}"], "no table is read from"),
    (["--users", "{users}", "--root", "{beside}"], "no table is read from"),
    (["--users", "{none}"], "must have a user"),
    (["--users", "{open}"], "chmod 600"),
    (["--users", "{absent}"], "file of users"),
])  # fmt: skip
def test_a_studio_that_others_could_enter_does_not_start(tmp_path, shelf, users, pem, options, why):
    """Each is refused with its remedy."""
    write_users(shelf / "users.toml", user_table("ada", "editor"))
    write_users(tmp_path / "none.toml")
    write_users(tmp_path / "open.toml", user_table("ada", "editor"))
    (tmp_path / "open.toml").chmod(0o644)
    places = {
        "users": users, "cert": pem[0], "key": pem[1], "inside": shelf / "users.toml", "beside": tmp_path,
        "none": tmp_path / "none.toml", "open": tmp_path / "open.toml", "absent": tmp_path / "absent.toml",
    }  # fmt: skip
    code, text = said(shelf, *(one.format(**places) for one in options))
    assert code not in {0, 70}, text
    assert why in text
    assert "Remedy" in text or "remedy" in text.lower()
    assert "Traceback" not in text


def test_a_password_is_in_no_answer_no_file_and_no_log(shelf, users):
    """Right and wrong ones, names that are passwords, forms that are none, and a studio that stops."""
    write_users(users, user_table("ada", "editor", CANARY))
    studio = opened(shelf, "--users", str(users))
    try:
        assert studio.entrance.endswith("/login")
        root = studio.entrance.removesuffix("/login")
        headers, answers = {"origin": root.rpartition("/")[0]}, []
        for form in (
            {"name": "ada", "password": CANARY + "!"},
            {"name": CANARY, "password": CANARY},
            {"password": CANARY},
        ):
            answers.append(httpx.post(studio.entrance, data=form, headers=headers))
        answers += [
            httpx.post(studio.entrance, content=f'{{"password": "{CANARY}"}}', headers=headers),
            httpx.post(studio.entrance, files={"password": ("x", CANARY)}, headers=headers),
            httpx.post(studio.entrance, data={"name": "ada", "password": CANARY}),
            httpx.post(studio.entrance, data={"name": "ada", "password": CANARY}, headers=headers),
        ]
        assert [one.status_code for one in answers] == [401, 401, 401, 401, 400, 403, 303]
        cookie = answers[-1].headers["set-cookie"].split(";")[0]
        home = httpx.get(root + "/", headers={"cookie": cookie})
        assert home.status_code == 200
        for answer in (*answers, home):
            assert CANARY not in answer.text + str(answer.headers)
            assert "unsafe" not in answer.headers["content-security-policy"]
    finally:
        studio.process.terminate()
        log = studio.process.communicate()[1]
    assert CANARY not in log
    assert "Traceback" not in log
    assert not [path for path in shelf.parent.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()]


def test_by_tls_the_studio_is_reached_at_its_own_name_only(shelf, users, pem):
    """The printed address opens; another Host and plain HTTP do not."""
    studio = opened(shelf, "--users", str(users), "--tls-cert", str(pem[0]), "--tls-key", str(pem[1]))
    try:
        assert studio.entrance.startswith("https://127.0.0.1:")
        known = ssl.create_default_context(cafile=pem[0])
        origin = studio.entrance.removesuffix("/login")
        form = {"name": "ada", "password": PASSWORD}
        answer = httpx.post(studio.entrance, data=form, headers={"origin": origin}, verify=known)
        assert answer.status_code == 303
        assert "secure" in answer.headers["set-cookie"].lower()
        plain = {"origin": origin.replace("https", "http")}
        assert httpx.post(studio.entrance, data=form, headers=plain, verify=known).status_code == 403
        assert httpx.get(studio.entrance, headers={"host": "localhost"}, verify=known).status_code == 421
        with socket.create_connection(("127.0.0.1", int(origin.rpartition(":")[2]))) as line:
            line.sendall(b"GET /login HTTP/1.1\r\nhost: x\r\n\r\n")
            assert not line.recv(4096).startswith(b"HTTP")
    finally:
        studio.process.terminate()
        studio.process.communicate()
