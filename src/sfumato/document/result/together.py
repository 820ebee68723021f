"""What is kept of a joint publication: what was promised, who learned what, what it cost each holder, who approved."""

from __future__ import annotations

from typing import ClassVar

from sfumato.document.result.codec import Document
from sfumato.frozen import dataclass
from sfumato.table.values import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class PromisedTogether:
    """A promise.

    Args:
        name: of the model.
        statement: as one sentence with its numbers.
        definition: what the model means.
        assumptions: what must be true for it to mean something.
        source: paper and section.
    """

    name: str
    statement: str
    definition: str
    assumptions: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What one kind of party learns beside the release.

    Args:
        who: the party.
        what: all that it learns.
    """

    who: str
    what: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HolderCost:
    """What taking part cost one holder, or one carrier of tokens.

    Args:
        name: as its card says.
        messages: that it sent, pieces of long ones counted one by one.
        bytes: that it sent.
        approved: digest of its signed approval; null: it gave none.
        received: bytes that it received until it approved, since it was last started, by its own word; null: it did not say.
    """

    name: str
    messages: int
    bytes: int
    approved: str | None
    received: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TogetherResult(Document):
    """A joint publication that ended well.

    Args:
        sfumato: version of the publisher's program.
        variant: "hospitals", "sums" or "tokens".
        terms: digest of the terms on which all parties agreed.
        session: digest of the invitation, which all messages hold.
        plan: as it was written.
        promise: of the plan, each kept by the release.
        secrecy: what parties may rely on without trusting the publisher.
        learns: who learns what.
        rows: that are published; where noisy counts are, the tuples that have one.
        classes: that are published; 0 for noisy counts.
        smallest: rows of the smallest class; None: there is none.
        unmet: rows whose persons ask for more than can be met, left out.
        suppressed: rows that the method left out; None: nobody knows, as noise was added.
        left_out: rows of classes that break a promise about sensitive values, left out.
        joined: classes that were joined with others because the values of one break a promise.
        holders: what it cost each.
        file: name of the release.
        sha256: of the release.
    """

    tag: ClassVar[tuple[str, str]] = ("format", "sfumato.together-result/1")
    sfumato: str
    variant: str
    terms: str
    session: str
    plan: Table
    promise: tuple[PromisedTogether, ...]
    secrecy: PromisedTogether
    learns: tuple[Learned, ...]
    rows: int
    classes: int
    smallest: int | None
    unmet: int
    suppressed: int | None
    left_out: int
    holders: tuple[HolderCost, ...]
    file: str
    sha256: str
    joined: int = 0
