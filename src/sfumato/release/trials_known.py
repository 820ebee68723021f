"""What does an intruder gain who knows how the release was made, or every original row? Minimality, and matching."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack import inference, minimality
from sfumato.attack.assignment import expected_hits, match_records
from sfumato.attack.pairs import matches
from sfumato.attack.presence import likely_places
from sfumato.attack.rate import Trial
from sfumato.release.trials import persons_of, released_rows
from sfumato.summary.distribution import distribution_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.attack.cover import Targets
    from sfumato.attack.pairs import Matches
    from sfumato.release.trials import Case
    from sfumato.summary.distribution import Distribution
    from sfumato.summary.published import Published
    from sfumato.types import FloatArray, IntArray

_LARGEST = 400
"""Persons of a class up to which the ways of giving a value to its groups are counted."""
_NEGLIGIBLE = Fraction(1, 10**6)


@dataclass(frozen=True, slots=True)
class KnownMatch:
    """How an intruder fares who knows every original row and matches it with a released one.

    Args:
        known: the columns that were compared.
        persons: original rows.
        published: persons who are in the release; the others cannot be matched with their own row.
        expected: expected number of persons matched with their own row, ties at random.
        distance: mean distance of a matched row.
        nearest: whether no matching is nearer, proved.
        unmatched: original rows left without a released one.
    """

    known: tuple[str, ...]
    persons: int
    published: int
    expected: float
    distance: float
    nearest: bool
    unmatched: int


def known_matches(case: Case) -> list[KnownMatch]:
    """By the quasi-identifiers, and with each sensitive column beside them."""
    names = tuple(a.name for a in case.published.attributes)
    return [_match(case, names, None)] + [_match(case, names, name) for name in case.sensitive]


def _match(case: Case, names: tuple[str, ...], column: str | None) -> KnownMatch:
    """One set of known columns."""
    persons, published = persons_of(case.original, column), case.published
    groups = released_rows(published, column)
    found = match_records(published, persons, groups)
    own = likely_places(published, persons, groups)
    return KnownMatch(
        known=names if column is None else (*names, column),
        persons=int(persons.count.sum()),
        published=int(case.published_persons(column).count.sum()),
        expected=expected_hits(found, persons, groups, own=own),
        distance=found.distance / max(int(found.flow.sum()), 1),
        nearest=found.is_nearest,
        unmatched=found.unmatched,
    )


def minimality_trials(case: Case, bounds: dict[str, Fraction], *, together: bool) -> list[Trial]:
    """For each sensitive column with a promise of ℓ: what the intruder gains who knows that the method is minimal.

    Args:
        case: what is attacked.
        bounds: ℓ by column.
        together: whether the method judges all classes together, as full-domain generalization does.
    """
    return [_minimality(case, name, bound, together) for name, bound in bounds.items() if name in case.sensitive]


def _minimality(case: Case, name: str, l: Fraction, together: bool) -> Trial:  # noqa: E741
    """The same guesses about the same persons, with and without that knowledge."""
    told = (
        "The likeliest value of a person, as in inference, by an intruder who also knows the finer groups of each class "
        f"from a register, and that they were joined because one value had more than 1/{l} of one of them. "
        "Control: the same persons by an intruder who does not know the method."
    )
    d = distribution_of(case.published.classes, name)
    targets = case.targets(case.published_persons(name))
    if not targets.n or not d.released.any():
        return Trial("minimality", name, None, told, None)
    near = inference.windows(d.attribute, 0.0)
    found = matches(case.published, targets.codes)
    plain = inference.beliefs(found, d)
    knowing = _knowing(case, d, (targets, found), plain, (l, together))
    blind = d.released.astype(np.float64)
    main, control = (
        case.rate(near.hits(inference.infer(beliefs, blind, near, rng=case.rng), targets.value))
        for beliefs in (knowing, plain)
    )
    return Trial("minimality", name, None, told, main, control, judged=case.judged(name))


def _knowing(
    case: Case, d: Distribution, who: tuple[Targets, Matches], plain: FloatArray, rule: tuple[Fraction, bool]
) -> FloatArray:
    """(n, V) beliefs where the commonest value of a class counts as much as minimality says; others share the rest."""
    (targets, found), (bound, together) = who, rule
    out, starts = plain.copy(), found.starts
    single = np.flatnonzero(np.diff(starts) == 1)
    owner = found.owner[starts[single]]
    groups = _Groups.of(case, d, np.unique(owner))
    rest = groups.rest(d, bound) if together else dict.fromkeys(groups.sizes, Fraction(1))
    for c, sizes in groups.sizes.items():
        value, holders = _commonest(d, c)
        shares = minimality.credibility(list(sizes.values()), holders, bound, rest=rest[c])
        share = dict(zip(sizes, map(float, shares), strict=True))
        mine = single[owner == c]
        nodes = groups.node_of(case.published, c, groups.column[c], targets.codes[mine])
        known = np.array([share.get(int(node), holders / int(d.sizes[c])) for node in nodes])
        out[mine] = _with_share(plain[mine], value, known)
    return out


def _with_share(plain: FloatArray, value: int, share: FloatArray) -> FloatArray:
    """(n, V): beliefs in which one value has the share (n,) and the others keep their proportions."""
    others = plain.sum(axis=1) - plain[:, value]
    out = plain * np.divide(1 - share, others, out=np.zeros_like(share), where=others > 0)[:, None]
    out[:, value] = share
    return np.asarray(out, np.float64)


def _commonest(d: Distribution, c: int) -> tuple[int, int]:
    """Value and holders of the most frequent value of one class."""
    entries = np.flatnonzero(d.owner == c)
    best = entries[np.argmax(d.count[entries])]
    return int(d.value[best]), int(d.count[best])


@dataclass(frozen=True, slots=True)
class _Groups:
    """The finer groups of some classes: children of the label of one generalized column.

    Args:
        column: by class, the column that is split.
        sizes: by class, persons by child node.
    """

    column: dict[int, int]
    sizes: dict[int, dict[int, int]]

    @classmethod
    def of(cls, case: Case, d: Distribution, classes: IntArray) -> _Groups:
        """The groups of the classes of which all persons are placed, and few enough to be counted."""
        published = case.published
        column = {}
        for c in classes.tolist():
            wide = [j for j, s in enumerate(published.spans) if s.n_leaves[published.classes.codes[c, j]] > 1]
            if wide and published.classes.persons[c] <= _LARGEST:
                column[c] = wide[0]
        found = matches(published, case.original.codes)
        alone = np.bincount(found.target, minlength=found.n)[found.target] == 1
        persons, sizes = np.asarray(case.original.persons), {}
        for c, j in column.items():
            members = found.target[(found.owner == c) & alone]
            nodes = cls.node_of(published, c, j, case.original.codes[members])
            counts = np.bincount(nodes, weights=persons[members]).astype(int)
            if counts.sum() == d.sizes[c] and np.count_nonzero(counts) > 1:
                sizes[c] = {node: int(counts[node]) for node in np.flatnonzero(counts).tolist()}
        return cls(column, sizes)

    @staticmethod
    def node_of(published: Published, c: int, j: int, codes: IntArray) -> IntArray:
        """(n,) int64: the child node in which each tuple lies."""
        spans = published.spans[j]
        level = max(int(spans.level[published.classes.codes[c, j]]) - 1, 0)
        return published.attributes[j].hierarchy.ancestors[level][codes[:, j]]

    def rest(self, d: Distribution, l: Fraction) -> dict[int, Fraction]:  # noqa: E741
        """By class, the probability that all the other classes are fine."""
        fine = {
            c: minimality.fine_chance(list(sizes.values()), _commonest(d, c)[1], l) for c, sizes in self.sizes.items()
        }
        return {c: _product([p for other, p in fine.items() if other != c]) for c in self.sizes}


def _product(chances: Sequence[Fraction]) -> Fraction:
    """Their product; 0 once it is negligible."""
    out = Fraction(1)
    for chance in chances:
        out *= chance
        if out < _NEGLIGIBLE:
            return Fraction(0)
    return out
