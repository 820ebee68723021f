"""One form of a name before a pseudonym is computed, so that equal names are equal texts."""

from __future__ import annotations

import unicodedata


def canonical(text: str, *, fold_case: bool) -> str:
    r"""The text in Unicode form NFC, without blanks at its ends, runs of blanks as one; in lower case if asked.

    Args:
        text: a cell.
        fold_case: whether `Ann` and `ANN` are one name.

    Source:
        Unicode Standard Annex 15 (normalization forms); section 3.13 of the standard (case folding).

    Example:
        >>> canonical("  Zoe\u0308  Ann ", fold_case=True) == canonical("ZOË ANN", fold_case=True)
        True
    """
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    return unicodedata.normalize("NFC", plain.casefold()) if fold_case else plain
