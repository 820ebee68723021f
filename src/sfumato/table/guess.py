"""What an undescribed column could be: guesses for a first plan; a person decides.

Kinds are guessed without loss: a column counts as numbers or dates only if each text can be read so
and nothing of it (a leading zero, a plus sign, a seventeenth digit) would matter for what it means.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import TYPE_CHECKING

from sfumato.table.identifier import looks_identifying
from sfumato.table.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.types import IntArray

__all__ = ["guess_kind", "likely_missing", "looks_identifying"]

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,14}")
_DECIMAL = re.compile(r"(?!-0\Z)-?(?:0|[1-9][0-9]{0,14})(?:([.,])[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?")
_THOUSANDS = re.compile(r"-?[1-9][0-9]{0,2},[0-9]{3}")
_DATE_FORMATS = {
    "%d/%m/%Y": re.compile(r"\d{1,2}/\d{1,2}/\d{4}"),
    "%m/%d/%Y": re.compile(r"\d{1,2}/\d{1,2}/\d{4}"),
    "%d.%m.%Y": re.compile(r"\d{1,2}\.\d{1,2}\.\d{4}"),
    "%d-%m-%Y": re.compile(r"\d{1,2}-\d{1,2}-\d{4}"),
    "%Y/%m/%d": re.compile(r"\d{4}/\d{1,2}/\d{1,2}"),
    "%Y%m%d": re.compile(r"(?:19|20)\d{6}"),
    "%d/%m/%Y %H:%M": re.compile(r"\d{1,2}/\d{1,2}/\d{4} \d{1,2}:\d{2}"),
    "%d/%m/%Y %H:%M:%S": re.compile(r"\d{1,2}/\d{1,2}/\d{4} \d{1,2}:\d{2}:\d{2}"),
    "%m/%d/%Y %H:%M": re.compile(r"\d{1,2}/\d{1,2}/\d{4} \d{1,2}:\d{2}"),
    "%d/%m/%y": re.compile(r"\d{1,2}/\d{1,2}/\d{2}"),
    "%d-%m-%y": re.compile(r"\d{2}-\d{2}-\d{2}"),
    "%d.%m.%y": re.compile(r"\d{1,2}\.\d{1,2}\.\d{2}"),
    "%m/%d/%y": re.compile(r"\d{1,2}/\d{1,2}/\d{2}"),
}
"""Formats beside ISO 8601, tried in this order: where day and month cannot be told apart, day first."""
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})?)?")

_WORDS = ("", "?", "NA", "N/A", "n/a", "na", "NaN", "nan", "NULL", "null", "-", "--", ".", "..", "#N/A", "<NA>",
          "missing", "Missing")  # fmt: skip
"""Texts that often mean `missing`. `None` and `unknown` are answers as often, and are left to the user."""
_NEGATIVE = ("-1", "-7", "-8", "-9", "-77", "-88", "-99", "-999", "-9999")
_NINES = ("99", "999", "9999", "99999")
_SUSPECTS = frozenset((*_WORDS, *_NEGATIVE, *_NINES))
_TWO_LETTERS = re.compile("[A-Z]{2}")
_FAR = 3
"""A code of nines is suspected when it is more than so many times the next largest number."""


def guess_kind(values: Sequence[str | None], counts: IntArray) -> tuple[Kind, str | None]:
    """How the texts of a column read, and the format of a date that is not ISO 8601.

    Args:
        values: distinct values, codes for `missing` left out (None is passed over).
        counts: (n,) int64 rows of each value; a kind must fit all of them, so they do not matter.

    Example:
        >>> import numpy as np
        >>> one = np.ones(3, np.int64)
        >>> guess_kind(["01000", "0", "75001"], one), guess_kind(["5,3", "2,25", "0"], one)
        ((<Kind.TEXT: 'text'>, None), (<Kind.DECIMAL: 'decimal'>, None))
        >>> guess_kind(["31/12/1999", "1/2/2000"], one[:2])
        (<Kind.DATE: 'date'>, '%d/%m/%Y')
    """
    del counts
    texts = [value for value in values if value is not None]
    if not texts:
        return Kind.TEXT, None
    if all(map(_ISO.fullmatch, texts)) and _reads(texts, None):
        return Kind.DATE, None
    for form, pattern in _DATE_FORMATS.items():
        if all(map(pattern.fullmatch, texts)) and _reads(texts, form):
            return Kind.DATE, form
    if all(map(_INTEGER.fullmatch, texts)):
        return Kind.INTEGER, None
    return (Kind.DECIMAL if _are_decimals(texts) else Kind.TEXT), None


def likely_missing(values: Sequence[str | None], counts: IntArray) -> tuple[str, ...]:
    """Texts of the column that may mean `missing`: words such as `?` and `NA`, numbers such as -9.

    They are guesses: `NA` is not suspected among two-letter codes, where it may be Namibia, a
    negative number only where all others are none, a row of nines only far above the others.

    Args:
        values: distinct values.
        counts: (n,) int64 rows of each value; a code that one row has may be a code all the same.

    Example:
        >>> import numpy as np
        >>> likely_missing(["17", "-9", "?"], np.array([5, 2, 1])), likely_missing(["FR", "NA"], np.array([5, 2]))
        (('?', '-9'), ())
    """
    del counts
    seen = _SUSPECTS.intersection(values)
    words = tuple(word for word in _WORDS if word in seen)
    if "NA" in seen and _all(_TWO_LETTERS, _without(values, words)):
        words = tuple(word for word in words if word != "NA")
    codes = seen.difference(_WORDS)
    numbers = _without(values, (*words, *codes)) if codes else []
    if not _all(_DECIMAL, numbers):
        return words
    real = [float(text.replace(",", ".")) for text in numbers]
    negative = [code for code in _NEGATIVE if code in codes and min(real) >= 0]
    nines = [code for code in _NINES if code in codes and 0 < max(real) < float(code) / _FAR]
    return (*words, *negative, *nines)


def _without(values: Sequence[str | None], others: Sequence[str]) -> list[str]:
    """The values that are there and are none of these."""
    left_out = {None, *others}
    return [value for value in values if value is not None and value not in left_out]


def _all(pattern: re.Pattern[str], texts: Sequence[str]) -> bool:
    """Whether there are texts, and all are of this form."""
    return bool(texts) and all(map(pattern.fullmatch, texts))


def _are_decimals(texts: Sequence[str]) -> bool:
    """All read as numbers with one decimal mark; `1,234` could be thousands and is not trusted alone."""
    if not all(map(_DECIMAL.fullmatch, texts)) or (any("." in t for t in texts) and any("," in t for t in texts)):
        return False
    fractions = [text for text in texts if "," in text]
    return not fractions or not all(map(_THOUSANDS.fullmatch, fractions))


def _reads(texts: Sequence[str], form: str | None) -> bool:
    """Whether every text is a day of the calendar in the format (None: ISO 8601)."""
    try:
        for text in texts:
            day: date = datetime.fromisoformat(text) if form is None else datetime.strptime(text, form)
            if not date.min <= date(day.year, day.month, day.day):
                return False
    except ValueError:
        return False
    return True
