"""What breaks a release, by doing: `sfumato.attack/1` of one release, `sfumato.versions/1` of several."""

from __future__ import annotations

from typing import ClassVar

from sfumato.attack.intersection import Left
from sfumato.attack.scoring import Excess, Judged, Score, Verdict
from sfumato.document.result.codec import Document
from sfumato.frozen import dataclass
from sfumato.types import Share


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackedTable:
    """A table that took part.

    Args:
        kind: csv, parquet, excel, arrow, pandas, polars, duckdb or sql.
        rows: rows of the table.
        sha256: SHA-256 of the bytes, in hexadecimal; null: it is no file.
    """

    kind: str
    rows: int
    sha256: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RateOfGuesses:
    """How often guesses were right.

    Args:
        successes: right guesses.
        n: guesses.
        value: share of the guesses that were right.
        low: lower end of its interval.
        high: upper end.
    """

    successes: int
    n: int
    value: Share
    low: Share
    high: Share


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedAttack:
    """One attack that was carried out, or the reason why it was not.

    Args:
        attack: its name.
        target: what was guessed: a column, or words.
        criterion: which of the three questions of WP216 it answers; null: none of them.
        judged_on: on whom it was judged; null: it was not carried out.
        main: rate on persons of the release; null: the attack could not be carried out.
        control: rate on persons who are not in it; null: there is none.
        baseline: rate of a guess that does not look at the release; null: not defined.
        scored_by: what is held against the accepted risk: the excess over the control group, or the rate itself.
        risk: that number with its interval; null: not defined.
        verdict: low if even the upper end is accepted, elevated if not even the lower.
        definition: what counts as a success, and against what it is held.
    """

    attack: str
    target: str
    criterion: str | None
    judged_on: Judged | None
    main: RateOfGuesses | None
    control: RateOfGuesses | None
    baseline: float | None
    scored_by: Score
    risk: Excess | None
    verdict: Verdict
    definition: str


@dataclass(frozen=True, slots=True)
class KnownMatch:
    """How an intruder fares who knows every original row and matches it with a released one.

    Args:
        known: the columns that were compared.
        persons: original rows.
        published: persons who are in the release; the others cannot be matched with their own row.
        expected: expected number of persons matched with their own row, ties at random.
        distance: mean distance of a matched row; null: not finite.
        nearest: whether no matching is nearer, proved.
        unmatched: original rows left without a released one.
    """

    known: tuple[str, ...]
    persons: int
    published: int
    expected: float
    distance: float | None
    nearest: bool
    unmatched: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackResult(Document):
    """Every attack on a release, each beside its control.

    Args:
        sfumato: version of the program that wrote it.
        release: the table that was attacked.
        original: the table that it was made from.
        control: persons who are not in the original; null: not given.
        quasi_identifiers: the columns that an intruder knows.
        sensitive: the columns that an intruder wants.
        guesses: most guesses of each attack.
        confidence: of the intervals.
        seed: of the targets that are drawn and of ties.
        risk_threshold: the largest accepted risk.
        attacks: every attack.
        matches: how an intruder fares who knows every original row, by the columns known.
        control_left_out: persons of the control table who are in the original.
        notes: what a reader should know beside the rates.
    """

    tag: ClassVar = ("format", "sfumato.attack/1")
    sfumato: str
    release: AttackedTable
    original: AttackedTable
    control: AttackedTable | None
    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    guesses: int
    confidence: Share
    seed: int
    risk_threshold: Share
    attacks: tuple[TriedAttack, ...]
    matches: tuple[KnownMatch, ...]
    control_left_out: int
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionOfTable(AttackedTable):
    """One of several releases.

    Args:
        suppressed_rows: rows whose quasi-identifiers are all suppressed.
        labels_not_understood: labels that could not be read against the original.
    """

    suppressed_rows: int
    labels_not_understood: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """What is left of one sensitive column.

    Args:
        column: its name.
        values: values that somebody has.
        most_frequent: share of the persons with the most frequent one.
        alone: what is left after each release alone.
        together: what is left after all.
        m: largest m of m-invariance, 0: none; null: not defined where classes overlap.
        signature_changed: share of the persons whose possible values change; null likewise.
    """

    column: str
    values: int
    most_frequent: Share
    alone: tuple[Left, ...]
    together: Left
    m: int | None
    signature_changed: Share | None


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionsResult(Document):
    """What several releases of the same people tell together.

    Args:
        sfumato: version of the program that wrote it.
        persons: people of the original.
        quasi_identifiers: the columns that an intruder knows.
        releases: the releases, in their order.
        secrets: what is left of each sensitive column.
    """

    tag: ClassVar = ("format", "sfumato.versions/1")
    sfumato: str
    persons: int
    quasi_identifiers: tuple[str, ...]
    releases: tuple[VersionOfTable, ...]
    secrets: tuple[Secret, ...]
