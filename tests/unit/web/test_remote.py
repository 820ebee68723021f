"""A connection serves many requests; what the server may have taken is never sent twice unless that is harmless."""

import http.client
import io
import socket
import threading
from contextlib import contextmanager

import pytest

from sfumato.web.remote import Server, place_of

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
LAST = OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")


@contextmanager
def scripted(*connections):
    """A server that answers each connection by its own list of bytes (None: it closes without a word); what it received."""
    listening, received = socket.create_server(("127.0.0.1", 0)), []

    def serve():
        for answers in connections:
            there, _ = listening.accept()
            with there, there.makefile("rb") as reader:
                received.append([])
                for answer in answers:
                    head = []
                    while (line := reader.readline()).strip():
                        head.append(line)
                    if not head:
                        break
                    size = next(
                        (int(one.split(b":")[1]) for one in head if one.lower().startswith(b"content-length")), 0
                    )
                    received[-1].append((head[0].split()[0].decode(), reader.read(size)))
                    if answer is None:
                        break
                    there.sendall(answer)

    thread = threading.Thread(target=serve)
    thread.start()
    server = Server(place_of(f"http://127.0.0.1:{listening.getsockname()[1]}", "-"), "", 100, 60.0)
    try:
        yield server, received
    finally:
        server.kept.close()
        thread.join()
        listening.close()


def post(server, body, **how):
    return server.ask("POST", "/", io.BytesIO(body), **how)


def test_requests_share_a_connection_until_the_server_ends_it():
    with scripted([OK, OK, LAST], [OK]) as (server, received):
        assert [post(server, b"%d" % i).body for i in range(2)] == [b"ok", b"ok"]
        assert server.reading(50).ask("GET", "/").body == b"ok"
        assert post(server, b"3").status == 200
    assert received == [[("POST", b"0"), ("POST", b"1"), ("GET", b"")], [("POST", b"3")]]


def test_an_end_while_nothing_is_asked_is_noticed_before_sending():
    with scripted([OK], [OK]) as (server, received):
        post(server, b"first")
        (line,) = server.kept.idle
        line.sock.recv(1, socket.MSG_PEEK)  # until the end has arrived
        assert post(server, b"second").status == 200
    assert received == [[("POST", b"first")], [("POST", b"second")]]


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_what_may_have_been_taken_is_not_sent_again(method):
    with scripted([OK, None]) as (server, received):
        post(server, b"first")
        with pytest.raises((ConnectionError, http.client.RemoteDisconnected)):
            server.ask(method, "/", io.BytesIO(b"second"))
    assert received == [[("POST", b"first"), (method, b"second")]]


def test_what_is_harmless_twice_is_sent_again_once():
    with scripted([OK, None], [OK, None], [OK]) as (server, received):
        post(server, b"first")
        assert post(server, b"second", is_repeatable=True).body == b"ok"
        assert server.ask("GET", "/").body == b"ok"
    second = [("POST", b"second"), ("GET", b"")]
    assert received == [[("POST", b"first"), ("POST", b"second")], second, [("GET", b"")]]


def test_a_new_connection_that_says_nothing_is_not_tried_again():
    with scripted([None]) as (server, received), pytest.raises(ConnectionError):
        post(server, b"first", is_repeatable=True)
    assert received == [[("POST", b"first")]]


def test_an_answer_that_breaks_off_is_not_asked_for_again():
    with scripted([OK, OK.replace(b"2", b"9", 1)[:-2]]) as (server, received):
        post(server, b"first")
        with pytest.raises((http.client.HTTPException, ConnectionError)):
            post(server, b"second", is_repeatable=True)
    assert len(received) == 1


def test_a_connection_with_more_of_an_answer_than_is_read_is_not_kept():
    long = b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n" + bytes(500)
    with scripted([long], [OK]) as (server, received):
        assert post(server, b"first").is_cut
        assert server.kept.idle == []
        assert post(server, b"second").body == b"ok"
    assert len(received) == 2
