"""A publisher that follows the rules and keeps all that it sees: what it can derive, and what it cannot."""

import json
from collections import Counter

import numpy as np
import pytest
from tests.unit.together import parties

from sfumato.errors import ReportError
from sfumato.together.keys import card_from
from sfumato.together.sealing import agreed, derived, opened
from sfumato.together.slots import classes_of, masked_pieces, places, tags_of, unmasked
from sfumato.together.wire import Kind, unpacked


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """A publication that ended well: its publisher, with all that it saw, and the holders, for the truth."""
    folder = tmp_path_factory.mktemp("curious")
    agreed_ = parties.terms(parties.plan(folder, (parties.K, parties.L)))
    publisher, holders = parties.publication(agreed_, parties.patients(folder))
    ended = parties.carried_out(publisher, holders)
    assert all(one.rows for one in ended.values())
    return publisher, holders


def bodies(publisher, *but):
    """All that the publisher saw, but messages of some kinds."""
    return b"".join(m.body for (kind, _, _), m in publisher.store.messages.items() if kind not in but)


def test_it_knows_the_tuples_of_each_holder_and_counts_by_class(seen):
    """As the guarantee says: quasi-identifiers are not hidden in this variant."""
    publisher, holders = seen
    for name, one in holders.items():
        key = agreed(publisher.identity, publisher.cards()[name], "tuples", publisher.session)
        said, arrays = unpacked(opened(key, publisher.whole(Kind.TUPLES, name), name.encode()))
        assert [tuple(column) for column in said["values"]] == [coded.values for coded in one.held.known]
        assert np.array_equal(arrays["tuples"], one.held.tuples)


def test_no_other_cell_appears_anywhere_before_the_rows_of_all_are_added(seen):
    """Notes and illnesses are in no message, neither in what the publisher can open, nor in the boxes of holders."""
    publisher, holders = seen
    raw = bodies(publisher, Kind.OPENED, Kind.SLOTS, Kind.TUPLES)
    notes = {v for one in holders.values() for v in one.held.carried[1].values if v}
    assert notes
    assert not [note for note in notes | {"rheumatism"} if note.encode() in raw.replace(b"\0", b"")]
    north = next(iter(publisher.cards().values()))
    for kind in (Kind.ECHO, Kind.COUNTS):
        for purpose in ("tuples", "share"):
            with pytest.raises(ReportError, match="its key"):
                opened(
                    agreed(publisher.identity, north, purpose, publisher.session),
                    publisher.whole(kind, north.name),
                    b"x",
                )


def test_less_than_all_slots_say_nothing_of_whose_a_row_is(seen):
    """Any rows in any slots of one holder are behind what it sent: there are pads with which it would have sent the same."""
    publisher, holders = seen
    layout = publisher.layout()
    pieces = {name: publisher.store.get(Kind.SLOTS, name, 0).body for name in holders}
    sent = {name: np.frombuffer(piece, np.uint8) for name, piece in pieces.items()}
    rows = unmasked(layout, list(pieces.values()), 0, 10**7)
    known = {one.tobytes() for one in publisher.rows()}
    assert {one.tobytes() for one in rows} == known
    for name in holders:
        two = [piece for other, piece in pieces.items() if other != name]
        assert not {one.tobytes() for one in unmasked(layout, two, 0, 10**7)} & known
        # another history: this holder sent no row at all, its neighbour sent all of them, and every message is the same

        class Pad:
            def __init__(self, raw):
                self.raw = np.concatenate((raw, np.zeros(-len(raw) % 8, np.uint8)))

            def words(self, n):
                return self.raw.view(np.uint64)[:n]

        none = np.zeros((0, layout.width), np.uint8)
        again = b"".join(masked_pieces(layout, none, np.zeros(0, np.int64), [Pad(sent[name])], 10**7))
        assert again == pieces[name]


def test_with_a_holder_it_knows_the_sender_of_every_row(seen):
    """One holder that tells its secrets gives the common key, and with it the slots of all: the guarantee says so."""
    publisher, holders = seen
    south = holders["South"]
    shares = []
    for name in sorted(publisher.cards()):
        if name == "South":
            shares.append(south._secret("share"))
            continue
        box = bytes.fromhex(unpacked(publisher.whole(Kind.CONTRIBUTION, name))[0]["shares"]["South"])
        shares.append(
            opened(agreed(south.identity, publisher.cards()[name], "share", publisher.session), box, name.encode())
        )
    group = derived(b"".join(shares), "group", publisher.said(Kind.MANIFEST))
    counted = {name: unpacked(publisher.whole(Kind.VERDICT, name))[0]["rows"] for name in publisher.cards()}
    layout = publisher.layout()
    rows = unmasked(layout, [publisher.store.get(Kind.SLOTS, name, 0).body for name in holders], 0, 10**7)
    for name, one in holders.items():
        slots = places(derived(group, "slots", publisher.said(Kind.VERDICTS)), counted, name)
        from sfumato.together.slots import tags

        mine = set(tags_of(np.pad(tags(one._secret("tags"), one.held.n_rows), ((0, 0), (4, 0)))).tolist())
        assert set(tags_of(rows[slots]).tolist()) <= mine


def test_others_learn_sums_and_counts_but_no_rows(seen):
    """A holder opens the numbers of another with the common key and finds them behind a pad that it does not have."""
    publisher, holders = seen
    total = Counter(classes_of(publisher.rows()).tolist())
    assert min(total.values()) >= 3
    cards = [card_from(json.loads(publisher.whole(Kind.ENROL, name))) for name in holders]
    assert {card.fingerprint for card in cards} == {one.identity.card.fingerprint for one in holders.values()}
