"""Tokens of persons: each holds one row, all share a key, and some of them recode the rows of whole classes for the others.

A batch of tokens is worked through in arrays; what is done for one row never looks at the row of another, but where a token
recodes a partition, which it reads. So one token that colludes with the publisher gives away its partition, and one whose
key is taken out gives away all: tokens must keep it.

Source: T. Allard, B. Nguyen, P. Pucheral, "METAP: revisiting Privacy-Preserving Data Publishing using secure devices",
Distributed and Parallel Databases 32 (2014).
"""

from __future__ import annotations

import hmac
import json
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import Caught, ReportError
from sfumato.frozen import dataclass
from sfumato.mechanism.secure_sum.keys import NONCE
from sfumato.noise.bits import SystemBits
from sfumato.release.binding import in_order
from sfumato.summary.classes import Classes
from sfumato.summary.histogram import Histogram
from sfumato.table.attribute import bind
from sfumato.together import caught, checks, merkle
from sfumato.together.check import Check
from sfumato.together.joining import joined
from sfumato.together.judging import kept_by
from sfumato.together.ledger import DIGEST, ID, Entries, about
from sfumato.together.sealing import derived
from sfumato.together.truth import covered
from sfumato.together.wire import packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.noise.bits import Bits
    from sfumato.together.checks import Watch
    from sfumato.together.construction import Seen
    from sfumato.together.ledger import Ledger
    from sfumato.together.table import Held
    from sfumato.together.terms import Terms
    from sfumato.types import BoolArray, IntArray

MAC = 16


def session_key(key: bytes, session: str) -> bytes:
    """The key of all tokens for one publication."""
    return derived(key, "tokens", session)


def entered(held: Held, key: bytes, session: str) -> Entries:
    """What each token hands in: one row each.

    Args:
        held: the rows.
        key: of the tokens for this publication.
        session: of the publication.
    """
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    cipher, start, n = AESGCM(key), session.encode(), held.n_rows
    ids = _drawn(n, ID)
    known = [[column.values[code] for code in column.codes.tolist()] for column in held.known]
    clear = [json.dumps(one, ensure_ascii=False).encode() for one in zip(*known, held.asked.tolist(), strict=True)]
    carried = [[column.values[code] for code in column.codes.tolist()] for column in held.carried]
    rows = zip(*carried, strict=True) if carried else (() for _ in range(n))
    plain = _same_length([json.dumps(one, ensure_ascii=False).encode() for one in rows])
    nonces = _drawn(n, NONCE)
    boxes = [
        nonce + cipher.encrypt(nonce, row, about(start, one, shown))
        for nonce, row, one, shown in zip(nonces, plain, ids, clear, strict=True)
    ]
    return Entries(ids, clear, boxes)


def echo(key: bytes, root: bytes, one: bytes) -> bytes:
    """What a token says once it has seen itself under a root, and never under another: 16 bytes."""
    return hmac.digest(key, b"echo" + root + one, "sha256")[:MAC]


def echoed(
    watch: Watch, key: bytes, ledger: Ledger, mine: Entries, session: str, publisher: str
) -> tuple[IntArray, bytes]:
    """Each token sees that its entry stands under the root once, as it sent it; where, and what they say together.

    Args:
        watch: which checks are made.
        key: of the tokens for this publication.
        ledger: as the publisher shows it.
        mine: the entries of these tokens.
        session: of the publication.
        publisher: its name.

    Returns:
        (n,) int64 places in the ledger, and (n·16) bytes.
    """
    leaves = ledger.leaves()
    root = merkle.root(leaves)
    place = {one: i for i, one in enumerate(ledger.ids)}
    paths, n = merkle.proofs(leaves), len(leaves)
    out = np.empty(len(mine.ids), np.int64)
    for i, (one, digest) in enumerate(zip(mine.ids, mine.digests(session), strict=True)):
        at = place.get(one, -1)
        leaf = leaves[at] if at >= 0 else b""
        good = at >= 0 and leaf[: ID + DIGEST] == one + digest and merkle.is_in(root, leaf, at, n, paths[at])
        if watch.fails(Check.MEMBERSHIP, good):
            raise caught.replaced(publisher)
        out[i] = at
    return out, b"".join(echo(key, root, one) for one in mine.ids)


def added(macs: bytes) -> bytes:
    """What many tokens say, as one number of 16 bytes: exclusive or.

    Source: J. Katz, A. Y. Lindell, "Aggregate message authentication codes", CT-RSA 2008.
    """
    return bytes(np.bitwise_xor.reduce(np.frombuffer(macs, np.uint8).reshape(-1, MAC), axis=0).tolist())


def check_ledger(
    watch: Watch, key: bytes, ledger: Ledger, root: bytes, said: tuple[BoolArray, bytes], publisher: str
) -> None:
    """A token that is to open rows: numbers stand once, the root is theirs, and all tokens in it saw that one.

    Each token says so of one root only, so no other root holds any of them.

    Args:
        watch: which checks are made.
        key: of the tokens for this publication.
        ledger: as the publisher shows it.
        root: as the publisher signed it.
        said: (n,) bool who said it, and what they said together.
        publisher: its name.
    """
    if watch.fails(Check.ONCE, all(a < b for a, b in zip(ledger.ids, ledger.ids[1:], strict=False))):
        raise caught.not_once(publisher)
    if watch.fails(Check.ROOT, merkle.root(ledger.leaves()) == root):
        raise caught.other_root(publisher)
    seen, together = said
    macs = b"".join(echo(key, root, ledger.ids[i]) for i in np.flatnonzero(seen).tolist())
    good = len(seen) == len(ledger.ids) and bool(seen.all()) and added(macs) == together
    if watch.fails(Check.ECHO, good):
        raise Caught(
            "All tokens must have seen one root; {who!r} shows one that some did not see.", "do not go on.",
            who=publisher, check=Check.ECHO.value,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Recoded:
    """The rows of a partition without their senders, in an order of chance.

    Args:
        member: (n,) int64 class of each.
        cells: for each carried column its texts, sorted, and (n,) int64 the place of each row's.
        left_out: rows of classes that break a promise about sensitive values.
        into: (n,) int64 of each class of the partition under which one it is published; -1: it is left out.
    """

    member: IntArray
    cells: list[tuple[list[str | None], IntArray]]
    left_out: int
    into: IntArray

    def to_bytes(self) -> bytes:
        """As it is sent."""
        said = {"texts": [texts for texts, _ in self.cells], "left_out": self.left_out}
        codes = {f"codes{j}": codes.astype(np.int32) for j, (_, codes) in enumerate(self.cells)}
        return packed(said, {"member": self.member, "into": self.into, **codes})


def recoded_from(body: bytes) -> Recoded:
    """The rows that were sent.

    Raises:
        ReportError: it is no such message.
    """
    said, arrays = unpacked(body)
    cells = [(list(texts), arrays[f"codes{j}"].astype(np.int64)) for j, texts in enumerate(said["texts"])]
    return Recoded(arrays["member"].astype(np.int64), cells, int(said["left_out"]), arrays["into"].astype(np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Partition:
    """What one token is handed: all rows of some classes, one after the other.

    Args:
        classes: first of them, and the one after the last.
        places: (n,) int64 places of the rows in the ledger.
        entries: the rows.
        labels: for each quasi-identifier the text of each class of the whole publication.
    """

    classes: tuple[int, int]
    places: IntArray
    entries: Entries
    labels: Sequence[Sequence[str | None]]


def sanitized(
    terms: Terms, watch: Watch, ledger: Ledger, part: Partition, told: tuple[bytes, str, str], bits: Bits
) -> Recoded:
    """What a token does with a partition: check everything, open the rows, judge the classes, give them back mixed.

    Args:
        terms: what is agreed on.
        watch: which checks are made.
        ledger: checked by `check_ledger`.
        part: the partition.
        told: the key of the tokens for this publication, its session, and the publisher's name.
        bits: secure chance, for the order.

    Raises:
        Caught: the partition is not that of the ledger, or a class of it breaks a promise about sizes.
    """
    key, session, publisher = told
    low, high = part.classes
    expected = np.flatnonzero((ledger.member >= low) & (ledger.member < high))
    if watch.fails(Check.ASSIGNED, np.array_equal(np.sort(part.places), expected)):
        raise caught.reassigned(publisher)
    fixed = [ledger.ids[i] + ledger.digests[i] for i in part.places.tolist()]
    given = [one + digest for one, digest in zip(part.entries.ids, part.entries.digests(session), strict=True)]
    if watch.fails(Check.MEMBERSHIP, fixed == given):
        raise caught.replaced(publisher)
    rows = _opened(watch, key, session, part.entries, publisher)
    member = ledger.member[part.places] - low
    _check_labels(terms, watch, part, member, publisher)
    cells = [_coded(column) for column in zip(*rows, strict=True)]
    into = _judged(terms, watch, part, member, cells, publisher)
    member = into[member]
    kept = np.flatnonzero(member >= 0)
    order = kept[np.argsort(bits.words(len(kept)), kind="stable")]
    mixed = [_coded([texts[code] for code in codes[order].tolist()]) for texts, codes in cells]
    return Recoded(member[order] + low, mixed, len(member) - len(kept), np.where(into >= 0, into + low, -1))


def receipt(key: bytes, root: bytes, number: int, body: bytes) -> bytes:
    """What a token signs its work with: other tokens see by it that one of them did it."""
    return hmac.digest(key, b"receipt" + root + number.to_bytes(8, "big") + body, "sha256")


def _opened(watch: Watch, key: bytes, session: str, entries: Entries, publisher: str) -> list[list[str | None]]:
    """The other cells of each row, which a token of this key put there for this publication and these quasi-identifiers."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    cipher, start, out = AESGCM(key), session.encode(), []
    for one, clear, box in zip(entries.ids, entries.clear, entries.boxes, strict=True):
        try:
            out.append(json.loads(cipher.decrypt(box[:NONCE], box[NONCE:], about(start, one, clear))))
        except (InvalidTag, ValueError):
            if watch.fails(Check.ORIGIN, False):
                raise Caught("Each row must be made by a token; {who!r} invented one, or took one that is none.",
                             "do not go on.", who=publisher, check=Check.ORIGIN.value) from None  # fmt: skip
    return out


def _check_labels(terms: Terms, watch: Watch, part: Partition, member: IntArray, publisher: str) -> None:
    """What is published of each row is true of it."""
    shown = [json.loads(one) for one in part.entries.clear]
    low, high = part.classes
    good = True
    for j, column in enumerate(terms.plan.schema.quasi_identifiers):
        values, codes = _coded([one[j] for one in shown])
        labels, of = _coded(part.labels[j][low:high])
        good = good and bool(covered(column, values, labels, (codes, of[member])).all())
    checks.labels_true(watch, good, publisher)


def _judged(
    terms: Terms,
    watch: Watch,
    part: Partition,
    member: IntArray,
    cells: list[tuple[list[str | None], IntArray]],
    publisher: str,
) -> IntArray:
    """(n_classes,) int64: under which class of the partition each is published, -1: it breaks a promise about sensitive
    values; all are as large as was promised.
    """
    n = part.classes[1] - part.classes[0]
    rows = np.bincount(member, minlength=n)
    asked = np.zeros(n, np.int64)
    np.maximum.at(asked, member, np.array([json.loads(one)[-1] for one in part.entries.clear], np.int64))
    names = [column.name for column in terms.carried]
    histograms = []
    for name in terms.counted:
        texts, codes = cells[names.index(name)]
        attribute = bind(terms.plan.schema[name], in_order(tuple(texts)))
        leaf = np.array([attribute.hierarchy.labels[0].index(text) for text in texts], np.int64)[codes]
        key, count = np.unique(member * attribute.hierarchy.n_leaves + leaf, return_counts=True)
        total = np.bincount(leaf, minlength=attribute.hierarchy.n_leaves)
        histograms.append(Histogram(attribute, key // len(total), key % len(total), count.astype(np.int64), total))
    classes = Classes(np.arange(n)[:, None], rows=rows, alone=rows, personal_k=asked, histograms=tuple(histograms))
    checks.large_enough(watch, terms.sized, classes.select(rows > 0), asked[rows > 0], publisher)
    if terms.joins:
        return joined(classes, lambda found: kept_by(terms.judged, found))
    return np.where(kept_by(terms.judged, classes) | (rows == 0), np.arange(n), -1)


def seen_from(entries: Entries, columns: int) -> Seen:
    """What the publisher may see of entries.

    Raises:
        ReportError: it is not of this form.
    """
    from sfumato.together.construction import Seen

    try:
        shown = [json.loads(one) for one in entries.clear]
        parts = [_coded([one[j] for one in shown]) for j in range(columns)]
        asked = [one[columns] for one in shown]
        good = all(len(one) == columns + 1 for one in shown) and all(type(k) is int and 0 <= k < 2**31 for k in asked)
        good = good and all(v is None or isinstance(v, str) for values, _ in parts for v in values)
    except (ValueError, TypeError, KeyError, IndexError):
        good = False
    if not good:
        raise ReportError(
            "Tuples must be places in lists of texts, each with its number; some are not.", "send others."
        )
    tuples = np.stack([*(codes for _, codes in parts), np.array(asked, np.int64)], axis=1)
    return Seen(tuple(tuple(values) for values, _ in parts), tuples, np.ones(len(shown), np.int64))


def _coded(values: Sequence[str | None]) -> tuple[list[str | None], IntArray]:
    """Distinct texts in order, and the place of each."""
    distinct = in_order(tuple(set(values)))
    place = {value: i for i, value in enumerate(distinct)}
    return distinct, np.fromiter(map(place.__getitem__, values), np.int64, len(values))


def _drawn(n: int, width: int) -> list[bytes]:
    raw = SystemBits().words(-(-n * width // 8)).tobytes()
    return [raw[width * i : width * i + width] for i in range(n)]


def _same_length(rows: list[bytes]) -> list[bytes]:
    """Blanks behind rows, so that a box does not tell by its length what it holds: to the next multiple of 64 bytes."""
    return [row + b" " * (-len(row) % 64) for row in rows]
