"""Places from two servers and tokens of friends, by real servers and commands: what comes out, and what hostile clients get."""

import csv
import json
from concurrent.futures import ThreadPoolExecutor

import httpx
import numpy as np
import pytest
from tests.app.contests import told
from tests.app.serve_processes import PLAIN, free_port, running

from sfumato.errors import ParameterError, SourceError
from sfumato.mechanism.location.by_design.retrieval import questions
from sfumato.nearby.app import mailbox_of
from sfumato.nearby.client import fetch_description, nearest
from sfumato.nearby.device import read_circle, write_circle
from sfumato.nearby.friends import Friends
from sfumato.noise.bits import SystemBits
from sfumato.table.plane import Plane, Region, distance

REGION = ("45.70", "4.78", "500", "12", "10")
SECRET = {"Authorization": f"Bearer {'s' * 40}"}


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    """A table of places, its catalogue, and the truth."""
    folder = tmp_path_factory.mktemp("town")
    chance = np.random.default_rng(6)
    rows = [
        (f"café {i}", 45.70 + a, 4.78 + b)
        for i, (a, b) in enumerate(chance.uniform(0, [0.053, 0.063], (60, 2)).tolist())
    ]
    with (folder / "places.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["name", "latitude", "longitude"], *rows, ["", 45.7, 4.8], ["nowhere", "", 4.8]])
    told(folder, "pseudonymize", "--new-key", "key.txt")
    build = [
        "nearby",
        "build",
        "places.csv",
        "--region",
        *REGION,
        "--label",
        "cafés 1",
        "--key",
        "key.txt",
        "-o",
        "cafes",
    ]
    assert told(folder, *build) == "cafes: 60 places, 120 cells of 1024 bytes"
    return folder, rows


@pytest.fixture(scope="module")
def keepers(town):
    """Two servers of the same catalogue."""
    with running(town[0], "places", "cafes") as (_, one), running(town[0], "places", "cafes") as (_, two):
        yield one, two


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server of tokens."""
    folder = tmp_path_factory.mktemp("tokens")
    with running(folder, "friends", "tokens.db") as (_, address):
        yield folder, address


def test_the_nearest_places_come_out_and_in_order(town, keepers, sfumato):
    _, rows = town
    ran = sfumato("nearby", "look", "--server", keepers[0], "--server", keepers[1], "45.7261", "4.8112")
    assert ran.code == 0, ran.err
    far = distance(*(np.array([row[i] for row in rows]) for i in (1, 2)), np.array([45.7261]), np.array([4.8112]))
    wanted = [(rows[i][0], f"{far[i]:,.0f} m") for i in np.argsort(far)[:5].tolist()]
    for (name, metres), line in zip(wanted, ran.out.splitlines(), strict=False):
        assert line.split("  (")[0].split() == [*metres.split(), *name.split()]


def test_a_lying_server_a_third_catalogue_and_an_open_line_are_refused(town, keepers):
    about = fetch_description(keepers)
    with pytest.raises(ParameterError, match="two servers"):
        fetch_description([keepers[0], keepers[0]])
    with pytest.raises(ParameterError, match="encrypted"):
        fetch_description(["http://example.org", "https://example.net"])
    with pytest.raises(SourceError, match="must answer"):
        fetch_description([keepers[0], f"http://127.0.0.1:{free_port()}"])
    with pytest.raises(ParameterError, match="lie in the region"):
        nearest(keepers, about, 45.6, 4.8, bits=SystemBits())
    folder = town[0]
    blocks = np.load(folder / "cafes" / "blocks.npy")
    (folder / "lies").mkdir()
    (folder / "lies" / "catalogue.json").write_bytes((folder / "cafes" / "catalogue.json").read_bytes())
    np.save(folder / "lies" / "blocks.npy", blocks ^ np.uint64(1 << 40))
    with running(folder, "places", "lies") as (_, liar), pytest.raises(ParameterError, match="must be signed"):
        asked_often((keepers[0], liar), about)


def asked_often(servers, about):
    """A set with an even number of lies is no lie, which half of all are; none of 200 is with a probability of 2⁻²⁰⁰."""
    for _ in range(200):
        nearest(servers, about, 45.7261, 4.8112, bits=SystemBits())


def test_a_server_of_places_gives_hostile_clients_the_right_status(keepers):
    one = questions(7, 120, bits=SystemBits())[0]
    with httpx.Client(base_url=keepers[0], **PLAIN) as client:
        assert (
            client.post("/blocks", content=one).content == client.post("/blocks", content=one).content
        )  # a replay says nothing new
        assert len(client.post("/blocks", content=one).content) == 1024
        assert client.post("/blocks", content=one[:-1]).status_code == 422
        assert client.post("/blocks", content=b"").status_code == 422
        assert client.post("/blocks", content=b"x" * 5000).status_code == 413
        assert client.get("/blocks").status_code == 405
        assert client.get("/../cafes/blocks.npy").status_code == 404
        assert "content-security-policy" in client.get("/catalogue").headers


def test_friends_find_each_other_and_the_store_shows_no_cell(server, sfumato, tmp_path):
    folder, address = server
    assert sfumato("nearby", "circle", "--region", *REGION, "-o", "circle.json", cwd=tmp_path).code == 0
    assert (tmp_path / "circle.json").stat().st_mode & 0o077 == 0
    assert sfumato("nearby", "circle", "--region", *REGION, "-o", "circle.json", cwd=tmp_path).code != 0

    def near(lat, lon):
        ran = sfumato("nearby", "friends", address, lat, lon, "--circle", "circle.json", cwd=tmp_path)
        assert ran.code == 0, ran.err
        return ran.out.split()

    left = sfumato(
        "nearby",
        "leave",
        address,
        "45.7261",
        "4.8112",
        "--circle",
        "circle.json",
        "--mailbox",
        "ann.json",
        cwd=tmp_path,
    )
    assert left.code == 0, left.err
    ann = left.out.strip()
    assert near("45.7300", "4.8150") == [ann]
    assert near("45.7450", "4.8300") == []
    moved = sfumato(
        "nearby",
        "leave",
        address,
        "45.7450",
        "4.8300",
        "--circle",
        "circle.json",
        "--mailbox",
        "ann.json",
        cwd=tmp_path,
    )
    assert moved.out.strip() == ann
    assert near("45.7261", "4.8112") == []
    assert near("45.7450", "4.8300") == [ann]
    kept = b"".join(path.read_bytes() for path in folder.iterdir() if path.name.startswith("tokens.db"))
    secret = json.loads((tmp_path / "circle.json").read_text())["secret"]
    assert secret.encode() not in kept
    assert json.loads((tmp_path / "ann.json").read_text())["secret"].encode() not in kept
    assert sfumato("nearby", "forget", address, "--mailbox", "ann.json", cwd=tmp_path).code == 0
    assert near("45.7450", "4.8300") == []


def test_a_server_of_tokens_gives_hostile_clients_the_right_status(server):
    token, other = "a" * 32, "b" * 32
    with httpx.Client(base_url=server[1], **PLAIN) as client:

        def put(headers=None, **said):
            return client.put("/token", content=json.dumps(said), headers=headers or SECRET).status_code

        assert put(token=token, number=5) == 200
        assert put(token=token, number=5) == 409  # a replay
        assert put(token=other, number=4) == 409  # an older one
        assert put(token=other, number=6) == 200
        assert client.put("/token", content=b"{}").status_code == 401
        assert put({"Authorization": "Bearer short"}, token=token, number=1) == 401
        assert (
            put({"Authorization": f"Bearer {'t' * 40}"}, token=token, number=1) == 200
        )  # another mailbox, not that one
        for wrong in (
            {"token": "x" * 32, "number": 7},
            {"token": token},
            {"token": token, "number": -1},
            {"token": token, "number": True},
            {"token": [], "number": 7},
            {"token": token, "number": 7, "more": 1},
        ):
            assert put(**wrong) == 422
        assert client.put("/token", content=b"\xff\x00", headers=SECRET).status_code == 400
        assert client.put("/token", content=b"[" * 4000, headers=SECRET).status_code in {400, 422}
        assert client.put("/token", content=b"x" * 9000, headers=SECRET).status_code == 413
        near = client.post("/near", content=json.dumps({"tokens": [other, token]})).json()
        assert near == {"near": sorted([mailbox_of("s" * 40), mailbox_of("t" * 40)])}
        for tokens in ([], [token] * 10, "a", [1]):
            assert client.post("/near", content=json.dumps({"tokens": tokens})).status_code == 422
        refusal = client.post("/near", content=json.dumps({"tokens": ["canary"]}))
        assert "canary" not in refusal.text


@pytest.mark.parametrize("which", ["places", "friends"])
def test_no_described_request_makes_a_server_fail(which, request):
    schemathesis = pytest.importorskip("schemathesis")
    from hypothesis import HealthCheck, given, settings

    address = request.getfixturevalue("keepers")[0] if which == "places" else request.getfixturevalue("server")[1]
    schema = schemathesis.openapi.from_url(f"{address}/openapi.json")
    for operation in schema.get_all_operations():

        @settings(max_examples=20, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
        @given(case=operation.ok().as_strategy())
        def sends(case):
            assert case.call(headers=SECRET).status_code < 500

        sends()


def test_a_killed_server_goes_on_with_what_was_left(tmp_path):
    with running(tmp_path, "friends", "tokens.db") as (process, address):
        assert (
            httpx.put(
                f"{address}/token", content=json.dumps({"token": "c" * 32, "number": 1}), headers=SECRET, **PLAIN
            ).status_code
            == 200
        )
        process.kill()
        process.wait()
    with running(tmp_path, "friends", "tokens.db") as (_, address):
        found = httpx.post(f"{address}/near", content=json.dumps({"tokens": ["c" * 32]}), **PLAIN).json()
        assert found == {"near": [mailbox_of("s" * 40)]}


def test_tokens_are_forgotten_when_their_time_is_over(tmp_path):
    store = Friends(tmp_path / "tokens.db")
    assert store.leave("one", b"t" * 16, 1, now=100.0, seconds=50)
    assert store.near([b"t" * 16], now=149.0) == ["one"]
    assert store.near([b"t" * 16], now=150.0) == []
    store.close()


@pytest.mark.parametrize("name", ["places.csv", "absent"])
def test_what_is_no_catalogue_is_refused(town, sfumato, name):
    ran = sfumato("serve", "places", name, cwd=town[0])
    assert ran.code != 0
    assert "catalogue" in ran.err


def test_of_two_who_draw_a_circle_at_once_one_has_the_file(tmp_path):
    """Eight threads write one name: one file, whole, of the one who was first; nobody else's secret is lost in silence."""
    region, path = Region(Plane(45.70, 4.78), 500, 12, 10), tmp_path / "circle.json"

    def drawn(_):
        try:
            write_circle(path, region, bits=SystemBits())
        except SourceError as error:
            return "never overwritten" in error.problem
        return None

    with ThreadPoolExecutor(8) as pool:
        said = list(pool.map(drawn, range(8)))
    assert sorted(said, key=str) == [None, *[True] * 7]
    assert read_circle(path).region.side == region.side
    assert path.stat().st_mode & 0o077 == 0
    with pytest.raises(SourceError, match="must be writable"):
        write_circle(tmp_path / "none" / "circle.json", region, bits=SystemBits())
