"""Sentences that were filled in, found again by their templates.

`At least 5 persons.` is `At least {k} persons.` with 5 for k.

A result holds its sentences in English with their numbers. What is translated is the template; values go into the
translation as they stood. Time grows with the length of the sentence only, whatever it holds.
"""

from __future__ import annotations

import re
from string import Formatter
from typing import TYPE_CHECKING, Any

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_ROWS_OF = re.compile(r"the rows of at least (.+?) persons\b")
_PERSONS = re.compile(r"\b([Pp])ersons\b(?! (?:of|in) the population)")
_LIGNES_DE = re.compile(r"les lignes d'au moins (.+?) personnes\b")
_PERSONNES = re.compile(r"\b([Pp])ersonnes\b(?! de la population)")
SAID = "said"
"""The format of a value that is itself a phrase to be translated: `{kind:said}`."""
_END = re.compile(r"(?<=[.!?:;]) ")
_LEAST = 4
"""Letters that a template must have beside its values, so that it is known again."""


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence with named values.

    Args:
        text: as it is written, such as "At least {k} persons."
        fixed: what stands before, between and behind the values.
        names: of the values, in order; a name that comes again must have the same value.
    """

    text: str
    fixed: tuple[str, ...]
    names: tuple[str, ...]

    def values(self, said: str) -> dict[str, str] | None:
        """What stands at the places of the values; None: the sentence is another one.

        Each value ends where the next fixed part begins first. One that begins or ends the sentence holds no end of another
        sentence, unless it is quoted.

        Example:
            >>> template_of("At least {k} of {n}.").values("At least 5 of 1,000.")
            {'k': '5', 'n': '1,000'}
        """
        first, *inner, last = self.fixed
        end = len(said) - len(last)
        if end < len(first) or not said.startswith(first) or not said.endswith(last):
            return None
        found: dict[str, str] = {}
        start = len(first)
        for name, part in zip(self.names, (*inner, None), strict=True):
            stop = end if part is None else _find(said, part, start, end)
            if stop < 0 or found.setdefault(name, said[start:stop]) != said[start:stop]:
                return None
            start = stop + len(part or "")
        ends = (self.names[0],) * (not first) + (self.names[-1],) * (last in {"", "."})
        return None if any(". " in found[name] and found[name][:1] not in "'\"" for name in ends) else found


def _find(said: str, part: str, start: int, end: int) -> int:
    """Where a fixed part begins next; -1: nowhere. The point of 0.2 is no end of a sentence."""
    stop = said.find(part, start, end)
    while part == "." and stop > start and said[stop - 1 : stop].isdecimal() and said[stop + 1 : stop + 2].isdecimal():
        stop = said.find(part, stop + 1, end)
    return stop


def template_of(text: str) -> Template:
    """A text with `{names}` of values; doubled braces are braces.

    Example:
        >>> template_of("{n:,} rows of {name!r}").names
        ('n', 'name')
    """
    fixed, names = [""], list[str]()
    for part, name, _, _ in Formatter().parse(text):
        fixed[-1] += part
        if name is not None:
            names.append(name)
            fixed.append("")
    return Template(text, tuple(fixed), tuple(names))


def templates_of(texts: Mapping[str, str]) -> tuple[Template, ...]:
    """The templates among the keys of a catalogue, those with most fixed letters first.

    Example:
        >>> [one.text for one in templates_of({"Plain.": "", "{a} {b}": "", "Of {n} rows": "", "All of {n} rows": ""})]
        ['All of {n} rows', 'Of {n} rows']
    """
    found = [template_of(text) for text in texts if "{" in text and _is_template(text)]
    able = [one for one in found if one.names and _letters(one) >= _LEAST]
    return tuple(sorted(able, key=lambda one: (-_letters(one), one.text)))


def _is_template(text: str) -> bool:
    try:
        return all(name is None or name.isidentifier() for _, name, _, _ in Formatter().parse(text))
    except ValueError:
        return False


def _letters(one: Template) -> int:
    return sum(c.isalpha() for part in one.fixed for c in part)


class Filling(Formatter):
    """Fills a translation with values.

    Args:
        say: says a phrase in the language.
        spell: spells a number of the language.
        is_text: whether values are texts that were spelled before: then only phrases and numbers are told anew.
    """

    def __init__(self, say: Callable[[str], str], spell: Callable[[str], str], *, is_text: bool) -> None:
        self._say, self._spell, self._is_text = say, spell, is_text

    def convert_field(self, value: Any, conversion: Any) -> Any:
        """A value as its conversion says, unless that was done."""
        return value if self._is_text else super().convert_field(value, conversion)

    def format_field(self, value: Any, format_spec: str) -> str:
        """A phrase is said, a number with separators is spelled, anything else is left."""
        if format_spec == SAID:
            return self._say(str(value))
        if self._is_text:
            return self._spell(str(value))
        text: str = super().format_field(value, format_spec)
        return self._spell(text) if "," in format_spec else text


def phrases_of(translation: str) -> list[str]:
    """The values of a translation that are phrases themselves.

    Example:
        >>> phrases_of("{kind:said} de {n}")
        ['kind']
    """
    return [name for _, name, form, _ in Formatter().parse(translation) if name is not None and form == SAID]


def pieces(text: str) -> list[str]:
    """A text at the ends of its sentences and clauses, without the spaces between.

    Example:
        >>> pieces("It holds. Not here: 3.5 rows.")
        ['It holds.', 'Not here:', '3.5 rows.']
    """
    return _END.split(text)


def of_rows(text: str) -> str:
    """A sentence with rows for persons, where nobody is known by several; persons of a population stay.

    Example:
        >>> of_rows("Persons: the rows of at least 5 persons."), of_rows("Of the persons in the population.")
        ('Rows: at least 5 rows.', 'Of the persons in the population.')
    """
    return _PERSONS.sub(lambda found: "Rows" if found[1] == "P" else "rows", _ROWS_OF.sub(r"at least \1 rows", text))


def also_of_rows(texts: Mapping[str, str]) -> dict[str, str]:
    """A catalogue with the French of what its sentences are with rows for persons: both are of one gender.

    Example:
        >>> also_of_rows({"At least {k} persons.": "Au moins {k} personnes."})["At least {k} rows."]
        'Au moins {k} lignes.'
    """
    more = {of_rows(english): french for english, french in texts.items() if of_rows(english) != english}
    made = {
        english: _PERSONNES.sub(
            lambda found: "Lignes" if found[1] == "P" else "lignes", _LIGNES_DE.sub(r"au moins \1 lignes", said)
        )
        for english, said in more.items()
    }
    return made | dict(texts)
