"""Who does not come in: each way in is tried as somebody would who should stay outside."""

import socket

import httpx
import pytest
from tests.studio.conftest import cookies, finished, first_answer

from sfumato.studio import gate
from sfumato.studio.app import application
from sfumato.studio.gate import MOST_UPLOAD
from sfumato.studio.shelf import Shelf
from sfumato.web.pages.gate import COOKIE, MOST_FORM


def test_the_first_address_is_used_once(studio):
    """A second use, a wrong token and no token are refused alike."""
    cookies(studio)
    assert httpx.get(studio.entrance).status_code == 403
    assert httpx.get(studio.root + "/enter?token=x").status_code == 403
    assert httpx.get(studio.root + "/").status_code == 403


@pytest.mark.parametrize("path", ["", "/p/x/table", "/static/studio.css", "/p/x/runs/1/report"])
def test_without_the_cookie_nothing_is_answered(hand, path):
    """Not even a style."""
    assert httpx.get(hand.studio.root + path + "/").status_code == 403


def test_the_cookie_is_for_this_path_only(studio):
    """A page on another port of this host is not sent it, and no script reads it."""
    said = first_answer(studio).headers["set-cookie"].lower()
    assert f"path=/{studio.root.rpartition('/')[2].lower()}" in said
    assert "httponly" in said
    assert "samesite=strict" in said


def test_another_name_for_this_machine_is_refused(hand):
    """A name that somebody else makes point here (DNS rebinding)."""
    port = hand.studio.root.split(":")[2].split("/")[0]
    for host in (f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port}.evil.example"):
        assert httpx.get(hand.studio.root + "/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://127.0.0.1:1"])
def test_other_pages_change_nothing(hand, origin):
    """With the cookie, but from another origin; also another port of the same host."""
    before, headers = set(hand.studio.folder.iterdir()), {} if origin is None else {"origin": origin}
    answer = httpx.post(hand.studio.root + "/", cookies=hand.client.cookies, headers=headers, data={"sample": "census"})
    assert answer.status_code == 403
    assert set(hand.studio.folder.iterdir()) == before


def test_tables_outside_the_folder_are_refused(studio, tmp_path):
    """By an absolute path, by `..`, by a link."""
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    (studio.folder / "link.csv").symlink_to(tmp_path / "secret.csv")
    own, origin = cookies(studio), studio.root.rpartition("/")[0]
    for path in (str(tmp_path / "secret.csv"), "../secret.csv", "link.csv"):
        answer = httpx.post(
            studio.root + "/", cookies=own, headers={"origin": origin}, data={"path": path},
        )  # fmt: skip
        assert answer.status_code == 422, path
        assert "--root" in answer.text
    assert [one.name for one in studio.folder.iterdir()] == ["link.csv"]


def test_files_of_a_run_are_those_and_no_others(studio):
    """A name with a way out of the folder finds nothing."""
    run = studio.folder / "p/runs/001"
    run.mkdir(parents=True)
    (studio.folder / "p/plan.toml").write_text("x = 1\n")
    (run / "a.release.csv").write_text("a\n1\n")
    (run / "job.json").write_text("{}")
    own = cookies(studio)
    for name, status in (
        ("a.release.csv", 200), ("job.json", 404), ("..%2f..%2fplan.toml", 404), ("%2fetc%2fpasswd", 404),
    ):  # fmt: skip
        assert httpx.get(f"{studio.root}/p/p/runs/1/{name}", cookies=own).status_code == status, name


def test_every_answer_has_its_policy(hand):
    """Nothing from elsewhere is loaded, and no other page may frame it; refusals too."""
    own = hand.client.cookies
    for answer in (httpx.get(hand.studio.root + "/", cookies=own), httpx.get(hand.studio.root + "/")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_who_is_not_let_in_is_told_in_his_own_language(hand):
    """By what the browser asks for, or by the language that was chosen; each refusal has its sentence."""
    port = hand.studio.root.split(":")[2].split("/")[0]
    asked = [
        (hand.studio.root + "/", {}, "Ouvrez l", "Open the address"),
        (hand.studio.root + "/enter?token=x", {}, "a déjà servi", "was used, or is wrong"),
        (hand.studio.root + "/", {"host": f"evil.example:{port}"}, "Cette adresse n", "This address is not"),
    ]
    for address, headers, french, english in asked:
        for more, lang, sentence in (
            ({"accept-language": "fr-CA, en;q=0.5"}, "fr", french), ({"accept-language": "de"}, "en", english),
            ({"accept-language": "en", "cookie": "language=fr"}, "fr", french),
        ):  # fmt: skip
            page = httpx.get(address, headers={**headers, **more}).text
            assert f'<html lang="{lang}">' in page
            assert sentence in page


def refused_at_once(hand, path, length):
    """The status of a request that announces a body and sends none of it."""
    studio = hand.studio
    host = studio.root.split("/")[2]
    head = [
        f"POST {'/' + studio.root.rpartition('/')[2]}{path} HTTP/1.1", f"host: {host}", f"origin: http://{host}",
        f"cookie: {COOKIE}={hand.client.cookies[COOKIE]}", "content-type: multipart/form-data; boundary=x", f"content-length: {length}",
    ]  # fmt: skip
    with socket.create_connection(host.split(":")) as line:
        line.sendall("\r\n".join([*head, "", ""]).encode())
        return int(line.recv(4096).split(b" ")[1])


@pytest.mark.parametrize(("path", "length"), [("/", MOST_UPLOAD + 1), ("/language", MOST_FORM + 1), ("/", 10**18)])
def test_a_body_that_is_too_large_is_refused_before_it_is_received(hand, path, length):
    """By what it announces; not one byte of it is sent."""
    before = set(hand.studio.folder.iterdir())
    assert refused_at_once(hand, path, length) == 413
    assert set(hand.studio.folder.iterdir()) == before


@pytest.mark.parametrize("path", ["/", "/language"])
def test_a_body_without_a_length_is_counted(tmp_path, monkeypatch, path):
    """In pieces, without a word about its length: it ends where the limit is, and no project begins."""
    monkeypatch.setattr(gate, "MOST_UPLOAD", 100_000)
    monkeypatch.setattr(gate, "MOST_FORM", 100_000)
    keys, sent = gate.Keys("token", "session", "/here", frozenset({"127.0.0.1:1"})), []

    async def pieces():
        yield b'--x\r\ncontent-disposition: form-data; name="table"; filename="t.csv"\r\n\r\n'
        for _ in range(100):
            sent.append(1)
            yield b"1" * 10_000

    async def answered():
        app = application(Shelf(tmp_path), keys)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:1/here") as client:
            headers = {
                "content-type": "multipart/form-data; boundary=x", "origin": "http://127.0.0.1:1", "cookie": f"{COOKIE}=session",
            }  # fmt: skip
            return await client.post(path, content=pieces(), headers=headers)

    answer = finished(answered())
    assert answer.status_code == 413
    assert "<h1>" in answer.text
    assert len(sent) <= 11
    assert list(tmp_path.iterdir()) == []
