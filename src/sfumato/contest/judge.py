"""The judge: one and the same at home and on the server, without chance where it scores."""

from __future__ import annotations

import hashlib
import tempfile
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from sfumato.contest.game import Case
from sfumato.contest.unpack import digest_of, unpacked
from sfumato.contest.writing import written_lines
from sfumato.document.result.contest import FaultTold, FoundResult, SubmissionResult
from sfumato.engine.duckdb.lines import read_lines
from sfumato.errors import SourceError
from sfumato.frozen import dataclass
from sfumato.noise.bits import KeyedBits
from sfumato.table.lines import LineFault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sfumato.contest.game import Game, Rules
    from sfumato.contest.key import Key
    from sfumato.document.contest import ContestLimits, Together
    from sfumato.noise.bits import Bits
    from sfumato.table.lines import Lines, LineShape

CONTEXT = b"sfumato.contest"


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """Everything that judging needs.

    Args:
        name: of the contest.
        game: its kind.
        rules: what teams may change.
        original: the secret table.
        reference: what attackers have.
        weights: of metrics by name.
        worth: how they become one number.
        attacks: names of attacks that are tried on each submission.
        limits: what a submission may cost.
    """

    name: str
    game: Game
    rules: Rules
    original: Lines
    reference: Lines
    weights: Mapping[str, float]
    worth: Together
    attacks: tuple[str, ...]
    limits: ContestLimits

    def check(self, path: Path) -> SubmissionResult:
        """What is wrong with a submission.

        Raises:
            SourceError: a file that cannot be unpacked or read at all.
        """
        with self._ruled(path) as (plain, _case, faults):
            return self._told(plain, faults)

    def score(self, path: Path) -> SubmissionResult:
        """What a submission is worth, and what the attacks that come with the contest find in it.

        Raises:
            SourceError: a file that cannot be unpacked or read at all.
        """
        with self._ruled(path) as (plain, case, faults):
            return self._told(plain, faults) if case is None else self._scored(plain, case)

    def publish(self, path: Path, bits: Bits) -> tuple[bytes, Key]:
        """What attackers see of a submission, and the key that the judge keeps.

        Raises:
            SourceError: a submission that is refused.
        """
        with self._ruled(path) as (plain, case, _faults):
            if case is None:
                raise SourceError("Only a submission that is accepted can be published.", "check it first.")
            return self.game.publish(case, plain.read_bytes(), bits)

    def accept(self, path: Path, bits: Bits) -> tuple[SubmissionResult, tuple[bytes, Key] | None]:
        """Both `score` and `publish` of one reading; None: it was refused.

        Raises:
            SourceError: a file that cannot be unpacked or read at all.
        """
        with self._ruled(path) as (plain, case, faults):
            if case is None:
                return self._told(plain, faults), None
            return self._scored(plain, case), self.game.publish(case, plain.read_bytes(), bits)

    def attack(self, submission: Path, key: Key, attack: Path) -> FoundResult:
        """What an attack file finds.

        Args:
            submission: that is attacked, as its team handed it in.
            key: to what was published of it.
            attack: file of guesses.

        Raises:
            SourceError: a file that cannot be unpacked or read at all.
        """
        with tempfile.TemporaryDirectory() as folder, self._opened(submission) as (_plain, case, _faults):
            if case is None:
                raise SourceError("The submission that is attacked cannot be read.", "publish it again.")
            guesses = unpacked(attack, Path(folder) / "guesses", self.limits.bytes).read_bytes()
            found, faults = self.game.found(case, key, guesses)
            digest = hashlib.sha256(guesses).hexdigest()
            return FoundResult(
                contest=self.name, attack_sha256=digest, faults=_plain_faults(faults), found=None if faults else found
            )

    def guess(self, name: str, published: Path) -> bytes:
        """An attack file that an attack of the contest makes from what was published.

        Raises:
            SourceError: there is no such attack, or the table is not written as it must be.
        """
        if name not in self.game.attacks:
            raise SourceError(
                "An attack must be one of {names}; got {name!r}.",
                "name one.",
                names=", ".join(self.game.attacks),
                name=name,
            )
        with tempfile.TemporaryDirectory() as folder:
            plain = unpacked(published, Path(folder) / "published", self.limits.bytes)
            return self.game.attacks[name].guess(self.reference, _read(plain, self.game.published), self.rules)

    def defend(self, name: str, bits: Bits) -> bytes:
        """A submission that a defence of the contest makes.

        Raises:
            SourceError: there is no such defence.
        """
        if name not in self.game.defences:
            raise SourceError(
                "A defence must be one of {names}; got {name!r}.",
                "name one.",
                names=", ".join(self.game.defences),
                name=name,
            )
        return written_lines(self.game.defences[name].protect(self.original, self.rules, bits), self.game.submitted)

    def _scored(self, plain: Path, case: Case) -> SubmissionResult:
        """What an accepted submission is worth, and what attacks find in it.

        Where the judge draws pseudonyms, they are drawn from the file itself, so that the score is the same everywhere.
        """
        metrics = {name: self.game.metrics[name].value(case) for name in self.weights}
        bits = KeyedBits(hashlib.sha256(CONTEXT + digest_of(plain)).digest(), is_secure=False)
        seen, key = self.game.seen(case, bits)
        found = {
            name: self.game.found(case, key, self.game.attacks[name].guess(self.reference, seen, self.rules))[0]
            for name in self.attacks
        }
        return self._told(plain, (), metrics, found)

    @contextmanager
    def _opened(self, path: Path) -> Iterator[tuple[Path, Case | None, tuple[LineFault, ...]]]:
        """A submission beside its original, or what is wrong with how it is written."""
        with tempfile.TemporaryDirectory() as folder:
            plain = unpacked(path, Path(folder) / "submission", self.limits.bytes)
            lines, faults = read_lines(plain, self.game.submitted)
            if lines is not None and lines.rows != self.original.rows:
                must = f"must have as many lines as the original: {self.original.rows}, not {lines.rows}."
                lines, faults = None, (LineFault(0, None, must),)
            yield plain, None if lines is None else Case(self.original, lines, self.rules), faults

    @contextmanager
    def _ruled(self, path: Path) -> Iterator[tuple[Path, Case | None, tuple[LineFault, ...]]]:
        """The same of a submission that keeps the rules of the game too, or what is wrong with it."""
        with self._opened(path) as (plain, case, faults):
            refused = faults if case is None else self.game.refused(case)
            yield plain, None if refused else case, refused

    def _told(
        self,
        plain: Path,
        faults: tuple[LineFault, ...],
        metrics: Mapping[str, float] | None = None,
        found: Mapping[str, float] | None = None,
    ) -> SubmissionResult:
        """The result as a document."""
        together = None if metrics is None else together_of(metrics, self.weights, self.worth)
        best = max((found or {}).values(), default=0.0)
        score = None if together is None else self.game.together(together, best)
        return SubmissionResult(
            contest=self.name, rules=self.rules.version, submission_sha256=digest_of(plain).hex(), faults=_plain_faults(faults),
            metrics=dict(metrics or {}), worth=together, attacks=dict(found or {}), score=score,
        )  # fmt: skip


def together_of(metrics: Mapping[str, float], weights: Mapping[str, float], how: Together) -> float:
    """Metrics as one number.

    Example:
        >>> together_of({"a": 1.0, "b": 0.4}, {"a": 1, "b": 2}, "mean"), together_of({"a": 1.0, "b": 0.4}, {}, "min")
        (0.6, 0.4)
    """
    if how == "mean":
        total = sum(weights[name] for name in metrics)
        return sum(weights[name] * value for name, value in metrics.items()) / total
    return min(metrics.values()) if how == "min" else median(metrics.values())


def _plain_faults(faults: tuple[LineFault, ...]) -> tuple[FaultTold, ...]:
    """Faults as they are told."""
    return tuple(FaultTold(line=one.line, column=one.column, must=one.must) for one in faults)


def _read(path: Path, shape: LineShape) -> Lines:
    """Lines that must be without fault.

    Raises:
        SourceError: they are not.
    """
    lines, faults = read_lines(path, shape)
    if lines is None:
        raise SourceError(
            "{name!r} is not written as it must be: {fault}", "correct it.", name=path.name, fault=faults[0].sentence
        )
    return lines
