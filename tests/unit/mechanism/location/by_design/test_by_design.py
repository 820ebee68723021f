"""What servers learn: nothing of a cell from one set, the cell from both, equality of tokens, all cells to a friend."""

from collections import Counter
from datetime import date

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.mechanism.location.by_design.catalogue import Catalogue, Place, catalogue_of, opened
from sfumato.mechanism.location.by_design.proximity import Circle
from sfumato.mechanism.location.by_design.retrieval import answer, block, questions
from sfumato.mechanism.secret import Secret
from sfumato.noise.bits import SystemBits
from sfumato.table.plane import Plane, Region, distance

REGION = Region(Plane(45.70, 4.78), metres=500, rows=7, columns=9)
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
CHANCE = np.random.default_rng(4)
PLACES = [Place(f"n° {i}", 45.70 + a, 4.78 + b) for i, (a, b) in enumerate(CHANCE.uniform(0, 0.04, (40, 2)).tolist())]
SERVED = catalogue_of(PLACES, REGION, "cafés 1", size=512, key=KEY)


class _Fixed:
    """Bits whose words are given, to go through all of them."""

    is_secure = False

    def __init__(self, word):
        self.word = word

    def words(self, n):
        return np.full(n, self.word, np.uint64)


@given(st.integers(0, 62))
def test_the_wanted_block_comes_out(cell):
    one, two = questions(cell, 63, bits=SystemBits())
    found = block(answer(SERVED, one), answer(SERVED, two))
    assert found == SERVED.blocks[cell].tobytes()
    assert opened(found, SERVED.label, cell, KEY.public_key()).places


def test_a_server_sees_every_set_equally_often_whatever_is_wanted():
    """All random words of three cells: the distribution of one server's set is exact, and the same for every cell."""
    for server in (0, 1):
        seen = [Counter(questions(cell, 3, bits=_Fixed(word))[server] for word in range(8)) for cell in range(3)]
        assert seen[0] == seen[1] == seen[2] == Counter(bytes([one]) for one in range(8))


def test_whoever_sees_both_sets_learns_the_cell():
    one, two = (np.frombuffer(part, np.uint8) for part in questions(41, 63, bits=SystemBits()))
    assert np.flatnonzero(np.unpackbits(one ^ two, bitorder="little")).tolist() == [41]


def test_an_answer_is_the_exclusive_or_one_block_after_another():
    cells = np.random.default_rng(1).integers(0, 2**62, (2500, 16)).astype(np.uint64)
    many = Catalogue(REGION, "x", cells)
    which = np.random.default_rng(2).integers(0, 2, 2504).astype(np.uint8)
    which[2500:] = 0
    total = np.zeros(16, np.uint64)
    for i in np.flatnonzero(which).tolist():
        total ^= cells[i]
    assert answer(many, np.packbits(which, bitorder="little").tobytes()) == total.tobytes()


def test_a_server_that_lies_is_noticed_whatever_was_wanted():
    for cell in (0, 30, 62):
        one, two = questions(cell, 63, bits=SystemBits())
        wrong = bytearray(answer(SERVED, one))
        wrong[70] ^= 1
        with pytest.raises(ParameterError, match="must be signed"):
            opened(block(bytes(wrong), answer(SERVED, two)), SERVED.label, cell, KEY.public_key())
    good = SERVED.blocks[5].tobytes()
    for label, cell in (("cafés 2", 5), ("cafés 1", 6)):
        with pytest.raises(ParameterError, match="must be signed"):
            opened(good, label, cell, KEY.public_key())


@pytest.mark.parametrize("question", [b"", b"\0" * 7, b"\0" * 9, b"\0" * 7 + b"\x80"])
def test_a_question_of_another_catalogue_is_refused(question):
    with pytest.raises(ParameterError, match="one bit for each of the 63 cells"):
        answer(SERVED, question)


def test_answers_of_two_catalogues_and_cells_outside_are_refused():
    with pytest.raises(ParameterError, match="one length"):
        block(b"ab", b"abc")
    with pytest.raises(ParameterError, match="one of the catalogue"):
        questions(63, 63, bits=SystemBits())


def test_a_list_is_whole_as_far_as_it_says_for_every_position_of_the_cell():
    chance = np.random.default_rng(8)
    lat, lon = np.array([p.latitude for p in PLACES]), np.array([p.longitude for p in PLACES])
    for cell in range(63):
        near = opened(SERVED.blocks[cell].tobytes(), SERVED.label, cell, KEY.public_key())
        assert near.metres > 0
        inside = np.array(divmod(cell, 9)) + chance.uniform(0, 1, (20, 2))
        at = REGION.plane.degrees_of(inside[:, 1] * 500, inside[:, 0] * 500)
        far = distance(at[0][:, None], at[1][:, None], lat[None, :], lon[None, :])
        told = {place.name for place in near.places}
        due = {PLACES[i].name for i in np.flatnonzero((far < near.metres).any(axis=0)).tolist()}
        assert due <= told


def test_few_places_are_told_wholly_and_names_must_fit():
    few = catalogue_of(PLACES[:2], REGION, "few", size=512, key=KEY)
    assert opened(few.blocks[0].tobytes(), "few", 0, KEY.public_key()).metres == np.inf
    with pytest.raises(ParameterError, match="must fit into a block"):
        catalogue_of([Place("x" * 500, 45.7, 4.8)], REGION, "long", size=512, key=KEY)
    for size in (100, 513, 1 << 17):
        with pytest.raises(ParameterError, match="multiple of 8"):
            catalogue_of(PLACES, REGION, "odd", size=size, key=KEY)


@given(st.tuples(st.integers(0, 6), st.integers(0, 8)), st.tuples(st.integers(0, 6), st.integers(0, 8)))
def test_tokens_meet_where_friends_are_neighbors_and_nowhere_else(one, two):
    friends, day = Circle(Secret(bytes(range(32))), REGION), date(2026, 3, 1)
    is_near = max(abs(one[0] - two[0]), abs(one[1] - two[1])) <= 1
    assert (friends.token(one, day) in friends.asked(two, day, bits=SystemBits())) == is_near
    strangers, tomorrow = Circle(Secret(bytes(range(1, 33))), REGION), date(2026, 3, 2)
    assert friends.token(one, day) not in strangers.asked(one, day, bits=SystemBits())
    assert friends.token(one, day) not in friends.asked(one, tomorrow, bits=SystemBits())
    assert len(set(friends.asked(two, day, bits=SystemBits()))) == 9


def test_a_friend_who_reads_the_store_finds_the_cell_and_nobody_else_does():
    friends, day = Circle(Secret(bytes(range(32))), REGION), date(2026, 3, 1)
    stored = friends.token((3, 4), day)
    assert friends.tried(stored, day) == (3, 4)
    assert Circle(Secret(bytes(range(1, 33))), REGION).tried(stored, day) is None
    assert friends.tried(stored, date(2026, 3, 2)) is None


def test_outside_of_the_region_no_token_is_left():
    friends = Circle(Secret(bytes(range(32))), REGION)
    for cell in ((-1, 0), (7, 0), (0, 9)):
        with pytest.raises(ParameterError, match="cell of the region"):
            friends.asked(cell, date(2026, 3, 1), bits=SystemBits())
