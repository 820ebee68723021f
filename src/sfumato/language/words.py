"""All that is said in one language: sentences of pages, sentences that were filled in elsewhere, and numbers."""

from __future__ import annotations

import os
import re
from dataclasses import field
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from sfumato.frozen import dataclass
from sfumato.language.catalogue import catalogue
from sfumato.language.sentence import Filling, Template, also_of_rows, phrases_of, pieces, templates_of

if TYPE_CHECKING:
    from collections.abc import Mapping

V = TypeVar("V")
LANGUAGES = ("en", "fr")
NAMES = {"en": "English", "fr": "Français"}
_NUMBER = re.compile(r"[<>≤≥]?\s?[-−]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?(\s%)?")
_SEPARATORS = {"en": {}, "fr": str.maketrans({",": "\u202f", ".": ","})}


@dataclass(frozen=True, slots=True)
class Words:
    """Sentences of one language.

    Args:
        language: "en" or "fr".
        said: by sentence in English that a page says, what it is in this language.
        made: the same of sentences that pages are handed: of results, errors, reasons.
        templates: those of `made` that have values.
    """

    language: str
    said: Mapping[str, str] = field(default_factory=dict)
    made: Mapping[str, str] = field(default_factory=dict)
    templates: tuple[Template, ...] = ()

    def gettext(self, text: str) -> str:
        """A sentence of a page; in English where it has no translation.

        Example:
            >>> words("en").gettext("Nothing"), words("fr").gettext("Nothing")
            ('Nothing', 'Rien')
        """
        return self.said.get(text, text) or text

    def ngettext(self, one: str, many: str, n: int) -> str:
        """A sentence about n things; none is one in French."""
        is_one = n <= 1 if self.language == "fr" else n == 1
        return self.gettext(one if is_one else many)

    def say(self, text: str) -> str:
        """A sentence, or several, that was made in English elsewhere; what has no translation stays English.

        Example:
            >>> words("fr").say("In every equivalence class each sensitive value has a share of at most 1/l.")
            "Dans chaque classe d'équivalence, chaque valeur sensible a une part d'au plus 1/l."
        """
        if not self.made or not text.strip():
            return text
        found = self._whole(text)
        if found is not None:
            return found
        parts = pieces(text)
        for n in range(len(parts) - 1, 0, -1):
            found = self._whole(" ".join(parts[:n]))
            if found is not None:
                return f"{found} {self.say(' '.join(parts[n:]))}"
        return text if len(parts) < 2 else f"{parts[0]} {self.say(' '.join(parts[1:]))}"

    def _whole(self, text: str) -> str | None:
        """A sentence that is known as a whole."""
        if text in self.made:
            return self.made[text]
        if text.endswith(".") and text[:-1] in self.made:
            return self.made[text[:-1]] + "."
        for template in (one for one in self.templates if text.startswith(one.fixed[0])):  # few begin like this
            values = template.values(text)
            if values is not None and self._can_say(template, values):
                filling = Filling(self.say, self.spelled, is_text=True)
                return filling.vformat(self.made[template.text], (), values)
        inner = text.strip()
        found = self._whole(inner) if inner != text else None
        return None if found is None else text.replace(inner, found)

    def _can_say(self, template: Template, values: Mapping[str, str]) -> bool:
        """Whether each value that is a phrase has a translation: half a sentence is worse than none."""
        phrases = [values[name] for name in phrases_of(self.made[template.text])]
        return all(not any(c.isalpha() for c in one) or one in self.made or self.say(one) != one for one in phrases)

    def spelled(self, text: str) -> str:
        r"""A number that was spelled in English, with the separators of the language; other texts as they are.

        Example:
            >>> words("fr").spelled("1,234.50"), words("fr").spelled("1,2"), words("en").spelled("1,234.50")
            ('1\u202f234,50', '1,2', '1,234.50')
        """
        is_number = self.language != "en" and _NUMBER.fullmatch(text) is not None
        return text.translate(_SEPARATORS[self.language]) if is_number else text

    def number(self, value: float, digits: int | None = None) -> str:
        r"""A number with the separators of the language.

        Args:
            value: the number.
            digits: decimals; None: as many as it has, three at most.

        Example:
            >>> words("fr").number(1234567.5), words("en").number(2.0), words("en").number(2, 2)
            ('1\u202f234\u202f567,5', '2', '2.00')
        """
        text = f"{value:,.{3 if digits is None else digits}f}"
        return self.spelled(text.rstrip("0").rstrip(".") if digits is None else text)

    def percent(self, value: float) -> str:
        r"""A share in percent, with one decimal at most.

        Example:
            >>> words("en").percent(0.125), words("fr").percent(0.125)
            ('12.5\xa0%', '12,5\xa0%')
        """
        text = f"{100 * value:,.1f}".removesuffix(".0")
        return f"{self.spelled(text)}\u00a0%"


ENGLISH = Words("en")


@cache
def words(language: str) -> Words:
    """The words of a language that reports and terminals use.

    Args:
        language: one of `LANGUAGES`.
    """
    if language == "en":
        return ENGLISH
    return beside(language, catalogue("sfumato.language", language, "report.po"))


def beside(language: str, said: Mapping[str, str]) -> Words:
    """The words of a language for pages that say these sentences.

    Args:
        language: one of `LANGUAGES`.
        said: translations of the sentences that the pages say.
    """
    found = catalogue("sfumato.language", language)
    made = also_of_rows(found) if found else found
    return Words(language, said, made, templates_of(made))


def preferred(header: str, chosen: str) -> str:
    """The language of a request: the one that was chosen, else the first that the browser names.

    Example:
        >>> preferred("de, fr-CA;q=0.8, en;q=0.5", ""), preferred("fr", "en"), preferred("", "")
        ('fr', 'en', 'en')
    """
    if chosen in LANGUAGES:
        return chosen
    named = [part.split(";")[0].strip().split("-")[0].lower() for part in header.split(",")]
    return next((name for name in named if name in LANGUAGES), "en")


def in_language(texts: Mapping[str, V], language: str, none: V) -> V:
    """What a document says in a language, else in its first one.

    Args:
        texts: by language.
        language: that is wanted.
        none: where the document says nothing.

    Example:
        >>> in_language({"fr": "oui"}, "en", ""), in_language({}, "fr", "")
        ('oui', '')
    """
    return texts.get(language, next(iter(texts.values()), none))


def of_terminal(environ: Mapping[str, str]) -> str:
    """The language of a terminal, as gettext reads it: LC_ALL, else LC_MESSAGES, else LANG; then LANGUAGE, which orders.

    Example:
        >>> of_terminal({"LANG": "fr_FR.UTF-8"}), of_terminal({"LC_ALL": "C", "LANG": "fr_FR.UTF-8"})
        ('fr', 'en')
        >>> of_terminal({"LANG": "de_DE.UTF-8", "LANGUAGE": "nl:fr:en"}), of_terminal({})
        ('fr', 'en')
    """
    locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "C")
    if locale.split(".")[0] in {"C", "POSIX"}:
        return "en"
    wanted = [*environ.get("LANGUAGE", "").split(":"), locale]
    return next((one[:2] for one in wanted if one[:2] in LANGUAGES), "en")


def terminal_words() -> Words:
    """The words of whoever reads the terminal of this process."""
    return words(of_terminal(os.environ))
