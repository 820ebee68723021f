"""Which labels does a step publish, and where do they differ from the values? Arrays that every engine needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.arrow_arrays import chosen, places_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from sfumato.recipe.steps import Assign, Recode
    from sfumato.types import BoolArray, IntArray


def says_the_same(step: Recode) -> bool:
    """Whether the labels of the level are the values themselves."""
    tree = step.attribute.hierarchy
    labels = np.array([*tree.labels[step.level], None], object)[tree.ancestors[step.level]]
    return bool(np.all(labels == np.array(tree.labels[0], object)))


def changes_labels(step: Assign, encoded: Sequence[pa.DictionaryArray]) -> list[bool]:
    """For each attribute, whether some published label differs from the value.

    Args:
        step: classes and their labels.
        encoded: `step.labels`, each as a dictionary array of texts.
    """
    tuples, member = _kept_entries(step)
    return [
        bool(np.any(places_of(labels)[member] != _codes_of(labels, a.hierarchy.labels[0])[step.codes[tuples, j]]))
        for j, (a, labels) in enumerate(zip(step.attributes, encoded, strict=True))
    ]


def _kept_entries(step: Assign) -> tuple[IntArray, IntArray]:
    """Tuple and class of every (tuple, class) pair that is published."""
    tuples, member = np.arange(len(step.member)), step.member
    if step.splits is not None:
        whole: BoolArray = ~np.isin(tuples, step.splits.tuple_)
        tuples = np.concatenate((tuples[whole], step.splits.tuple_))
        member = np.concatenate((member[whole], step.splits.member))
    kept = member >= 0
    return tuples[kept], member[kept]


def taken(encoded: pa.DictionaryArray, member: IntArray) -> pa.DictionaryArray:
    """The labels of the classes `member`; null where it is -1.

    Example:
        >>> from sfumato.engine.arrow_arrays import dictionary_of
        >>> taken(dictionary_of(["a", "b"]), np.array([1, -1])).to_pylist()
        ['b', None]
    """
    return chosen(np.append(places_of(encoded), -1)[np.maximum(member, -1)], encoded.dictionary)


def _codes_of(encoded: pa.DictionaryArray, labels: Sequence[str | None]) -> IntArray:
    """(len(labels),) int64: the dictionary index of each text, -1 for None, -2 for a text it lacks."""
    index = {text: code for code, text in enumerate(encoded.dictionary.to_pylist())}
    return np.array([-1 if text is None else index.get(text, -2) for text in labels], np.int64)


def running_within(owner: IntArray, values: IntArray) -> IntArray:
    """Running sums that begin anew with each owner; entries of one owner follow each other.

    Example:
        >>> running_within(np.array([4, 4, 2]), np.array([1, 2, 5])).tolist()
        [1, 3, 5]
    """
    total = np.cumsum(values)
    is_first = np.diff(owner, prepend=-1) != 0
    before = np.where(is_first, total - values, 0)
    return total - np.maximum.accumulate(before)
