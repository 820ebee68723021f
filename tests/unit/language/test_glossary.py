"""The French of the glossary is the French that is said."""

import re
from pathlib import Path

import pytest

from sfumato.language.catalogue import catalogue

GLOSSARY = (Path(__file__).parents[3] / "docs" / "GLOSSARY.md").read_text("utf-8")
TERMS = dict(re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|$", GLOSSARY.partition("## In French")[2], re.MULTILINE)[1:])
SAID = catalogue("sfumato.language", "fr")
CODE = re.compile(r"`[^`]*`|\"[^\"]*\"|\{[^}]*\}|\[[^\]]*\]|(?<!\w)--?\w+(-\w+)*=?|\b\w+/\w+")
"""What is written as it is: keys, names of methods, values, options."""
WORDS = {english: CODE.sub(" ", english).lower() for english in SAID}
"""What else each sentence says."""
OTHERWISE = frozenset({"account", "release", "method", "inference", "neighbors", "guarantee", "engine", "identifying"})
"""Words that are also said in another sense (to release, neighbors in rank); the glossary names the usual one."""


def stems(term):
    """The words of a term without their ends, which plural and gender change."""
    return [word[: max(4, len(word) - 2)] for word in re.findall(r"[\w'-]+", term.lower()) if len(word) > 3]


def uses(term):
    """Sentences that say a term in English, with their French."""
    plural = term.removesuffix("y") + "(y|ies)" if term.endswith("y") else term + "(s|es)?"
    word = re.compile(rf"(?<![\w-]){plural.lower()}(?![\w-])")
    return [(english, SAID[english]) for english, said in WORDS.items() if word.search(said)]


def test_the_glossary_has_its_terms():
    """Enough of them that the test below says something."""
    assert len(TERMS) > 35
    assert sum(bool(uses(term)) for term in TERMS) > 25


@pytest.mark.parametrize("term", sorted(set(TERMS) - OTHERWISE))
def test_a_term_has_one_french(term):
    """Its stems stand in the translation of each sentence that says it."""
    wanted = stems(TERMS[term])
    assert [(a, b) for a, b in uses(term) if not all(one in b.lower() for one in wanted)] == []
