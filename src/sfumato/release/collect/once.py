"""Every report is counted once: by the names of batches, which devices draw, and by what was counted already.

A file of reports that is given twice would double its persons, and every interval would be too short.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import TYPE_CHECKING, TypeVar

from sfumato.errors import ReportError
from sfumato.frozen import dataclass
from sfumato.summary.ask import MarginalOf

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engine.base import Engine

T = TypeVar("T")

_NAMES, _LINES = "batch", "reports"


@dataclass(frozen=True, slots=True)
class Batches:
    """The batches of one file.

    Args:
        names: how often each name occurs; empty in files that were written before batches had names.
        file: digest of all names, or of all lines where there are none: the same for the same reports in any order.
    """

    names: Mapping[str, int]
    file: str


def batches_of(engine: Engine[T], table: T) -> Batches:
    """The batches in a table of reports.

    Raises:
        ReportError: a batch without a name beside others with one. Remedy: give what `randomize` wrote.
    """
    named = _NAMES in engine.header(table).names
    found = engine.summarize(table, MarginalOf(_NAMES if named else _LINES))
    many = {value: int(n) for value, n in zip(found.values, found.counts, strict=True) if value is not None}
    if named and len(many) < len(found.values):
        raise ReportError("Every batch of reports must have a name; some have none.", "give what `randomize` wrote.")
    return Batches(many if named else {}, digest_of(many))


def digest_of(batches: Mapping[str, int]) -> str:
    """The name of a file of batches: the same for the same batches in any order."""
    return hashlib.sha256(json.dumps(sorted(batches.items())).encode()).hexdigest()


def counted_once(files: Sequence[Batches]) -> list[str]:
    """The digests of the files, if no batch occurs twice, in one file or in two.

    Raises:
        ReportError: a batch that comes twice. Remedy: give each file once.

    Example:
        >>> counted_once([Batches({"a": 1}, "x"), Batches({"b": 1}, "y")])
        ['x', 'y']
    """
    total: Counter[str] = Counter()
    for one in files:
        total.update(one.names)
    again = sum(1 for n in total.values() if n > 1)
    if again:
        raise ReportError(
            "Every batch of reports must be counted once; {again} of {n_total} come more than once.",
            "give each file of reports once.",
            again=again,
            n_total=len(total),
        )
    return each_once([one.file for one in files])


def each_once(files: Sequence[str]) -> list[str]:
    """Names of files of reports, if each occurs once.

    Raises:
        ReportError: one that was counted already. Remedy: leave it out.
    """
    again = len(files) - len(set(files))
    if again:
        raise ReportError(
            "Every file of reports must be counted once; {again} of those given were counted already.",
            "leave out the counts or the reports that come a second time.",
            again=again,
        )
    return list(files)
