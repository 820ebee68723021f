"""The studio's sentences in two languages. English is written in the pages; `words/fr.po` has the French of each."""

from __future__ import annotations

from functools import cache

from sfumato.language.catalogue import catalogue
from sfumato.language.words import ENGLISH, LANGUAGES, NAMES, Words, beside, preferred

__all__ = ["LANGUAGES", "NAMES", "Words", "preferred", "words"]


@cache
def words(language: str) -> Words:
    """The sentences of a language that the studio says.

    Example:
        >>> words("fr").gettext("Run"), words("en").gettext("Run")
        ('Exécuter', 'Run')
    """
    return ENGLISH if language == "en" else beside(language, catalogue("sfumato.studio", "words", f"{language}.po"))
