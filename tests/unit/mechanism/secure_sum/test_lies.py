"""Publishers that lie and holders that do: what is refused, and what would be known if it were not."""

from itertools import pairwise

import numpy as np
import pytest
from tests.unit.mechanism.secure_sum.parties import PUBLISHER, Parties, bits_of, counts_of, heard, identity, terms_for

from sfumato.errors import ProtocolError
from sfumato.mechanism.secure_sum import holder as holder_module
from sfumato.mechanism.secure_sum import publisher as publisher_module
from sfumato.mechanism.secure_sum import wire
from sfumato.mechanism.secure_sum.keys import LENGTH, SIGNATURE, public_of
from sfumato.mechanism.secure_sum.masks import KINDS, is_added, pair_key, with_mask
from sfumato.mechanism.secure_sum.shamir import joined, secret_of, weights_of
from sfumato.mechanism.secure_sum.wire import BOX, KEYS, SHARE, Kind, items_of, length_of, packed, packed_items, signed

ALL = (0, 1, 2, 3, 4)


@pytest.fixture(scope="module")
def parties():
    """Five holders of whom three must answer, through all rounds."""
    return Parties(terms_for(5, 3))


def told(parties, kind, body, key=PUBLISHER):
    return signed(kind, parties.terms, wire.PUBLISHER, body, key)


def opened_by(parties, place, survivors):
    """What a holder opens when a publisher shows it signatures of all under one list, as far as they come."""
    agreed, _ = parties.holders[2][place].receive(told(parties, Kind.SURVIVORS, packed(survivors)), bits=bits_of(place))
    signatures = items_of(
        wire.opened(parties.inbox[3][place], Kind.ALL_AGREED, parties.terms).body, SIGNATURE, parties.terms
    )
    shown = packed_items({i: signatures[i] for i in survivors})
    done, raw = agreed.receive(told(parties, Kind.ALL_AGREED, shown), bits=bits_of(place))
    return done, items_of(wire.opened(raw, Kind.OPENED, parties.terms).body, SHARE, parties.terms)


def secret_from(shares):
    """A secret from shares by holder."""
    places = sorted(shares)
    numbers = np.array([np.frombuffer(shares[i], ">u4") for i in places], np.int64)
    return secret_of(joined(weights_of(places), numbers), LENGTH)


def vector_of(parties, place):
    return np.frombuffer(
        wire.opened(parties.answers[2][place], Kind.MASKED, parties.terms).body, KINDS[parties.terms.width]
    )


def without(parties, total, place, masking):
    """A vector without the masks that one holder shares with all others."""
    roster = parties.publisher[2].roster
    for other in set(ALL) - {place}:
        key = pair_key(masking, roster[other].masking, parties.terms, (place, other))
        with_mask(total, key, added=not is_added(place, other))
    return total


def test_one_holder_is_read_by_whoever_gets_both_of_its_secrets(parties):
    """Why a holder answers once: a twin that goes back to its former state opens the other kind of share too."""
    masking, seed = {}, {}
    for place in (1, 2, 3):
        seed[place] = opened_by(parties, place, ALL)[1][0]
        masking[place] = opened_by_liar(parties, place, (1, 2, 3, 4))[0]
    found = vector_of(parties, 0).copy()
    with_mask(found, secret_from(seed), added=False)
    assert without(parties, found, 0, secret_from(masking)).tolist() == counts_of(0).tolist()


def opened_by_liar(parties, place, survivors):
    """As `opened_by`, with signatures of colluding holders under another list."""
    agreed = {i: parties.holders[2][i].receive(told(parties, Kind.SURVIVORS, packed(survivors)), bits=bits_of(i)) for i in survivors}  # fmt: skip
    shown = packed_items({i: raw[-SIGNATURE:] for i, (_, raw) in agreed.items()})
    _, raw = agreed[place][0].receive(told(parties, Kind.ALL_AGREED, shown), bits=bits_of(place))
    return items_of(wire.opened(raw, Kind.OPENED, parties.terms).body, SHARE, parties.terms)


def test_a_holder_that_has_agreed_or_opened_hears_of_no_other_list(parties):
    other = told(parties, Kind.SURVIVORS, packed((1, 2, 3, 4)))
    agreed, _ = parties.holders[2][1].receive(parties.inbox[2][1], bits=bits_of(1))
    with pytest.raises(ProtocolError, match="kind 8 must come"):
        agreed.receive(other, bits=bits_of(1))
    done, _ = opened_by(parties, 1, ALL)
    for raw in (other, parties.inbox[3][1], parties.inbox[2][1]):
        with pytest.raises(ProtocolError, match="answers nothing more"):
            done.receive(raw, bits=bits_of(1))


DROPPED = {0: (2, 3), 1: (2, 4), 2: (3, 4), 3: (2, 4), 4: (2, 3)}
"""What each holder is told: every one hears of three survivors, yet 2, 3 and 4 are dropped by three holders each."""


def two_alone(parties):
    """The attack: each holder is told another list of survivors, so that the vectors of 0 and 1 alone are added."""
    shares = {i: opened_by(parties, i, tuple(sorted(set(ALL) - set(DROPPED[i]))))[1] for i in ALL}
    total = vector_of(parties, 0) + vector_of(parties, 1)
    for place in (0, 1):
        with_mask(total, secret_from({i: shares[i][place] for i in (0, 1, 2)}), added=False)
    for place in (2, 3, 4):
        tellers = [i for i in ALL if place in DROPPED[i]][:3]
        masking = secret_from({i: shares[i][place] for i in tellers})
        for u in (0, 1):
            key = pair_key(masking, parties.publisher[2].roster[u].masking, parties.terms, (u, place))
            with_mask(total, key, added=not is_added(u, place))
    return total.tolist()


def test_a_publisher_that_tells_holders_of_different_survivors_is_refused(parties, monkeypatch):
    """Without the signatures it would have the sum of two holders, where three must be in every sum."""
    for place in ALL:
        with pytest.raises(ProtocolError, match="must have signed the same list"):
            opened_by(parties, place, tuple(sorted(set(ALL) - set(DROPPED[place]))))
    monkeypatch.setattr(holder_module, "is_signed", lambda *_: True)
    assert two_alone(parties) == (counts_of(0) + counts_of(1)).tolist()


def all_keys(parties, raws):
    return told(parties, Kind.ALL_KEYS, b"".join(raws))


def parcel(parties, place, items):
    return told(parties, Kind.PARCEL, packed_items(items))


def boxes_for(parties, place):
    return items_of(wire.opened(parties.inbox[1][place], Kind.PARCEL, parties.terms).body, BOX, parties.terms)


def forged_keys(parties):
    """Keys under the name of holder 4, signed by holder 3."""
    body = b"".join(public_of(bytes([9, i]) * 16) for i in range(2)) + bytes(LENGTH)
    return [*list(parties.answers[0].values())[:4], signed(Kind.KEYS, parties.terms, 4, body, identity(3))]


def other_sum(parties):
    """The first message of the publisher in another sum of the same holders."""
    return Parties(terms_for(5, 3, occasion=bytes(32)), rounds=1).inbox[0][0]


def stranger(parties):
    return signed(Kind.ALL_KEYS, parties.terms, wire.PUBLISHER, b"".join(parties.answers[0].values()), identity(0))


def equal_keys(parties):
    """Holder 4 tells the public keys of holder 3 as its own."""
    body = wire.opened(parties.answers[0][3], Kind.KEYS, parties.terms).body
    return [*list(parties.answers[0].values())[:4], signed(Kind.KEYS, parties.terms, 4, body, identity(4))]


def my_other_keys(parties):
    body = b"".join(public_of(bytes([9, i]) * 16) for i in range(2)) + bytes(LENGTH)
    return [signed(Kind.KEYS, parties.terms, 0, body, identity(0)), *list(parties.answers[0].values())[1:]]


def weak_key(parties):
    """The keys of holder 4 are points of small order: whatever is agreed with them is known."""
    body = bytes(LENGTH) + (1).to_bytes(LENGTH, "little") + bytes(LENGTH)
    return [*list(parties.answers[0].values())[:4], signed(Kind.KEYS, parties.terms, 4, body, identity(4))]


LIES_TO_A_HOLDER = {
    "keys of too few": (0, lambda p: all_keys(p, list(p.answers[0].values())[:2]), "in every round; 2 do"),
    "keys signed by another": (0, lambda p: all_keys(p, forged_keys(p)), "of holder 4 is not"),
    "keys of one holder twice": (0, lambda p: all_keys(p, [*p.answers[0].values(), p.answers[0][2]]), "must come once"),
    "equal keys of two holders": (0, lambda p: all_keys(p, equal_keys(p)), "must come once"),
    "not the holder's own keys": (0, lambda p: all_keys(p, my_other_keys(p)), "own keys must stand"),
    "without the holder": (0, lambda p: all_keys(p, list(p.answers[0].values())[1:]), "own keys must stand"),
    "a key that agrees on nothing secret": (0, lambda p: all_keys(p, weak_key(p)), "agree on a secret"),
    "half a message": (0, lambda p: all_keys(p, [p.answers[0][0][:-1]]), "once each, in order"),
    "of another sum": (0, other_sum, "belongs to another"),
    "not signed by the publisher": (0, stranger, "of the publisher is not"),
    "shares of too few": (1, lambda p: parcel(p, 0, {1: boxes_for(p, 0)[1]}), "in every round; 2 do"),
    "shares sealed for another": (1, lambda p: parcel(p, 0, boxes_for(p, 0) | {4: boxes_for(p, 1)[4]}), "holder 4 are not"),
    "one's own shares": (1, lambda p: parcel(p, 0, {0: boxes_for(p, 0)[1]} | boxes_for(p, 0)), "must come from other"),
    "the keys again": (1, lambda p: p.inbox[0][0], "kind 4 must come"),
    "too few survivors": (2, lambda p: told(p, Kind.SURVIVORS, packed((0, 1))), "in every round; 2 do"),
    "survivors without the holder": (2, lambda p: told(p, Kind.SURVIVORS, packed((1, 2, 3))), "must be oneself"),
    "one survivor three times": (2, lambda p: told(p, Kind.SURVIVORS, packed([0, 1, 1, 1])), "once each, in order"),
    "an invented survivor": (2, lambda p: told(p, Kind.SURVIVORS, packed((0, 1, 7))), "once each, in order"),
    "a round left out": (2, lambda p: p.inbox[3][0], "kind 6 must come"),
    "too few signatures": (3, lambda p: told(p, Kind.ALL_AGREED, packed_items({i: p.answers[3][i][-SIGNATURE:] for i in (0, 1)})), "2 do"),
    "forged signatures": (3, lambda p: told(p, Kind.ALL_AGREED, packed_items(dict.fromkeys(ALL, bytes(64)))), "holder 0"),
    "of another version": (0, lambda p: p.inbox[0][0].replace(b"sum/1", b"sum/2", 1), "must start with"),
    "longer than it tells": (0, lambda p: p.inbox[0][0] + b"x", "length that it tells"),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES_TO_A_HOLDER)
def test_a_lie_to_a_holder_is_refused_and_changes_nothing(parties, lie):
    at, make, words = LIES_TO_A_HOLDER[lie]
    state = parties.holders[at][0]
    with pytest.raises(ProtocolError, match=words):
        state.receive(make(parties), bits=bits_of(0))
    assert type(state.receive(parties.inbox[at][0], bits=bits_of(0))[0]) is type(parties.holders[at + 1][0])


TWINS = {
    "keys of too few": (holder_module, "_enough", lambda *_: None),
    "keys signed by another": (wire, "is_signed", lambda *_: True),
    "not signed by the publisher": (wire, "is_signed", lambda *_: True),
    "shares of too few": (holder_module, "_enough", lambda *_: None),
    "shares sealed for another": (holder_module, "_unboxed", lambda *_: bytes(2 * SHARE)),
    "too few survivors": (holder_module, "_enough", lambda *_: None),
    "one survivor three times": (wire, "_checked", lambda places, terms: tuple(places)),
    "too few signatures": (holder_module, "_enough", lambda *_: None),
    "forged signatures": (holder_module, "is_signed", lambda *_: True),
}  # fmt: skip


@pytest.mark.parametrize("lie", sorted(TWINS))
def test_a_holder_without_the_check_would_answer(parties, lie, monkeypatch):
    """Broken twins: each lacks one check, and the lie of that name goes through."""
    at, make, _ = LIES_TO_A_HOLDER[lie]
    raw = make(parties)
    monkeypatch.setattr(*TWINS[lie])
    parties.holders[at][0].receive(raw, bits=bits_of(0))


def test_messages_in_any_other_order_are_refused(parties):
    """Each state takes the message of its round alone."""
    for at, state in enumerate(states := [parties.holders[i][0] for i in range(4)]):
        for other in set(range(4)) - {at}:
            with pytest.raises(ProtocolError, match="must come"):
                state.receive(parties.inbox[other][0], bits=bits_of(0))
    assert all(type(one) is not type(two) for one, two in pairwise(states))


def test_a_publisher_hears_the_same_answer_once_and_no_other(parties):
    for at in range(5):
        state = parties.publisher[at]
        once = state.receive(parties.answers[at][0])
        assert once.receive(parties.answers[at][0]) is once
        for other in set(range(5)) - {at}:
            with pytest.raises(ProtocolError, match="must come"):
                state.receive(parties.answers[other][0])
    again = Parties(parties.terms, rounds=0, counts=lambda i, cells: counts_of(i)).holders[0][0]
    second = signed(Kind.KEYS, parties.terms, 0, again.told[:-1] + b"x", identity(0))
    with pytest.raises(ProtocolError, match="holder 0 is not left or has answered"):
        parties.publisher[0].receive(parties.answers[0][0]).receive(second)


def test_a_holder_that_was_silent_is_not_heard_later(parties):
    state = heard(parties.publisher[1], [parties.answers[1][i] for i in (0, 1, 2)]).close()[0]
    with pytest.raises(ProtocolError, match="holder 4 is not left"):
        state.receive(parties.answers[2][4])


ANSWERS = {
    "short keys": (0, Kind.KEYS, lambda p: bytes(KEYS - 1), "two public keys"),
    "shares for some only": (1, Kind.SHARES, lambda p: packed_items({1: bytes(BOX)}), "for all other holders"),
    "a short vector": (2, Kind.MASKED, lambda p: b"", "cells of the terms"),
    "another list": (3, Kind.AGREED, lambda p: packed((0, 1, 2)), "list that it was told"),
    "shares of some only": (4, Kind.OPENED, lambda p: packed_items({0: bytes(SHARE)}), "must be opened"),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_of_another_form_is_refused(parties, name):
    at, kind, body, words = ANSWERS[name]
    with pytest.raises(ProtocolError, match=words):
        parties.publisher[at].receive(signed(kind, parties.terms, 0, body(parties), identity(0)))


@pytest.mark.parametrize("missing", [False, True])
def test_wrong_shares_are_noticed(parties, monkeypatch, missing):
    """Holder 0 opens zeros: the seed is not the committed one, the masking key not the told one."""
    left = (0, 1, 2) if missing else ALL
    state, inbox = heard(parties.publisher[2], [parties.answers[2][i] for i in left]).close()
    answered = {i: parties.holders[2][i].receive(raw, bits=bits_of(i)) for i, raw in inbox.items()}
    state, inbox = heard(state, [raw for _, raw in answered.values()]).close()
    raws = {i: answered[i][0].receive(raw, bits=bits_of(i))[1] for i, raw in inbox.items()}
    assert heard(state, raws.values()).close().holders == left
    shares = items_of(wire.opened(raws[0], Kind.OPENED, parties.terms).body, SHARE, parties.terms)
    wrong = {i: bytes(SHARE) if i == (4 if missing else 2) else share for i, share in shares.items()}
    raws[0] = signed(Kind.OPENED, parties.terms, 0, packed_items(wrong), identity(0))
    with pytest.raises(ProtocolError, match=r"must give"):
        heard(state, raws.values()).close()
    monkeypatch.setattr(publisher_module.Opening, "_check", lambda *_: None)
    monkeypatch.setattr(publisher_module, "secret_of", lambda numbers, length: bytes(numbers.astype(np.uint8))[:9] + bytes(23))  # fmt: skip
    broken = heard(state, raws.values()).close()
    assert broken.counts.tolist() != sum(counts_of(i) for i in left).tolist()


def test_nothing_secret_is_shown(parties):
    """No state of a holder shows keys, shares or counts."""
    secrets = [parties.holders[0][0].own.seed, parties.holders[0][0].own.masking, identity(0)]
    for states in parties.holders:
        text = repr(states[0])
        assert not any(repr(secret)[2:-1] in text for secret in secrets)
        assert "counts" not in text
    assert length_of(0) > SIGNATURE
