"""[columns.NAME.perturb] of a plan: the method, and the keys of each method."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from sfumato.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Pram:
    """Each cell keeps its value with a probability, else it becomes another.

    Args:
        keep: probability that a cell keeps its value, before the matrix is made invariant.
        values: the declared categories.
        invariant: weight of the invariant matrix; absent: plain PRAM.
        strata: column within whose values the matrix is made; absent: one matrix.
        strata_values: those values.
    """

    tag: ClassVar[tuple[str, str]] = ("method", "pram")
    keep: float
    values: tuple[str, ...] = ()
    invariant: float | None = None
    strata: str | None = None
    strata_values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """Noise is added to numbers.

    Args:
        law: of the noise.
        deviation: its standard deviation, in units of the column; or `relative`.
        relative: its standard deviation, as a share of the declared range.
        clamp: whether numbers stay in the declared range.
        step: in which steps numbers are published; absent: 1 for whole numbers and days.
    """

    tag: ClassVar[tuple[str, str]] = ("method", "noise")
    law: Literal["gaussian", "laplace"]
    deviation: float | None = None
    relative: float | None = None
    clamp: bool = False
    step: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankSwapping:
    """Values that are near in rank are exchanged.

    Args:
        share: how far apart in rank, as a share of the rows.
    """

    tag: ClassVar[tuple[str, str]] = ("method", "rank-swapping")
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class IndividualRanking:
    """Cells that are near in rank get their mean.

    Args:
        k: cells in a group at least.
        digits: decimals of the means.
        epsilon: makes the means differentially private.
        rows: what of the order of rows is published, where `epsilon` is given.
    """

    tag: ClassVar[tuple[str, str]] = ("method", "individual-ranking")
    k: int
    digits: int | None = None
    epsilon: float | None = None
    rows: Literal["shuffled", "ranked"] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSwapping:
    """Regions are exchanged between rows that look alike.

    Args:
        at_risk: rows of a key in a region below which they are at risk.
        match: columns in which both rows agree.
        key: columns by which a row is found.
        share: of rows that are swapped beside those at risk.
    """

    tag: ClassVar[tuple[str, str]] = ("method", "record-swapping")
    at_risk: int
    match: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    share: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPlace:
    """Where a key is, never the key itself.

    Args:
        env: name of an environment variable; or `file`.
        file: a file.
    """

    env: str | None = None
    file: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PseudonymOptions:
    """Names become pseudonyms that a key gives.

    Args:
        key: where the key is.
        domain: columns of one domain get the same pseudonyms; absent: the name of the column.
        fold_case: whether case does not matter.
        characters: length of a pseudonym.
        table: file of an encrypted table of correspondence; absent: none is kept.
        date: column with whose period pseudonyms change.
        period: how long they stay the same.
        form: what a pseudonym looks like.
        edition: changes all pseudonyms.
        alphabet: of a pseudonym that keeps the form (`ff1`).
        keep: signs that stay as they are.
    """

    key: KeyPlace = KeyPlace()
    domain: str | None = None
    fold_case: bool = False
    characters: int | None = None
    table: str | None = None
    date: str | None = None
    period: Literal["week", "month", "year"] | None = None
    form: Literal["token", "ff1"] = "token"
    edition: str = ""
    alphabet: str = "digits"
    keep: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pseudonym(PseudonymOptions):
    """Names become pseudonyms that a key gives."""

    tag: ClassVar[tuple[str, str]] = ("method", "pseudonym")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hash:
    """SHA-256 without a key, for names that nobody can try out.

    Args:
        bits: of chance in a name, at least 100.
        fold_case: whether case does not matter.
    """

    tag: ClassVar[tuple[str, str]] = ("method", "hash")
    bits: float
    fold_case: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """Each cell is randomized by a mechanism of local privacy, as a person's own device would.

    Args:
        mechanism: `laplace`, `staircase`, `naive staircase`, `piecewise`, `duchi`, `hybrid` or `square wave` of
            numbers between the declared `bounds`; `grr` of categories.
        epsilon: of one cell.
        values: the declared categories (`grr`).
        steps: of the grid between the bounds; absent: 256, and whole numbers stand on themselves.
        outside: what happens to a number outside the bounds.
    """

    tag: ClassVar[tuple[str, str]] = ("method", "local")
    mechanism: str
    epsilon: float
    values: tuple[str, ...] = ()
    steps: int | None = None
    outside: Literal["refuse", "clamp"] = "refuse"


Perturb: TypeAlias = Pram | Noise | RankSwapping | RecordSwapping | IndividualRanking | Pseudonym | Hash | Local
"""One of the methods; `method` tells which."""
