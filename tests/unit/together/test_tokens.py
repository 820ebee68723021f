"""Tokens of one row each: the release is that of the plain plan, each check catches what it is there for."""

import csv
from collections import Counter
from dataclasses import replace
from threading import Thread

import numpy as np
import pytest
from tests.unit.together import parties
from tests.unit.together import test_crash as crash
from tests.unit.together import test_dishonest as dishonest

from sfumato.errors import Caught, ParameterError
from sfumato.front.run import run
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.noise.bits import SystemBits
from sfumato.table.source import FileSink, FileSource
from sfumato.together import token_publisher
from sfumato.together.carrier import Carrier
from sfumato.together.check import Check
from sfumato.together.checks import Watch
from sfumato.together.ledger import Entries, Ledger, entries_from, ledger_from, to_body
from sfumato.together.releasing import write_release
from sfumato.together.table import read_held
from sfumato.together.terms import digest_of
from sfumato.together.token_publisher import TokenPublisher, split
from sfumato.together.tokens import check_ledger, session_key
from sfumato.together.wire import Kind, packed, unpacked

SHARED = bytes(range(32))


def publication(folder, *, promises=(parties.K,), twist=None, watch=None, kind=TokenPublisher, columns=None, n=90):
    """A publisher and three carriers of thirty tokens each, not begun."""
    plan = parties.plan(folder, promises, **(columns or {}))
    files = parties.patients(folder, asked=(lambda i: 9 if i == 5 else 0) if columns else None)
    agreed = parties.terms(plan)
    said = replace(agreed.said, kind="tokens", holders=n, partition=20)
    agreed = replace(agreed, said=said, digest=digest_of(said, plan))
    publisher = kind(
        agreed, parties.PUBLISHER, parties.Shelf(), parties.TOOLS,
        lambda one, rows: write_release(one, rows, parties.ENGINE),
    )  # fmt: skip
    publisher.invite(b"nonce" * 6)
    carriers = {
        name: Carrier(
            agreed, parties.HOLDERS[name], read_held(FileSource(file), agreed, parties.ENGINE, SystemBits()),
            parties.Board(publisher, name, twist), parties.Memory(), watch or Watch(), SHARED, SystemBits(),
        )
        for name, file in files.items()
    }  # fmt: skip
    return publisher, carriers


def rows_of(path):
    """Rows of a file, in no order."""
    with path.open(encoding="utf-8", newline="") as file:
        return Counter(tuple(sorted(row.items())) for row in csv.DictReader(file))


def test_the_release_is_that_of_the_plain_plan_on_all_rows(tmp_path):
    """Row by row; each partition was read by one token, and the publisher saw no note before they were mixed."""
    publisher, carriers = publication(tmp_path)
    ended = parties.carried_out(publisher, carriers)
    assert [one.rows for one in ended.values()] == [90, 90, 90]
    plan = publisher.terms.plan
    place = replace(plan.output, sink=FileSink(tmp_path / "plain.csv"))
    run(replace(plan, source=FileSource(tmp_path / "all.csv"), output=place))
    assert rows_of(tmp_path / "release.csv") == rows_of(tmp_path / "plain.csv")
    before = b"".join(m.body for (kind, _, _), m in publisher.store.messages.items() if kind is not Kind.SANITIZED)
    assert b"note-" not in before
    assert b"note-" in b"".join(
        m.body for (kind, _, _), m in publisher.store.messages.items() if kind is Kind.SANITIZED
    )


def test_own_k_and_values_are_judged_inside_tokens(tmp_path):
    """Who asks for nine stands among nine; classes of one illness are left out."""
    columns = {"asked": {"role": "identifying"}}
    publisher, carriers = publication(
        tmp_path, promises=(parties.K, parties.L, {"model": "personal-k", "column": "asked"}), columns=columns
    )
    ended = parties.carried_out(publisher, carriers)
    kept = sum(one.rows for one in ended.values()) // 3
    assert kept == 90 - sum(one.left_out for one in publisher.recoded()) < 90
    released = rows_of(tmp_path / "release.csv")
    of = {dict(row)["note"]: (dict(row)["age"], dict(row)["zip"]) for row in released}
    sizes, values = Counter(), {}
    for row, n in released.items():
        at = dict(row)["age"], dict(row)["zip"]
        sizes[at] += n
        values.setdefault(at, set()).add(dict(row)["illness"])
    assert sizes[of["note-00005"]] >= 9
    assert min(map(len, values.values())) >= 2


def on_partition(change):
    """A publisher that changes the rows that it hands to tokens."""

    def twist(me, message):
        if message.kind is not Kind.PARTITION:
            return message
        head, rest = split(message.body)
        said, arrays = unpacked(head)
        places, entries = change(arrays["places"], entries_from(rest))
        head = packed(said, {"places": places})
        return dishonest.said_anew(message, len(head).to_bytes(8, "big") + head + to_body(entries))

    return twist


def picked(entries, order):
    """Some of the entries."""
    return Entries(*([column[i] for i in order] for column in (entries.ids, entries.clear, entries.boxes)))


def forged(places, entries):
    """One row in the place of another, in the words of a publisher that has no key."""
    box = bytes([entries.boxes[0][0] ^ 1]) + entries.boxes[0][1:]
    return places, Entries(entries.ids, entries.clear, [box, *entries.boxes[1:]])


class Inventing(TokenPublisher):
    """Makes up a row of its own, and fixes it in the ledger as if it had come."""

    def entries(self, carriers):
        found = super().entries(carriers)
        box = bytes([found.boxes[0][0] ^ 1]) + found.boxes[0][1:]
        new = b"\xff" * 16
        return Entries([*found.ids, new], [*found.clear, found.clear[0]], [*found.boxes, box])


class Copying(TokenPublisher):
    """Counts one row twice: in its class, and once more at the end."""

    def entries(self, carriers):
        found = super().entries(carriers)
        return picked(found, [*range(90), 89])


class Dropping(TokenPublisher):
    """Forgets a row."""

    def entries(self, carriers):
        return picked(super().entries(carriers), [*range(1, 90)])


class Small(TokenPublisher):
    """Makes classes of two persons."""

    def _collect(self):
        weak = replace(self.terms, plan=replace(self.terms.plan, promises=(KAnonymity(2),)))
        other = TokenPublisher(weak, self.identity, self.store, self.tools, self.write)
        return other._collect()


class Lax(TokenPublisher):
    """Takes whatever comes."""

    def receive(self, message):
        self.store.put([message])


ATTACKS = {
    "drop a row of a partition": (Check.ASSIGNED, TokenPublisher, on_partition(lambda p, e: (p[1:], picked(e, range(1, len(p)))))),
    "copy a row of a partition": (Check.ASSIGNED, TokenPublisher, on_partition(lambda p, e: (np.append(p, p[0]), picked(e, [*range(len(p)), 0])))),
    "change a row": (Check.MEMBERSHIP, TokenPublisher, on_partition(forged)),
    "swap two rows": (Check.MEMBERSHIP, TokenPublisher, on_partition(lambda p, e: (p, picked(e, [1, 0, *range(2, len(p))])))),
    "invent a row": (Check.ECHO, Inventing, None),
    "count a row twice": (Check.ONCE, Copying, None),
    "labels of others": (Check.LABELS, type("Moved", (dishonest.Relabelling, TokenPublisher), {}), None),
    "small classes": (Check.SIZE, Small, None),
    "another root": (Check.ROOT, Lax, dishonest.on(Kind.CONSTRUCTION, lambda s, a: (s | {"root": "0" * 64}, a))),
}  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
def test_a_dishonest_publisher_is_caught_before_a_token_opens_a_row(name, tmp_path):
    """And named; nothing is published. Without the check nobody says so."""
    check, kind, twist = ATTACKS[name]
    publisher, carriers = publication(tmp_path, twist=twist, kind=kind)
    found = [one for one in parties.carried_out(publisher, carriers).values() if isinstance(one, Caught)]
    assert (check.value, "Press") in {(one.check, one.who) for one in found}
    assert not (tmp_path / "release.csv").exists()
    publisher, carriers = publication(tmp_path, twist=twist, kind=kind, watch=Watch().without(check))
    found = parties.carried_out(publisher, carriers).values()
    assert check.value not in {getattr(one, "check", "") for one in found}


def test_a_row_that_no_token_made_is_not_opened_even_where_a_root_is_believed(tmp_path):
    """The box itself says so: a publisher has no key for it, nor other quasi-identifiers for one that was made."""
    seen = []
    for left_out in ({Check.ECHO}, {Check.ECHO, Check.ORIGIN}):
        publisher, carriers = publication(tmp_path, kind=Inventing, watch=Watch(Watch().made - left_out))
        seen.append({getattr(one, "check", "") for one in parties.carried_out(publisher, carriers).values()})
    assert "origin" in seen[0]
    assert "origin" not in seen[1]


def test_a_token_that_finds_itself_left_out_says_so(tmp_path):
    """A row that was taken must be in the ledger."""
    publisher, carriers = publication(tmp_path, kind=Dropping)
    object.__setattr__(publisher, "terms", replace(publisher.terms, said=replace(publisher.terms.said, holders=89)))
    found = [one for one in parties.carried_out(publisher, carriers).values() if isinstance(one, Caught)]
    assert {(one.check, one.who) for one in found} == {("membership", "Press")}


def test_no_second_root_has_the_words_of_a_token_that_saw_the_first():
    """Each says so of one root only; sums that a publisher makes up without the key are no one's."""
    key, ids = session_key(SHARED, "s"), [bytes([i]) * 16 for i in range(5)]
    from sfumato.together import merkle
    from sfumato.together.tokens import added, echo

    ledger = Ledger(ids, [bytes(32)] * 5, np.zeros(5, np.int64))
    root = merkle.root(ledger.leaves())
    for n, fine in ((4, False), (5, True)):
        seen = np.arange(5) < n
        said = (seen, added(b"".join(echo(key, root, one) for one in ids[:n])))
        if fine:
            check_ledger(Watch(), key, ledger, root, said, "Press")
        else:
            with pytest.raises(Caught, match="All tokens must have seen"):
                check_ledger(Watch(), key, ledger, root, said, "Press")
    with pytest.raises(Caught, match="All tokens must have seen"):
        check_ledger(Watch(), key, ledger, root, (np.ones(5, np.bool_), bytes(16)), "Press")
    assert ledger_from(ledger.to_bytes()).leaves() == ledger.leaves()


def test_a_token_that_colludes_gives_away_its_partition(tmp_path, monkeypatch):
    """With what one token opens the publisher knows the rows of its classes, with their senders; of no other class."""
    opened = {}
    from sfumato.together import tokens

    publisher, carriers = publication(tmp_path)
    honest = tokens._opened

    def telling(watch, key, session, entries, name):
        rows = honest(watch, key, session, entries, name)
        if not opened:
            opened.update(zip(entries.ids, rows, strict=True))
        return rows

    monkeypatch.setattr(tokens, "_opened", telling)
    parties.carried_out(publisher, carriers)
    ledger = publisher.ledger()
    cuts = unpacked(publisher.whole(Kind.ECHOES, "Press"))[0]["cuts"]
    sizes = [int(((ledger.member >= low) & (ledger.member < high)).sum()) for low, high in cuts]
    assert len(opened) in sizes
    assert len(opened) < 90


@pytest.mark.parametrize("at", range(1, 6))
def test_a_carrier_that_is_killed_at_any_message_goes_on_in_the_same_words(at, tmp_path):
    """Its boxes, what its tokens said of the root and what they recoded are those that it kept."""
    publisher, carriers = publication(tmp_path)
    east = carriers["East"]
    east.board = crash.Fragile(publisher, "East", at, at % 2)
    assert isinstance(parties.carried_out(publisher, carriers)["East"], crash.Killed)
    assert at == 5 or not (tmp_path / "release.csv").exists()
    again = {
        name: Carrier(
            one.terms, one.identity, one.held, parties.Board(publisher, name), one.memory, Watch(), SHARED, SystemBits()
        )
        for name, one in carriers.items()
    }
    assert [one.rows for one in parties.carried_out(publisher, again).values()] == [90, 90, 90]
    assert sum(rows_of(tmp_path / "release.csv").values()) == 90


def test_rows_that_come_while_the_ledger_is_made_are_refused_and_not_forgotten(tmp_path, monkeypatch):
    """Rows that were taken and stand in no ledger would make their tokens accuse the publisher."""
    publisher, carriers = publication(tmp_path, n=60)
    steps = {name: one.steps() for name, one in carriers.items()}
    refused, made = [], token_publisher.construct

    def comes():
        try:
            next(steps["South"])
        except ParameterError as error:
            refused.append(error)

    def construct(*parts):
        thread.start()
        thread.join(0.5)  # with nothing to hold it, its rows are there by then
        return made(*parts)

    thread = Thread(target=comes)
    monkeypatch.setattr(token_publisher, "construct", construct)
    for name in ("East", "North"):
        next(steps[name])
    assert publisher.advance()
    thread.join()
    assert [error.problem for error in refused] == ["Rows must come before there are enough; there are."]
    assert publisher.carriers() == ["East", "North"]
    assert [name for name, *_ in publisher.store.listed(Kind.ENTRIES)] == ["East", "North"]
