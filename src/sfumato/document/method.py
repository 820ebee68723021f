"""[method] of a plan: the name, and the keys of each method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar, Literal, TypeAlias

from sfumato.frozen import dataclass

LossName: TypeAlias = Literal[
    "ambiguity", "class-size", "discernibility", "entropy-information-loss", "height", "kl-divergence", "loss",
    "non-uniform-entropy", "precision", "publisher-payout",
]  # fmt: skip
"""Losses that a search can minimize."""
Publish: TypeAlias = Literal["covers", "nodes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FullDomain:
    """One level for each column, the best of all, with rows suppressed.

    Args:
        suppression_limit: share of rows that may be suppressed.
        loss: what is minimized.
        loss_options: of the loss, such as `gs` and `aggregate`.
        seconds: time limit of the search.
        nodes: most nodes that the search looks at.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "full-domain")
    suppression_limit: float = 0.0
    loss: LossName = "loss"
    loss_options: Mapping[str, float | bool | str] = field(default_factory=dict)
    seconds: float | None = None
    nodes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """Levels that somebody chose.

    Args:
        levels: level of each quasi-identifier; 0: as it is.
        suppression_limit: share of rows that may be suppressed.
        loss: what is measured.
        loss_options: of the loss, such as `gs` and `aggregate`.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "fixed")
    levels: Mapping[str, int]
    suppression_limit: float = 0.0
    loss: LossName = "loss"
    loss_options: Mapping[str, float | bool | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalRecoding:
    """Each class is generalized only as far as it must be.

    Args:
        publish: what a class shows: the smallest cover of its values, or a node of the hierarchy.
        effort: "high" takes a few times longer and loses less.
        seconds: time limit of the search.
        nodes: most nodes that the search looks at.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "local-recoding")
    publish: Publish = "covers"
    effort: Literal["normal", "high"] = "normal"
    seconds: float | None = None
    nodes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mondrian:
    """The table is halved again and again.

    Args:
        split: whether rows of one value may fall on both sides of a cut ("relaxed").
        publish: what a class shows: the smallest cover of its values, or a node of the hierarchy.
        seconds: time limit of the search.
        nodes: most cuts that the search looks at.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "mondrian")
    split: Literal["strict", "relaxed"] = "strict"
    publish: Publish = "covers"
    seconds: float | None = None
    nodes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CellSuppression:
    """Single cells are suppressed, nothing is generalized.

    Args:
        seconds: time limit of the search.
        nodes: most nodes that the search looks at.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "cell-suppression")
    seconds: float | None = None
    nodes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Microaggregation:
    """Rows that are near each other get a common center.

    Args:
        centers: mean or median, by quasi-identifier; absent: the mean.
        digits: decimals of the center, by quasi-identifier.
        rows_at_once: rows that are compared with each other at most.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "microaggregation")
    centers: Mapping[str, Literal["mean", "median"]] = field(default_factory=dict)
    digits: Mapping[str, int] = field(default_factory=dict)
    rows_at_once: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unchanged:
    """Nothing is recoded."""

    tag: ClassVar[tuple[str, str]] = ("name", "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class Anatomy:
    """Two tables, so that every bucket has diverse sensitive values."""

    tag: ClassVar[tuple[str, str]] = ("name", "anatomy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucketization:
    """Two tables, with buckets of a size.

    Args:
        grouping: which rows share a bucket.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "bucketization")
    grouping: Literal["random", "similar"] = "random"


@dataclass(frozen=True, slots=True, kw_only=True)
class SafePub:
    """Differential privacy of a recoded sample.

    Args:
        levels: level of each quasi-identifier, given; nothing is then searched.
        search: how levels are searched.
        score: what the search maximizes.
        steps: of a search from the top.
        target: column that a score of classification is about.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "safepub")
    levels: Mapping[str, int] | None = None
    search: Literal["whole", "top-down"] | None = None
    score: str | None = None
    steps: int | None = None
    target: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TupleInsertion:
    """A set of tuples with differential privacy: some are left out, others inserted.

    Args:
        values: the declared values of a quasi-identifier.
        levels: level at which a declared hierarchy is published; 0: values.
        most_inserted: insertions that may be expected.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "tuple-insertion")
    values: Mapping[str, tuple[str | int | float, ...]] = field(default_factory=dict)
    levels: Mapping[str, int] = field(default_factory=dict)
    most_inserted: int | None = None


Method: TypeAlias = (
    FullDomain | LocalRecoding | Mondrian | CellSuppression | Fixed | Microaggregation | Unchanged | Anatomy
    | Bucketization | SafePub | TupleInsertion
)  # fmt: skip
"""One of the methods; `name` tells which."""
