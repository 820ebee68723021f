"""An error in the language of whoever reads it: its templates are the keys, its public values go into the translation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.language.sentence import Filling
from sfumato.language.words import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.errors import SfumatoError
    from sfumato.language.words import Words


@dataclass(frozen=True, slots=True)
class Told:
    """An error in words.

    Args:
        problem: what must be true and what was given.
        remedy: what to do.
        place: where in a file; "": not known.
    """

    problem: str
    remedy: str
    place: str


def told(error: SfumatoError, language: str) -> Told:
    r"""An error in a language; what has no translation stays English.

    Args:
        error: any error of Sfumato.
        language: one of `LANGUAGES`.

    Example:
        >>> from sfumato.errors import ParameterError
        >>> error = ParameterError("`k` must be a whole number >= 1; got {k}.", "choose k >= 2.", k=0)
        >>> told(error, "fr").problem
        '`k` doit être un nombre entier >= 1\xa0; reçu\xa0: 0.'
        >>> told(error, "en").remedy
        'choose k >= 2.'
    """
    if language == "en":
        return Told(error.problem, error.remedy, error.place)
    say = words(language)
    problem, remedy = (_filled(template, error.values, say) for template in error.templates)
    return Told(problem or say.say(error.problem), remedy or say.say(error.remedy), say.say(error.place))


def _filled(template: str, values: Mapping[str, object], say: Words) -> str:
    """A template in another language with its values; "": it has no translation as a whole."""
    found = say.made.get(template, "")
    if not found or not values:
        return found
    return Filling(say.say, say.spelled, is_text=False).vformat(found, (), values)
