"""What asks a server for its counts: no other address is followed, no token goes in clear, no answer is too large."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from sfumato.errors import PlanError, SourceError
from sfumato.studio import remote
from sfumato.studio.remote import counts_at


@pytest.fixture
def answering():
    """A server that answers what it is told, and what it was asked."""
    asked, said = [], {"status": 200, "headers": {}, "body": b"{}"}

    class Handler(BaseHTTPRequestHandler):
        """One answer to all."""

        def do_GET(self):
            """As it is told."""
            asked.append((self.path, self.headers.get("authorization")))
            self.send_response(said["status"])
            for name, value in {"content-length": str(len(said["body"])), **said["headers"]}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(said["body"])

        def log_message(self, *_):
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", asked, said
        server.shutdown()


def test_the_counts_are_asked_for_with_the_token(answering):
    """At the address of the collection, below a path too."""
    address, asked, said = answering
    said["body"] = json.dumps({"reports": [1]}).encode()
    assert counts_at(address, "color", "word") == {"reports": [1]}
    assert counts_at(f" {address}/below/ ", "color", "") == {"reports": [1]}
    assert asked == [("/collections/color/counts", "Bearer word"), ("/below/collections/color/counts", None)]


@pytest.mark.parametrize("status", [301, 302, 307, 401, 403, 404, 500])
def test_other_answers_are_told_and_not_followed(answering, status):
    """A server that sends somebody elsewhere is not listened to."""
    address, asked, said = answering
    said.update(status=status, headers={"location": f"{address}/elsewhere"})
    with pytest.raises(SourceError):
        counts_at(address, "color", "word")
    assert [path for path, _ in asked] == ["/collections/color/counts"]


@pytest.mark.parametrize("body", [b"", b"[1]", b"\xff", b"<html>", b"{" * 100_000])
def test_what_are_no_counts_is_told(answering, body):
    """No JSON, or no object."""
    address, _, said = answering
    said["body"] = body
    with pytest.raises((SourceError, PlanError)):
        counts_at(address, "color", "")


def test_an_answer_that_is_too_large_is_not_read(answering, monkeypatch):
    """Beyond the bound, nothing."""
    address, _, said = answering
    monkeypatch.setattr(remote, "MOST_BYTES", 10)
    said["body"] = b" " * 9 + b"{}"
    with pytest.raises(SourceError, match="at most 10 bytes"):
        counts_at(address, "color", "")


@pytest.mark.parametrize(
    "address",
    [
        "", "127.0.0.1:8377", "file:///etc/passwd", "ftp://127.0.0.1", "http://", "http://[::1", "http://127.0.0.1:99999999",
        "http://me:word@127.0.0.1", "http://127.0.0.1/?a=b", "http://127.0.0.1:0", "http://example.org", "http://10.0.0.1",
        "http://localhost.example.org", "http://127.0.0.1\r\nHost: x", "x" * 70_000,
    ],
)  # fmt: skip
def test_no_other_address_is_asked(address):
    """No file, no name in it, no machine elsewhere in clear."""
    with pytest.raises((PlanError, SourceError)):
        counts_at(address, "color", "word")


@pytest.mark.parametrize(
    ("name", "token"), [("", ""), ("a/b", ""), ("é", ""), ("a", "x\r\ny: z"), ("a", "é"), ("a", "x y")]
)
def test_no_name_or_token_changes_the_request(answering, name, token):
    """What is none is refused before anybody is asked."""
    address, asked, _ = answering
    with pytest.raises(PlanError):
        counts_at(address, name, token)
    assert asked == []
