"""The terms of a joint publication as they are written: the plan, who takes part, and who vouches for whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Literal, TypeAlias

from sfumato.document.server import Limits
from sfumato.frozen import dataclass

HolderKind: TypeAlias = Literal["hospitals", "tokens"]
"""Who holds rows: hospitals with tables, or tokens of persons with one row each."""
Judged: TypeAlias = Literal["construction", "joined", "afterwards"]
"""When promises about sensitive values are judged."""
Published: TypeAlias = Literal["rows", "counts"]
"""What is published of sums."""


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
class DomainTable:
    """The values that a column may have, declared from knowledge and not from anybody's table.

    Args:
        column: its name.
        values: all of them.
        between: the least and the greatest of whole numbers, instead.
        missing: whether a cell may be missing.
    """

    column: str
    values: tuple[str, ...] = ()
    between: tuple[int, ...] = ()
    missing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SumsTable:
    """Classes are made from sums that hide what each hospital has.

    Args:
        threshold: least number of hospitals that must answer in every round; whoever is silent longer than `wait` is left out
            of the sum.
        colluding: most hospitals that may tell the publisher all they know.
        most_rows: most rows of a hospital.
        wait: seconds after which a round ends with those who answered, if they are enough.
        epsilon: what the publisher sees of tuples is private by so much; absent: it sees the exact sums.
        domain: values of columns whose hierarchy does not name them all.
        levels: level of a quasi-identifier below which nobody counts; absent: 0, values as they are.
        publish: `rows` in classes; or `counts`: the noisy number of rows of every declared tuple of all columns.
    """

    threshold: int
    colluding: int
    most_rows: int
    wait: float = 60.0
    epsilon: Fraction | None = None
    domain: tuple[DomainTable, ...] = ()
    levels: Mapping[str, int] = field(default_factory=dict)
    publish: Published = "rows"


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
        values: when promises about sensitive values are judged, which must be said where the plan has some: in the
            `construction`, so that classes are those of the plain plan; or on classes made for sizes alone, of which those
            that fail are `joined` with others, or left out (`afterwards`), so that less is told of values.
        sums: hospitals hide their tuples too; absent: the publisher sees those of each.
    """

    plan: str
    kind: HolderKind = "hospitals"
    holders: int
    publisher: str
    authority: str | None = None
    holder: tuple[HolderTable, ...] = ()
    partition: int = 500
    limits: Limits = field(default_factory=Limits)
    values: Judged | None = None
    sums: SumsTable | None = None
