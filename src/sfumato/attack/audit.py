"""A lower bound of a randomizer's epsilon from its reports alone, and what is looked at in reports.

If a randomizer is ε-private, every event has Pr[E | v] <= e^ε Pr[E | w]. Half of the drawn reports are used
to choose the pair of inputs and the event that look worst, the other half to bound the two probabilities
by Clopper and Pearson. The bound that comes out is true with the stated confidence, whatever was chosen.
It refutes a wrong statement; it cannot prove a right one.
"""

from __future__ import annotations

from itertools import permutations
from math import inf, log, nextafter
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.summary.interval import lower_bound, upper_bound

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy.typing as npt

    from sfumato.types import BoolArray, FloatArray, IntArray

    View: TypeAlias = Callable[[Any], npt.NDArray[Any]]

_MOST_COLUMNS = 64
_BINS = 64
_LEAST = 100
_CAUTION = 4.0
"""Standard deviations by which frequencies are discounted when an event is chosen."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What the reports prove.

    Args:
        epsilon_lower: true epsilon >= this, with the confidence; 0 where nothing was found.
        confidence: probability that the bound holds.
        view: what was looked at in the report.
        pair: places of the two inputs in the list that was audited; the event favors the first.
        hits: reports in the event under each of the two.
        n: reports tested under each.
    """

    epsilon_lower: float
    confidence: float
    view: str
    pair: tuple[int, int]
    hits: tuple[int, int]
    n: int

    def refutes(self, epsilon: float) -> bool:
        """Whether the reports contradict a stated epsilon."""
        return self.epsilon_lower > epsilon


@dataclass(frozen=True, slots=True, eq=False)
class _Event:
    """A set of symbols of one view, and how promising it looks."""

    promise: float
    view: str
    pair: tuple[int, int]
    in_event: tuple[BoolArray, BoolArray]
    """Which test reports under each input lie in it."""


def audit(
    randomize: Callable[[npt.NDArray[Any]], Any],
    inputs: Sequence[Any],
    *,
    n: int,
    confidence: float,
    views: Mapping[str, View] | None = None,
) -> Audit:
    """A lower bound of the randomizer's epsilon over all pairs of the inputs.

    Args:
        randomize: from an array of inputs to their reports, drawn anew with its own chance: an array with
            one row for each, a structured array, or a tuple of arrays.
        inputs: values (or rows of values) to compare, at least 2.
        n: reports drawn for each input, >= 200.
        confidence: of the bound, in (0, 1).
        views: what to look at in reports beside the defaults of `default_views`; each gives one
            symbol for each report.

    Returns:
        The bound, rounded down, and the event that gave it.

    Raises:
        ParameterError: a number outside its range.

    Source:
        Z. Ding, Y. Wang, G. Wang, D. Zhang and D. Kifer, "Detecting Violations of Differential Privacy", CCS
        2018, for the choice of an event on separate samples; H. H. Arcolezi and S. Gambs, "Revealing the
        True Cost of Locally Differentially Private Protocols: An Auditing Perspective", PETS 2024.

    Example:
        >>> found = audit(lambda values: values, [0, 1], n=1000, confidence=0.99)
        >>> found.view, found.epsilon_lower > 4
        ('whole report', True)
    """
    if len(inputs) < 2 or n < 2 * _LEAST or not 0 < confidence < 1:
        raise ParameterError(
            "An audit needs two inputs, {least} reports of each and a confidence in (0, 1); "
            "got {n_inputs}, {n} and {confidence}.",
            "draw more.",
            least=2 * _LEAST,
            n_inputs=len(inputs),
            n=n,
            confidence=confidence,
        )
    drawn = [randomize(np.repeat(np.asarray(value)[np.newaxis], n, axis=0)) for value in inputs]
    events = [event for name, symbols in _symbols(drawn, inputs, views or {}) for event in _events(name, symbols)]
    best = max(events, key=lambda event: event.promise)
    hits = (int(best.in_event[0].sum()), int(best.in_event[1].sum()))
    tested, error = len(best.in_event[0]), (1 - confidence) / 2
    low, high = lower_bound(hits[0], tested, error), upper_bound(hits[1], tested, error)
    bound = max(0.0, nextafter(log(low / high), -inf)) if low > 0 else 0.0
    return Audit(bound, confidence, best.view, best.pair, hits, tested)


def _symbols(
    drawn: Sequence[Any], inputs: Sequence[Any], views: Mapping[str, View]
) -> list[tuple[str, list[IntArray]]]:
    """For each view the reports of each input as whole numbers from 0."""
    n = len(drawn[0][0] if isinstance(drawn[0], tuple) else drawn[0])
    named = {**default_views(drawn, inputs), **{k: [np.asarray(v(r)) for r in drawn] for k, v in views.items()}}
    out = []
    for name, seen in named.items():
        _, numbers = np.unique(np.concatenate(seen), return_inverse=True)
        out.append((name, list(numbers.ravel().reshape(len(drawn), n))))
    return out


def _events(name: str, symbols: Sequence[IntArray]) -> list[_Event]:
    """The most promising event of each ordered pair.

    Symbols are ranked by how much likelier the first quarter of the reports makes them under the first
    input; how many of the ranking to take is decided on the second quarter, which did not make it.
    """
    quarter, size = len(symbols[0]) // 4, int(max(s.max() for s in symbols)) + 1
    ranked = [np.bincount(s[:quarter], minlength=size) for s in symbols]
    chosen_by = [np.bincount(s[quarter : 2 * quarter], minlength=size) for s in symbols]
    out = []
    for i, j in permutations(range(len(symbols)), 2):
        order = np.argsort(-(ranked[i] + 1) / (ranked[j] + 1), kind="stable")
        promise = _promise(np.cumsum(chosen_by[i][order]), np.cumsum(chosen_by[j][order]), quarter)
        end = int(np.argmax(promise))
        chosen = np.zeros(size, bool)
        chosen[order[: end + 1]] = True
        tested = (chosen[symbols[i][2 * quarter :]], chosen[symbols[j][2 * quarter :]])
        out.append(_Event(float(promise[end]), name, (i, j), tested))
    return out


def _promise(first: IntArray, second: IntArray, n: int) -> FloatArray:
    """Logarithm of a low first over a high second frequency, by Wilson's bounds, for many events at once."""
    z2 = _CAUTION**2
    low, high = (
        (hits + z2 / 2 + sign * np.sqrt(z2 * (hits * (n - hits) / n + z2 / 4))) / (n + z2)
        for hits, sign in ((first, -1), (second, 1))
    )
    return np.asarray(np.log(np.maximum(low, 1e-300) / high), np.float64)


def default_views(drawn: Sequence[Any], inputs: Sequence[Any]) -> dict[str, list[npt.NDArray[Any]]]:
    """Symbols of reports under each input, by what is looked at.

    The whole report; each of the first 64 parts; for bits, the bits of every two inputs that are codes; for
    whole numbers in rows, the place in the row at which an input's code stands; for numbers that are
    not whole, 64 bins of equal shares.

    Args:
        drawn: reports for each input: (n,), (n, m), a structured array, or a tuple of such.
        inputs: the inputs, in the same order.

    Returns:
        For each view one (n,) array for each input.

    Example:
        >>> views = default_views([np.array([[True, False]])] * 2, [0, 1])
        >>> sorted(views)
        ['bits of inputs 0 and 1', 'part 0', 'part 1', 'whole report']
    """
    tables = [as_table(reports) for reports in drawn]
    out = {"whole report": [_whole(table) for table in tables]}
    width = tables[0].shape[1]
    if width > 1:
        out |= {f"part {j}": [table[:, j] for table in tables] for j in range(min(width, _MOST_COLUMNS))}
    if tables[0].dtype.kind == "f":
        out |= {f"bins of part {j}": _bins([t[:, j] for t in tables]) for j in range(min(width, _MOST_COLUMNS))}
    codes = [int(v) if np.ndim(v) == 0 and float(v).is_integer() else -1 for v in inputs]
    if width > 1 and min(codes) >= 0:
        out |= _of_codes(tables, codes)
    return out


def as_table(reports: Any) -> npt.NDArray[Any]:
    """Reports as one table with a row for each.

    Example:
        >>> as_table((np.array([1, 2]), np.array([[True], [False]]))).tolist()
        [[1, 1], [2, 0]]
    """
    if isinstance(reports, tuple):
        return np.concatenate([as_table(part) for part in reports], axis=1)
    array = np.asarray(reports)
    if array.dtype.names:
        return np.concatenate([as_table(array[name]) for name in array.dtype.names], axis=1)
    return array.reshape(len(array), -1)


def _whole(table: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Rows as single symbols: their bytes."""
    rows = np.ascontiguousarray(table)
    if rows.shape[1] == 1:
        return rows[:, 0]
    return rows.view(np.dtype((np.bytes_, rows.dtype.itemsize * rows.shape[1])))[:, 0]


def _bins(columns: list[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
    """The bin of each number, with edges at quantiles of the first quarter of all."""
    training = np.concatenate([column[: len(column) // 4] for column in columns])
    edges = np.quantile(training, np.arange(1, _BINS) / _BINS)
    return [np.searchsorted(edges, column) for column in columns]


def _of_codes(tables: list[npt.NDArray[Any]], codes: list[int]) -> dict[str, list[npt.NDArray[Any]]]:
    """What the report says of the inputs' codes."""
    if tables[0].dtype == np.bool_ and max(codes) < tables[0].shape[1]:
        return {
            f"bits of inputs {a} and {b}": [2 * table[:, codes[a]] + table[:, codes[b]] for table in tables]
            for a in range(len(codes))
            for b in range(a + 1, len(codes))
        }
    if tables[0].dtype.kind in "iu":
        return {
            f"place of input {a}": [
                np.where((table == code).any(axis=1), (table == code).argmax(axis=1), -1) for table in tables
            ]
            for a, code in enumerate(codes)
        }
    return {}
