"""Absurd documents of every kind are refused in words: no traceback, no defect, always a remedy."""

import contextlib
from pathlib import Path

import pytest
from tests.app.fuzz import KINDS, example, faults, prepared, read, write

PER_KIND = 16
"""Documents of each kind that the suite tries; thousands by hand."""


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    """A folder with a right document of every kind."""
    folder = tmp_path_factory.mktemp("documents")
    with contextlib.chdir(folder):
        prepared(folder)
    return folder


@pytest.mark.parametrize("kind", KINDS)
def test_the_example_itself_is_read(examples, kind):
    """What is changed below was right before."""
    with contextlib.chdir(examples):
        write(example(kind))
        read(kind)
        assert Path("mutated").exists()


@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_document_is_read_or_refused_with_a_remedy(examples, kind):
    """Values of the wrong type, size, shape and sign, NUL, NaN, deep nesting, and text that is cut or doubled."""
    with contextlib.chdir(examples):
        found = list(faults(PER_KIND, "suite", (kind,)))
    assert not found, f"{found[0].changed}\n{found[0].trace}"
