"""Documents of declared questions: what persons read on their phones, and the digest that covers it."""

import pytest

from sfumato.errors import PlanError
from sfumato.release.collect.collection import collection_from
from sfumato.table.values import parsed_toml

PLAIN = """
format = "sfumato.collection/1"
[[question]]
column = "color"
values = ["red", "blue", "green"]
[[question]]
column = "size"
values = ["s", "l"]
[protocol]
name = "SMP[GRR]"
epsilon = 1
"""
SPOKEN = PLAIN.replace(
    '"green"]', '"green"]\ntext = { en = "Which color?" }\nlabels = { en = ["Red", "Blue", "Green"] }'
)
SPOKEN = SPOKEN.replace('"l"]', '"l"]\ntext = { en = "Which size?" }')
SPOKEN += '[page]\ntitle = { en = "Shirts" }\nconsent = { en = "Agree?" }\nlanguages = ["en"]\n'


def read(text):
    """The collection of a document."""
    return collection_from(parsed_toml(text, "the collection"))


def test_devices_of_a_collection_without_a_page_need_no_new_document():
    """Its digest is the one that they have."""
    plain = read(PLAIN)
    assert (plain.digest(), plain.has_page) == ("b3e037d1d503a8e2", False)
    assert "page" not in plain.public()
    assert plain.public()["questions"][1] == {"column": "size", "values": ["s", "l"]}


def test_phones_are_told_what_persons_read_and_what_it_spends():
    spoken = read(SPOKEN)
    told = spoken.public()
    assert spoken.has_page
    assert told["page"] == {"title": {"en": "Shirts"}, "consent": {"en": "Agree?"}, "languages": ["en"]}
    assert told["questions"][0]["labels"] == {"en": ["Red", "Blue", "Green"]}
    assert told["spent"] == {"record": spoken.scheme().epsilons.tuple_level, "attribute": 1.0}


def test_whatever_persons_read_is_covered_by_the_digest():
    texts = [PLAIN, SPOKEN, *(SPOKEN.replace(word, f"{word}!") for word in ("Shirts", "Agree?", "Which size?", "Red"))]
    assert len({read(text).digest() for text in texts}) == len(texts)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('\ntext = { en = "Which size?" }', "", "in each of the `languages`, en; it is in –"),
        ('{ en = "Agree?" }', '{ fr = "Accord ?" }', "it is in fr"),
        ('languages = ["en"]', "languages = []", "at least one"),
        ('"Red", "Blue", "Green"', '"Red", "Blue"', "a label for each of the 3 answers"),
        ('{ en = "Which color?" }', '{ en = " " }', "one is empty"),
        (SPOKEN[SPOKEN.index("[page]") :], "", "`languages`, –"),
    ],
)
def test_a_page_that_cannot_be_read_is_refused(old, new, says):
    with pytest.raises(PlanError, match=says):
        read(SPOKEN.replace(old, new))
