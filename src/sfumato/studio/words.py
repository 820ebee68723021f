"""The studio's sentences in two languages. English is written in the pages; `words/fr.po` has the French of each.

The catalogue is read as it is, without a step that compiles it.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

LANGUAGES = ("en", "fr")
NAMES = {"en": "English", "fr": "Français"}


@dataclass(frozen=True, slots=True)
class Words:
    """Sentences of one language.

    Args:
        language: "en" or "fr".
        said: by sentence in English, what it is in this language.
    """

    language: str
    said: Mapping[str, str]

    def gettext(self, text: str) -> str:
        """A sentence; in English where it has no translation.

        Example:
            >>> words("en").gettext("Run")
            'Run'
        """
        return self.said.get(text, text) or text

    def ngettext(self, one: str, many: str, n: int) -> str:
        """A sentence about n things; none is one in French."""
        is_one = n <= 1 if self.language == "fr" else n == 1
        return self.gettext(one if is_one else many)

    def number(self, value: float, digits: int | None = None) -> str:
        """A number with the separators of the language.

        Args:
            value: the number.
            digits: decimals; None: as many as it has, three at most.
        """
        from babel.numbers import format_decimal

        pattern = "#,##0.###" if digits is None else "#,##0." + "0" * digits if digits else "#,##0"
        return format_decimal(value, format=pattern, locale=self.language)

    def percent(self, value: float) -> str:
        """A share in percent, with one decimal."""
        from babel.numbers import format_percent

        return format_percent(
            value, format="#,##0.#%" if self.language == "en" else "#,##0.#\u00a0%", locale=self.language
        )


@cache
def words(language: str) -> Words:
    """The sentences of a language."""
    return Words(language, {} if language == "en" else _catalogue(language))


def _catalogue(language: str) -> dict[str, str]:
    from babel.messages.pofile import read_po

    with files("sfumato.studio").joinpath("words", f"{language}.po").open("rb") as file:
        found = read_po(file, locale=language)
    out: dict[str, str] = {}
    for message in found:
        if isinstance(message.id, str):
            out[message.id] = str(message.string)
        else:
            out |= dict(zip(message.id, message.string or (), strict=False))
    return out


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
