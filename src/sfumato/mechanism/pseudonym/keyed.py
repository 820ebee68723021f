"""Pseudonyms that a key gives to a column: one derived key for each domain, edition and period."""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.mechanism.pseudonym.column import Means, pseudonym_promise
from sfumato.mechanism.pseudonym.format_preserving import ALPHABETS, FormatPreserving
from sfumato.mechanism.pseudonym.token import Token, check_length

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.guarantee.base import Guarantee
    from sfumato.mechanism.pseudonym.column import Names
    from sfumato.mechanism.pseudonym.key import Secret
    from sfumato.mechanism.pseudonym.period import Period


class Form(Enum):
    """How pseudonyms look."""

    TOKEN = "token"  # noqa: S105
    FF1 = "ff1"


@dataclass(frozen=True, slots=True)
class Keyed:
    """Pseudonyms computed with a key.

    Args:
        secret: the key.
        domain: whose names they are.
        form: how they look.
        edition: a text that parts releases: pseudonyms of two editions cannot be linked; empty: none.
        period: how long a person keeps one; None: for the whole edition.
        fold_case: whether upper and lower case are one name.
        characters: length of a token.
        alphabet: signs that FF1 encrypts, or the name of an alphabet.
        kept: signs that FF1 leaves.

    Example:
        >>> from sfumato.mechanism.pseudonym.key import Secret
        >>> one = Keyed(Secret(bytes(range(32))), "patients", Form.TOKEN)
        >>> one.names("").texts(["Ann"]) == one.names("2026-W07").texts(["Ann"])
        False
    """

    secret: Secret = field(repr=False)
    domain: str
    form: Form
    edition: str = ""
    period: Period | None = None
    fold_case: bool = False
    characters: int = 26
    alphabet: str = "digits"
    kept: str = ""

    def names(self, period: str) -> Names:
        """The pseudonyms of one period (empty: of all time)."""
        key = self.secret.derive(self.form.value, self.domain, self.edition, period)
        if self.form is Form.TOKEN:
            return Token(key, self.characters, self.fold_case)
        return FormatPreserving(key, ALPHABETS.get(self.alphabet, self.alphabet), self.kept, self.fold_case)

    def check(self, column: str, names: Sequence[str]) -> None:
        """Refuse names that cannot be told apart or written in this form.

        Raises:
            ParameterError: see `token.check_length` and `format_preserving.FormatPreserving.check`.
        """
        if self.form is Form.TOKEN:
            check_length(self.characters, len(names))
        found = self.names("")
        if isinstance(found, FormatPreserving):
            found.check(column, names)

    def promise(self, column: str) -> Guarantee:
        """What is promised of the column."""
        period = "" if self.period is None else self.period.value
        if self.form is Form.TOKEN:
            means = Means("HMAC-SHA-256", self.domain, period, "the key", "H. Krawczyk et al., RFC 2104, 1997")
        else:
            means = Means(
                "FF1 with AES-256", self.domain, period, "the key, which also decrypts", "NIST SP 800-38G, 2016"
            )
        return pseudonym_promise(column, means)
