"""What crowds, dummies and services do not promise, shown by whoever looks for it. Draws are seeded: no false alarms."""

from collections import Counter
from datetime import date
from itertools import pairwise

import numpy as np
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sfumato.attack.traces.dummies import Detector, KnownWalks
from sfumato.mechanism.location.by_design.catalogue import Place, catalogue_of
from sfumato.mechanism.location.by_design.proximity import Circle
from sfumato.mechanism.location.by_design.retrieval import answer
from sfumato.mechanism.location.crowds.mix_zones import MixZones
from sfumato.mechanism.location.crowds.near_paths import NearPaths
from sfumato.mechanism.location.crowds.presence import Presence
from sfumato.mechanism.location.crowds.shared_paths import SharedPaths
from sfumato.mechanism.location.dummies import walked
from sfumato.mechanism.secret import Secret
from sfumato.nearby import client
from sfumato.nearby.shelf import Described
from sfumato.noise.bits import SystemBits
from sfumato.summary.movement import Movement
from sfumato.table.plane import Plane, Region, distance
from sfumato.table.traces import Traces
from sfumato.testing.seeded_bits import SeededBits

REGION = Region(Plane(45.0, 4.8), metres=100, rows=20, columns=20)
TODAY = date(2026, 3, 1)
FRIENDS = Circle(Secret(bytes(range(32))), REGION)


def test_a_shared_record_tells_where_all_of_its_persons_were():
    """Three persons at one clinic: nobody knows which record is whose, and everybody knows where all three were."""
    seen = Presence(REGION, 600, np.arange(3), np.zeros(3, int), np.full(3, 7), np.full(3, 9))
    shared = SharedPaths(k=3, metres=300, seconds=600).decide(seen, lambda done: None)
    assert np.unique(shared.boxes.sides, axis=0).tolist() == [[0, 0, 7, 7, 9, 9]]
    assert shared.boxes.person.tolist() == [0, 1, 2]


def test_a_slot_without_one_of_the_group_is_suppressed_for_all():
    """Two persons side by side in five slots, one of them not in the third: nobody's third is published."""
    person, slot = np.array([0] * 5 + [1] * 4), np.array([0, 1, 2, 3, 4, 0, 1, 3, 4])
    seen = Presence(REGION, 600, person, slot, slot, person)
    shared = SharedPaths(k=2, metres=300, seconds=600).decide(seen, lambda done: None)
    covered = {i for first, last in shared.boxes.sides[:, :2].tolist() for i in range(first, last + 1)}
    assert (covered, shared.suppressed) == ({0, 1, 3, 4}, 1)


def test_near_paths_show_k_persons_where_one_of_them_truly_was():
    """With δ = 0 all k records are the way of the one who leads, fix by fix."""
    chance = np.random.default_rng(1)
    time = np.sort(chance.choice(5000, (12, 6)), axis=1) * 1000 + np.arange(6)
    place = np.array([45.0, 4.8]) + chance.uniform(0, 0.02, (12, 1, 2)) + chance.normal(0, 1e-3, (12, 6, 2))
    truth = Traces(
        "UTC", tuple(map(str, range(12))), np.repeat(np.arange(12), 6), time.ravel(), *place.reshape(-1, 2).T
    )
    edited = NearPaths(3, 0, np.inf, 3600).edit(truth, REGION.plane, lambda done: None)
    for group in np.unique(edited.group).tolist():
        of = np.flatnonzero(edited.group == group)
        record = edited.traces.kept(edited.traces.person == of[0])
        own = [truth.kept(truth.person == one) for one in of.tolist()]
        true = [
            one
            for one in own
            if np.array_equal(one.time, record.time)
            and distance(one.latitude, one.longitude, record.latitude, record.longitude).max() < 1
        ]
        assert len(true) == 1


def test_who_passes_a_mix_zone_alone_is_followed_by_name():
    zones = np.full((20, 20), -1)
    zones[:, 9:11] = 0
    column = np.arange(20)
    cells = np.stack([np.full(20, 3), column], axis=1)
    way = Traces("UTC", ("a",), np.zeros(20, int), column * 60_000, *REGION.centers_of(cells))
    mixed = MixZones(REGION, zones, 2).passed(way, bits=SeededBits(1))
    assert len(np.unique(mixed.traces.person)) == 1
    assert mixed.hidden == 2


def test_who_knows_a_person_s_habit_finds_it_among_dummies_that_move_alike():
    """40 persons who are in cell 0 at every tenth step, k = 4; the rest is like the public.

    The detector of moves finds 28 of 40 by chance with a probability below 1e-9; who knows the habit finds 38.
    """
    n, k, cells = 40, 4, 12
    to = np.sort((np.arange(cells)[:, None] + [-1, 0, 1]) % cells, axis=1)
    ring = Movement(cells, np.arange(cells + 1) * 3, to.ravel(), np.full(cells * 3, 10))
    many = walked(ring, np.zeros(4000, int), 10, bits=SeededBits(2))
    loops = many[many[:, -1] == 0][:, :-1]  # ten moves of the public that lead home
    persons = np.concatenate([np.roll(loops, i, axis=0)[: 2 * n] for i in range(0, 240, 40)], axis=1)
    dummies = walked(ring, np.zeros(n * k, int), persons.shape[1] - 1, bits=SeededBits(3))
    view = np.stack([persons[:n], *(dummies[i * n : (i + 1) * n] for i in range(k - 1))], axis=1)
    order = np.random.default_rng(1).permuted(np.tile(np.arange(k), (n, 1)), axis=1)
    view = np.take_along_axis(view, order[:, :, None], axis=1)
    by_moves = Detector().guess(view, KnownWalks(ring, persons[n:], dummies[-n:]), np.random.default_rng(2))
    by_habit = np.argmax((view[:, :, ::10] == 0).sum(axis=2), axis=1)
    found = [(np.take_along_axis(order, guess[:, None], axis=1)[:, 0] == 0).sum() for guess in (by_moves, by_habit)]
    assert found[0] <= 28
    assert found[1] >= 38


def test_the_server_of_friends_sees_who_is_near_whom_over_time_and_how_often_they_move():
    """Without the secret: two who walk together are acquainted by their tokens alone, and who stays has one token."""
    chance = np.random.default_rng(3)
    together, alone = chance.integers(0, 20, (30, 2)), chance.integers(0, 20, (30, 2))
    ways = {"ann": together, "bob": together, "eve": alone, "dan": np.full((30, 2), 4)}
    store = {who: [FRIENDS.token(tuple(cell), TODAY) for cell in way.tolist()] for who, way in ways.items()}
    equal = {(a, b): sum(x == y for x, y in zip(store[a], store[b], strict=True)) for a in store for b in store}
    assert equal["ann", "bob"] == 30
    assert max(count for (a, b), count in equal.items() if a != b and {a, b} != {"ann", "bob"}) <= 3
    moves = {who: sum(x != y for x, y in pairwise(left)) for who, left in store.items()}
    assert moves["dan"] == 0
    assert moves["eve"] > 25


def test_questions_to_the_server_of_friends_show_how_far_the_askers_are_apart():
    """Nine tokens of each question: with the secret or without, as many are common as the squares around both overlap."""
    asked = {
        cell: set(FRIENDS.asked(cell, TODAY, bits=SystemBits()))
        for cell in ((9, 9), (9, 10), (10, 10), (9, 11), (9, 12))
    }
    common = [len(asked[9, 9] & other) for other in asked.values()]
    assert common == [9, 6, 4, 3, 0]


def test_who_knows_which_cell_is_busiest_reads_its_token():
    """Forty persons, half of them in one cell: the most frequent token is that cell's, and the server needs no secret."""
    cells = [(5, 5)] * 20 + [(i, 2) for i in range(20)]
    store = Counter(FRIENDS.token(cell, TODAY) for cell in cells)
    assert store.most_common(1) == [(FRIENDS.token((5, 5), TODAY), 20)]


def test_who_left_the_friends_reads_tokens_of_later_days():
    """The file that somebody kept makes the key of any day; a new circle ends it."""
    kept, later = Circle(Secret(bytes(range(32))), REGION), date(2027, 8, 9)
    assert kept.tried(FRIENDS.token((3, 4), later), later) == (3, 4)
    new = Circle(Secret(bytes(range(1, 33))), REGION)
    assert kept.tried(new.token((3, 4), later), later) is None


def test_keepers_see_that_and_how_often_somebody_looks_and_together_where(monkeypatch):
    """Every look is one question to each, equally long for all cells; the two sets of a look differ by the cell."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    small = Region(Plane(45.0, 4.8), metres=100, rows=3, columns=3)
    served = catalogue_of([Place("café", 45.001, 4.801)], small, "cafés", size=512, key=key)
    seen = {"one": [], "two": []}

    def asked(server, _path, question):
        seen[server].append(question)
        return answer(served, question)

    monkeypatch.setattr(client, "_asked", asked)
    about = Described(served.label, small, 512, key.public_key().public_bytes_raw().hex())
    spots = [(45.0005, 4.8005), (45.0025, 4.8030), (45.0014, 4.8018)]
    for spot in spots:
        client.nearest(("one", "two"), about, *spot, bits=SystemBits())
    assert [len(questions) for questions in seen.values()] == [3, 3]
    assert {len(question) for questions in seen.values() for question in questions} == {2}
    both = [int.from_bytes(a, "little") ^ int.from_bytes(b, "little") for a, b in zip(*seen.values(), strict=True)]
    cells = [row * 3 + column for row, column in (client.cell_in(small, *spot) for spot in spots)]
    assert [one.bit_length() - 1 for one in both] == cells
    assert [one.bit_count() for one in both] == [1, 1, 1]
