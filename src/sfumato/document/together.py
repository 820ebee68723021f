"""The terms of a joint publication as they are written: the plan, who takes part, and who vouches for whom."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from sfumato.document.server import Limits
from sfumato.frozen import dataclass

HolderKind: TypeAlias = Literal["hospitals", "tokens"]
"""Who holds rows: hospitals with tables, or tokens of persons with one row each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HolderTable:
    """One holder.

    Args:
        name: as its card says.
        fingerprint: of its card, in hexadecimal, confirmed by another way than the publisher.
    """

    name: str
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TogetherDocument:
    """What all parties of a joint publication agree on before it begins. Every party has the same one.

    Args:
        plan: file of the plan, beside the document.
        kind: who holds rows.
        holders: how many hospitals take part, or rows of tokens until which is collected.
        publisher: fingerprint of the card of the publisher, in hexadecimal.
        authority: public signing key of who certifies holders, in hexadecimal; absent: holders are listed.
        holder: the holders, or who carries the rows of tokens, by name and fingerprint; empty: whoever has a certificate.
        partition: rows of tokens that one of them recodes, at least.
        limits: how much the server takes.
    """

    plan: str
    kind: HolderKind = "hospitals"
    holders: int
    publisher: str
    authority: str | None = None
    holder: tuple[HolderTable, ...] = ()
    partition: int = 500
    limits: Limits = field(default_factory=Limits)
