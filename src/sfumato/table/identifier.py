"""Whether a column looks as if it named persons by itself: by its name, its patterns, its uniqueness."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sfumato.table.share import mostly
from sfumato.table.words import phrase_of

if TYPE_CHECKING:
    from sfumato.types import IntArray

FREE_TEXT = "free text"
"""How the reason of a column of free text begins."""
_ALWAYS = frozenset({
    "email", "mail", "courriel", "phone", "telephone", "tel", "mobile", "fax", "iban", "ssn", "nir", "nino", "nhs",
    "passport", "passeport", "surname", "lastname", "firstname", "forename", "givenname", "familyname", "fullname",
    "prenom", "vorname", "nachname", "nom", "address", "adresse", "street", "uuid", "guid", "username", "login",
    "licence", "license", "mrn", "siren", "siret", "ip",
})  # fmt: skip
"""Words of a column name that say it identifies."""
_IF_VARIED = frozenset({
    "id", "name", "identifier", "identifiant", "number", "numero", "num", "no", "nr", "nbr", "key", "code", "pid", "uid",
    "hid", "index", "cle", "ref", "reference", "pseudonym", "pseudonyme", "token",
})  # fmt: skip
"""Last words that say so only where few rows share a value (`country name` does not identify)."""
_ANYWHERE = frozenset({"id", "identifier", "identifiant", "pid", "uid", "hid"})
"""Those that say so in any place of the name (`id_femme`), and where a person has many rows (`user_id`)."""
_UNITS = frozenset({
    "person", "personne", "patient", "user", "usager", "utilisateur", "customer", "client", "member", "membre", "employee",
    "employe", "student", "eleve", "etudiant", "subject", "sujet", "respondent", "household", "menage", "company", "firm",
    "entreprise", "utility", "util", "organisation", "organization", "org", "provider", "account", "compte", "card", "carte",
    "device", "subscriber", "abonne", "driver", "chauffeur", "cab", "taxi", "vehicle", "owner", "holder", "participant",
    "individu", "individual", "assure", "insured", "salarie",
})  # fmt: skip
"""What is numbered or named: a column of that name alone, or with `id` or `name` joined to it, names the unit."""
_PLACES = frozenset({"zip", "postal", "post", "postcode", "commune", "insee", "area"})
"""Codes of places: in a small table few rows share one."""
_JOINED = re.compile(r"(\w+?)(?:id|name|no|nr|num|nom|key)")
_CATEGORY = frozenset({
    "type", "kind", "class", "category", "categorie", "source", "status", "statut", "disposition", "group", "groupe", "level",
    "time", "date", "day", "month", "reg", "region", "area", "zone", "place", "country", "pays", "state", "city", "ville", "town",
    "county", "commune", "dept", "department", "departement", "product", "produit", "item", "article", "venue", "cell", "hospital",
    "school", "ward", "course", "language", "currency", "brand", "model", "event", "diagnosis", "drug", "specialty",
})  # fmt: skip
"""What is numbered without being a unit: many rows share a `region id`."""
_PAIRS = frozenset(
    {"last name", "first name", "given name", "family name", "full name", "social security", "user name"}
)
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}")
_PHONE = re.compile(r"(?:\+|00|\(\+?\d+\)|0)[\d][\d\s().\-/]{6,}\d")
_SOCIAL = re.compile(r"\d{3}-\d{2}-\d{4}|[12]\s?\d{2}\s?\d{2}\s?(?:\d{2}|2[AB])\s?\d{3}\s?\d{3}(?:\s?\d{2})?")
"""Of the United States, and of France (NIR)."""
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{10,30}")
_UUID = re.compile(r"[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}")
_IP = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)")
_ANY = re.compile(
    "|".join(f"(?:{form.pattern})" for form in (_EMAIL, _PHONE, _SOCIAL, _UUID, _IP))
    + "| *[A-Z] *[A-Z] *[0-9][A-Z0-9 ]+"
)
"""What follows any of these patterns follows this one: most columns are done with one look. The last is an IBAN's."""
_MOST = 0.8
"""Share of the distinct values that must follow a pattern."""
_VARIED = 0.5
"""Distinct values over rows from which few rows share one."""
_SMALL = 20
"""Rows below which uniqueness says nothing; distinct values below which a number of units would be a category."""
_LONG_TEXT, _FEW_WORDS = 25, 4.0
"""Free text has so many characters and words on average, and values that few rows share."""
_DECIMAL = r"-?\d+[.,]\d*[1-9]\d*"
"""With a fraction: `17.0` is a whole number in disguise."""
_MEASURED = re.compile(rf"{_DECIMAL}|\d{{4}}-\d\d-\d\d.*|\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{2,4}}.*")
"""Such a number, or a date."""
_BLOCK = 1000
"""Texts of which the words are counted at once."""


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
    return names_a_unit(name, values, n_rows) or is_unique(values, counts, n_rows)


def names_a_unit(name: str, values: Sequence[str | None], n_rows: int) -> str | None:
    """Why a column seems to name somebody, by its name, its patterns or as free text; None: it does not.

    Example:
        >>> names_a_unit("user_id", [str(i) for i in range(40)], 9000)
        'its name suggests an identifier of a unit that has several rows'
    """
    texts = list(filter(None, values))
    if not texts:
        return None
    words = phrase_of(name).split()
    if _ALWAYS & {*words, "".join(words)} or any(pair in " ".join(words) for pair in _PAIRS):
        return "its name says that it identifies a person"
    if mostly(_ANY.fullmatch, texts, _MOST):
        for what, follows in _PATTERNS.items():
            if mostly(follows, texts, _MOST):
                return f"its values look like {what}"
    return _by_numbering(words, texts, n_rows)


def _by_numbering(words: Sequence[str], texts: Sequence[str], n_rows: int) -> str | None:
    """Why a column seems to number or to describe each one: by words such as `id`, or as free text."""
    varied = len(texts) >= _VARIED * n_rows
    if varied and not _PLACES & set(words) and (_IF_VARIED & set(words[-1:]) or _ANYWHERE & set(words)):
        return "its name suggests an identifier, and few rows share a value"
    if len(texts) >= _SMALL and _numbers_units(words):
        return "its name suggests an identifier of a unit that has several rows"
    if varied and n_rows >= _SMALL and _is_free_text(texts):
        return f"{FREE_TEXT}: it can say anything about anybody"
    return None


def is_unique(values: Sequence[str | None], counts: IntArray, n_rows: int) -> str | None:
    """Whether every row has a value of its own that is not a measurement or a date."""
    texts = list(filter(None, values))
    if n_rows >= _SMALL and len(texts) == n_rows == int(counts.sum()) and not _is_measured(texts):
        return "every row has its own value"
    return None


def _numbers_units(words: Sequence[str]) -> bool:
    """Whether a name is a unit's (`cab`), or numbers one (`user_id`, `UTILNAME`) that is not a category (`region id`)."""
    if _CATEGORY & set(words):
        return False
    joined = [_JOINED.fullmatch(word) for word in words]
    alone = len(words) == 1 and words[0] in _UNITS
    return alone or bool(_ANYWHERE & set(words)) or any(match and match[1] in _UNITS for match in joined)


def _is_free_text(texts: Sequence[str]) -> bool:
    """Long, and of several words on average."""
    if sum(map(len, texts)) < _LONG_TEXT * len(texts):
        return False
    blocks = (texts[start : start + _BLOCK] for start in range(0, len(texts), _BLOCK))
    return sum(len(" ".join(block).split()) for block in blocks) >= _FEW_WORDS * len(texts)


def _is_measured(texts: Sequence[str]) -> bool:
    """Measured values and dates may all differ without naming anybody."""
    return mostly(_MEASURED.fullmatch, texts, _VARIED)


def _is_iban(text: str) -> bool:
    """An account number whose check digits are right (ISO 13616: remainder 1 modulo 97)."""
    bare = text.replace(" ", "")
    if not _IBAN.fullmatch(bare):
        return False
    return int("".join(str(int(character, 36)) for character in bare[4:] + bare[:4])) % 97 == 1


def _is_phone(text: str) -> bool:
    """A telephone number with a trunk or country prefix; bare digits alone are no proof."""
    return bool(_PHONE.fullmatch(text)) and 9 <= sum(map(str.isdigit, text)) <= 15


_PATTERNS: dict[str, Callable[[str], object]] = {
    "e-mail addresses": _EMAIL.fullmatch,
    "bank account numbers (IBAN)": _is_iban,
    "social security numbers": _SOCIAL.fullmatch,
    "telephone numbers": _is_phone,
    "universally unique identifiers": _UUID.fullmatch,
    "network addresses": _IP.fullmatch,
}
"""What follows one of them follows `_ANY`."""
