"""Labels as numbers are read as the texts they stand for."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.engine.arrow_arrays import dictionary_of
from sfumato.recipe.labels import Labels

TEXTS = ("b", None, "a", "b", "unused")  # two nodes of a hierarchy may bear one name


@pytest.mark.parametrize("seed", range(3))
def test_they_are_the_tuple_of_their_texts(seed):
    codes = np.random.default_rng(seed).integers(0, 4, 20)
    labels, slow = Labels(codes, TEXTS), tuple(TEXTS[code] for code in codes)
    assert labels == slow
    assert slow == labels
    assert labels[3:7] == slow[3:7]
    assert [*labels] == [labels[place] for place in range(20)] == [*slow]
    assert hash(labels) == hash(slow)
    assert labels != slow[1:]


@pytest.mark.parametrize("seed", range(3))
def test_their_dictionary_is_that_of_the_texts(seed):
    labels = Labels(np.random.default_rng(seed).integers(0, 4, 20), TEXTS)
    fast, slow = dictionary_of(labels), dictionary_of(tuple(labels))
    assert fast.indices.to_pylist() == slow.indices.to_pylist()
    assert fast.dictionary.to_pylist() == slow.dictionary.to_pylist()


def test_no_labels_have_no_dictionary():
    assert dictionary_of(Labels(np.zeros(0, np.int64), TEXTS)).to_pylist() == []
