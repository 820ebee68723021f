"""Does a column look as if it named persons by itself? By its name, its patterns, its uniqueness."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.types import IntArray

_ALWAYS = frozenset({
    "email", "mail", "courriel", "phone", "telephone", "tel", "mobile", "fax", "iban", "ssn", "nir", "nino", "nhs",
    "passport", "passeport", "surname", "lastname", "firstname", "forename", "givenname", "familyname", "fullname",
    "prenom", "vorname", "nachname", "nom", "address", "adresse", "street", "uuid", "guid", "username", "login",
    "licence", "license", "mrn", "siren", "siret", "ip",
})  # fmt: skip
"""Words of a column name that say it identifies."""
_IF_VARIED = frozenset(
    {
        "id",
        "name",
        "identifier",
        "identifiant",
        "number",
        "numero",
        "num",
        "no",
        "nr",
        "nbr",
        "key",
        "code",
        "pid",
        "uid",
    }
)
"""Last words that say so only where few rows share a value (`country name` does not identify)."""
_ANYWHERE = frozenset({"id", "identifier", "identifiant", "pid", "uid"})
"""Those that say so in any place of the name (`id_femme`)."""
_PAIRS = frozenset(
    {"last name", "first name", "given name", "family name", "full name", "social security", "user name"}
)
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}")
_PHONE = re.compile(r"(?:\+|00|\(\+?\d+\)|0)[\d][\d\s().\-/]{6,}\d")
_SSN = re.compile(r"\d{3}-\d{2}-\d{4}")
_NIR = re.compile(r"[12]\s?\d{2}\s?\d{2}\s?(?:\d{2}|2[AB])\s?\d{3}\s?\d{3}(?:\s?\d{2})?")
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{10,30}")
_UUID = re.compile(r"[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}")
_IP = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)")
_MOST = 0.8
"""Share of the distinct values that must follow a pattern."""
_VARIED = 0.5
"""Distinct values over rows from which few rows share one."""
_SMALL = 20
"""Rows below which uniqueness says nothing."""
_DECIMAL = re.compile(r"-?\d+[.,]\d*[1-9]\d*")
"""With a fraction: `17.0` is a whole number in disguise."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d.*|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}.*")


def looks_identifying(name: str, values: Sequence[str | None], counts: IntArray, n_rows: int) -> str | None:
    """Why a column seems to identify persons by itself; None: it does not seem so.

    Args:
        name: name of the column.
        values: distinct values.
        counts: (n,) int64 rows of each value.
        n_rows: rows of the table.

    Returns:
        A reason without any value of the column.

    Example:
        >>> import numpy as np
        >>> looks_identifying("contact", ["a@x.org", "b@y.fr"], np.array([1, 1]), 2)
        'its values look like e-mail addresses'
        >>> looks_identifying("country name", ["France", "Italy"], np.array([50, 50]), 100) is None
        True
    """
    texts = [value for value in values if value]
    if not texts:
        return None
    words = _words(name)
    phrase = " ".join(words)
    if _ALWAYS & {*words, "".join(words)} or any(pair in phrase for pair in _PAIRS):
        return "its name says that it identifies a person"
    for what, follows in _PATTERNS.items():
        if sum(map(follows, texts)) >= _MOST * len(texts):
            return f"its values look like {what}"
    if (_IF_VARIED & set(words[-1:]) or _ANYWHERE & set(words)) and len(texts) >= _VARIED * n_rows:
        return "its name suggests an identifier, and few rows share a value"
    if n_rows >= _SMALL and len(texts) == n_rows == int(counts.sum()) and not _is_measured(texts):
        return "every row has its own value"
    return None


def _words(name: str) -> list[str]:
    """The words of a column name in small letters, accents dropped: `PatientID` is patient, id."""
    import unicodedata

    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", plain)
    return [word.lower() for word in re.findall(r"[^\W_]+", spaced)]


def _is_measured(texts: Sequence[str]) -> bool:
    """Measured values and dates may all differ without naming anybody."""
    measured = sum(bool(_DECIMAL.fullmatch(text) or _DATE.fullmatch(text)) for text in texts)
    return measured >= _VARIED * len(texts)


def _is_iban(text: str) -> bool:
    """An account number whose check digits are right (ISO 13616: remainder 1 modulo 97)."""
    bare = text.replace(" ", "")
    if not _IBAN.fullmatch(bare):
        return False
    return int("".join(str(int(character, 36)) for character in bare[4:] + bare[:4])) % 97 == 1


def _is_phone(text: str) -> bool:
    """A telephone number with a trunk or country prefix; bare digits alone are no proof."""
    return bool(_PHONE.fullmatch(text)) and 9 <= sum(map(str.isdigit, text)) <= 15


_PATTERNS: dict[str, Callable[[str], bool]] = {
    "e-mail addresses": lambda text: bool(_EMAIL.fullmatch(text)),
    "bank account numbers (IBAN)": _is_iban,
    "social security numbers": lambda text: bool(_SSN.fullmatch(text) or _NIR.fullmatch(text)),
    "telephone numbers": _is_phone,
    "universally unique identifiers": lambda text: bool(_UUID.fullmatch(text)),
    "network addresses": lambda text: bool(_IP.fullmatch(text)),
}
