"""The written form of a CSV file, checked and described."""

import pytest

from sfumato.errors import ParameterError
from sfumato.table.source import Dialect, describe_dialect, override


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("encoding", "klingon"),
        ("encoding", "base64"),
        ("delimiter", ";;"),
        ("delimiter", "\n"),
        ("delimiter", 5),
        ("quote", "''"),
        ("quote", ","),
        ("newline", "LF"),
        ("decimal", ";"),
        ("skip", -1),
        ("skip", True),
        ("header", "yes"),
        ("bom", 1),
        ("footer", 0.5),
    ],
)
def test_an_impossible_part_is_named(part, value):
    """The message names the part that is wrong."""
    with pytest.raises(ParameterError, match=f"Dialect '{part}'"):
        override(Dialect(), {part: value})


def test_an_unknown_part_is_refused():
    """A misspelt part is never ignored."""
    with pytest.raises(ParameterError, match="delimeter"):
        override(Dialect(), {"delimeter": ";"})


def test_override_keeps_the_other_parts():
    """Only what is fixed changes."""
    assert override(Dialect(skip=3), {"delimiter": ";"}) == Dialect(skip=3, delimiter=";")


def test_a_description_names_every_part():
    """A person sees what was sniffed."""
    told = describe_dialect(Dialect("utf-16-le", True, "\t", "", "\r", ",", 2, False, 4))
    assert told == (
        "utf-16-le with byte order mark, separated by tab, never quoted, decimal comma, lines end with CR, "
        "no names, first row in line 3, last 4 lines left out"
    )
