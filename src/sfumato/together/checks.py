"""What a holder sees to before it lets anything go: each check has a name, and says who broke it.

Every function raises `Caught` or says nothing. A `Watch` tells which checks are made; all are, but for tests that show what
happens without one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import Caught, ReportError
from sfumato.frozen import dataclass
from sfumato.together import caught, merkle
from sfumato.together.check import Check
from sfumato.together.judging import kept_by, told_by_sizes
from sfumato.together.slots import tags_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.document.together import TogetherDocument
    from sfumato.guarantee.base import Criterion
    from sfumato.summary.classes import Classes
    from sfumato.together.keys import Card
    from sfumato.together.wire import Envelope, Kind
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class Watch:
    """Which checks are made.

    Args:
        made: their names.
    """

    made: frozenset[Check] = frozenset(Check)

    def without(self, check: Check) -> Watch:
        """All of them but one."""
        return Watch(self.made - {check})

    def fails(self, check: Check, good: object) -> bool:
        """Whether a check is made and finds something.

        Example:
            >>> Watch().fails(Check.SIZE, False), Watch().without(Check.SIZE).fails(Check.SIZE, False)
            (True, False)
        """
        return check in self.made and not good


def invited(watch: Watch, terms: TogetherDocument, digest: str, said: Mapping[str, object], card: Card) -> None:
    """The publisher is the one of the terms, and means the same plan."""
    if watch.fails(Check.ORIGIN, card.fingerprint == terms.publisher):
        raise Caught(
            "The publisher must be the one whose fingerprint the terms hold; {who!r} is another one.",
            "compare the fingerprint with the publisher, by another way.",
            who=card.name, check=Check.ORIGIN.value,
        )  # fmt: skip
    if watch.fails(Check.PLAN, said.get("terms") == digest):
        raise Caught(
            "All parties must agree on one plan; {who!r} has another one.",
            "compare plan, hierarchies and terms with the others.",
            who=card.name, check=Check.PLAN.value,
        )  # fmt: skip


def in_turn(watch: Watch, found: Envelope, asked: tuple[Kind, str, int], turn: tuple[str, str], card: Card) -> None:
    """A message is the one that was asked for, by its sender, of this session, and comes after the one before it.

    Args:
        watch: which checks are made.
        found: the message.
        asked: kind, sender and number.
        turn: the session, and the digest of what came before.
        card: whose it must be.
    """
    kind = asked[0]
    if watch.fails(Check.ORIGIN, found.is_by(card.verifying()) and (found.kind, found.sender, found.number) == asked):
        raise caught.unsigned(card.name, kind.value)
    if watch.fails(Check.ORDER, (found.session, found.after) == turn):
        raise Caught(
            "Phases must follow each other; {kind!r} of {who!r} does not follow the one before it.",
            "a message of another publication was shown again, or phases were changed.",
            who=card.name, kind=kind.value, check=Check.ORDER.value,
        )  # fmt: skip


def enrolled(watch: Watch, terms: TogetherDocument, cards: Sequence[Card], mine: Card, publisher: str) -> None:
    """Holders are those whom somebody vouches for, each once, and I am among them with my own keys."""
    known = {one.name: one.fingerprint for one in terms.holder}
    for card in cards:
        vouched = card.is_certified_by(terms.authority) if terms.authority else known.get(card.name) == card.fingerprint
        if watch.fails(Check.CARDS, vouched and (not known or known.get(card.name) == card.fingerprint)):
            raise Caught(
                "Somebody must vouch for every holder; {who!r} names {holder!r} with keys for which nobody does.",
                "the publisher invented a holder or swapped its keys; do not go on.",
                who=publisher, holder=card.name, check=Check.CARDS.value,
            )  # fmt: skip
    parts = [{getattr(card, part) for card in cards} for part in ("name", "signing", "exchange")]
    if watch.fails(Check.ONCE, all(len(part) == len(cards) for part in parts) and len(cards) == terms.holders):
        raise Caught(
            "Each of the {n} holders must take part once; {who!r} names others.", "do not go on.",
            who=publisher, n=terms.holders, check=Check.ONCE.value,
        )  # fmt: skip
    found = {card.name: card.fingerprint for card in cards}
    if watch.fails(Check.MEMBERSHIP, found.get(mine.name) == mine.fingerprint):
        raise Caught(
            "Whoever takes part must be among the holders with its own keys; {who!r} left it out or swapped its keys.",
            "do not go on.",
            who=publisher, check=Check.MEMBERSHIP.value,
        )  # fmt: skip


def root_of(listed: Sequence[Sequence[str]]) -> str:
    """Root over names and digests of messages, in hexadecimal."""
    return merkle.root([f"{name}\0{digest}".encode() for name, digest in listed]).hex()


def listed_once(
    watch: Watch,
    listed: Sequence[Sequence[str]],
    root: object,
    names: Sequence[str],
    mine: tuple[str, str],
    publisher: str,
) -> None:
    """A list of messages names each holder once, mine as I sent it, and its root is that of what it lists.

    Args:
        watch: which checks are made.
        listed: names and digests.
        root: as the publisher signed it.
        names: of all holders.
        mine: my name, and the digest of what I sent.
        publisher: its name.
    """
    if watch.fails(Check.ONCE, sorted(name for name, _ in listed) == sorted(names)):
        raise caught.not_once(publisher)
    if watch.fails(Check.MEMBERSHIP, [*mine] in [[*one] for one in listed]):
        raise caught.replaced(publisher)
    if watch.fails(Check.ROOT, root == root_of(listed)):
        raise caught.other_root(publisher)


def same_for_all(watch: Watch, seen: Mapping[str, str], mine: str, publisher: str) -> None:
    """All holders were shown what I was shown.

    Args:
        watch: which checks are made.
        seen: by each holder's name the digest that its signed message follows.
        mine: the digest that I was shown.
        publisher: its name.
    """
    if others := sorted(name for name, digest in seen.items() if watch.fails(Check.ECHO, digest == mine)):
        raise caught.two_roots(publisher, others)


def assigned(
    watch: Watch, top: bytes, leaf: bytes, place: tuple[int, int], path: Sequence[bytes], publisher: str
) -> None:
    """My assignment is the one that was fixed before.

    Args:
        watch: which checks are made.
        top: root over the assignments of all holders.
        leaf: mine.
        place: my number, and the number of holders.
        path: the proof.
        publisher: its name.
    """
    if watch.fails(Check.ASSIGNED, merkle.is_in(top, leaf, *place, path)):
        raise caught.reassigned(publisher)


def in_classes(member: IntArray, n_tuples: int, n_classes: int, publisher: str) -> None:
    """Each of my tuples is in one class that there is, or left out; with anything else nothing could be done."""
    good = member.shape == (n_tuples,) and (not n_tuples or (member.min() >= -1 and member.max() < n_classes))
    if not good:
        raise Caught(
            "Each tuple must be in one class; {who!r} assigned some to none or to several.", "do not go on.",
            who=publisher, check=Check.ASSIGNED.value,
        )  # fmt: skip


def in_cut(watch: Watch, classes: tuple[int, int], cut: tuple[int, ...], publisher: str) -> None:
    """A partition is of the classes that were fixed for it."""
    if watch.fails(Check.ASSIGNED, tuple(classes) == tuple(cut)):
        raise caught.reassigned(publisher)


def labels_true(watch: Watch, holds: bool, publisher: str) -> None:
    """What is published of my rows is true of them."""
    if watch.fails(Check.LABELS, holds):
        raise Caught(
            "The labels of a class must cover the rows in it; {who!r} moved some of mine to other classes.",
            "do not go on.",
            who=publisher, check=Check.LABELS.value,
        )  # fmt: skip


def large_enough(watch: Watch, sized: Sequence[Criterion], classes: Classes, asked: IntArray, publisher: str) -> None:
    """Every class keeps the promises about sizes, counted by the holders, and is as large as my persons ask.

    Args:
        watch: which checks are made.
        sized: promises that sizes tell.
        classes: sizes as the holders counted them together.
        asked: (n_classes,) the largest k that a person of mine asks for.
        publisher: its name.
    """
    good = bool(kept_by(told_by_sizes(sized), classes).all()) and bool((classes.persons >= asked).all())
    if watch.fails(Check.SIZE, good):
        raise Caught(
            "Each class must be as large as was promised and as persons in it ask; {who!r} made smaller ones.",
            "do not go on.",
            who=publisher, check=Check.SIZE.value,
        )  # fmt: skip


def same_left_out(watch: Watch, verdicts: Mapping[str, bytes], mine: bytes) -> None:
    """All holders leave out the same classes, and join the same ones."""
    if others := sorted(name for name, one in verdicts.items() if watch.fails(Check.AGREED, one == mine)):
        raise Caught(
            "All holders must leave out and join the same classes; {who} does otherwise.", "compare versions of this program.",
            who=", ".join(others), check=Check.AGREED.value,
        )  # fmt: skip


def released(watch: Watch, rows: np.ndarray, mine: np.ndarray, n: int, publisher: str) -> None:
    """The rows to be published are as many as there should be, and mine are among them, each once and as I sent it.

    Args:
        watch: which checks are made.
        rows: (n, width) uint8, by tag.
        mine: (m, width) uint8, as sent.
        n: how many there should be.
        publisher: its name.
    """
    if rows.ndim != 2 or rows.shape[1:] != mine.shape[1:]:
        raise ReportError("Rows must have the width that was agreed on; they have not.", "do not go on.")
    found = tags_of(rows)
    ordered = len(rows) == n and bool((found[1:] > found[:-1]).all())
    place = np.minimum(np.searchsorted(found, tags_of(mine)), max(0, len(rows) - 1))
    if watch.fails(Check.RELEASED, ordered and np.array_equal(rows[place], mine)):
        raise caught.not_as_sent(publisher)
