"""What a ledger notes of a charge, in the language of whoever reads it.

A question is noted in one canonical line of English, which also tells equal questions. Its words are translated where its grammar
has them; names of columns, values and functions stay. Nothing that was noted is changed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.language.words import Words

_QUESTION = re.compile(
    r"(?P<call>[\w-]+\(.*?\))(?: method (?P<method>.+?))?(?: expecting (?P<rows>\d+) rows)?"
    r"(?: (?P<inner>inner )?join (?P<join>.+?))?(?: by (?P<by>.+?))?(?: where (?P<where>.+))?"
)
_BETWEEN = re.compile(r"(?<!')('\)?) and ")
"""Between two conditions: behind the end of a quoted value, which no quote follows."""
_ONE_OF = re.compile(r" (not in|in) (?=[\[(]['\"])")
"""Before a list of values."""
_EDGES = re.compile(r" at (?=-?\d)")
"""Before the edges of groups of numbers."""
_ROWS = "expecting {n} rows"
_KEYS = "(keys from the table)"


def parts_of(note: str) -> tuple[str, str]:
    """A question and its price, as a session notes them; any other note whole.

    Example:
        >>> parts_of("mean(age) where sex = 'F' for epsilon 1/2"), parts_of("statistics of a graph")
        (("mean(age) where sex = 'F'", 'epsilon 1/2'), ('statistics of a graph', ''))
    """
    question, _, price = note.rpartition(" for ")
    return (question, price) if question and price.startswith(("epsilon ", "rho ")) else (note, "")


def asked(question: str, words: Words) -> str:
    """A question of a session in a language; any other note as a sentence.

    Args:
        question: as it was noted, without its price.
        words: of the language.

    Example:
        >>> from sfumato.language.words import words
        >>> asked("mean(age) by town in ['x', 'y'] where sex = 'F' and job not in ('a', 'b and c')", words("fr"))
        "mean(age) par town dans ['x', 'y'] où sex = 'F' et job hors de ('a', 'b and c')"
        >>> asked("count() where by = 'where'", words("en"))
        "count() where by = 'where'"
    """
    found = _QUESTION.fullmatch(question)
    if words.language == "en" or found is None:
        return words.say(question)
    return " ".join(_clauses(found, words))


def _clauses(found: re.Match[str], words: Words) -> Iterator[str]:
    """The parts of a question, one after the other."""

    def said(word: str) -> str:
        between = f"… {word} …"  # so it stands in the catalogue: alone it might be the name of a column
        return words.made.get(between, between)[2:-2]

    def lists(text: str) -> str:
        return _ONE_OF.sub(lambda one: f" {said(one[1])} ", text)

    yield found["call"]
    if found["method"]:
        yield f"{said('method')} {found['method']}"
    if found["rows"]:
        yield words.made.get(_ROWS, _ROWS).format(n=found["rows"])
    if found["join"]:
        yield f"{said('inner join' if found['inner'] else 'join')} {found['join']}"
    if found["by"]:
        groups = _EDGES.sub(f" {said('at')} ", found["by"].replace(_KEYS, words.made.get(_KEYS, _KEYS)))
        yield f"{said('by')} {lists(groups)}"
    if found["where"]:
        conditions = _BETWEEN.sub(lambda end: f"{end[1]} {said('and')} ", found["where"])
        yield f"{said('where')} {lists(conditions)}"
