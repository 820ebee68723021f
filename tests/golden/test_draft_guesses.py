"""How often does a first plan guess what a careful data steward would say? Judged on the public data sets.

`draft_expected.csv` says for each column of a file which role and which kind are right. It was written from the
data sets' own descriptions, before the guesses were improved, by these rules:

- **identifying**: what names the unit of a row by itself (a person, a household, a firm, an event): names, record
  numbers, addresses, pseudonyms, row numbers; also, because it must be left out, a column that says one-to-one the
  same as a quasi-identifier before it.
- **quasi-identifying**: what a stranger, an acquaintance or a register can know of a person: age, sex, origin, family,
  education, work, place, time, tastes, how a person lives; height.
- **sensitive**: health (body weight too), money, benefits, belief, opinion, satisfaction, marks at school, addiction,
  what a meter records in a home, what a firm sells and owns.
- **insensitive**: weights of a survey and what else only describes how the data were made; a column with one value.

Of a family of columns that differ by number only, the first is judged; of several versions of one table, one. Lists
of edges, maps, code books, parameters and statistics of places have no unit to protect and are not judged. Kinds are
those that the text of the cells allows without loss; codes of places are text.

**The share right** is right / (judged + harmful): a mistake that would publish unchanged what must not be published
counts twice. It is harmful where a sensitive column is called insensitive, or an identifying one anything else.

Sets marked `held_out` were chosen before the guesses were improved, and were not looked at while they were; their
share is told apart.
"""

import csv
from pathlib import Path

import pytest

import sfumato

EXPECTED = Path(__file__).parent / "draft_expected.csv"
ROLES, HELD_OUT, KINDS = 0.62, 0.55, 0.98
"""Shares that must be reached: those measured when the table was written (.625, .556, .984), rounded down."""


def expectations():
    """Rows of the table of what is right."""
    with EXPECTED.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def is_harmful(right: str, guessed: str) -> bool:
    """Whether a wrong role would publish unchanged what must not be published."""
    return (right == "sensitive" and guessed == "insensitive") or (right == "identifying" != guessed)


def share_right(judged) -> float:
    """Right roles over all, harmful mistakes counted twice."""
    right = sum(row["role"] == row["guessed"] for row in judged)
    return right / (len(judged) + sum(is_harmful(row["role"], row["guessed"]) for row in judged))


@pytest.fixture(scope="module")
def judged(shared):
    """Every expectation beside what is guessed; a column that is not found under its name is guessed `absent`."""
    rows = expectations()
    for file in dict.fromkeys(row["file"] for row in rows):
        found = {guess.column.name: guess.column for guess in sfumato.draft_of(shared / "data" / file).guesses}
        for row in rows:
            if row["file"] == file:
                column = found.get(row["column"])
                row["guessed"] = "absent" if column is None else column.role.value
                row["guessed_kind"] = "absent" if column is None else column.kind.value
    return rows


def test_harm_is_what_would_be_published_unchanged():
    assert is_harmful("sensitive", "insensitive")
    assert is_harmful("identifying", "sensitive")
    assert not is_harmful("sensitive", "quasi-identifying")
    assert not is_harmful("quasi-identifying", "insensitive")
    assert not is_harmful("identifying", "identifying")


def test_most_roles_are_right(judged):
    assert share_right(judged) >= ROLES


def test_most_roles_are_right_where_nobody_looked(judged):
    held_out = [row for row in judged if row["held_out"] == "yes"]
    assert share_right(held_out) >= HELD_OUT


def test_most_kinds_are_right(judged):
    assert sum(row["kind"] == row["guessed_kind"] for row in judged) / len(judged) >= KINDS
