"""Who does not come in: each way in is tried as somebody would who should stay outside."""

import httpx
import pytest
from tests.studio.conftest import cookies


def test_the_first_address_is_used_once(studio):
    """A second use, a wrong token and no token are refused alike."""
    cookies(studio)
    assert httpx.get(studio.entrance).status_code == 403
    assert httpx.get(studio.root + "/enter?token=x").status_code == 403
    assert httpx.get(studio.root + "/").status_code == 403


@pytest.mark.parametrize("path", ["", "/p/x/table", "/static/studio.css", "/p/x/runs/1/report"])
def test_without_the_cookie_nothing_is_answered(studio, path):
    """Not even a style."""
    assert httpx.get(studio.root + path + "/").status_code == 403


def test_the_cookie_is_for_this_path_only(studio):
    """A page on another port of this host is not sent it, and no script reads it."""
    said = httpx.get(studio.entrance).headers["set-cookie"].lower()
    assert f"path=/{studio.root.rpartition('/')[2].lower()}" in said
    assert "httponly" in said
    assert "samesite=strict" in said


def test_another_name_for_this_machine_is_refused(studio):
    """A name that somebody else makes point here (DNS rebinding)."""
    port = studio.root.split(":")[2].split("/")[0]
    for host in (f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port}.evil.example"):
        assert httpx.get(studio.root + "/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://127.0.0.1:1"])
def test_other_pages_change_nothing(studio, origin):
    """With the cookie, but from another origin; also another port of the same host."""
    headers = {} if origin is None else {"origin": origin}
    answer = httpx.post(studio.root + "/", cookies=cookies(studio), headers=headers, data={"sample": "census"})
    assert answer.status_code == 403
    assert list(studio.folder.iterdir()) == []


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


def test_every_answer_has_its_policy(studio):
    """Nothing from elsewhere is loaded, and no other page may frame it; refusals too."""
    own = cookies(studio)
    for answer in (httpx.get(studio.root + "/", cookies=own), httpx.get(studio.root + "/")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
