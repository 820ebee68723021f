"""Publishers and holders who break the rules: each is caught by the check that is there for it, and named; without it, not."""

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.unit.together import parties

from sfumato.errors import Caught
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.together.check import Check
from sfumato.together.checks import Watch, root_of
from sfumato.together.hospital import Hospital
from sfumato.together.publisher import Publisher
from sfumato.together.wire import Envelope, Kind, packed, unpacked

PRESS = parties.PUBLISHER.signing()
VICTIM = "East"


def said_anew(message, body, key=PRESS):
    """The message with another body, signed by the publisher."""
    return Envelope(
        message.session, message.kind, message.sender, message.number, message.pieces, message.after, body
    ).signed(key)


def on(kind, change, victims=(VICTIM,)):
    """A publisher that changes its own message of a kind for some holders, and what comes after so that it follows it."""
    other = {}

    def twist(me, message):
        if me not in victims or message.sender not in ("Press", "Press/0"):
            return message
        said, arrays = unpacked(message.body) if message.kind is kind else ({}, {})
        body = packed(*change(dict(said), dict(arrays))) if message.kind is kind else message.body
        shown = said_anew(replace(message, after=other.get(message.after, message.after)), body)
        other[message.digest] = shown.digest
        return shown

    return twist


def listing(change):
    """A publisher that changes the list of contributions, and roots it anew."""

    def changed(said, arrays):
        listed = change(said["from"])
        return said | {"from": listed, "root": root_of(listed)}, arrays

    return on(Kind.MANIFEST, changed)


def forged(me, message):
    """Says that North has more rows than it has."""
    if message.kind is not Kind.CONTRIBUTION or message.sender != "North":
        return message
    said, arrays = unpacked(message.body)
    return said_anew(message, packed(said | {"rows": 10**6}, arrays))


def forged_and_listed(me, message):
    """The same, and lists what it forged."""
    if message.kind is Kind.MANIFEST:
        said, arrays = unpacked(message.body)
        north = next(digest for name, digest in said["from"] if name == "North")
        other = [[n, "0" * 64 if d == north else d] for n, d in said["from"]]
        return said_anew(message, packed(said | {"from": other, "root": root_of(other)}, arrays))
    return forged(me, message)


def reassigned(me, message):
    """Gives tuples to other classes once the root is known."""
    if message.kind is not Kind.ASSIGNMENT:
        return message
    said, arrays = unpacked(message.body)
    box = arrays["box"].copy()
    box[-1] ^= 1
    return said_anew(message, packed(said, {"box": box}))


class Relabelling(Publisher):
    """Moves the labels of all classes by one."""

    def _made(self, kind, body, after, session=None, of=None):
        if kind is Kind.CONSTRUCTION:
            said, arrays = unpacked(body)
            body = packed(said, {"codes": np.roll(arrays["codes"], 1, axis=0)})
        return super()._made(kind, body, after, session, of)


class Weak(Publisher):
    """Makes classes of single persons."""

    def _construct(self):
        plan = self.terms.plan
        weak = replace(self.terms, plan=replace(plan, promises=(KAnonymity(2),)))
        Publisher._construct(replace(self, terms=weak))


class Careless(Publisher):
    """Takes whoever and whatever comes."""

    def receive(self, message):
        if message.kind is not Kind.ENROL or message.is_by(self._sender(message).verifying()):
            self.store.put([message])

    def _sender(self, message):
        from sfumato.together.keys import card_from

        cards = self.cards()
        return card_from(json.loads(message.body)) if message.kind is Kind.ENROL else cards[message.sender]


def rows_changed(how):
    """A publisher that shows other rows than were sent, with a digest that fits."""

    def twist(me, message):
        import hashlib

        if message.kind is Kind.OPENED:
            twist.body = how(message.body)
            twist.shown = said_anew(message, twist.body)
            return twist.shown
        if message.kind is Kind.OUTCOME:
            said, _ = unpacked(message.body)
            told = {"sha256": hashlib.sha256(twist.body).hexdigest(), "opened": twist.shown.digest}
            return said_anew(message, packed(said | told))
        return message

    return twist


def dropped(body):
    """All rows but the first, which is there twice."""
    width = len(body) // 90
    rows = np.frombuffer(body, np.uint8).reshape(-1, width)
    return rows[[1, *range(1, 90)]].tobytes()


def altered(body):
    """One bit of the last cell of each row."""
    width = len(body) // 90
    rows = np.frombuffer(body, np.uint8).reshape(-1, width).copy()
    rows[:, -1] ^= 1
    return rows.tobytes()


ATTACKS = {
    "another plan": (Check.PLAN, on(Kind.INVITATION, lambda said, arrays: (said | {"terms": "0" * 64}, arrays))),
    "forge a message": (Check.ORIGIN, forged),
    "forge and list it": (Check.ORIGIN, forged_and_listed),
    "copy a holder": (Check.ONCE, listing(lambda listed: [listed[0], listed[1], listed[1]])),
    "drop a holder": (Check.ONCE, listing(lambda listed: listed[:2])),
    "replace mine": (
        Check.MEMBERSHIP,
        listing(lambda listed: [[n, "0" * 64 if n == VICTIM else d] for n, d in listed]),
    ),
    "another root": (Check.ROOT, on(Kind.MANIFEST, lambda said, arrays: (said | {"root": "0" * 64}, arrays))),
    "two lists": (Check.ECHO, on(Kind.MANIFEST, lambda said, arrays: (said | {"more": 1}, arrays))),
    "two constructions": (Check.ECHO, on(Kind.CONSTRUCTION, lambda said, arrays: (said | {"more": 1}, arrays))),
    "reassign": (Check.ASSIGNED, reassigned),
    "drop and copy rows": (Check.RELEASED, rows_changed(dropped)),
    "alter rows": (Check.RELEASED, rows_changed(altered)),
}


def caught(tmp_path, check, *, watch=None, **how):
    """What the victim says in the end."""
    files = parties.patients(tmp_path)
    watches = {VICTIM: watch} if watch else {}
    publisher, holders = parties.publication(
        parties.terms(parties.plan(tmp_path)), files, watches=watches, **how
    )  # fmt: skip
    ended = parties.carried_out(publisher, holders)
    assert watch or not (tmp_path / "release.csv").exists()
    return ended, publisher


@pytest.mark.parametrize("name", ATTACKS)
def test_a_dishonest_publisher_is_caught_and_named(name, tmp_path):
    """Nothing is published, and whoever looks knows why; a holder without the check does not say so."""
    check, twist = ATTACKS[name]
    ended, publisher = caught(tmp_path, check, twist=twist, kind=Careless)
    found = [one for one in ended.values() if isinstance(one, Caught)]
    assert {(one.check, one.who) for one in found} >= {(check.value, "Press")}
    assert publisher.store.listed(Kind.ABANDONED) or check is Check.PLAN
    (tmp_path / "twin").mkdir()
    ended, _ = caught(tmp_path / "twin", check, twist=twist, watch=Watch().without(check), kind=Careless)
    assert getattr(ended[VICTIM], "check", "") != check.value


def test_classes_that_are_too_small_are_caught_before_any_row_is_sent(tmp_path):
    """Holders count themselves; without the check the rows would leave."""
    ended, publisher = caught(tmp_path, Check.SIZE, kind=Weak)
    assert {(one.check, one.who) for one in ended.values()} == {("size of classes", "Press")}
    assert not publisher.store.listed(Kind.SLOTS)
    (tmp_path / "twin").mkdir()
    blind = Watch().without(Check.SIZE)
    publisher, holders = parties.publication(
        parties.terms(parties.plan(tmp_path / "twin")), parties.patients(tmp_path / "twin"), kind=Weak,
        watches=dict.fromkeys(parties.NAMES, blind),
    )  # fmt: skip
    assert all(one.rows for one in parties.carried_out(publisher, holders).values())


def test_labels_that_do_not_hold_a_holders_rows_are_caught(tmp_path):
    """As when rows were given to other classes; without the check they are published under what they are not."""
    ended, publisher = caught(tmp_path, Check.LABELS, kind=Relabelling)
    assert ("labels are true", "Press") in {(one.check, one.who) for one in ended.values()}
    assert not publisher.store.listed(Kind.COUNTS)
    ended, _ = caught(tmp_path, Check.LABELS, kind=Relabelling, watch=Watch().without(Check.LABELS))
    assert getattr(ended[VICTIM], "check", "") != Check.LABELS.value


def test_an_invented_holder_is_caught_by_all_others(tmp_path):
    """Somebody with the name of a holder and keys for which nobody vouches; without the check it takes part."""
    files, agreed = parties.patients(tmp_path), parties.terms(parties.plan(tmp_path))
    impostor = parties.party("South", 77)
    for watch, expected in ((Watch(), "certified holders"), (Watch().without(Check.CARDS), "")):
        publisher, holders = parties.publication(
            agreed, files, kind=Careless, watches=dict.fromkeys(parties.NAMES, watch)
        )
        south = holders["South"]
        south.identity, south.watch = impostor, Watch().without(Check.CARDS)
        ended = parties.carried_out(publisher, holders)
        assert getattr(ended["East"], "check", "") == expected
        assert getattr(ended["East"], "who", "") == ("Press" if expected else "")


def test_a_message_of_another_publication_is_not_taken_for_one_of_this(tmp_path):
    """A construction is shown again that was made for other rows."""
    files, agreed = parties.patients(tmp_path), parties.terms(parties.plan(tmp_path))
    old, holders = parties.publication(agreed, files)
    parties.carried_out(old, holders)
    replayed = lambda me, message: (  # noqa: E731
        old.store.get(Kind.CONSTRUCTION, "Press", 0) if message.kind is Kind.CONSTRUCTION else message
    )
    fresh = parties.publication(agreed, files, twist=replayed)
    fresh[0].store.messages.clear()
    fresh[0].invite(b"other" * 6)
    found = parties.carried_out(*fresh)[VICTIM]
    assert (found.check, found.who) == ("order of phases", "Press")


def test_another_publisher_than_that_of_the_terms_is_caught_at_once(tmp_path):
    """Before anything is said."""
    files, agreed = parties.patients(tmp_path), parties.terms(parties.plan(tmp_path))
    other = replace(agreed, said=replace(agreed.said, publisher="0" * 64))
    publisher, holders = parties.publication(other, files)
    found = parties.carried_out(publisher, holders)[VICTIM]
    assert (found.check, found.who) == ("origin", "Press")
    assert not publisher.store.listed(Kind.ENROL)


class Lenient(Hospital):
    """Leaves no class out."""

    def _verdict(self, *counted):
        return np.arange(len(super()._verdict(*counted)))


def test_a_holder_that_keeps_a_class_that_breaks_a_promise_is_named(tmp_path):
    """By all others, and no row leaves."""
    files, agreed = parties.patients(tmp_path), parties.terms(parties.plan(tmp_path, (parties.K, parties.L)))
    publisher, holders = parties.publication(agreed, files)
    south = holders["South"]
    holders["South"] = Lenient(south.terms, south.identity, south.held, south.board, south.memory, south.watch)
    found = parties.carried_out(publisher, holders)
    assert (found[VICTIM].check, found[VICTIM].who) == ("same classes left out", "South")
    assert not publisher.store.listed(Kind.SLOTS)
